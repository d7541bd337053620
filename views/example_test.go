package views_test

import (
	"fmt"
	"log"

	"github.com/responses-as-code/gg/views"
)

func Example() {
	set, err := views.NewSet(views.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	change, err := set.OpenText("failing tests", "TestParse\nTestPrint\n")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(change.Action)
	fmt.Print(views.Render(set.Views()))
	// Output:
	// opened
	// View: failing tests
	// ----
	// TestParse
	// TestPrint
}
