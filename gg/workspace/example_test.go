package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/responses-as-code/gg/gg/workspace"
)

func Example() {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ws, err := workspace.New(workspace.Config{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()

	ctx := context.Background()
	if _, err := ws.WriteFile(ctx, "notes/today.md", []byte("# Today\n\nRead the log.\n")); err != nil {
		log.Fatal(err)
	}
	f, err := ws.ReadFile(ctx, "notes/today.md", workspace.ReadOptions{Offset: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d-%d of %d: %s", f.FirstLine, f.LastLine, f.TotalLines, f.Contents)

	_, err = ws.ReadFile(ctx, "notes", workspace.ReadOptions{})
	fmt.Println(err, errors.Is(err, workspace.ErrRefused))
	// Output:
	// 3-3 of 3: Read the log.
	// "notes" is a directory, not a file true
}
