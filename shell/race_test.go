//go:build race

package shell

// raceMemory is by how much the race detector multiplies memory: it keeps a shadow of all of it.
const raceMemory = 4
