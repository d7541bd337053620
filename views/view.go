package views

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/responses-as-code/gg/views/window"
)

// Kind says what a view is on.
type Kind string

// The kinds of view.
const (
	File   Kind = "file"   // a window of a text file
	Image  Kind = "image"  // an image file
	Binary Kind = "binary" // a file that is neither
	Text   Kind = "text"   // a computed text
	Docs   Kind = "docs"   // a page of documentation
)

// View is one thing in front of the model. Its fields are not to be changed.
type View struct {
	Kind     Kind
	Selector string   // the path as the program wrote it, the label, or the name of the page; Close takes it
	Region   string   // first-last line of a window ("100-250"), "" for everything else
	Header   string   // `File: src/main.go:100-250`, one line of valid UTF-8
	Body     string   // valid UTF-8; "" for an image that is attached
	Image    *Picture // an image that is attached, else nil
}

// Picture is an image's file.
type Picture struct {
	MediaType string // "image/png" …
	Data      []byte
}

// Action says what happened to a view.
type Action string

// The actions.
const (
	Opened   Action = "opened"
	Replaced Action = "replaced" // opened in place of one with the same key, which is gone
	Closed   Action = "closed"
)

// Change is what one call did to one view.
type Change struct {
	Action Action
	View   View // as it is now; for Closed as it was
}

func (v View) imageBytes() int {
	if v.Image == nil {
		return 0
	}
	return len(v.Image.Data)
}

// Text is the view as text: the header, a line of four dashes, the body, which ends in a newline whether or
// not the file does. In place of an attached image stands a line that describes it.
func (v View) Text() string {
	body := v.Body
	if v.Image != nil {
		body = v.Image.MediaType + ", " + byteCount(int64(len(v.Image.Data)))
	}
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return v.Header + "\n----\n" + body
}

// Render is the text of all views, a blank line between two.
func Render(list []View) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = v.Text()
	}
	return strings.Join(texts, "\n")
}

// describe is the body of a view on a file whose contents are not shown.
func describe(f *window.File) string {
	return fmt.Sprintf("%s, %s, not shown: %s", f.MediaType, byteCount(f.Bytes), f.NotShown)
}

func byteCount(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

// header joins a title and a name to one line. A name that would leave the line (a newline in a file's
// name could draw a second header) is quoted.
func header(title, name string) string {
	name = window.Decode(name)
	if strings.ContainsFunc(name, leavesLine) {
		name = strconv.Quote(name)
	}
	return title + name
}

// leavesLine reports whether r is a control character or separates lines for some reader.
func leavesLine(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp)
}
