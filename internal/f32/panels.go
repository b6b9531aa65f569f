package f32

import "math"

// Panels is a matrix whose rows are summed for many lists of them at once. It is cut into panels of sixteen columns;
// each stays in the nearest cache while all lists pass over it.
type Panels struct {
	rows, columns int
	w             []float32 // panel, row, column; each panel ends with a row of −0, which changes no sum
	narrow        []float32 // in place of w: rows Stride apart
}

// NewPanels keeps a copy of a row-major matrix, its rows stride apart.
func NewPanels(w []float32, stride, rows, columns int) *Panels {
	p := &Panels{rows: rows, columns: columns}
	if columns <= narrow {
		p.narrow = make([]float32, rows*Stride(columns))
		for r := range rows {
			copy(p.narrow[r*Stride(columns):], w[r*stride:][:columns])
		}
		return p
	}
	p.w = make([]float32, (rows+1)*Stride(columns))
	for at := 0; at < columns; at += block {
		panel := p.panel(at)
		for r := range rows {
			row := w[r*stride:][:columns]
			copy(panel[r*block:][:block], row[at:])
		}
		for i := range block {
			panel[rows*block+i] = float32(math.Copysign(0, -1))
		}
	}
	return p
}

// panel holds the columns from at, a multiple of sixteen.
func (p *Panels) panel(at int) []float32 {
	size := (p.rows + 1) * block
	return p.w[at/block*size:][:size]
}

// AddRows adds to each acc[k] the rows that lists[k] names, with the bits of [AddRows]. The capacity of each acc[k] is at
// least Stride of the number of columns and that of each list the number of rows or its length if that is more; what
// lies beyond their lengths is overwritten.
func (p *Panels) AddRows(acc [][]float32, lists [][]int32) {
	addPanels(best(), p, acc, lists)
}

const (
	together = 4  // lists whose sums go side by side, so that none waits for the one before
	pass     = 64 // lists for which a panel is held
)

// party is lists that go side by side.
type party struct {
	acc   [together][]float32
	lists [together][]int32
	count int // of the longest
}

func addPanels(set set, p *Panels, acc [][]float32, lists [][]int32) {
	if len(acc) != len(lists) {
		panic("f32: there are not as many lists as sums")
	}
	if p.narrow != nil {
		for k, list := range lists {
			addRows(set, acc[k], acc[k], p.narrow, Stride(p.columns), list)
		}
		return
	}
	var parties [pass / together]party
	for len(acc) > 0 {
		now := parties[:(min(pass, len(acc))+together-1)/together]
		for k := range now {
			n := min(together, len(acc))
			p.gather(&now[k], acc[:n], lists[:n])
			acc, lists = acc[n:], lists[n:]
		}
		for at := 0; at < p.columns; at += block {
			panel := p.panel(at)
			for k := range now {
				set.sumPanel(&now[k], panel, at)
			}
		}
	}
}

// gather makes lists equally long by rows of −0. Where there are fewer than go together, the last goes several times, with
// the same result.
func (p *Panels) gather(to *party, acc [][]float32, lists [][]int32) {
	to.count = 0
	for _, list := range lists {
		to.count = max(to.count, len(list))
		for _, r := range list {
			if uint(r) >= uint(p.rows) {
				panic("f32: no such row")
			}
		}
	}
	for k := range together {
		from := min(k, len(lists)-1)
		list := lists[from]
		n := len(list)
		list = list[:to.count]
		for i := n; i < to.count; i++ {
			list[i] = int32(p.rows)
		}
		to.acc[k], to.lists[k] = acc[from][:Stride(p.columns)], list
	}
}

func sumPanelGo(to *party, panel []float32, at int) {
	for k, acc := range to.acc {
		var s [block]float32
		copy(s[:], acc[at:])
		for _, r := range to.lists[k][:to.count] {
			row := panel[int(r)*block:][:block]
			for i, v := range row {
				s[i] += v
			}
		}
		if k == together-1 || &acc[0] != &to.acc[k+1][0] {
			copy(acc[at:], s[:])
		}
	}
}
