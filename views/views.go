// Package views holds what a session has put in front of the model.
//
// A view is a window of a file, an image, a text that a program computed, or a page of documentation. Views
// belong to the session: a later program can replace or close what an earlier one opened. What is shown is
// bounded by refusal: a view that is too large is not opened at all, never cut behind the model's back.
//
//	set, err := views.NewSet(views.Limits{})
//	…
//	change, err := set.OpenText("failing tests", "TestParse\nTestPrint\n")
//	…
//	fmt.Print(views.Render(set.Views()))
//
// prints
//
//	View: failing tests
//	----
//	TestParse
//	TestPrint
//
// Every call that changes the set returns what it changed as a [Change], so that the caller can list what
// one program opened, replaced and closed.
//
// Not promised: that a view still says what its file says. It is what was read when it was opened. The
// package reads no files; it is given what views/window read.
package views

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Limits bound a [Set]. A zero field means its default.
type Limits struct {
	// ViewBytes bounds the body of one view, in bytes of UTF-8 after lines were cut to MaxLineChars.
	// Default 65536.
	ViewBytes int

	// TotalBytes bounds the bodies of all open views together. Default 1 MiB.
	TotalBytes int

	// ImageBytes bounds the images of all open views together. Default 32 MiB: four of the largest that
	// views/window attaches, and as much as a model's interface takes in one request.
	ImageBytes int

	// Views bounds how many are open at once. Default 1024: at 1 MiB in all, that leaves each 1 KiB. It
	// bounds the headers of empty views, which cost nothing else.
	Views int
}

// The defaults of Limits.
const (
	DefaultViewBytes  = 64 << 10
	DefaultTotalBytes = 1 << 20
	DefaultImageBytes = 32 << 20
	DefaultViews      = 1024
)

// Set is the views a session has open. Its methods may be called at the same time.
type Set struct {
	limits Limits

	mu         sync.Mutex
	open       []entry // in order of opening
	textBytes  int     // of the bodies in open
	imageBytes int     // of the images in open
}

// entry is an open view and what it is known by.
type entry struct {
	key  key
	view View
}

// key is what makes two views the same view: the kind of name, the name, and the region of a file.
type key struct {
	space  string // "file", "text" or "docs": a file and a label of one name are two views
	name   string // of a file its identity, which is one for all spellings of its path
	region string
}

// NewSet returns an empty set. Negative limits are refused, all of them in one error.
func NewSet(l Limits) (*Set, error) {
	var defects []error
	for _, f := range []struct {
		name         string
		value        *int
		defaultValue int
	}{
		{"ViewBytes", &l.ViewBytes, DefaultViewBytes},
		{"TotalBytes", &l.TotalBytes, DefaultTotalBytes},
		{"ImageBytes", &l.ImageBytes, DefaultImageBytes},
		{"Views", &l.Views, DefaultViews},
	} {
		switch {
		case *f.value < 0:
			defects = append(defects, fmt.Errorf("limit %s: got %d, want at least 0", f.name, *f.value))
		case *f.value == 0:
			*f.value = f.defaultValue
		}
	}
	if defects != nil {
		return nil, errors.Join(defects...)
	}
	return &Set{limits: l}, nil
}

// put opens v under k, in place of what k named before.
//
// The new view goes to the end, also when it replaces one: the order of the views is the order in which
// they were opened, and what the model just asked to see again is what it is about to work on.
func (s *Set) put(k key, v View) (Change, error) {
	if err := s.fits(v, len(v.Body)); err != nil {
		return Change{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()

	change := Change{Action: Opened, View: v}
	text, image, n := s.textBytes+len(v.Body), s.imageBytes+v.imageBytes(), len(s.open)+1
	old := slices.IndexFunc(s.open, func(e entry) bool { return e.key == k })
	if old >= 0 {
		change.Action = Replaced
		was := s.open[old].view
		text, image, n = text-len(was.Body), image-was.imageBytes(), n-1
	}
	full := func(what string, size, bound int, unit string) error {
		return &LimitError{Subject: what + " with " + v.Header, Size: size, Bound: bound, Unit: unit, Hint: "close some first"}
	}
	switch {
	case text > s.limits.TotalBytes:
		return Change{}, full("all open views", text, s.limits.TotalBytes, "bytes")
	case image > s.limits.ImageBytes:
		return Change{}, full("all open images", image, s.limits.ImageBytes, "bytes")
	case n > s.limits.Views:
		return Change{}, full("all open views", n, s.limits.Views, "views")
	}
	if old >= 0 {
		s.open = slices.Delete(s.open, old, old+1)
	}
	s.open = append(s.open, entry{key: k, view: v})
	s.textBytes, s.imageBytes = text, image
	return change, nil
}

// fits refuses a view whose body has too many bytes.
func (s *Set) fits(v View, bytes int) error {
	if bytes <= s.limits.ViewBytes {
		return nil
	}
	hint := "show less of it"
	if v.Kind == File {
		hint += " with `offset`, `limit` or `maxLineChars`"
	}
	return &LimitError{Subject: v.Header, Size: bytes, Bound: s.limits.ViewBytes, Unit: "bytes", Hint: hint}
}

// Selector says which views to close.
type Selector struct {
	// Name is a path as it was written when the view was opened, a label, or the name of a page of
	// documentation. All views of that name are closed; a path closes every window of the file.
	Name string

	// Identity, when not empty, is the identity of the file that Name is a path of (see FileView), so that
	// another spelling of its path closes it as well.
	Identity string
}

// Close closes what sel selects and returns the changes, in order of opening; none when nothing matches.
func (s *Set) Close(sel Selector) []Change {
	s.mu.Lock()
	defer s.mu.Unlock()

	var closed []Change
	s.open = slices.DeleteFunc(s.open, func(e entry) bool {
		sameFile := sel.Identity != "" && e.key.space == fileSpace && e.key.name == sel.Identity
		if e.view.Selector != sel.Name && !sameFile {
			return false
		}
		s.textBytes -= len(e.view.Body)
		s.imageBytes -= e.view.imageBytes()
		closed = append(closed, Change{Action: Closed, View: e.view})
		return true
	})
	return closed
}

// Summary is one line of Current.
type Summary struct {
	Kind     Kind
	Selector string // what closes it
	Region   string // "100-250" for a window of a text file, else ""
	Bytes    int    // of its body, or of its image
}

// Current lists what is open, in order of opening.
func (s *Set) Current() []Summary {
	s.mu.Lock()
	defer s.mu.Unlock()

	list := make([]Summary, len(s.open))
	for i, e := range s.open {
		v := e.view
		list[i] = Summary{Kind: v.Kind, Selector: v.Selector, Region: v.Region, Bytes: len(v.Body)}
		if v.Image != nil {
			list[i].Bytes = len(v.Image.Data)
		}
	}
	return list
}

// Views returns what is open, in order of opening.
func (s *Set) Views() []View {
	s.mu.Lock()
	defer s.mu.Unlock()

	list := make([]View, len(s.open))
	for i, e := range s.open {
		list[i] = e.view
	}
	return list
}
