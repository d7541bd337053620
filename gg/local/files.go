package local

import (
	"context"
	"errors"

	"github.com/responses-as-code/gg/gg"
	"github.com/responses-as-code/gg/gg/workspace"
	"github.com/responses-as-code/gg/views/window"
)

// TextFile is a window of a text file, as programs get it.
type TextFile struct {
	Kind       string `json:"kind" gg:"const=text"`
	Contents   string `json:"contents" jsonschema:"the lines, each with its line ending"`
	FirstLine  int64  `json:"firstLine" jsonschema:"number of the first line, from 1"`
	LastLine   int64  `json:"lastLine" jsonschema:"number of the last line; 0 for an empty file"`
	TotalLines int64  `json:"totalLines" jsonschema:"how many lines the file has"`
	Truncated  bool   `json:"truncated" jsonschema:"whether the file has lines that are not here"`
}

// ImageFile is a PNG, JPEG, GIF or WebP file, as programs get it.
type ImageFile struct {
	Kind           string `json:"kind" gg:"const=image"`
	MediaType      string `json:"mediaType" jsonschema:"image/png, say"`
	Bytes          int64  `json:"bytes" jsonschema:"size of the file"`
	Shown          bool   `json:"shown" jsonschema:"whether you see it"`
	NotShownReason string `json:"notShownReason,omitempty"`
}

// BinaryFile is any other file that is not text, as programs get it.
type BinaryFile struct {
	Kind           string `json:"kind" gg:"const=binary"`
	MediaType      string `json:"mediaType"`
	Bytes          int64  `json:"bytes" jsonschema:"size of the file"`
	NotShownReason string `json:"notShownReason"`
}

type readIn struct {
	Path   string `json:"path" jsonschema:"relative to the workspace, or absolute" gg:"nonempty"`
	Offset int64  `json:"offset,omitempty" jsonschema:"first line, from 1; 0 means 1" gg:"min=0,max=4294967295"`
	Limit  int64  `json:"limit,omitempty" jsonschema:"number of lines; all by default" gg:"min=1,max=4294967295"`
}

type writeIn struct {
	Path     string `json:"path" jsonschema:"relative to the workspace, or absolute" gg:"nonempty"`
	Contents string `json:"contents" jsonschema:"the whole new contents"`
}

type listIn struct {
	Path string `json:"path,omitempty" jsonschema:"relative to the workspace, or absolute; the workspace by default"`
}

// DirEntry is one entry of a directory, as programs get it.
type DirEntry struct {
	Name string              `json:"name"`
	Kind workspace.EntryKind `json:"kind" jsonschema:"file, directory, symlink or other" gg:"enum=file|directory|symlink|other"`
	Size int64               `json:"size" jsonschema:"bytes of a file, else 0"`
}

// fileFunctions are the functions of `gg.files`.
func fileFunctions() []*gg.Function {
	failures := []gg.Option{
		gg.Fails(gg.NotFound, "nothing has that path"),
		gg.Fails(gg.Refused, "a directory or a device, something in /proc, /sys or /dev, or out of reach"),
		gg.Fails(gg.IOError, "the system said no: permissions, a full disk"),
	}
	with := func(options ...gg.Option) []gg.Option { return append(options, failures...) }
	return []*gg.Function{
		gg.Func("files.readFile", "reads a file, or a window of its lines, without showing it",
			func(ctx context.Context, in readIn) (any, error) {
				file, err := readWindow(ctx, in, false)
				if err != nil {
					return nil, err
				}
				return fileResult(&file.File, false), nil
			}, with(
				gg.ReturnsOneOf(TextFile{}, ImageFile{}, BinaryFile{}),
				gg.Detail("Nothing is put in front of you: use `gg.views.openFile` to see a file. At most 16 MiB of contents a call; of a larger file read windows with `offset` and `limit`."),
				gg.Fails(gg.InvalidArgument, "`offset` is past the end of the file"),
				gg.Fails(gg.LimitExceeded, "more than 16 MiB"),
				gg.Example("const file = gg.files.readFile(\"README.md\", { limit: 1 });\nfile.contents"))...),
		gg.Func("files.readTextFile", "reads a text file as a string",
			func(ctx context.Context, in readIn) (string, error) {
				file, err := readWindow(ctx, in, true)
				if err != nil {
					return "", err
				}
				return file.Contents, nil
			}, with(
				gg.Detail("Bytes that are not UTF-8 read as U+FFFD. At most 16 MiB a call."),
				gg.Fails(gg.InvalidArgument, "the file is not text, or `offset` is past its end"),
				gg.Fails(gg.LimitExceeded, "more than 16 MiB"),
				gg.Example("const pkg = JSON.parse(gg.files.readTextFile(\"package.json\"));\npkg.name"))...),
		gg.Func("files.writeFile", "writes a text file whole",
			func(ctx context.Context, in writeIn) (int64, error) {
				files, err := scopeOf(ctx).session.files()
				if err != nil {
					return 0, err
				}
				n, err := files.WriteFile(ctx, in.Path, []byte(in.Contents))
				return n, fileError(err)
			}, with(
				gg.Detail("Returns the number of bytes written. Directories on the way are made. A reader sees the old file or the new one, never half of it; the mode of an existing file is kept."),
				gg.Example("gg.files.writeFile(\"notes/today.md\", \"# Today\\n\")"))...),
		gg.Func("files.listDir", "lists a directory, sorted by name",
			func(ctx context.Context, in listIn) ([]DirEntry, error) {
				files, err := scopeOf(ctx).session.files()
				if err != nil {
					return nil, err
				}
				entries, err := files.ListDir(ctx, in.Path)
				if err != nil {
					return nil, fileError(err)
				}
				list := make([]DirEntry, len(entries))
				for i, e := range entries {
					list[i] = DirEntry{window.Decode(e.Name), e.Kind, e.Size}
				}
				return list, nil
			}, with(
				gg.Positional("path"),
				gg.Example("gg.files.listDir().filter(e => e.kind === \"file\").map(e => e.name)"))...),
	}
}

// readWindow reads a window of a file for a call.
func readWindow(ctx context.Context, in readIn, text bool) (*workspace.File, error) {
	files, err := scopeOf(ctx).session.files()
	if err != nil {
		return nil, err
	}
	options := workspace.ReadOptions{Offset: in.Offset, Limit: in.Limit}
	read := files.ReadFile
	if text {
		read = files.ReadText
	}
	file, err := read(ctx, in.Path, options)
	return file, fileError(err)
}

// fileResult makes what a program gets of a file.
func fileResult(f *window.File, shown bool) any {
	reason := f.NotShown
	if !shown && reason == "" {
		reason = "reading shows nothing: open a view with `gg.views.openFile`"
	}
	switch f.Kind {
	case window.Image:
		if shown {
			reason = f.NotShown
		}
		return ImageFile{"image", f.MediaType, f.Bytes, shown && f.NotShown == "", reason}
	case window.Binary:
		return BinaryFile{"binary", f.MediaType, f.Bytes, f.NotShown}
	}
	return TextFile{"text", f.Contents, f.FirstLine, f.LastLine, f.TotalLines, f.Truncated}
}

// fileError gives an error of package workspace its code.
func fileError(err error) error {
	if err == nil {
		return nil
	}
	for _, family := range []struct {
		is   error
		code gg.Code
	}{
		{workspace.ErrNotFound, gg.NotFound}, {workspace.ErrRefused, gg.Refused}, {workspace.ErrInvalid, gg.InvalidArgument},
		{workspace.ErrTooLarge, gg.LimitExceeded}, {workspace.ErrIO, gg.IOError},
	} {
		if errors.Is(err, family.is) {
			return &gg.Error{Code: family.code, Message: err.Error(), Cause: err}
		}
	}
	return err
}
