// Command bare is the least that a process with the same JavaScript engine can be: what gg is measured against.
package main

import (
	"fmt"

	"github.com/dop251/goja"
)

func main() {
	value, err := goja.New().RunString(`"Hello"`)
	if err != nil {
		panic(err)
	}
	fmt.Println(value)
}
