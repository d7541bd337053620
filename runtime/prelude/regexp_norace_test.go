//go:build !race

package prelude

const underRace = false
