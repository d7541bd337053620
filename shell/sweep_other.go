//go:build !linux

package shell

// abandoned returns nothing: marks cannot be read here.
func abandoned() *family { return nil }
