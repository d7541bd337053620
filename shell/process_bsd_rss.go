//go:build freebsd || netbsd || openbsd || dragonfly

package shell

const rssUnit = 1 << 10 // ru_maxrss counts KiB
