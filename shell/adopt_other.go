//go:build !linux

package shell

// adopting does nothing: only Linux gives orphans to another process than the first.
var adopting adoption

type adoption struct{}

func (adoption) begin(bool)                    {}
func (adoption) end(bool)                      {}
func (adoption) alone() (runner, command bool) { return false, false }
func (adoption) hasChildren() bool             { return false }
func (adoption) settle()                       {}
func (adoption) follow()                       {}
