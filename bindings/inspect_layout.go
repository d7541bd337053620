package bindings

import (
	"math"
	"strings"
)

// layout joins the parts of a container: on one line if that is short and simple enough, in columns for a long list of
// short items, else one to a line. level is the container's own depth, open and shut its brackets, base what stands before
// them. numeric lists align to the right.
func (x *inspector) layout(parts []string, base, open, shut string, list, numeric bool, level int) string {
	lead := open
	if base != "" {
		lead = base + " " + open
	}
	entries := len(parts)
	if list && entries > 6 {
		parts = x.grid(parts, numeric)
	}
	if x.deepest-level < inspectCompact && entries == len(parts) {
		// Ten is a reserve for what else may come to stand on the line.
		start := len(parts) + x.indentation + units(open) + units(base) + 10
		if x.fits(parts, start) && !strings.Contains(base, "\n") {
			if line := strings.Join(parts, ", "); !strings.Contains(line, "\n") {
				return lead + " " + line + " " + shut
			}
		}
	}
	margin := "\n" + strings.Repeat(" ", x.indentation)
	return lead + margin + "  " + strings.Join(parts, ","+margin+"  ") + margin + shut
}

func (x *inspector) fits(parts []string, start int) bool {
	total := len(parts) + start
	if total+len(parts) > x.width {
		return false
	}
	for _, part := range parts {
		total += units(part)
		if total > x.width {
			return false
		}
	}
	return true
}

// grid puts a list of more than six short items of similar length into columns: as nearly a square as a character that is
// two and a half times as high as wide allows, at most fifteen.
func (x *inspector) grid(parts []string, numeric bool) []string {
	const separator = 2 // a comma and a space
	shown := len(parts)
	if x.items < len(parts) {
		shown-- // the last says how many more there are
	}
	total, longest := 0, 0
	widths := make([]int, shown)
	for i := range widths {
		widths[i] = displayWidth(parts[i])
		total += widths[i] + separator
		longest = max(longest, widths[i])
	}
	most := longest + separator
	if most*3+x.indentation >= x.width || float64(total)/float64(most) <= 5 && longest > 6 {
		return parts
	}
	bias := math.Sqrt(float64(most) - float64(total)/float64(len(parts)))
	biased := math.Max(float64(most)-3-bias, 1)
	perRow := min(
		int(math.Floor(math.Sqrt(2.5*biased*float64(shown))/biased+0.5)),
		(x.width-x.indentation)/most,
		inspectCompact*4,
		15,
	)
	if perRow <= 1 {
		return parts
	}
	var rows []string
	columnWidths := make([]int, perRow)
	for i := range columnWidths {
		for j := i; j < shown; j += perRow {
			columnWidths[i] = max(columnWidths[i], widths[j])
		}
	}
	for i := 0; i < shown; i += perRow {
		var row strings.Builder
		last := min(i+perRow, shown) - 1
		for j := i; j <= last; j++ {
			padding := strings.Repeat(" ", columnWidths[j-i]-widths[j])
			switch {
			case numeric && j < last:
				row.WriteString(padding + parts[j] + ", ")
			case numeric:
				row.WriteString(padding + parts[j])
			case j < last:
				row.WriteString(parts[j] + ", " + padding)
			default:
				row.WriteString(parts[j])
			}
		}
		rows = append(rows, row.String())
	}
	if shown < len(parts) {
		rows = append(rows, parts[shown])
	}
	return rows
}
