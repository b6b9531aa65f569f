package bugs

import "github.com/ergodic-mcmc/ergodic/model"

func (c *compiler) square(n *node, dims []int) {
	if len(dims) == 1 && dims[0] == 1 {
		return
	}
	if len(dims) != 2 || dims[0] != dims[1] {
		c.fail(n.pos, "Take a part that is square, such as S[1:K,1:K].", "%s takes a square matrix, not an array of shape %s%s", n.fn.name, timesText(dims), c.where(c.env))
	}
	cubic := dims[0] * dims[0] * dims[0] // some 1 ns each, where a step takes some 30
	if n.fn.op != model.OpMExp {
		cubic /= 32
	}
	c.count(n.pos, cubic)
}

func (c *compiler) emitBlock(w *row, n *node) val {
	v := c.emit(w, n.args[0])
	dims := []int{v.n()} // of sort, order and rank, as in JAGS
	if n.fn.ofMatrix() {
		c.square(n, dimsOrOne(v.dims))
		dims = v.dims
	}
	c.spend(n.pos, v.n())
	return vectorVal(dims, c.nary(w, n.fn.op, v.appendTo(c.items(v.n())), nil))
}

func (c *compiler) emitTranspose(w *row, n *node) val {
	v := c.emit(w, n.args[0])
	if v.scalar() {
		return v
	}
	c.matrix(n, v.dims)
	rows, cols := v.dims[0], 1
	if len(v.dims) == 2 {
		cols = v.dims[1]
	}
	items := c.items(v.n())
	for i := range rows {
		for j := range cols {
			items = append(items, v.at(i+j*rows))
		}
	}
	return vectorVal([]int{cols, rows}, items)
}

func (c *compiler) matrix(n *node, dims []int) {
	if len(dims) > 2 {
		c.fail(n.pos, "Take a part with two subscripts that are not fixed, such as x[k,,].", "%s takes a vector or a matrix, not an array of shape %s%s", n.fn.name, timesText(dims), c.where(c.env))
	}
}

// matmulDims reads two shapes as matrices: a vector on the left is a row or a
// column, whichever conforms, one on the right likewise.
func matmulDims(l, r []int) (rows, inner, cols int, ok bool) {
	lr, lc := 1, 1
	switch len(l) {
	case 1:
		lc = l[0]
	case 2:
		lr, lc = l[0], l[1]
	}
	rr, rc := 1, 1
	switch len(r) {
	case 1:
		rr = r[0]
	case 2:
		rr, rc = r[0], r[1]
	}
	if lc == rr {
		return lr, lc, rc, true
	}
	if len(l) == 1 && rr == 1 { // column times row
		return lc, 1, rc, true
	}
	if len(r) == 1 && lc == 1 {
		return lr, 1, rr, true
	}
	return 0, 0, 0, false
}

func matmulShape(l, r []int, rows, cols int) []int {
	switch {
	case rows == 1 && cols == 1:
		return nil
	case len(r) < 2 && cols == 1:
		return []int{rows}
	case len(l) < 2 && rows == 1:
		return []int{cols}
	}
	return []int{rows, cols}
}

func (c *compiler) emitMatmul(w *row, n *node) val {
	l, r := c.emit(w, n.args[0]), c.emit(w, n.args[1])
	rows, inner, cols, ok := matmulDims(l.dims, r.dims)
	if !ok || len(l.dims) > 2 || len(r.dims) > 2 {
		c.fail(n.pos, matmulHint, "%s multiplies %s by %s%s", n.src, timesText(l.dims), timesText(r.dims), c.where(c.env))
	}
	c.spend(n.pos, rows*cols)
	items := c.items(rows * cols)
	for j := range cols {
		for i := range rows {
			c.spend(n.pos, 2*inner)
			arg := c.items(2 * inner)
			for k := range inner {
				arg = append(arg, l.at(i+k*rows))
			}
			for k := range inner {
				arg = append(arg, r.at(k+j*inner))
			}
			items = append(items, c.nary(w, model.OpDot, arg, nil)[0])
			c.checkCode(n.pos, w)
		}
	}
	return vectorVal(matmulShape(l.dims, r.dims, rows, cols), items)
}
