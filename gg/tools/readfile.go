package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/views"
)

// readFunction is the function behind the tool `read_file`.
const readFunction = "files.readFile"

const readDescription = "Read a text file, or a window of its lines. A long file comes in windows: the last line of the result says which lines it shows and the offset to go on with. A file that is not text is described."

// fileResult is what the function gives: a text, or what is known of a file that is none.
type fileResult struct {
	Kind           string `json:"kind"`
	Contents       string `json:"contents"`
	FirstLine      int64  `json:"firstLine"`
	LastLine       int64  `json:"lastLine"`
	TotalLines     int64  `json:"totalLines"`
	Truncated      bool   `json:"truncated"`
	MediaType      string `json:"mediaType"`
	Bytes          int64  `json:"bytes"`
	NotShownReason string `json:"notShownReason"`
}

func replyRead(value json.RawMessage) (Reply, error) {
	var r fileResult
	if err := json.Unmarshal(value, &r); err != nil {
		return Reply{}, fmt.Errorf("result of `%s`: %w", readFunction, err)
	}
	if r.Kind != "text" {
		return Reply{Text: fmt.Sprintf("[%s file: %s, %d bytes]", r.Kind, r.MediaType, r.Bytes), Structured: value}, nil
	}
	if len(r.Contents) > windowBytes {
		if err := r.narrow(); err != nil {
			return Reply{}, err
		}
		value = mustJSON(struct {
			Kind       string `json:"kind"`
			Contents   string `json:"contents"`
			FirstLine  int64  `json:"firstLine"`
			LastLine   int64  `json:"lastLine"`
			TotalLines int64  `json:"totalLines"`
			Truncated  bool   `json:"truncated"`
		}{r.Kind, r.Contents, r.FirstLine, r.LastLine, r.TotalLines, true})
	}
	return Reply{Text: r.text(), Structured: value}, nil
}

// windowBytes is the most of a file in one reply: as much as a view shows.
const windowBytes = views.DefaultViewBytes

// narrow leaves as many whole lines as fit.
func (r *fileResult) narrow() error {
	end := strings.LastIndexByte(r.Contents[:windowBytes], '\n') + 1
	if end == 0 {
		length := len(r.Contents)
		if n := strings.IndexByte(r.Contents, '\n'); n >= 0 {
			length = n
		}
		return gg.Errorf(gg.LimitExceeded, "line %d is too long to show: got %d bytes, want at most %d; use a command to look at a part of it",
			r.FirstLine, length, windowBytes)
	}
	r.Contents, r.Truncated = r.Contents[:end], true
	r.LastLine = r.FirstLine + int64(strings.Count(r.Contents, "\n")) - 1
	return nil
}

// text is the lines, and where they are in the file unless they are all of it.
func (r *fileResult) text() string {
	if r.TotalLines == 0 {
		return "(empty file)"
	}
	if r.FirstLine <= 1 && r.LastLine >= r.TotalLines {
		return r.Contents
	}
	footer := fmt.Sprintf("[showing lines %d-%d of %d", r.FirstLine, r.LastLine, r.TotalLines)
	if r.LastLine < r.TotalLines {
		footer += fmt.Sprintf("; continue with offset: %d", r.LastLine+1)
	}
	return strings.TrimSuffix(r.Contents, "\n") + "\n" + footer + "]"
}
