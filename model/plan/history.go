package plan

import (
	"encoding/binary"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// history are nodes in order, and rows each of which depends on all of the nodes up to one of them, and perhaps on a node of its own: whether an individual enters a population depends on
// whether it has been there before. What such rows keep of the nodes is often little. The states of the history are classes of values of its first nodes after which all that follows is
// the same whatever the parameters are ([model.Residuals]); with a state after each node as a node of its own, rows depend on a state, and each state on the one before it and a node.
type history struct {
	nodes []int32
	rows  []int32
	upTo  []int // how many of the nodes each row depends on
	auto  *automaton
	cells []int32
	lo    []float64
}

// automaton holds the states of histories of one shape.
type automaton struct {
	id     int32
	levels []level // after each node
}

// level are the states after some nodes.
type level struct {
	values [][]int32 // of the nodes, from 0, in a history that leads to each state
	next   [][]int32 // by the state before and the last node's value
}

const (
	// leastHistory is the number of nodes beside its own that a row depends on from which a history is looked for.
	leastHistory = 3
	// mostHistoryStates bounds the states after a node.
	mostHistoryStates = 64
)

// histories finds them among the rows that depend on several nodes. Rows of a history depend on its states thereafter.
func (b *grouping) histories() {
	var wide []wideRow
	b.eachRow(func(row int32, nodes []link) {
		w := wideRow{row: row, own: -1}
		t, i := b.m.TemplateOf(row)
		for _, l := range nodes {
			if b.nodes[l.node].cell == t.Cells(i)[0] {
				w.own = l.node
				continue
			}
			w.free = append(w.free, l.node)
		}
		if len(w.free) >= leastHistory {
			wide = append(wide, w)
		}
	})
	if len(wide) == 0 {
		return
	}
	sets := newDisjoint(len(b.nodes))
	for _, w := range wide {
		for _, v := range w.free[1:] {
			sets.join(w.free[0], v)
		}
	}
	of := map[int32]int{}
	var groups [][]wideRow
	for _, w := range wide {
		root := sets.find(w.free[0])
		k, ok := of[root]
		if !ok {
			k = len(groups)
			of[root] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], w)
	}
	f := historyFinder{b: b, known: map[string]*automaton{}}
	for _, g := range groups {
		f.find(g)
	}
	b.replace()
}

// wideRow is a row with the nodes that it depends on beside its own.
type wideRow struct {
	row, own int32
	free     []int32
}

type historyFinder struct {
	b     *grouping
	res   *model.Residuals
	known map[string]*automaton // by shape
}

// find makes a history of rows whose nodes are all those of the one before and more.
func (f *historyFinder) find(rows []wideRow) {
	slices.SortStableFunc(rows, func(a, b wideRow) int { return len(a.free) - len(b.free) })
	h := &history{}
	in := map[int32]bool{}
	for _, w := range rows {
		met := 0
		for _, v := range w.free {
			if in[v] {
				met++
			}
		}
		if met != len(h.nodes) {
			return
		}
		for _, v := range w.free {
			if !in[v] {
				in[v] = true
				h.nodes = append(h.nodes, v)
			}
		}
		h.rows, h.upTo = append(h.rows, w.row), append(h.upTo, len(h.nodes))
	}
	for _, v := range h.nodes {
		n := &f.b.nodes[v]
		h.cells, h.lo = append(h.cells, n.cell), append(h.lo, n.lo)
	}
	if h.auto = f.automaton(h); h.auto != nil && h.entries(f.b, rows) {
		f.b.hist = append(f.b.hist, h)
	}
}

// automaton are the states of a history, or nil where they are too many.
func (f *historyFinder) automaton(h *history) *automaton {
	if f.res == nil {
		var cells []int32
		for _, n := range f.b.nodes {
			cells = append(cells, n.cell)
		}
		f.res = f.b.m.NewResiduals(cells)
	}
	var shape []byte
	for k, v := range h.nodes {
		n := &f.b.nodes[v]
		shape = binary.AppendVarint(binary.AppendUvarint(shape, uint64(n.size)), int64(n.lo))
		for _, upTo := range h.upTo {
			if upTo == k+1 {
				shape = append(shape, 'r')
			}
		}
	}
	key := string(shape) + f.res.Shape(h.rows, h.cells)
	a, ok := f.known[key]
	if !ok {
		if a = f.states(h); a != nil {
			a.id = int32(len(f.known)) + 1
		}
		f.known[key] = a
	}
	return a
}

// states finds the classes node by node: two histories are in one where all rows that depend on them have the same residuals.
func (f *historyFinder) states(h *history) *automaton {
	a := &automaton{}
	before := [][]int32{nil}
	for j, v := range h.nodes {
		l := level{}
		of := map[string]int32{}
		for _, past := range before {
			next := make([]int32, f.b.nodes[v].size)
			for x := range next {
				now := append(slices.Clone(past), int32(x))
				key := f.residuals(h, now)
				id, ok := of[key]
				if !ok {
					if id = int32(len(l.values)); id == mostHistoryStates {
						return nil
					}
					of[key] = id
					l.values = append(l.values, now)
				}
				next[x] = id
			}
			l.next = append(l.next, next)
		}
		a.levels = append(a.levels, l)
		before = a.levels[j].values
	}
	return a
}

// residuals are what is left of the rows that depend on a history's last node.
func (f *historyFinder) residuals(h *history, values []int32) string {
	known := map[int32]float64{}
	for k, x := range values {
		known[h.cells[k]] = h.lo[k] + float64(x)
	}
	f.res.Know(known)
	var key []byte
	for k, row := range h.rows {
		if h.upTo[k] >= len(values) {
			key = binary.AppendUvarint(key, uint64(f.res.Row(row)))
		}
	}
	return string(key)
}

// entries tells whether tables by states are smaller than those by all nodes.
func (h *history) entries(b *grouping, rows []wideRow) bool {
	before, after := 0, 0
	for k, w := range rows {
		own := 1
		if w.own >= 0 {
			own = b.nodes[w.own].size
		}
		n := own
		for _, v := range w.free {
			n = min(n*b.nodes[v].size, maxBucket)
		}
		before, after = before+n, after+own*len(h.auto.levels[h.upTo[k]-1].values)
	}
	for j, l := range h.auto.levels {
		after += len(l.values) * len(l.next) * b.nodes[h.nodes[j]].size
	}
	return after < before
}

// replace adds the states as nodes, and lets the rows depend on them.
func (b *grouping) replace() {
	if len(b.hist) == 0 {
		return
	}
	b.states = map[int32]stateOf{}
	in := map[int32]int32{}
	for k, h := range b.hist {
		first := int32(len(b.nodes))
		for j, l := range h.auto.levels {
			b.nodes = append(b.nodes, finiteNode{row: -1, cell: -1, size: len(l.values), past: h, level: j + 1})
		}
		b.first = append(b.first, first)
		for i, row := range h.rows {
			b.states[row] = stateOf{node: first + int32(h.upTo[i]) - 1, auto: h.auto.id}
		}
		for _, v := range h.nodes {
			in[v] = int32(k)
		}
	}
	var links []link
	var ends []int
	b.eachRow(func(row int32, nodes []link) {
		if st, ok := b.states[row]; ok {
			t, i := b.m.TemplateOf(row)
			for _, l := range nodes {
				if b.nodes[l.node].cell == t.Cells(i)[0] {
					links = append(links, l)
				}
			}
			links = append(links, link{row, st.node})
		} else {
			links = append(links, nodes...)
		}
		ends = append(ends, len(links))
	})
	b.links, b.ends = links, ends
}

// stateOf is the node that is the state on which a row of a history depends.
type stateOf struct{ node, auto int32 }

// eachStep calls f with the nodes that each state of a history depends on, itself first.
func (b *grouping) eachStep(f func(h *history, level int, nodes []int32)) {
	for k, h := range b.hist {
		for j, v := range h.nodes {
			nodes := []int32{b.first[k] + int32(j), v}
			if j > 0 {
				nodes = append(nodes, b.first[k]+int32(j)-1)
			}
			f(h, j, nodes)
		}
	}
}

// steps is the table of a state over itself, the last node and the state before.
func (l *level) steps(size int) []float64 {
	var tab []float64
	for _, next := range l.next {
		for x := range size {
			for state := range l.values {
				one := 0.0
				if next[x] == int32(state) {
					one = 1
				}
				tab = append(tab, one)
			}
		}
	}
	return tab
}
