package runtime

import (
	"encoding/json"
	"strings"

	"github.com/responses-as-code/gg/gg"
)

// showing is what one program has put in front of the model.
type showing struct {
	views  []View
	closed []string
	cuts   []string // outputs of commands that inline mode cut
}

// maxCuts bounds how many cut outputs are remembered; each has at most 16 KiB.
const maxCuts = 64

// apply makes the changes of one call.
func (s *showing) apply(op string, result gg.Result) {
	if op == "shell.shell" {
		s.remember(result.Value)
	}
	for _, change := range result.Views {
		at := s.find(change.View)
		switch {
		case change.Change == gg.Closed:
			if at >= 0 {
				s.views = append(s.views[:at], s.views[at+1:]...)
			}
			s.closed = append(s.closed, change.View.Selector)
		case at >= 0:
			s.views = append(append(s.views[:at], s.views[at+1:]...), viewOf(change, result.Blobs))
		default:
			s.views = append(s.views, viewOf(change, result.Blobs))
		}
	}
}

// remember keeps the output of a command that was cut and of which there is no file.
func (s *showing) remember(value json.RawMessage) {
	var result struct {
		Output    string
		Truncated bool
		Files     json.RawMessage
	}
	if json.Unmarshal(value, &result) == nil && result.Truncated && result.Files == nil && len(s.cuts) < maxCuts {
		s.cuts = append(s.cuts, result.Output)
	}
}

// cutNotices says which views show an output that was cut.
func (s *showing) cutNotices() []string {
	var notices []string
	for _, v := range s.views {
		for _, cut := range s.cuts {
			if v.Body != "" && strings.Contains(v.Body, cut) {
				notices = append(notices, "the output in `"+v.Header+"` is only its end: it was cut to the last "+byteCount(int64(len(cut))))
				break
			}
		}
	}
	return notices
}

func (s *showing) find(v gg.View) int {
	for i, other := range s.views {
		if other.Kind == v.Kind && other.Selector == v.Selector && other.Region == v.Region {
			return i
		}
	}
	return -1
}

func viewOf(change gg.ViewChange, blobs []gg.Blob) View {
	v := View{
		Kind: change.View.Kind, Selector: change.View.Selector, Region: change.View.Region,
		Replaced: change.Change == gg.Replaced, Header: change.View.Header, Body: change.View.Body,
	}
	if image := change.View.Image; image != nil {
		for _, blob := range blobs {
			if blob.ID == image.Blob {
				v.Image = &Picture{MediaType: image.MediaType, Data: blob.Data}
			}
		}
	}
	return v
}

// showValueBytes is the most of a program's value that is shown when it opened no view.
const showValueBytes = 8 << 10

// resultView shows a program's value: a text as it is, anything else as indented JSON.
func resultView(value json.RawMessage) View {
	var text string
	if json.Unmarshal(value, &text) != nil || text == "" {
		text = indentJSON(value) // also null, and the empty text: `""` says more than nothing
	}
	if len(text) > showValueBytes {
		kept := cutText(text, showValueBytes)
		text = kept + "\n[… " + byteCount(int64(len(text)-len(kept))) + " more; open a view to see all of it]"
	}
	return View{Kind: "result", Selector: "result", Header: "View: result", Body: text}
}
