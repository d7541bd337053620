package runtime

import "strings"

// Part is one block of what a model should see: text, or an image.
type Part struct {
	Text      string // when MediaType is empty
	MediaType string // of an image
	Data      []byte // its bytes
}

// Parts is what a model should see of a run, in order: each view, then the message. A program that ended
// well and opened views has no message.
func (o *Outcome) Parts() []Part {
	var parts []Part
	for i := range o.Views {
		v := &o.Views[i]
		parts = append(parts, Part{Text: v.render()})
		if v.Image != nil {
			parts = append(parts, Part{MediaType: v.Image.MediaType, Data: v.Image.Data})
		}
	}
	if message := o.Message(); message != "" {
		parts = append(parts, Part{Text: message})
	}
	return parts
}

// ModelText is the text of Parts, an image as the line “[image image/png, 1234 bytes]”, parts separated
// by a blank line. It ends in a newline unless it is empty.
func (o *Outcome) ModelText() string {
	var texts []string
	for _, part := range o.Parts() {
		if part.MediaType != "" {
			last := len(texts) - 1
			texts[last] += "\n[image " + part.MediaType + ", " + byteCount(int64(len(part.Data))) + "]"
			continue
		}
		texts = append(texts, strings.TrimRight(part.Text, "\n"))
	}
	if len(texts) == 0 {
		return ""
	}
	return strings.Join(texts, "\n\n") + "\n"
}

// render is the view as text: its header, a rule, its body.
func (v *View) render() string {
	if v.Body == "" {
		return v.Header + "\n----\n"
	}
	return v.Header + "\n----\n" + v.Body
}
