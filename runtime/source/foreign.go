package source

import (
	"fmt"
	"strings"
)

// Instead says what to call in place of a module that a program cannot have: one of Node's, with `node:` in front
// or without, a package, a file or an address. It is a line in lower case without a full stop, to follow a colon
// or to stand as a hint. It reports false where nothing in particular is known.
func Instead(module string) (line string, ok bool) {
	line = instead(strings.TrimPrefix(module, "node:"))
	return line, line != ""
}

func instead(module string) string {
	switch module {
	case "fs", "fs/promises", "fs-extra", "graceful-fs":
		return "use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir"
	case "glob", "fast-glob", "globby":
		return "use gg.files.listDir, or gg.shell.shell(\"find . -name '*.js'\")"
	case "readline", "readline/promises":
		return "use gg.files.readTextFile(path).split(\"\\n\")"
	case "child_process", "execa", "shelljs", "zx", "cross-spawn":
		return "use gg.shell.shell(command)"
	case "worker_threads", "cluster":
		return "use gg.shell.shell(command); a program has one thread"
	case "process":
		return "use gg.args for arguments and gg.shell.shell(command) for the environment"
	case "os":
		return "use gg.shell.shell(command), such as gg.shell.shell(\"uname -a\")"
	case "path", "path/posix":
		return "join paths as strings; relative ones start at the workspace"
	case "http", "https", "http2", "axios", "node-fetch", "undici", "got", "ky", "request", "superagent":
		return "a program has no network; use gg.shell.shell(\"curl …\")"
	case "net", "tls", "dgram", "dns", "dns/promises", "ws":
		return "a program has no network; use gg.shell.shell(command)"
	case "timers":
		return "setTimeout and setInterval are global"
	case "timers/promises":
		return "use `await gg.sleep(ms)`"
	case "perf_hooks":
		return "performance is global"
	case "util":
		return "use console.log, structuredClone and plain JavaScript; TextDecoder is global"
	case "events", "async_hooks":
		return "use plain functions and Promises"
	case "stream", "stream/promises":
		return "use gg.files.readTextFile with offset and limit"
	case "buffer":
		return "Buffer is global"
	case "string_decoder":
		return "TextDecoder is global"
	case "url":
		return "URL and URLSearchParams are global"
	case "querystring":
		return "URLSearchParams is global"
	case "assert", "assert/strict", "test":
		return "use `if (!condition) throw new Error(message)`"
	case "crypto":
		return "crypto.randomUUID is global; for hashes use gg.shell.shell(command), such as gg.shell.shell(\"sha256sum file\")"
	case "zlib":
		return "use gg.shell.shell(command), such as gg.shell.shell(\"gzip -d file\")"
	case "module", "vm":
		return "a program is one file"
	case "chalk":
		return "use plain strings"
	case "simple-git":
		return "use gg.shell.shell(\"git …\")"
	case "typescript":
		return "use gg.shell.shell(\"tsc …\")"
	case "sqlite3", "better-sqlite3", "sqlite":
		return "use gg.shell.shell(\"sqlite3 …\")"
	}
	switch {
	case strings.HasPrefix(module, "."), strings.HasPrefix(module, "/"), strings.HasPrefix(module, "file:"):
		return "a program is one file: put the code into it, or read the file with gg.files.readTextFile"
	case strings.Contains(module, "://"):
		return instead("http")
	}
	return ""
}

// foreignModule words the refusal of an import that is not gg's, with what to call instead.
func foreignModule(specifier string) (message, hint string) {
	message = fmt.Sprintf("module %q cannot be imported", specifier)
	if hint, ok := Instead(specifier); ok {
		return message, hint
	}
	if strings.EqualFold(specifier, "gg") || strings.HasPrefix(specifier, "gg/") || strings.HasPrefix(specifier, "@gg/") {
		return message, `import from "gg", or from "gg:<module>"`
	}
	return message, "only \"gg\" can be imported: write it in plain JavaScript, or run a command with gg.shell.shell"
}
