package bugs

import (
	"github.com/ergodic-mcmc/ergodic/model"
)

func (c *compiler) emitVar(w *row, n *node) val {
	a := n.arr
	a.used = true
	if !n.hasIndex {
		if a.size() == 1 {
			return scalarVal(c.cellItem(n, a.base))
		}
		c.spend(n.pos, a.size())
		items := c.items(a.size())
		for i := range a.size() {
			items = append(items, c.cellItem(n, a.base+int32(i)))
		}
		return vectorVal(a.dims, items)
	}
	if cell, ok := c.element(n); ok {
		return scalarVal(c.cellItem(n, cell))
	}
	return c.emitSlice(w, n)
}

// element is the cell of an element whose subscripts are loop counters, numbers, and elements of data that have such subscripts themselves.
func (c *compiler) element(n *node) (cell int32, ok bool) {
	a := n.arr
	a.used = true
	c.checkRank(n)
	cell = a.base
	for k, arg := range n.args {
		if arg == nil {
			return 0, false
		}
		switch arg.kind {
		case counterNode:
			i := c.env[arg.slot]
			if i < 1 || int(i) > a.dims[k] {
				c.subscript(n, arg, k, float64(i), c.env)
			}
			cell += (i - 1) * a.stride[k]
		case numNode:
			cell += (c.subscript(n, arg, k, arg.num, c.env) - 1) * a.stride[k]
		case varNode:
			if !arg.hasIndex {
				return 0, false
			}
			at, ok := c.element(arg)
			if !ok || c.b.Kind(at) != model.Constant {
				return 0, false
			}
			c.count(arg.pos, 1)
			cell += (c.subscript(n, arg, k, c.b.Value(at), c.env) - 1) * a.stride[k]
		default:
			return 0, false
		}
	}
	return cell, true
}

// emitSlice handles subscripts that are empty, ranges, expressions, or change
// while sampling.
func (c *compiler) emitSlice(w *row, n *node) val {
	a := n.arr
	idx := make([][]int32, len(n.args))
	moving := make([]item, len(n.args))
	for k := range moving {
		moving[k] = item{cell: -1, reg: -1}
	}
	random := false
	var dims []int
	for k, arg := range n.args {
		if arg == nil {
			idx[k] = c.sequence(a.dims[k])
			dims = append(dims, a.dims[k])
			continue
		}
		v := c.emit(w, arg)
		if v.scalar() && !v.one.fixed {
			moving[k], random = v.one, true
			idx[k] = []int32{1}
			continue
		}
		for j := range v.n() {
			it := v.at(j)
			if !it.fixed {
				c.fail(arg.pos, "A subscript may be one changing number, not a changing vector.", "the subscript %s of %s changes while sampling", arg.src, a.name)
			}
			idx[k] = append(idx[k], c.subscript(n, arg, k, it.x, c.env))
		}
		if !v.scalar() {
			dims = append(dims, v.n())
		}
	}
	c.spend(n.pos, block(idx))
	items := c.items(block(idx))
	eachCell(idx, a.stride, func(off int32) {
		if random {
			items = append(items, c.gather(w, n, off, moving))
			return
		}
		items = append(items, c.cellItem(n, a.base+off))
	})
	if len(items) == 0 {
		return val{dims: []int{0}, vec: []item{}}
	}
	return vectorVal(dims, items)
}

// gather emits the read of an element whose place is known while sampling only.
func (c *compiler) gather(w *row, n *node, off int32, moving []item) item {
	a := n.arr
	g := model.Gather{Slot: int32(len(w.addrs)), Place: c.exprPlace(n)}
	for k, it := range moving {
		if it.reg == -1 && it.cell < 0 {
			continue
		}
		g.Idx = append(g.Idx, c.operand(w, it))
		g.Extent = append(g.Extent, int32(a.dims[k]))
		g.Stride = append(g.Stride, a.stride[k])
		g.Subs = append(g.Subs, n.args[k].text())
	}
	table := 1
	for _, e := range g.Extent {
		table *= int(e)
	}
	c.count(n.pos, table) // each row of a relation is a child of every element it may read
	c.compileTable(n, a.base+off, g.Extent, g.Stride)
	w.addrs = append(w.addrs, a.base+off)
	w.gathers = append(w.gathers, g)
	in := model.Instr{Op: model.OpGather, Dst: w.temp(), A: int32(len(w.gathers) - 1)}
	w.code = append(w.code, in)
	return item{cell: -1, reg: in.Dst}
}

// compileTable makes sure that all a gather may read has been compiled.
func (c *compiler) compileTable(n *node, base int32, extent, stride []int32) {
	key := tableKey{base: base}
	copy(key.extent[:], extent)
	copy(key.stride[:], stride)
	if c.tables[key] {
		return
	}
	c.tables[key] = true
	idx := make([][]int32, len(extent))
	for k, e := range extent {
		idx[k] = c.sequence(int(e))
	}
	eachCell(idx, stride, func(off int32) {
		if c.b.Kind(base+off) == model.Undefined {
			c.compileCell(n, base+off)
		}
	})
}

type tableKey struct {
	base           int32
	extent, stride [8]int32
}
