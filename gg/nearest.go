package gg

// Nearest returns the known name that the misspelt name most likely stands for, and whether there is
// one. A name is near when it shares a prefix of at least three characters with a known one, compared
// without regard to case, or when their Damerau–Levenshtein distance is at most a third of its length,
// rounded up. The smallest distance wins; ties go to the earlier known name.
func Nearest(name string, known []string) (string, bool) {
	near := NearestN(name, known, 1)
	if len(near) == 0 {
		return "", false
	}
	return near[0], true
}

// NearestN returns up to n known names that are near the misspelt name, nearest first (see Nearest).
func NearestN(name string, known []string, n int) []string {
	given := foldRunes(name)
	limit := (len(given) + 2) / 3
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, k := range known {
		other := foldRunes(k)
		d := editDistance(given, other)
		if d > limit && commonPrefix(given, other) < 3 {
			continue
		}
		at := len(found)
		for at > 0 && found[at-1].distance > d {
			at--
		}
		found = append(found, candidate{})
		copy(found[at+1:], found[at:])
		found[at] = candidate{k, d}
	}
	var names []string
	for _, c := range found[:min(n, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// nearestLength bounds what is compared: a name longer than this is nobody's misspelling, and the
// comparison is quadratic.
const nearestLength = 64

// foldRunes lower-cases the ASCII letters of s, so that `openfile` is one step from `openFile` at most,
// and cuts it to nearestLength characters.
func foldRunes(s string) []rune {
	out := make([]rune, 0, min(len(s), nearestLength))
	for _, r := range s {
		if len(out) == nearestLength {
			break
		}
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		out = append(out, r)
	}
	return out
}

func commonPrefix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// editDistance is the Damerau–Levenshtein distance in its restricted form (optimal string alignment):
// insertions, deletions, substitutions and swaps of neighbours each cost one.
func editDistance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
