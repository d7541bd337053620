package store

import "os"

// output is a file that is being written.
type output struct{ file *os.File }

// create makes the file name, which must not exist. It is written at its end wherever that is.
func (h *handle) create(name string) (output, error) {
	f, err := h.root.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	return output{f}, err
}

// write appends b and returns how much of it the file has taken.
func (o *output) write(b []byte) (int, error) { return o.file.Write(b) }

// sizeAt is the size of the file, if path leads to it.
func (o *output) sizeAt(path string) (int64, error) {
	own, err := o.file.Stat()
	if err != nil {
		return 0, err
	}
	there, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	if !os.SameFile(own, there) {
		return 0, errReplaced
	}
	return own.Size(), nil
}

func (o *output) close() { o.file.Close() }
