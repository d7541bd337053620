//go:build unix && !linux

package workspace

const followsNoLinks = false
