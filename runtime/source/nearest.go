package source

// nearest returns the name that name most likely means, or "": one that shares a prefix of at least 3 bytes, else
// one at a Damerau-Levenshtein distance of at most a third of its length, rounded up. The smallest distance wins,
// then the declared order.
func nearest(name string, names []string) string {
	best, bestDistance, bestPrefix := "", 0, false
	for _, candidate := range names {
		prefix := commonPrefix(name, candidate) >= 3
		distance := editDistance(name, candidate)
		if !prefix && distance > (len(name)+2)/3 {
			continue
		}
		if best == "" || prefix && !bestPrefix || prefix == bestPrefix && distance < bestDistance {
			best, bestDistance, bestPrefix = candidate, distance, prefix
		}
	}
	return best
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// editDistance is the restricted Damerau-Levenshtein distance in bytes: insertions, deletions, replacements and
// swaps of neighbours. Names longer than 64 bytes are as far apart as they are long.
func editDistance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return max(len(a), len(b))
	}
	var rows [3][longest + 1]int
	before, previous, current := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
