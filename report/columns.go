package report

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table is lines of cells, the head first, that fit into a terminal.
type Table struct {
	Rows  [][]string
	Keys  int      // columns that name a row, left aligned and repeated where the table is folded; 0 stands for 1
	Text  []int    // further columns to be left aligned
	Least []string // heads of columns that a narrow terminal does without, first those that are missed least
}

// Screen is where a table is shown.
type Screen struct {
	Width int    // columns; 0: a table is as wide as it is
	Whole string // what its reader asks for to see the columns that are left out; empty: nothing is said of them
}

// gap is the space between columns.
const gap = 2

// Write writes the table. Where it is wider than the screen, columns are left out, as far as it names some,
// and the others go below one another. Names too long for that have a line of their own.
func (t Table) Write(w io.Writer, on Screen) error {
	l := t.arrange(on.Width)
	b := bufio.NewWriter(w)
	for from := l.keys; ; {
		to := l.fits(from)
		for _, r := range t.Rows {
			l.line(b, r, from, to)
		}
		if from = to; from >= len(l.columns) {
			break
		}
		b.WriteByte('\n')
	}
	if text := "(" + on.Whole + " adds " + strings.Join(l.left, ", ") + ")"; on.Whole != "" && len(l.left) > 0 && utf8.RuneCountInString(text) <= on.Width {
		b.WriteString(text + "\n")
	}
	return b.Flush()
}

// arrangement is the columns of a table in the terminal.
type arrangement struct {
	columns []int  // of the table, those that are shown
	room    []int  // of each, in runes
	text    []bool // left aligned
	keys    int
	width   int // of the terminal; 0: any
	left    []string
}

// nameShare is the part of a terminal that names may fill before they have lines of their own.
const nameShare = 0.35

func (t Table) arrange(width int) *arrangement {
	l := &arrangement{keys: max(t.Keys, 1), width: width}
	for k := range t.Rows[0] {
		room := 0
		for _, r := range t.Rows {
			if k < len(r) {
				room = max(room, utf8.RuneCountInString(r[k]))
			}
		}
		l.columns, l.room = append(l.columns, k), append(l.room, room)
		l.text = append(l.text, k < l.keys || slices.Contains(t.Text, k))
	}
	l.narrow(int(nameShare*float64(width)), t.Rows[0])
	for _, head := range t.Least {
		k := slices.Index(t.Rows[0], head)
		if k < 0 || l.fits(l.keys) == len(l.columns) {
			continue
		}
		at := slices.Index(l.columns, k)
		l.left = append(l.left, head)
		l.columns, l.room, l.text = slices.Delete(l.columns, at, at+1), slices.Delete(l.room, at, at+1), slices.Delete(l.text, at, at+1)
	}
	return l
}

// narrow keeps the columns of names within some room, the first the most.
func (l *arrangement) narrow(room int, head []string) {
	if l.width <= 0 {
		return
	}
	for k := l.keys - 1; k >= 0; k-- {
		l.room[k] = min(l.room[k], max(room/(k+1), utf8.RuneCountInString(head[k])))
		room -= l.room[k]
	}
}

// fits is the column after the last that fits beside from, which always does.
func (l *arrangement) fits(from int) int {
	if l.width <= 0 {
		return len(l.columns)
	}
	used := 0
	for _, room := range l.room[:l.keys] {
		used += room + gap
	}
	to := from
	for ; to < len(l.columns); to++ {
		if used += l.room[to]; used > l.width && to > from {
			break
		}
		used += gap
	}
	return to
}

// line writes the columns from from to to of a row, beside its names.
func (l *arrangement) line(b *bufio.Writer, row []string, from, to int) {
	var line []byte
	at, used := 0, 0 // where the column begins, and where the line ends
	put := func(k int) {
		cell := ""
		if l.columns[k] < len(row) {
			cell = row[l.columns[k]]
		}
		n := utf8.RuneCountInString(cell)
		start := at
		if !l.text[k] {
			start += l.room[k] - n
		}
		at += l.room[k] + gap
		if n == 0 {
			return
		}
		for ; used < start; used++ {
			line = append(line, ' ')
		}
		line = append(line, cell...)
		if used += n; n > l.room[k] { // a long name
			line, used = append(line, '\n'), 0
		}
	}
	for k := range l.keys {
		put(k)
	}
	for k := from; k < to; k++ {
		put(k)
	}
	b.Write(append(line, '\n'))
}
