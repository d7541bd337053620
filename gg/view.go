package gg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// View is something a program has put in front of the model, rendered.
type View struct {
	Kind     string `json:"kind"` // file, image, binary, text or docs
	Selector string `json:"selector"`
	Region   string `json:"region,omitempty"` // first and last line of a window: `100-250`
	Header   string `json:"header"`           // `File: src/main.go:100-250`
	Body     string `json:"body,omitempty"`
	Image    *Image `json:"image,omitempty"`
}

// Image is a picture in a view. Blob names its bytes.
type Image struct {
	MediaType string `json:"mediaType"`
	Blob      string `json:"blob"`
}

// Blob is a sequence of bytes that is too large or too raw for JSON text.
type Blob struct {
	ID        string `json:"id"` // the first 32 hexadecimal digits of its SHA-256
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"`
}

// NewBlob names data by its content.
func NewBlob(mediaType string, data []byte) Blob {
	sum := sha256.Sum256(data)
	return Blob{ID: hex.EncodeToString(sum[:16]), MediaType: mediaType, Data: data}
}

// Change says what happened to a view.
type Change string

// The changes.
const (
	Opened   Change = "opened"
	Replaced Change = "replaced" // opened again under the same key
	Closed   Change = "closed"
)

// ViewChange is one change that a call made to what the model sees.
type ViewChange struct {
	Change Change `json:"change"`
	View   View   `json:"view"`
}

// Show adds to what the call under way has put in front of the model. ctx must be the one that a
// function's Go code was called with.
func Show(ctx context.Context, change ViewChange, blobs ...Blob) {
	if effects, ok := ctx.Value(effectsKey{}).(*effects); ok {
		effects.mu.Lock()
		defer effects.mu.Unlock()
		effects.views = append(effects.views, change)
		effects.blobs = append(effects.blobs, blobs...)
	}
}
