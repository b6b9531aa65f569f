package model

import (
	"encoding/binary"
	"math"
)

// Likeness tells which stochastic rows are the same function of some nodes that differ: the rows of a hidden Markov chain that share a transition
// matrix, or the data of individuals with the same history. Cells that are no such node count as themselves, constants as their values, and logical cells
// as what they compute.
type Likeness struct {
	m       *Model
	node    []int32 // number of the node that a cell is, or −1
	tag     []uint64
	touched []uint64 // bitset of live logical rows that depend on a node
	data    bool     // data count as their values in Model.Init
	ids     map[string]int32
	tables  map[tableOf]bool

	memo  map[int32]int32   // keys of a row's logical rows
	fixed map[int32]int32   // keys of logical rows that no node reaches
	still map[tableOf]int32 // keys of tables that no node reaches
	buf   [][]byte
	found Alike
}

// Alike describes a row: rows of the same key have the same density, where the nodes of the same place in Nodes have the same values.
type Alike struct {
	Key   int32
	Nodes []int32 // numbers of the nodes in the order in which they are met; the row's own node, if it is one, is first
	Logic []int32 // logical rows between the nodes and the row, each after its operands
	Data  []int32 // observed cells whose values the key has
}

type tableOf struct {
	t, slot, base int32
}

// NewLikeness serves rows that depend on nodes, a cell each, of which only those of one tag are alike. Where data is true, rows with equal data
// are alike too, as long as a state has the data of Model.Init.
func (m *Model) NewLikeness(cells []int32, tags []uint64, data bool) *Likeness {
	l := &Likeness{m: m, tag: tags, data: data, ids: map[string]int32{}, tables: map[tableOf]bool{}, memo: map[int32]int32{}, fixed: map[int32]int32{}, still: map[tableOf]int32{}}
	l.node = make([]int32, len(m.Kinds))
	for c := range l.node {
		l.node[c] = -1
	}
	l.touched = newBits(m.Rows())
	var stack []int32
	for k, c := range cells {
		l.node[c] = int32(k)
		stack = append(stack, c)
	}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range m.Children(c) {
			t := m.Templates[s.T]
			for i := s.Lo; i < s.Hi; i++ {
				if r := t.First + i; t.Stoch == nil && bit(m.live, r) && !bit(l.touched, r) {
					setBit(l.touched, r)
					stack = append(stack, t.out(int(i))...)
				}
			}
		}
	}
	return l
}

// Row describes a stochastic row. What it returns is valid until the next call.
func (l *Likeness) Row(row int32) *Alike {
	t, i := l.m.TemplateOf(row)
	clear(l.memo)
	l.found.Nodes, l.found.Logic, l.found.Data = l.found.Nodes[:0], l.found.Logic[:0], l.found.Data[:0]
	b := binary.AppendUvarint(l.room(0), uint64(l.m.templateIndex(row)))
	for _, c := range t.out(i) {
		b = l.cell(b, c, 0)
	}
	for _, c := range t.in(i) {
		b = l.cell(b, c, 0)
	}
	l.buf[0] = b
	l.found.Key = l.id(b)
	return &l.found
}

// room is memory for the key of a row at a depth.
func (l *Likeness) room(depth int) []byte {
	if depth == len(l.buf) {
		l.buf = append(l.buf, nil)
	}
	return l.buf[depth][:0]
}

func (l *Likeness) id(b []byte) int32 {
	if k, ok := l.ids[string(b)]; ok {
		return k
	}
	k := int32(len(l.ids))
	l.ids[string(b)] = k
	return k
}

// cell appends what a cell is.
func (l *Likeness) cell(b []byte, c int32, depth int) []byte {
	if v := l.node[c]; v >= 0 {
		b = binary.AppendUvarint(append(b, 'n'), uint64(l.role(v)))
		return binary.AppendUvarint(b, l.tag[v])
	}
	switch k := l.m.Kinds[c]; {
	case k == Constant:
		return binary.LittleEndian.AppendUint64(append(b, 'c'), math.Float64bits(l.m.Init[c]))
	case k == Observed && l.data:
		l.found.Data = append(l.found.Data, c)
		return binary.LittleEndian.AppendUint64(append(b, 'c'), math.Float64bits(l.m.Init[c]))
	case k == Logical && l.m.DefRow(c) >= 0:
		row := l.m.def[c]
		t, i := l.m.TemplateOf(row)
		if len(t.Prog.Code) == 0 && !bit(l.touched, row) { // copies
			for k, x := range t.out(i) {
				if x == c {
					return l.cell(b, t.in(i)[t.Prog.Out[k]], depth)
				}
			}
		}
		key := l.logic(row, depth+1)
		b = binary.AppendUvarint(append(b, 'l'), uint64(key))
		for k, x := range t.out(i) {
			if x == c {
				return binary.AppendUvarint(b, uint64(k))
			}
		}
	}
	return binary.AppendUvarint(append(b, 'v'), uint64(c))
}

// role is the place of a node among those of the row.
func (l *Likeness) role(v int32) int {
	for k, x := range l.found.Nodes {
		if x == v {
			return k
		}
	}
	l.found.Nodes = append(l.found.Nodes, v)
	return len(l.found.Nodes) - 1
}

// logic is the key of a logical row.
func (l *Likeness) logic(row int32, depth int) int32 {
	memo := l.fixed
	if bit(l.touched, row) {
		memo = l.memo
	}
	if k, ok := memo[row]; ok {
		return k
	}
	t, i := l.m.TemplateOf(row)
	b := binary.AppendUvarint(l.room(depth), uint64(l.m.templateIndex(row)))
	for _, c := range t.in(i) {
		b = l.cell(b, c, depth)
	}
	for _, g := range t.Prog.Gathers {
		of := tableOf{int32(l.m.templateIndex(row)), g.Slot, t.addr(i)[g.Slot]}
		if !l.moves(of, &g) {
			b = binary.AppendUvarint(append(b, 's'), uint64(l.table(of, &g, depth+1)))
			continue
		}
		// The nodes in the table take part by their places in it.
		b = binary.AppendUvarint(append(b, 't'), uint64(of.base))
		walkTable(of.base, g.Extent, g.Stride, func(c int32) { b = l.cell(b, c, depth) })
	}
	l.buf[depth] = b
	k := l.id(append(b, 'r'))
	memo[row] = k
	if bit(l.touched, row) {
		l.found.Logic = append(l.found.Logic, row)
	}
	return k
}

// table is the key of what is in a table that no node reaches: those of individuals who have one each are alike where they hold the same.
func (l *Likeness) table(of tableOf, g *Gather, depth int) int32 {
	if k, ok := l.still[of]; ok {
		return k
	}
	b := append(l.room(depth), 'g')
	walkTable(of.base, g.Extent, g.Stride, func(c int32) { b = l.cell(b, c, depth) })
	l.buf[depth] = b
	k := l.id(b)
	l.still[of] = k
	return k
}

// moves tells whether a table has cells that depend on nodes.
func (l *Likeness) moves(of tableOf, g *Gather) bool {
	if m, ok := l.tables[of]; ok {
		return m
	}
	moves := false
	walkTable(of.base, g.Extent, g.Stride, func(c int32) {
		moves = moves || l.node[c] >= 0 || l.m.Kinds[c] == Logical && l.m.def[c] >= 0 && bit(l.touched, l.m.def[c])
	})
	l.tables[of] = moves
	return moves
}

// LogicalSegs joins logical rows to runs in an order in which each comes after its operands. It sorts the rows.
func (m *Model) LogicalSegs(rows []int32) []Seg { return m.segments(rows, true) }
