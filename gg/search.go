package gg

import (
	"slices"
	"strings"
	"unicode"
)

// DefaultSearchLimit is how many hits a search gives when it does not say.
const DefaultSearchLimit = 20

// SearchQuery says what to look for in a catalogue.
type SearchQuery struct {
	// Query holds words, separated by anything that is no letter or digit, without regard to case. All of
	// them must occur somewhere in a function's name, signature, brief or detail. Without a word in it,
	// everything is found.
	Query  string
	Module string // only functions of this module: `shell` or `gg.shell`; empty for all
	Limit  int    // hits to give; DefaultSearchLimit when 0, all when negative
	Offset int    // hits to skip, from the best one; none when negative
}

// SearchResult is what a search found.
type SearchResult struct {
	Total int   `json:"total"` // matches, of which Hits are a part
	Hits  []Hit `json:"hits"`  // best first; never nil
}

// Hit is one match of a search.
type Hit struct {
	Name  string `json:"name"` // as a program writes it: `gg.shell.shell`
	Brief string `json:"brief"`
}

// Search finds functions, and the few other names of gg. A word found in a name counts for more than one
// in a signature, that for more than one in the brief, and that for more than one in the detail; the
// function that has more of the words in the better places comes first, and among equals the one declared
// first. A search without words lists everything in declared order.
func (c *Catalogue) Search(query SearchQuery) SearchResult {
	words := searchWords(query.Query)
	module := strings.TrimPrefix(query.Module, "gg.")
	type match struct {
		hit  Hit
		rank [searchPlaces]int
	}
	var found []match
	for _, e := range c.entries() {
		if module != "" && e.module != module {
			continue
		}
		if rank, ok := e.rank(words); ok {
			found = append(found, match{Hit{e.name, e.brief}, rank})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return slices.Compare(b.rank[:], a.rank[:]) })

	result := SearchResult{Total: len(found), Hits: []Hit{}}
	found = found[min(max(query.Offset, 0), len(found)):]
	limit := query.Limit
	switch {
	case limit == 0:
		limit = DefaultSearchLimit
	case limit < 0:
		limit = len(found)
	}
	for _, m := range found[:min(limit, len(found))] {
		result.Hits = append(result.Hits, m.hit)
	}
	return result
}

func searchWords(query string) []string {
	return strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// entry is what can be found and opened: a function, or another name of gg.
type entry struct {
	name      string // `gg.shell.shell`
	module    string // `shell`
	brief     string
	detail    string
	signature func() string
	page      func() string
}

func (c *Catalogue) entries() []entry {
	var list []entry
	for _, f := range c.functions {
		list = append(list, entry{
			name: programName(f), module: f.Module(), brief: f.Brief, detail: f.Detail,
			signature: func() string { return Signature(f) },
			page:      func() string { return functionPage(f) },
		})
	}
	for _, b := range builtins {
		list = append(list, entry{
			name: b.name, brief: b.brief, detail: b.detail,
			signature: func() string { return b.signature },
			page:      func() string { return paragraphs(b.signature, b.brief, b.detail) },
		})
	}
	return list
}

// searchPlaces is where a word can be found: as the last part of a name, in a name, a signature, a brief,
// a detail.
const searchPlaces = 5

// rank counts the words of a query by the best place each is found in; ok is false when one is found
// nowhere.
func (e entry) rank(words []string) (rank [searchPlaces]int, ok bool) {
	if len(words) == 0 {
		return rank, true
	}
	name := strings.ToLower(e.name)
	_, base, _ := cutLast(name, '.')
	places := []string{name, strings.ToLower(e.signature()), strings.ToLower(e.brief), strings.ToLower(e.detail)}
	for _, word := range words {
		if word == base {
			rank[0]++
			continue
		}
		at := slices.IndexFunc(places, func(text string) bool { return strings.Contains(text, word) })
		if at < 0 {
			return rank, false
		}
		rank[at+1]++
	}
	return rank, true
}

// nearNames are the names that a misspelt one is near to, with or without its module.
func (c *Catalogue) nearNames(name string, entries []entry) []string {
	var spellings []string
	of := map[string][]string{} // the full names that a spelling may stand for
	know := func(spelling, full string) {
		if of[spelling] == nil {
			spellings = append(spellings, spelling)
		}
		of[spelling] = append(of[spelling], full)
	}
	for _, e := range entries {
		know(strings.TrimPrefix(e.name, "gg."), e.name)
		if _, base, found := cutLast(e.name, '.'); found && e.module != "" {
			know(base, e.name)
		}
	}
	for _, m := range c.modules {
		know(m.Name, "gg."+m.Name)
	}
	const most = 3
	var near []string
	for _, spelling := range NearestN(name, spellings, len(spellings)) {
		for _, full := range of[spelling] {
			if len(near) < most && !slices.Contains(near, full) {
				near = append(near, full)
			}
		}
	}
	return near
}
