package bindings

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// tableRows bounds the rows of one table.
const tableRows = 1000

// tableText is a table being filled: cells by column and row.
type tableText struct {
	heads []string
	cells [][]string // by column, then row; a short column ends in empty cells
}

// table writes the argument of console.table.
func (x *inspector) table(data, columns goja.Value) string {
	o, ok := data.(*goja.Object)
	if ok {
		o = unwrapped(o)
	}
	if o == nil || isFunction(o) {
		return x.format([]goja.Value{orUndefined(data)})
	}
	x.items, x.width = 3, math.MaxInt32
	var t tableText
	omitted := 0
	switch kindOf(x.in, o) {
	case kindMap:
		var keys, values []string
		x.in.eachEntry(o, func(key, v goja.Value) bool {
			keys, values = append(keys, x.cell(key)), append(values, x.cell(v))
			return len(keys) < tableRows
		})
		omitted = x.in.sizeOf(o, x.in.mapSize) - len(keys)
		t = tableText{[]string{"(iteration index)", "Key", "Values"}, [][]string{numbered(len(keys)), keys, values}}
	case kindSet:
		var values []string
		x.in.eachMember(o, func(v goja.Value) bool {
			values = append(values, x.cell(v))
			return len(values) < tableRows
		})
		omitted = x.in.sizeOf(o, x.in.setSize) - len(values)
		t = tableText{[]string{"(iteration index)", "Values"}, [][]string{numbered(len(values)), values}}
	default:
		t, omitted = x.rows(o, x.columnNames(columns))
	}
	text := t.String()
	if omitted > 0 {
		text += "\n" + more(omitted, "row")
	}
	return text
}

func numbered(n int) []string {
	var cells []string
	for i := range n {
		cells = append(cells, strconv.Itoa(i))
	}
	return cells
}

// columnNames reads the second argument: the columns to show, or nil for all.
func (x *inspector) columnNames(v goja.Value) []string {
	o, ok := v.(*goja.Object)
	if !ok || kindOf(x.in, o) != kindArray {
		return nil
	}
	names := []string{}
	for i := range int(min(o.Get("length").ToInteger(), tableRows)) {
		if name, ok := dataProperty(x.in, o, strconv.Itoa(i)).(goja.String); ok {
			names = append(names, name.String())
		}
	}
	return names
}

// rows makes a table of the elements of an array, or the properties of an object, and counts those beyond the limit.
func (x *inspector) rows(o *goja.Object, chosen []string) (tableText, int) {
	index := o.Keys()
	omitted := max(0, len(index)-tableRows)
	index = index[:len(index)-omitted]
	columns := map[string][]string{}
	var order []string
	put := func(column string, row int, text string) {
		if _, ok := columns[column]; !ok {
			order = append(order, column)
		}
		cells := columns[column]
		for len(cells) <= row {
			cells = append(cells, "")
		}
		cells[row] = text
		columns[column] = cells
	}
	var values []string
	for row, name := range index {
		item := dataProperty(x.in, o, name)
		object, isObject := item.(*goja.Object)
		if isObject {
			object = unwrapped(object)
		}
		if object == nil {
			if chosen == nil {
				for len(values) < row {
					values = append(values, "")
				}
				values = append(values, x.cell(item))
				continue
			}
			for _, column := range chosen {
				put(column, row, "")
			}
			continue
		}
		names := chosen
		if names == nil {
			names = object.Keys()
		}
		for _, column := range names {
			text := ""
			if key := x.in.vm.ToValue(column); x.in.has(object, key) {
				text = x.cellOf(object, key)
			}
			put(column, row, text)
		}
	}
	sortAsKeys(order)
	t := tableText{heads: []string{"(index)"}, cells: [][]string{index}}
	for _, column := range order {
		t.heads, t.cells = append(t.heads, column), append(t.cells, columns[column])
	}
	if values != nil {
		t.heads, t.cells = append(t.heads, "Values"), append(t.cells, values)
	}
	return t, omitted
}

// sortAsKeys brings names into the order of an object's properties: whole numbers first.
func sortAsKeys(names []string) {
	slices.SortStableFunc(names, func(a, b string) int {
		switch aIndex, bIndex := isIndex(a), isIndex(b); {
		case aIndex && bIndex:
			m, _ := strconv.Atoi(a)
			n, _ := strconv.Atoi(b)
			return m - n
		case aIndex:
			return -1
		case bIndex:
			return 1
		default:
			return 0
		}
	})
}

// cell inspects a value for a table: an object of more than two properties is only named.
func (x *inspector) cell(v goja.Value) string {
	depth := 0
	if o, ok := v.(*goja.Object); ok && !isProxy(o) && kindOf(x.in, o) != kindArray && !isFunction(o) && len(o.Keys()) > 2 {
		depth = -1
	}
	return x.top(v, depth)
}

func (x *inspector) cellOf(o *goja.Object, key goja.Value) string {
	if value := ownData(x.in, o, key); value != nil {
		return x.cell(value)
	}
	return x.propertyValue(o, key, 0)
}

// String draws the table.
func (t tableText) String() string {
	rows := 0
	widths := make([]int, len(t.heads))
	for i, head := range t.heads {
		widths[i] = displayWidth(head)
		rows = max(rows, len(t.cells[i]))
		for _, cell := range t.cells[i] {
			widths[i] = max(widths[i], displayWidth(cell))
		}
	}
	var b strings.Builder
	rule := func(left, middle, right string) {
		b.WriteString(left)
		for i, width := range widths {
			if i > 0 {
				b.WriteString(middle)
			}
			b.WriteString(strings.Repeat("─", width+2))
		}
		b.WriteString(right)
	}
	line := func(cell func(column int) string) {
		b.WriteString("\n│ ")
		for i, width := range widths {
			if i > 0 {
				b.WriteString(" │ ")
			}
			text := cell(i)
			b.WriteString(text + strings.Repeat(" ", width-displayWidth(text)))
		}
		b.WriteString(" │")
	}
	rule("┌", "┬", "┐")
	line(func(column int) string { return t.heads[column] })
	b.WriteByte('\n')
	rule("├", "┼", "┤")
	for row := range rows {
		line(func(column int) string {
			if row < len(t.cells[column]) {
				return t.cells[column][row]
			}
			return ""
		})
	}
	b.WriteByte('\n')
	rule("└", "┴", "┘")
	return b.String()
}
