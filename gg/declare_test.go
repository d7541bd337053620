package gg_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func TestDeclarations(t *testing.T) {
	text, err := gg.Declarations(sample(t))
	require.NoError(t, err)
	golden(t, "sample.d.ts", text)
	for range 5 {
		again, err := gg.Declarations(sample(t))
		require.NoError(t, err)
		require.Equal(t, text, again, "the same text each time")
	}
	for _, code := range gg.Codes() {
		require.Contains(t, text, `"`+string(code)+`"`)
	}
}

// A page of Go types that share a name, and of schemas that lead to others.
func TestDeclaredNames(t *testing.T) {
	type Pair struct {
		Left int `json:"left"`
	}
	same := func() *gg.Function {
		type Pair struct {
			Left int `json:"left"`
		}
		return gg.Func("a.two", "the same by another name", returning[struct{}, Pair]())
	}
	other := func() *gg.Function {
		type Pair struct {
			Right int `json:"right"`
		}
		type ApiError struct {
			Own int `json:"own"`
		}
		return gg.Func("a.three", "another of the name", returning[struct {
			E ApiError `json:"e"`
		}, Pair]())
	}
	text := func(schema string) *gg.Function {
		return gg.RawFunc("b."+string(rune('a'+len(schema)%26)), "raw", json.RawMessage(schema), func(context.Context, json.RawMessage) (any, error) { return nil, nil })
	}
	c, err := gg.NewCatalogue(nil,
		gg.Func("a.one", "gives a pair", returning[struct{}, Pair]()), same(), other(),
		gg.Func("a.four", "many", returning[struct{}, map[string][]Pair]()),
		text(`{"type":"object","title":"A paragraph, no name","properties":{"x":{"type":"object","title":"two words","properties":{"y":{"const":"*/"}}}}}`),
		text(`{"type":"object","$defs":{"3d point":{"enum":[1,2]}},"properties":{"p":{"$ref":"#/$defs/3d point"},"q":{"type":"array","items":{"$ref":"#/$defs/3d point"}}}}`),
	)
	require.NoError(t, err)
	got, err := gg.Declarations(c)
	require.NoError(t, err)
	for _, want := range []string{
		"function one(): Pair;", "function two(): Pair;", "function three(e: ApiError2): Pair2;", "function four(): Record<string, Pair[]>;",
		"  interface Pair2 {\n    right: number;\n  }\n", "  type T3dPoint = 1 | 2;\n", "p?: T3dPoint | null;", "q?: T3dPoint[] | null;", "y?: \"*/\" | null;",
	} {
		require.Contains(t, got, want)
	}
	require.Equal(t, 1, strings.Count(got, "interface Pair {"))
	compile(t, got, nil)
}

const goodProgram = `
import * as all from "gg";
import whole, { shell as commands, files, ApiError, args, sleep } from "gg";
import { shell, run } from "gg:shell";
import * as f from "gg:files";
import { delete as remove } from "gg:files";

const result: gg.ShellResult = gg.shell.shell("ls");
const code: number | null = result.exitCode;
const kept: string = result.files?.stdout ?? "";
shell("ls", { timeoutSecs: 5 });
shell("ls", null);
shell("ls", { timeoutSecs: undefined });
shell("ls", { timeoutSecs: null });
commands.shell("ls").output.trim();
all.shell.shell === whole.shell.shell;
const nothing: void = remove("a");
gg.files.delete("a");
const file = files.readFile("a", { offset: 1 });
if (file.kind === "text") file.contents.length;
else file.bytes.toFixed();
const count: number = f.editFile("a", "old", "new", { all: true });
const [a, b] = await Promise.all([run("a", { expect: { exit: 0 } }), run("b")]);
a.output + b.output;
await gg.shell.logs();
await gg.shell.logs(null, { until: "x" });
await sleep(10);
gg.docs.open("shell.shell") + gg.docs.open(gg.shell.shell);
gg.tree.walk({ label: "a", children: [{ label: "b" }] }, { exit: [1], sandbox: { writable: ["/tmp"] }, shape: { kind: "circle", radius: 1 }, point: [1, 2], colour: 3 });
gg.tree.free({ anything: [1] });
gg.tree.mixed(undefined, 1, { more: "x" });
const given: string = args.name ?? "default";
try {
  shell("");
} catch (e) {
  if (e instanceof gg.ApiError && e instanceof ApiError && e instanceof Error) {
    const why: gg.ErrorCode = e.code;
    switch (e.code) {
      case "not-found": console.log(e.operation, e.site.line, e.output, e.files?.stderr, e.hint);
    }
    JSON.stringify(e.toJSON());
  }
}
console.table([{ a: 1 }]);
const timer: number = setTimeout(() => {}, 5);
clearTimeout(timer);
new URL("https://a.example/?b=c").searchParams.get("b")?.length;
new TextDecoder().decode(new TextEncoder().encode("x"));
`

// Each line is wrong: the declarations must say so.
const badProgram = `
gg.shell.shell();
gg.shell.shell(5);
gg.shell.shell("ls", 5);
gg.shell.shell("ls", { timeout: 5 });
gg.shell.shell("ls", { timeoutSecs: "5" });
gg.shell.shel("ls");
gg.shelll.shell("ls");
gg.shell.shell = () => {};
gg.shell = {};
gg.args.name = "x";
gg.args.other.length;
gg.shell.run("ls").output;
gg.shell.run("ls", { signal: "HUP" });
gg.files.readFile("a").contents;
gg.files.delete("a").length;
gg.tree.walk({});
gg.tree.walk({ label: "a" }, { shape: { kind: "box", radius: 1 } });
new gg.ApiError("x").code = "no-such-code";
document.title;
require("fs");
`

func TestDeclarationsWithTheCompiler(t *testing.T) {
	text, err := gg.Declarations(sample(t))
	require.NoError(t, err)
	compile(t, text, map[string]string{"good.ts": goodProgram, "plain.js": "const r = gg.shell.shell(\"ls\");\nif (r.exitCode !== 0) console.error(r.output);\n"})

	// A browser's library declares some of the same names.
	require.Empty(t, compileErrors(t, text, nil, "--lib", "es2023,dom"))

	output := compileErrors(t, text, map[string]string{"bad.ts": badProgram + "export {};\n"})
	var lines []string
	for _, match := range regexp.MustCompile(`(?m)^bad\.ts\((\d+),`).FindAllStringSubmatch(output, -1) {
		lines = append(lines, match[1])
	}
	for i, line := range strings.Split(strings.Trim(badProgram, "\n"), "\n") {
		require.Contains(t, lines, itoa(i+2), "%s\n%s", line, output)
	}
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// compile has the TypeScript compiler accept declarations and programs, as TypeCheckCommand does.
func compile(t *testing.T, declarations string, programs map[string]string) {
	t.Helper()
	require.Empty(t, compileErrors(t, declarations, programs))
}

func compileErrors(t *testing.T, declarations string, programs map[string]string, flags ...string) string {
	t.Helper()
	tsc := compiler(t)
	dir := t.TempDir()
	command, _ := strings.CutSuffix(gg.TypeCheckCommand, "gg.d.ts program.js")
	args := append(strings.Fields(command)[1:], "--pretty", "false")
	args = append(append(args, flags...), "gg.d.ts")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gg.d.ts"), []byte(declarations), 0o644))
	for name, program := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(program), 0o644))
		args = append(args, name)
	}
	cmd := exec.Command(tsc, args...)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	require.NotEmpty(t, output, err)
	return string(output)
}

// compiler finds the TypeScript compiler.
func compiler(t *testing.T) string {
	t.Helper()
	if tsc := os.Getenv("GG_TEST_TSC"); tsc != "" {
		return tsc
	}
	tsc, err := exec.LookPath("tsc")
	if err == nil {
		return tsc
	}
	if os.Getenv("GG_TEST_REQUIRE") == "all" {
		t.Fatal("tsc is neither on PATH nor named by GG_TEST_TSC (npm install typescript)")
	}
	t.Skip("tsc is neither on PATH nor named by GG_TEST_TSC (npm install typescript)")
	return ""
}
