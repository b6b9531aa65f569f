package markov

import (
	"bytes"
	"math"
)

// detect decides between Matrix and Edges, and leaves the lines it looked at to be read again.
func (in *lines) detect() (Format, error) {
	const enough = 5 // a matrix of three columns has at most four lines
	var head []held
	widths := make([]int, 0, enough)
	for len(head) < enough {
		ok, err := in.next()
		if err != nil {
			return Auto, err
		}
		if !ok {
			break
		}
		head = append(head, held{in.number, bytes.Clone(in.text)})
		widths = append(widths, len(in.fields))
		if len(head) == 1 && (in.namesEdges() || in.wideEdge()) || len(head) == 2 && in.unequalEdge(head) {
			in.ahead = head
			return Edges, nil
		}
		if widths[len(widths)-1] != 3 {
			break
		}
	}
	format := Matrix
	switch last := len(widths) - 1; {
	case last < 0 || widths[last] != 3 && last <= 1:
	case last == enough-1 || widths[last] != 3:
		format = Edges
	case !in.square(head):
		format = Edges
	}
	in.ahead = head
	return format, nil
}

// square reports whether a few lines of three fields are a matrix.
func (in *lines) square(head []held) bool {
	parse := func(h held) { in.text = h.text; in.split() }
	parse(head[0])
	rows := head
	if len(head) == 4 || !in.numeric(1) && !in.numeric(2) {
		rows = head[1:]
	}
	first := 3 - len(rows) // columns of names
	if first != 0 && first != 1 {
		return false
	}
	sums, integers := true, true
	for _, h := range rows {
		parse(h)
		sum := 0.0
		for k := first; k < 3; k++ {
			v, err := parseFloat(in.get(k))
			if err != nil {
				return false
			}
			sum += v
			if k < 2 && v != math.Trunc(v) {
				integers = false
			}
		}
		sums = sums && math.Abs(sum-1) <= Tolerance
	}
	return sums || !integers
}

// wideEdge reports whether a line is a transition with further fields: no row of a matrix has two names before numbers.
func (in *lines) wideEdge() bool {
	return len(in.fields) > 3 && !in.numeric(0) && !in.numeric(1) && in.numeric(2)
}

// unequalEdge reports whether the line at hand, the second, has another length than the first, which is a transition.
func (in *lines) unequalEdge(head []held) bool {
	width := len(in.fields)
	if width == 3 || width == 4 && in.numeric(1) { // a row with its name, under a header of three
		return false
	}
	in.text = head[0].text
	in.split()
	if len(in.fields) != 3 {
		return false
	}
	p, err := parseFloat(in.get(2))
	if err != nil || !in.numeric(1) {
		return err == nil
	}
	from, wholeFrom := number(in.get(0))
	to, wholeTo := number(in.get(1))
	return wholeFrom && wholeTo && p <= 1 && float64(from)+float64(to)+p != 1
}
