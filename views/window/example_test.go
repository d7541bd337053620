package window_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/responses-as-code/gg/views/window"
)

func ExampleRead() {
	const text = "one\ntwo\nthree\nfour"
	w, err := window.Read(context.Background(), strings.NewReader(text), int64(len(text)), window.Options{Offset: 2, Limit: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("lines %d-%d of %d\n%s", w.FirstLine, w.LastLine, w.TotalLines, w.Contents)
	// Output:
	// lines 2-3 of 4
	// two
	// three
}
