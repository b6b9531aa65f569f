package model

import (
	"math"
	"slices"
)

// nodeKind tells what a node of a column program is.
type nodeKind uint8

const (
	numberNode nodeKind = iota // a number that is known
	cellNode                   // one cell for all rows
	cellsNode                  // a cell for each row
	opNode                     // an operation, as in the table
	gatherNode                 // an element whose index is another node
	linearNode                 // a linear combination
	columnNode                 // numbers, known or found when a step begins
	pickNode                   // one of several nodes: the last operand is its number, from 1
)

// colNode is a value of every row of a group: a column, or one number for all.
type colNode struct {
	kind  nodeKind
	wide  bool // a column
	moves bool // changes while the block moves
	slope bool // and has a derivative by its cells
	fixed bool // never changes
	op    Op
	args  []int32
	x     float64 // of a number
	cells []int32 // one, or one for each row
	even  bool    // cells follow one another
	uses  int
	sole  bool // of cells: one other node reads it, and gives its derivatives straight to the cells' where they follow one another
	code  opCode
	runs  []cellRuns  // of cells that do not follow one another: runs of rows of one cell, in each block
	steps []cellSteps // or of rows whose cells follow one another
	there bool        // of such: what reads them takes them from there
	prog  *Program
	in    *Instr // of a gather and of a distribution's function
	addr  []int32
	lin   *linear
}

// colGroup is rows that are computed together: logical ones that write their cells, or densities.
type colGroup struct {
	n     int
	block int // rows that are computed at a time
	nodes []colNode
	full  [][]float64 // columns of fixed nodes
	num   []float64   // fixed nodes that are one number
	out   int32       // of logical rows: the node that they write, or −1
	cells []int32     // that they write
	even  bool
	den   density

	still    []int32 // nodes that stand still while the block moves, operands first, but for those that are fixed
	narrow   []int32 // nodes that move and are one number
	scalar   []scalarOp
	broad    []int32      // and columns
	bound    []int32      // all columns, also those that stand still
	dense    []int32      // of them, those with matrices
	direct   bool         // what logical rows write is computed in its cells
	single   bool         // one logical row of numbers
	constant bool         // a density that only tells whether numbers are where it is positive
	bounds   []cellBounds // where these are cells, and bounds
	power    *cellPower   // a single row that is one
	alike    bool         // normal nodes that follow one another, with one mean and one precision
	passes   []pass       // of other normal rows
}

// groupBuilder writes the nodes of a group.
type groupBuilder struct {
	c     *blockBuilder
	g     *colGroup
	known map[int32]int32  // nodes of single cells
	nums  map[uint64]int32 // of numbers
	wide  map[int32][]int32
	same  map[opKey]int32

	enclosed map[int32][]*enclosed // by their first cells
}

// opKey tells operations on the same nodes.
type opKey struct {
	op Op
	n  int
	a  [3]int32
}

// mostNodes bounds a group: what is taken in beyond it goes through cells.
const mostNodes = 4096

func (c *blockBuilder) newGroup(n int) *groupBuilder {
	return &groupBuilder{c: c, g: &colGroup{n: n, out: -1}, known: map[int32]int32{}, nums: map[uint64]int32{}, wide: map[int32][]int32{}, same: map[opKey]int32{}}
}

func (b *groupBuilder) add(x colNode) int32 {
	b.g.nodes = append(b.g.nodes, x)
	return int32(len(b.g.nodes) - 1)
}

func (b *groupBuilder) node(id int32) *colNode { return &b.g.nodes[id] }

func (b *groupBuilder) number(x float64) int32 {
	if id, ok := b.nums[math.Float64bits(x)]; ok {
		return id
	}
	id := b.add(colNode{kind: numberNode, x: x, fixed: true})
	b.nums[math.Float64bits(x)] = id
	return id
}

// cell is the node of one cell.
func (b *groupBuilder) cell(c int32) int32 {
	if id, ok := b.known[c]; ok {
		return id
	}
	var id int32
	if m := b.c.m; m.Kinds[c] == Constant {
		id = b.number(m.Init[c])
	} else {
		moves := b.c.moves(c)
		id = b.add(colNode{kind: cellNode, moves: moves, slope: moves, cells: []int32{c}})
	}
	b.known[c] = id
	return id
}

// column is the node of a cell for each row, or of the logical rows that compute them where nothing else reads these.
func (b *groupBuilder) column(cells []int32, inline bool) int32 {
	if id := b.takeEnclosed(cells); id >= 0 {
		return id
	}
	if inline && len(b.g.nodes) < mostNodes {
		if id := b.takeIn(cells); id >= 0 {
			return id
		}
	}
	if !slices.ContainsFunc(cells, func(c int32) bool { return c != cells[0] }) {
		if t := b.c.m.logicalOf(cells[0]); inline && t != nil && len(b.g.nodes) < mostNodes && b.c.inlinesFor(cells[0], len(cells)) {
			row := b.c.m.DefRow(cells[0]) - t.First
			setBit(b.c.gone, t.First+row)
			id := b.program(t, []int32{row})
			b.known[cells[0]] = id
			return id
		}
		return b.cell(cells[0])
	}
	for _, id := range b.wide[cells[0]] {
		if slices.Equal(b.node(id).cells, cells) {
			return id
		}
	}
	x := colNode{kind: cellsNode, wide: true, cells: cells, fixed: true, even: consecutive(cells)}
	for _, c := range cells {
		x.moves = x.moves || b.c.moves(c)
		x.fixed = x.fixed && b.c.m.Kinds[c] == Constant
	}
	x.slope = x.moves
	id := b.add(x)
	b.wide[cells[0]] = append(b.wide[cells[0]], id)
	return id
}

// takeIn computes cells where they are read, if they are read nowhere else and come from rows of one template; −1 otherwise.
func (b *groupBuilder) takeIn(cells []int32) int32 {
	t := b.c.inlines(cells[0])
	if t == nil {
		return -1
	}
	rows := make([]int32, len(cells))
	for i, c := range cells {
		if b.c.inlines(c) != t || i > 0 && c == cells[0] {
			return -1
		}
		rows[i] = b.c.m.DefRow(c) - t.First
	}
	for _, r := range rows {
		setBit(b.c.gone, t.First+r)
	}
	return b.program(t, rows)
}

// program is the node of what rows of a template compute, which have one result each.
func (b *groupBuilder) program(t *Template, rows []int32) int32 {
	operands := make([]int32, t.NIn)
	for k := range operands {
		operands[k] = -1
	}
	return b.code(t.Prog, func(k int32) int32 {
		if operands[k] < 0 {
			operands[k] = b.column(operandColumn(t, rows, int(k)), true)
		}
		return operands[k]
	}, func(slot int32) []int32 {
		addr := make([]int32, len(rows))
		for i, r := range rows {
			addr[i] = t.Addr[int(r)*t.Prog.NAddr+int(slot)]
		}
		return addr
	})
}

func operandColumn(t *Template, rows []int32, k int) []int32 {
	cells := make([]int32, len(rows))
	for i, r := range rows {
		cells[i] = t.In[int(r)*t.NIn+k]
	}
	return cells
}

// code is the node of a program's first result.
func (b *groupBuilder) code(p *Program, operand func(k int32) int32, addr func(slot int32) []int32) int32 {
	reg := make([]int32, p.NReg)
	of := func(r int32) int32 {
		if int(r) < p.NIn {
			return operand(r)
		}
		return reg[r]
	}
	for k := range p.Code {
		in := &p.Code[k]
		var three [3]int32
		args := slices.Clone(p.reads(in, &three))
		for i, r := range args {
			args[i] = of(r)
		}
		if in.Op == OpGather {
			reg[in.Dst] = b.gather(p, in, args, addr(p.Gathers[in.A].Slot))
			continue
		}
		reg[in.Dst] = b.op(in.Op, p, in, args...)
	}
	return of(p.Out[0])
}

// op is the node of an operation.
func (b *groupBuilder) op(op Op, p *Program, in *Instr, args ...int32) int32 {
	row := &operations[op]
	if op == OpPow && b.is(args[1], 2) {
		return b.op(OpSqr, p, in, args[0])
	}
	if a := b.unchanged(op, args); a >= 0 {
		return a
	}
	x := colNode{kind: opNode, op: op, args: args, prog: p, in: in, fixed: true}
	numbers := true
	for _, a := range args {
		n := b.node(a)
		x.wide, x.moves = x.wide || n.wide, x.moves || n.moves
		x.slope = x.slope || n.slope && !row.constant
		x.fixed = x.fixed && n.fixed
		numbers = numbers && n.kind == numberNode
	}
	if numbers && row.list == nil {
		return b.number(b.apply(&x))
	}
	if len(args) > 3 || op == OpDist {
		return b.add(x)
	}
	key := opKey{op: op, n: len(args)}
	copy(key.a[:], args)
	if id, ok := b.same[key]; ok {
		return id
	}
	b.same[key] = b.add(x)
	return b.same[key]
}

// refresh finds again what a node is, where its operands have become others.
func (b *groupBuilder) refresh(id int32) {
	x := b.node(id)
	if x.kind != opNode && x.kind != pickNode {
		return
	}
	x.wide, x.moves, x.slope, x.fixed = false, false, false, x.kind == opNode
	for _, a := range x.args {
		n := b.node(a)
		x.wide, x.moves = x.wide || n.wide, x.moves || n.moves
		x.slope = x.slope || n.slope && (x.kind == pickNode || !operations[x.op].constant)
		x.fixed = x.fixed && n.fixed
	}
}

// unchanged is the operand that the operation gives back as it is, or −1.
func (b *groupBuilder) unchanged(op Op, args []int32) int32 {
	switch {
	case (op == OpMul || op == OpDiv) && b.is(args[1], 1), (op == OpAdd || op == OpSub) && b.is(args[1], 0):
		return args[0]
	case op == OpMul && b.is(args[0], 1), op == OpAdd && b.is(args[0], 0):
		return args[1]
	}
	return -1
}

// apply computes an operation on numbers.
func (b *groupBuilder) apply(x *colNode) float64 {
	v := make([]float64, len(x.args))
	for k, a := range x.args {
		v[k] = b.node(a).x
	}
	return operations[x.op].of(v, ascending(len(v)))
}

// pick is the node that takes, in each row, the node of which another tells the number.
func (b *groupBuilder) pick(from []int32, number int32) int32 {
	x := colNode{kind: pickNode, args: append(slices.Clone(from), number)}
	for _, a := range x.args {
		n := b.node(a)
		x.wide, x.moves, x.slope = x.wide || n.wide, x.moves || n.moves, x.slope || n.slope
	}
	return b.add(x)
}

func (b *groupBuilder) is(id int32, x float64) bool {
	n := b.node(id)
	return n.kind == numberNode && n.x == x
}

// gather is the node of an element that is found by its index.
func (b *groupBuilder) gather(p *Program, in *Instr, args, addr []int32) int32 {
	x := colNode{kind: gatherNode, args: args, prog: p, in: in, addr: addr}
	g := &p.Gathers[in.A]
	for _, a := range args {
		x.wide, x.moves = x.wide || b.node(a).wide, x.moves || b.node(a).moves
	}
	met := int32(-1)
	for _, a := range addr {
		x.wide = x.wide || a != addr[0]
		if a == met {
			continue
		}
		met = a
		walkTable(a, g.Extent, g.Stride, func(c int32) { x.slope = x.slope || b.c.moves(c) })
	}
	x.moves = x.moves || x.slope
	return b.add(x)
}
