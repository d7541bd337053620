package shell

import "strings"

// foldName makes names of variables comparable: Path and PATH are one.
func foldName(name string) string { return strings.ToUpper(name) }
