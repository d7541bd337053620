package window

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrShrinking is returned for a file that became shorter each time it was read, eight times in a row.
var ErrShrinking = errors.New("the file keeps shrinking while it is read")

// ArgumentError is an option that is out of range.
type ArgumentError struct {
	Name  string // "offset", "limit" …
	Value int64
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("`%s` must be a whole number of at least 0, got %d", e.Name, e.Value)
}

// PastEndError is an offset behind the last line.
type PastEndError struct {
	Offset     int64
	TotalLines int64 // lines the file has
}

func (e *PastEndError) Error() string {
	return fmt.Sprintf("`offset` %d is past the end of the file (%s)", e.Offset, count(e.TotalLines, "line"))
}

// TooLargeError is a window of more bytes than the bound allows.
type TooLargeError struct {
	Bytes int64 // of the window; 0 when reading stopped at the bound, and it is only known to be more
	Bound int64
}

func (e *TooLargeError) Error() string {
	return e.size() + "; read less of it with `offset` and `limit`"
}

// size is the message without the hint.
func (e *TooLargeError) size() string {
	if e.Bytes == 0 {
		return fmt.Sprintf("more than the bound of %s", count(e.Bound, "byte"))
	}
	return fmt.Sprintf("%s is over the bound of %d", count(e.Bytes, "byte"), e.Bound)
}

// shrunkError tells read that the file ends earlier than it was said to.
type shrunkError struct{ size int64 }

func (e *shrunkError) Error() string { return fmt.Sprintf("the file ends at byte %d", e.size) }

func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}
