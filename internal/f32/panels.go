package f32

import "math"

// Panels is a matrix whose rows are summed for many lists of them at once. It is cut into panels of 32 columns, and
// these into parts of some hundred rows; each part stays in the nearest cache while all lists pass over it.
type Panels struct {
	rows, columns int
	size, parts   int       // rows of a part, and how many parts there are
	w             []float32 // panel, part, row, column; each part ends with a row of −0, which changes no sum
	zeros         []float32
}

const (
	panelWidth = 2 * block
	shift      = 7   // takes a row to its distance in bytes from the first
	partRows   = 272 // 34 KB of the 48 or 32 that the nearest cache has, much of which no list wants
)

// NewPanels keeps a copy of a row-major matrix, its rows stride apart.
func NewPanels(w []float32, stride, rows, columns int) *Panels {
	p := &Panels{rows: rows, columns: columns, parts: max((rows+partRows-1)/partRows, 1), zeros: make([]float32, panelWidth)}
	p.size = (rows + p.parts - 1) / p.parts
	panels := (columns + panelWidth - 1) / panelWidth
	p.w = make([]float32, panels*p.parts*p.partSize())
	for at := 0; at < columns; at += panelWidth {
		for r := range rows {
			row := w[r*stride:][:columns]
			copy(p.part(at, r/p.size)[r%p.size*panelWidth:][:panelWidth], row[at:])
		}
		for c := range p.parts {
			last := p.part(at, c)[p.size*panelWidth:]
			for i := range last {
				last[i] = float32(math.Copysign(0, -1))
			}
		}
	}
	return p
}

func (p *Panels) partSize() int { return (p.size + 1) * panelWidth }

// part holds rows c·size to (c+1)·size of the columns from at, a multiple of 32.
func (p *Panels) part(at, c int) []float32 {
	n := p.partSize()
	return p.w[(at/panelWidth*p.parts+c)*n:][:n]
}

// SumRows sets dst[k] to from, zeros if that is nil, and the rows that lists[k] names, with the bits of [AddRows] if
// there are more than 16 columns. Lists are in ascending order. The capacity of each dst[k], and of from, is at least
// Stride of the number of columns; what lies beyond their lengths is overwritten. Calls at the same time have workspaces
// of their own.
func (p *Panels) SumRows(dst [][]float32, from []float32, lists [][]int32, work *Workspace) {
	sumPanels(best(), p, dst, from, lists, work)
}

const (
	together = 4  // lists whose sums go side by side, so that none waits for the one before
	pass     = 64 // lists for which a panel is held
	perWord  = 4  // distances in a word
)

// batch is lists that go side by side; the generated code knows where its fields lie.
type batch struct {
	sums  [together][]float32
	lists [together][]uint16 // distances in bytes from the first row of the part
	words int                // of each list
}

// Workspace is what SumRows works in. The zero value is ready.
type Workspace struct {
	distances []uint16
	batches   [][pass / together]batch // by part
}

func sumPanels(set set, p *Panels, dst [][]float32, from []float32, lists [][]int32, work *Workspace) {
	if len(dst) != len(lists) {
		panic("f32: there are not as many lists as sums")
	}
	if from != nil {
		from = from[:Stride(p.columns)]
	}
	for len(dst) > 0 {
		n := min(pass, len(dst))
		work.take(set, p, dst[:n], lists[:n])
		for at := 0; at < p.columns; at += panelWidth {
			start := p.zeros
			if from != nil {
				start = from[at:]
			}
			p.sumPanel(set, work, (n+together-1)/together, at, start)
		}
		dst, lists = dst[n:], lists[n:]
	}
}

// sumPanel sums the columns from at.
func (p *Panels) sumPanel(set set, work *Workspace, batches, at int, start []float32) {
	wide := Stride(p.columns)-at >= panelWidth
	for c := range p.parts {
		set.sumPanel(work.batches[c][:batches], at, start, p.part(at, c), wide)
		start = nil
	}
}

// take makes distances of the lists, and those of a batch equally long by rows of −0, in whole words. Lists of about the
// same length make a batch.
func (o *Workspace) take(set set, p *Panels, dst [][]float32, lists [][]int32) {
	each := (p.size+perWord-1)/perWord*perWord + block // what makes distances runs over the end
	if n := each * p.parts * len(lists); len(o.distances) < n {
		o.distances = make([]uint16, n)
	}
	for len(o.batches) < p.parts {
		o.batches = append(o.batches, [pass / together]batch{})
	}
	var done, here [pass]int
	for c := range p.parts {
		room := o.distances[c*len(lists)*each:]
		base, size := uint32(c*p.size), uint32(min(p.size, p.rows-c*p.size))
		for k, list := range lists {
			here[k] = set.distances(room[k*each:][:each], list[done[k]:], base, size)
			done[k] += here[k]
		}
		o.gather(p, c, dst, room, each, here[:len(lists)])
	}
	for k, list := range lists {
		if done[k] < len(list) {
			panic("f32: no such row, or rows that do not ascend")
		}
	}
}

// gather makes the batches of part c, whose lists have their distances in the room, each as many as here says. Where there
// are fewer than go together, the last goes several times, with the same result.
func (o *Workspace) gather(p *Panels, c int, dst [][]float32, room []uint16, each int, here []int) {
	var order [pass]uint8
	byWords(&order, here)
	none := uint16(p.size << shift) // the row of −0
	for first := 0; first < len(here); first += together {
		t := &o.batches[c][first/together]
		last := min(first+together, len(here)) - 1
		t.words = words(here[order[last]])
		for j := range together {
			k := int(order[min(first+j, last)])
			list := room[k*each:][:perWord*t.words]
			for i := here[k]; i < len(list); i++ {
				list[i] = none
			}
			t.lists[j], t.sums[j] = list, dst[k][:Stride(p.columns)]
		}
	}
}

func words(n int) int { return (n + perWord - 1) / perWord }

// byWords orders lists by the words they take.
func byWords(order *[pass]uint8, length []int) {
	var from [partRows/perWord + 2]uint8 // by words, and one
	for _, n := range length {
		from[words(n)+1]++
	}
	for w := range len(from) - 1 {
		from[w+1] += from[w]
	}
	for k, n := range length {
		at := &from[words(n)]
		order[*at] = uint8(k)
		*at++
	}
}

// distancesGo writes the distances in bytes of a list's rows from base, up to the first row that is not among the size
// from there, and returns how many those are. What lies behind them in dst may be overwritten.
func distancesGo(dst []uint16, list []int32, base, size uint32) int {
	for i, r := range list {
		d := uint32(r) - base
		if d >= size {
			return i
		}
		dst[i] = uint16(d << shift)
	}
	return len(list)
}

func sumPanelGo(all []batch, at int, start, panel []float32, wide bool) {
	columns := block
	if wide {
		columns = panelWidth
	}
	for n := range all {
		t := &all[n]
		for k, to := range t.sums {
			if k+1 < together && &to[0] == &t.sums[k+1][0] {
				continue
			}
			s := to[at:][:columns]
			if start != nil {
				copy(s, start)
			}
			for _, d := range t.lists[k] {
				addTo(s, panel[d/4:])
			}
		}
	}
}
