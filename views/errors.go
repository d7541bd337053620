package views

import "fmt"

// ArgumentError is an argument that is not what it has to be. The text names it and says why.
type ArgumentError struct{ Text string }

func (e *ArgumentError) Error() string { return e.Text }

// LimitError is a view that was not opened because a limit would be exceeded.
type LimitError struct {
	Subject string // what is too large: the view's header, or all open views with it
	Size    int    // what it would be
	Bound   int
	Unit    string // "bytes" or "views"
	Hint    string // what to do instead
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %d %s, over the bound of %d; %s", e.Subject, e.Size, e.Unit, e.Bound, e.Hint)
}
