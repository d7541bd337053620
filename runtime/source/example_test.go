package source_test

import (
	"fmt"

	"github.com/responses-as-code/gg/runtime/source"
)

func Example() {
	reply := "Here it is:\n```js\nimport { shell } from \"gg\";\nshell.shell(\"ls\").output\n```\n"
	program, err := source.Read(reply, source.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(program.Notices[0])
	fmt.Println(program.Imports[0].Name, "from", program.Imports[0].Module, "at", program.Imports[0].Position)
	tree, err := source.Parse(program)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(tree.Body.Body.List), "statement at", tree.Position(tree.Body.Body.List[0].Idx0()))
	// Output:
	// removed one Markdown fence (2 lines) and 1 line of prose around it
	// shell from gg at 3:10
	// 1 statement at 4:1
}

func ExampleErrors() {
	program, err := source.Read("const a = 1;\nconst b = [1, 2\nconst c = 3;\n", source.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = source.Parse(program)
	first := err.(source.Errors)[0]
	fmt.Println(first)
	fmt.Println(program.Original.Snippet(first.Line, first.Column, 0))
	// Output:
	// 3:1: Expected "]" but found "const" (`[` opened at 2:11 is never closed)
	// 2 | const b = [1, 2
	// 3 | const c = 3;
	//   | ^
	// 4 |
}
