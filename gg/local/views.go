package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/workspace"
	"github.com/responses-as-code/gg/views"
)

type openFileIn struct {
	readIn
	MaxLineChars int `json:"maxLineChars,omitempty" jsonschema:"cut longer lines of the view" gg:"min=1,max=65536"`
}

type openTextIn struct {
	Label string          `json:"label" jsonschema:"its name, at most 200 bytes" gg:"nonempty"`
	Body  json.RawMessage `json:"body" jsonschema:"a text; a plain object or array is shown as indented JSON"`
}

type closeIn struct {
	Selector string `json:"selector" jsonschema:"a path (closes all its windows), a label, or a page's name" gg:"nonempty"`
}

// OpenView is one line of `gg.views.current()`.
type OpenView struct {
	Kind     views.Kind `json:"kind" gg:"enum=file|image|binary|text|docs"`
	Selector string     `json:"selector" jsonschema:"what closes it"`
	Region   string     `json:"region,omitempty" jsonschema:"first and last line of a window: 100-250"`
	Bytes    int        `json:"bytes"`
}

// viewFunctions are the functions of `gg.views`.
func viewFunctions() []*gg.Function {
	tooLarge := gg.Fails(gg.LimitExceeded, "more than 65536 bytes, or 1 MiB in all open views: nothing is opened")
	return []*gg.Function{
		gg.Func("views.openFile", "shows you a file, or a window of its lines", openFile,
			gg.ReturnsOneOf(TextFile{}, ImageFile{}, BinaryFile{}),
			gg.Detail("Opens a view and returns what was read. Opening the same lines of the same file again replaces the view; two windows of one file live side by side. An image (PNG, JPEG, GIF, WebP, up to 8 MiB) is shown as an image. Lines longer than `maxLineChars` are cut in the view only; the returned contents are whole."),
			gg.Fails(gg.NotFound, "nothing has that path"),
			gg.Fails(gg.InvalidArgument, "`offset` is past the end of the file"),
			gg.Fails(gg.Refused, "a directory or a device, something in /proc, /sys or /dev, or out of reach"),
			tooLarge,
			gg.Example("const file = gg.views.openFile(\"README.md\", { limit: 40 });\nfile.totalLines")),
		gg.Func("views.openText", "shows you a text or a value that the program computed", openText,
			gg.Detail("A plain object or array is shown as indented JSON. Opening the same label again replaces the view."),
			gg.Fails(gg.InvalidArgument, "the label is blank or longer than 200 bytes"),
			tooLarge,
			gg.Example("gg.views.openText(\"sizes\", [1, 2, 3].map(n => n * n))")),
		gg.Func("views.close", "closes views", closeViews,
			gg.Detail("Returns how many were closed, 0 when nothing matches."),
			gg.Example("gg.views.openText(\"draft\", \"…\");\ngg.views.close(\"draft\")")),
		gg.Func("views.current", "lists the open views",
			func(ctx context.Context, _ struct{}) ([]OpenView, error) {
				list := []OpenView{}
				for _, v := range scopeOf(ctx).session.views.Current() {
					list = append(list, OpenView{v.Kind, v.Selector, v.Region, v.Bytes})
				}
				return list, nil
			},
			gg.Example("gg.views.current().map(v => v.selector)")),
	}
}

func openFile(ctx context.Context, in openFileIn) (any, error) {
	s := scopeOf(ctx).session
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	file, err := files.ReadFile(ctx, in.Path, workspace.ReadOptions{Offset: in.Offset, Limit: in.Limit, ImageData: true})
	if err != nil {
		return nil, fileError(err)
	}
	change, err := s.views.OpenFile(views.FileView{Path: in.Path, Identity: file.Real, File: &file.File, MaxLineChars: in.MaxLineChars})
	if err != nil {
		return nil, viewError(err)
	}
	show(ctx, change)
	return fileResult(&file.File, true), nil
}

func openText(ctx context.Context, in openTextIn) (struct{}, error) {
	var body string
	if string(in.Body) == "null" || json.Unmarshal(in.Body, &body) != nil {
		var indented bytes.Buffer
		if err := json.Indent(&indented, in.Body, "", "  "); err != nil {
			return struct{}{}, err
		}
		body = indented.String()
	}
	change, err := scopeOf(ctx).session.views.OpenText(in.Label, body)
	if err != nil {
		return struct{}{}, viewError(err)
	}
	show(ctx, change)
	return struct{}{}, nil
}

func closeViews(ctx context.Context, in closeIn) (int, error) {
	s := scopeOf(ctx).session
	selector := views.Selector{Name: in.Selector}
	if files, err := s.files(); err == nil {
		if real, err := files.Locate(in.Selector); err == nil {
			selector.Identity = real
		}
	}
	closed := s.views.Close(selector)
	for _, change := range closed {
		show(ctx, change)
	}
	return len(closed), nil
}

// show passes a change of the views on to the outcome, and to whoever listens.
func show(ctx context.Context, change views.Change) {
	v := gg.View{
		Kind: string(change.View.Kind), Selector: change.View.Selector, Region: change.View.Region,
		Header: change.View.Header, Body: change.View.Body,
	}
	var blobs []gg.Blob
	if image := change.View.Image; image != nil && change.Action != views.Closed {
		blob := gg.NewBlob(image.MediaType, image.Data)
		v.Image = &gg.Image{MediaType: image.MediaType, Blob: blob.ID}
		blobs = append(blobs, blob)
	}
	gg.Show(ctx, gg.ViewChange{Change: gg.Change(change.Action), View: v}, blobs...)
	scope := scopeOf(ctx)
	scope.Emit(gg.Event{Kind: gg.ViewChanged, Seq: scope.call.Seq, Op: scope.call.Op, Level: string(change.Action), Text: v.Header})
}

// viewError gives an error of package views its code.
func viewError(err error) error {
	var argument *views.ArgumentError
	var limit *views.LimitError
	switch {
	case errors.As(err, &argument):
		return &gg.Error{Code: gg.InvalidArgument, Message: err.Error(), Cause: err}
	case errors.As(err, &limit):
		return &gg.Error{Code: gg.LimitExceeded, Message: err.Error(), Cause: err}
	}
	return err
}
