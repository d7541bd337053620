package views

import (
	"fmt"
	"strings"

	"github.com/responses-as-code/gg/views/window"
)

const (
	// MaxLabelBytes bounds the label of a text view.
	MaxLabelBytes = 200

	// MaxLineChars is the largest FileView.MaxLineChars.
	MaxLineChars = 65536
)

// The name spaces of keys.
const (
	fileSpace = "file"
	textSpace = "text"
	docsSpace = "docs"
)

// FileView is a file to open a view on.
type FileView struct {
	// Path is the path as the program wrote it: the header shows it and Close takes it.
	Path string

	// Identity is one for all spellings of the file's path, its absolute path without symbolic links, say.
	// "" means Path.
	Identity string

	// File is what was read of it.
	File *window.File

	// MaxLineChars cuts longer lines of a text, in code points: 1..65536, and 0 for no cut. A cut line
	// reads `foo (123 more chars...)`.
	MaxLineChars int
}

// OpenFile opens a view on a window of a file, replacing a view on the same lines of the same file.
// The errors are *[ArgumentError] and *[LimitError]; after an error nothing has changed.
func (s *Set) OpenFile(f FileView) (Change, error) {
	if f.Path == "" {
		return Change{}, &ArgumentError{Text: "`path` must not be empty"}
	}
	if f.MaxLineChars < 0 || f.MaxLineChars > MaxLineChars {
		return Change{}, &ArgumentError{Text: fmt.Sprintf("`maxLineChars` must be a whole number 1..%d, got %d", MaxLineChars, f.MaxLineChars)}
	}
	v := View{Selector: f.Path, Header: header("File: ", f.Path)}
	switch f.File.Kind {
	case window.Image:
		v.Kind = Image
		if f.File.Data != nil {
			v.Image = &Picture{MediaType: f.File.MediaType, Data: f.File.Data}
		} else {
			v.Body = describe(f.File)
		}
	case window.Binary:
		v.Kind = Binary
		v.Body = describe(f.File)
	default:
		v.Kind = File
		if f.File.TotalLines > 0 {
			v.Region = fmt.Sprintf("%d-%d", f.File.FirstLine, f.File.LastLine)
			v.Header += ":" + v.Region
		}
		v.Body = window.Decode(f.File.Contents)
		if f.MaxLineChars > 0 {
			var size int
			v.Body, size = cutLines(v.Body, f.MaxLineChars, s.limits.ViewBytes)
			if err := s.fits(v, size); err != nil {
				return Change{}, err
			}
		}
	}
	identity := f.Identity
	if identity == "" {
		identity = f.Path
	}
	return s.put(key{fileSpace, identity, v.Region}, v)
}

// OpenText opens a view on a text that was computed, replacing the one with the same label. The label is
// at most MaxLabelBytes long and not blank. The errors are *[ArgumentError] and *[LimitError]; after an
// error nothing has changed.
func (s *Set) OpenText(label, body string) (Change, error) {
	switch {
	case strings.TrimSpace(label) == "":
		return Change{}, &ArgumentError{Text: "`label` must not be blank"}
	case len(label) > MaxLabelBytes:
		return Change{}, &ArgumentError{Text: fmt.Sprintf("`label` must be at most %d bytes long, got %d", MaxLabelBytes, len(label))}
	}
	v := View{Kind: Text, Selector: label, Header: header("View: ", label), Body: window.Decode(body)}
	return s.put(key{textSpace, label, ""}, v)
}

// OpenDocs opens a view on the page of documentation of name, replacing the one of the same name. The
// errors are *[ArgumentError] and *[LimitError]; after an error nothing has changed.
func (s *Set) OpenDocs(name, text string) (Change, error) {
	if name == "" {
		return Change{}, &ArgumentError{Text: "`name` must not be empty"}
	}
	v := View{Kind: Docs, Selector: name, Header: header("Docs: ", name), Body: window.Decode(text)}
	return s.put(key{docsSpace, name, ""}, v)
}
