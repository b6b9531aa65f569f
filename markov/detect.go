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
		if len(in.fields) != 3 {
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
