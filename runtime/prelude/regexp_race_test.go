//go:build race

package prelude

const underRace = true
