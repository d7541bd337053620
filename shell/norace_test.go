//go:build !race

package shell

// raceMemory is by how much the race detector multiplies memory.
const raceMemory = 1
