package source

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func describe(imports []Import) string {
	var out []string
	for _, i := range imports {
		name := i.Name
		if name == "" {
			name = "*"
		}
		out = append(out, fmt.Sprintf("%s#%s as %s at %s", i.Module, name, i.Local, i.Position))
	}
	return strings.Join(out, "; ")
}

func TestImports(t *testing.T) {
	for _, test := range []struct{ name, src, imports, text string }{
		{"namespace", `import * as gg from "gg";`, "gg#* as gg at 1:13", ""},
		{"default", `import gg from 'gg'`, "gg#default as gg at 1:8", ""},
		{"named", `import { shell as s, views } from "gg"`, "gg#shell as s at 1:19; gg#views as views at 1:22", ""},
		{"default and named", `import g, { shell } from "gg";`, "gg#default as g at 1:8; gg#shell as shell at 1:13", ""},
		{"default and namespace", `import g, * as h from "gg";`, "gg#default as g at 1:8; gg#* as h at 1:16", ""},
		{"no binding", `import "gg";`, "gg#* as  at 1:1", ""},
		{"no names", `import {} from "gg";`, "gg#* as  at 1:1", ""},
		{"a module", `import { openFile as of } from "gg:views";`, "gg:views#openFile as of at 1:22", ""},
		{"a module's namespace", `import * as v from "gg:views"`, "gg:views#* as v at 1:13", ""},
		{"a module's default", `import v from "gg:views"`, "gg:views#default as v at 1:8", ""},
		{"named default", `import { default as g } from "gg"`, "gg#default as g at 1:21", ""},
		{"a name in quotes", `import { "shell" as s } from "gg"`, "gg#shell as s at 1:21", ""},
		{"trailing comma", `import { shell, } from "gg"`, "gg#shell as shell at 1:10", ""},
		{"without spaces", `import{shell}from"gg";1`, "gg#shell as shell at 1:8", "1"},
		{"several lines", "import {\n  shell, // one\n  views /* two */\n} from\n\"gg\";\n1", "gg#shell as shell at 2:3; gg#views as views at 3:3", "1"},
		{"comments with quotes", "import /* ' \" ` */ gg // from 'x'\nfrom \"gg\"; 1", "gg#default as gg at 1:20", "1"},
		{"attributes", `import gg from "gg" with { type: "json" }; 1`, "gg#default as gg at 1:8", "1"},
		{"two on one line", `import { shell } from "gg"; import { openFile } from "gg:views"; 1`, "gg#shell as shell at 1:10; gg:views#openFile as openFile at 1:38", "1"},
		{"not at the top", "f()\nimport gg from \"gg\"\n1", "gg#default as gg at 2:8", "f()\n;                  \n1"},
		{"names called type and from", `import type from "gg"; import { from } from "gg2";`, "gg#default as type at 1:8", ""},
		{"contextual names", `import from, { shell as as } from "gg"`, "gg#default as from at 1:8; gg#shell as as at 1:25", ""},
		{"after a directive", "\"use strict\";\nimport gg from \"gg\";", "gg#default as gg at 2:8", "\"use strict\";"},
		{"before a directive", "import gg from \"gg\";\n\"use strict\"", "gg#default as gg at 1:8", "\"use strict\""},
		{"UTF-16 columns", "/* 😀 */ import gg from \"gg\"", "gg#default as gg at 1:17", "/* 😀 */"},

		// What follows must not become the continuation of what stands before.
		{"a call after it", "f\nimport gg from \"gg\"\n(1)", "gg#default as gg at 2:8", "f\n;                  \n(1)"},
		{"an index after it", "f()\nimport \"gg\"\n[1].x", "gg#* as  at 2:1", "f()\n;          \n[1].x"},
		{"after a semicolon", "f;\nimport \"gg\"\n(1)", "gg#* as  at 2:1", "f;\n           \n(1)"},

		{"no imports", "o.import('a'); ({ import: 1 }); '\\nimport x from \"gg\"'", "", "o.import('a'); ({ import: 1 }); '\\nimport x from \"gg\"'"},
		{"in a template", "`\nimport gg from \"gg\";\n`", "", "`\nimport gg from \"gg\";\n`"},
		{"in a comment", "/*\nimport fs from \"fs\";\n*/", "", "/*\nimport fs from \"fs\";\n*/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.src)
			require.Equal(t, test.imports, describe(p.Imports))
			require.Equal(t, test.text, strings.TrimSpace(p.Text))
		})
	}
}

func TestImportRefusals(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{`import fs from "node:fs";`, "1:16: module \"node:fs\" cannot be imported (use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir)"},
		{`import { readFile } from "fs/promises"`, "1:26: module \"fs/promises\" cannot be imported (use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir)"},
		{`import { execSync } from "child_process"`, "1:26: module \"child_process\" cannot be imported (use gg.shell.shell(command))"},
		{`import path from 'node:path'`, "1:18: module \"node:path\" cannot be imported (join paths as strings; relative ones start at the workspace)"},
		{`import axios from "axios"`, "1:19: module \"axios\" cannot be imported (a program has no network; use gg.shell.shell(\"curl …\"))"},
		{`import x from "./lib.js"`, "1:15: module \"./lib.js\" cannot be imported (a program is one file: put the code into it, or read the file with gg.files.readTextFile)"},
		{`import x from "https://esm.sh/x"`, "1:15: module \"https://esm.sh/x\" cannot be imported (a program has no network; use gg.shell.shell(\"curl …\"))"},
		{`import _ from "lodash"`, "1:15: module \"lodash\" cannot be imported (only \"gg\" can be imported: write it in plain JavaScript, or run a command with gg.shell.shell)"},
		{`import x from "gg/views"`, "1:15: module \"gg/views\" cannot be imported (import from \"gg\", or from \"gg:<module>\")"},
		{`import x from "gg:view"`, "1:15: there is no module \"gg:view\" (did you mean \"gg:views\"?)"},
		{`import x from "gg:database"`, "1:15: there is no module \"gg:database\" (import from \"gg\")"},
		{`import { openfile } from "gg:views"`, "1:10: module \"gg:views\" has no export \"openfile\" (did you mean `openFile`?)"},
		{`import { shel as s } from "gg"`, "1:10: module \"gg\" has no export \"shel\" (did you mean `shell`?)"},
		{`import { zzz } from "gg"`, "1:10: module \"gg\" has no export \"zzz\""},
		{`import { shell, shell } from "gg"`, "1:17: The symbol \"shell\" has already been declared (`shell` was imported at 1:10)"},
		{"import { shell } from \"gg\";\nconst { a: [shell] } = x;", "2:13: The symbol \"shell\" has already been declared (`shell` is imported at 1:10)"},
		{"import { shell } from \"gg\";\nfunction shell() {}", "2:10: The symbol \"shell\" has already been declared (`shell` is imported at 1:10)"},
		{"import { shell } from \"gg\";\nclass shell {}", "2:7: The symbol \"shell\" has already been declared (`shell` is imported at 1:10)"},
		{"import { shell } from \"gg\";\nif (a) { var { shell = 1, ...b } = x }", "2:16: The symbol \"shell\" has already been declared (`shell` is imported at 1:10)"},
		{"import fs from \"fs\";\nimport os from \"os\";\nlet x = 1 1;", "1:16: module \"fs\" cannot be imported (use gg.files: gg.files.readTextFile, gg.files.writeFile, gg.files.listDir)\n" +
			"2:16: module \"os\" cannot be imported (use gg.shell.shell(command), such as gg.shell.shell(\"uname -a\"))\n" +
			"3:11: Expected \";\" but found \"1\""},
		{"function f() { import gg from \"gg\" }", "1:16: Unexpected \"import\" (an import stands at the top level of a program, as a statement of its own)"},
		{"if (a) import gg from \"gg\"", "1:8: Unexpected \"import\" (an import stands at the top level of a program, as a statement of its own)"},
		{"import { shell from \"gg\";\n1", "1:16: Expected \"}\" but found \"from\""},
		{"import { shell } \"gg\";", "1:18: Expected \"from\" but found \"\\\"gg\\\"\""},
		{"import * from \"gg\"", "1:10: Expected \"as\" but found \"from\""},
		{"import gg from gg", "1:16: Expected string but found \"gg\""},
		{"import { shell as \"s\" } from \"gg\"", "1:19: Expected identifier but found \"\\\"s\\\"\""},
		{"import", "1:7: Expected \"from\" but found end of file"},
		{"import gg from \"gg\" f()", "1:21: Expected \";\" but found \"f\""},
		{"import type { A } from \"gg\"", "1:1: TypeScript is not accepted in this version"},
		{"import fs = require(\"fs\")", "1:1: TypeScript is not accepted in this version"},
	} {
		_, err := Parse(read(t, test.src), "gg")
		require.EqualError(t, err, test.want, "%q", test.src)
	}
}

func TestImportsOfUnknownNamesPassWithoutKnown(t *testing.T) {
	p, err := Read(`import { anything } from "gg:whatever"`, Options{})
	require.NoError(t, err)
	_, err = Parse(p)
	require.NoError(t, err)
}

// FuzzImports: whatever stands in a text, nothing moves, every import has a place in it, and parsing it does not
// panic.
func FuzzImports(f *testing.F) {
	for _, seed := range []string{
		`import * as gg from "gg"; import {a as b} from 'gg:views'`, "f\nimport gg from \"gg\"\n(1)", "import {", "import { \"a\" as b }",
		"export default function () {}", "export default class {}\n(1)", "export { a as default, b };", "export\ndefault\nf()", "export * from 'gg'",
		"export default async () => {}", "export const a = 1;", "import type A from 'a'", "import(a)", "export", "import x from 'fs' with {",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || len(src) > 1<<12 {
			return
		}
		p, err := Read(src, Options{Known: known})
		if err != nil {
			return
		}
		requireUnmoved(t, src, p.Text)
		for _, i := range p.Imports {
			offset := p.Original.Offset(i.Position)
			require.True(t, strings.HasPrefix(src[offset:], i.Local), "%q at %s", i.Local, i.Position)
		}
		if _, err := Parse(p); err != nil {
			for _, e := range err.(Errors) {
				require.Equal(t, Position{e.Line, e.Column}, p.Original.Position(p.Original.Offset(Position{e.Line, e.Column})))
				require.NotEmpty(t, e.Message)
			}
		}
	})
}
