package model

import "slices"

// Jacobian is the sparse derivative of affine logical cells along a set of
// member cells: for each cell the members it depends on, and by how much.
type Jacobian struct {
	Members []int32
	Ptr     []int32
	Idx     []int32   // member numbers
	Val     []float64 // nil before [Jacobian.Eval]

	few   map[int32]int32 // position of a cell's entries in Ptr
	many  []int32         // the same by cell, plus one, for large blankets
	rows  []jacRow
	dense []float64
}

// jacRow is one logical row: its affine outputs as linear functions of its
// affine inputs.
type jacRow struct {
	t    *Template
	i    int32
	in   []int32 // affine cells it reads
	from []int32 // their positions
	out  []int32 // positions of its outputs, −1 for one that is not affine

	varying bool // derivatives that change with the state
	one     bool // it has one output, and each of in is one of its operands, once: a pass backwards gives all derivatives
}

// Pos is the place of a cell in Ptr; ok is false for one that is free of the
// members.
func (j *Jacobian) Pos(c int32) (p int32, ok bool) {
	if j.many != nil {
		if int(c) >= len(j.many) {
			return 0, false
		}
		return j.many[c] - 1, j.many[c] != 0
	}
	p, ok = j.few[c]
	return p, ok
}

// NewJacobian finds the pattern over the blanket's logical rows whose form is
// affine.
func (m *Model) NewJacobian(b *Blanket, forms *Forms) *Jacobian {
	j := &Jacobian{Members: b.Cells, Ptr: []int32{0}, dense: make([]float64, len(b.Cells))}
	n := Count(b.Det)
	if n > manyRows {
		j.many = make([]int32, m.held)
	} else {
		j.few = map[int32]int32{}
	}
	for k, c := range b.Cells {
		j.add(c, []int32{int32(k)})
	}
	w := jacWalk{m: m, j: j, forms: forms, mark: make([]int32, len(b.Cells))}
	j.rows = make([]jacRow, 0, n)
	for _, g := range b.Det {
		t := m.Templates[g.T]
		idx, pool := len(j.Idx), len(w.pool)
		for i := g.Lo; i < g.Hi; i++ {
			if i == g.Lo+likeRows { // the others are likely to be as long
				left := int(g.Hi - i)
				j.Idx = slices.Grow(j.Idx, (len(j.Idx)-idx)*left/likeRows)
				w.pool = slices.Grow(w.pool, (len(w.pool)-pool)*left/likeRows)
			}
			w.row(t, i)
		}
	}
	return j
}

// likeRows is how many rows of a run foretell the memory for all.
const likeRows = 32

type jacWalk struct {
	m     *Model
	j     *Jacobian
	forms *Forms
	mark  []int32
	stamp int32
	idx   []int32
	pool  []int32 // memory that rows' lists are cut from
}

func (w *jacWalk) row(t *Template, i int32) {
	w.stamp++
	w.idx = w.idx[:0]
	from := len(w.pool)
	w.m.eachParent(t, int(i), func(c int32) {
		p, ok := w.j.Pos(c)
		if !ok || slices.Contains(w.pool[from:], c) {
			return
		}
		w.pool = append(w.pool, c)
		for _, k := range w.j.Idx[w.j.Ptr[p]:w.j.Ptr[p+1]] {
			if w.mark[k] != w.stamp {
				w.mark[k] = w.stamp
				w.idx = append(w.idx, k)
			}
		}
	})
	mid, useful, varying := len(w.pool), false, false
	for _, c := range w.pool[from:mid] {
		p, _ := w.j.Pos(c)
		w.pool = append(w.pool, p)
	}
	end := len(w.pool)
	for _, o := range t.out(int(i)) {
		p := int32(-1)
		if f := w.forms.At(o); f.Kind == Affine {
			p, useful, varying = w.j.add(o, w.idx), true, varying || f.Varying
		}
		w.pool = append(w.pool, p)
	}
	if useful {
		in := w.pool[from:mid:mid]
		one := t.NOut == 1 && len(in) > 1 && len(t.Prog.Gathers) == 0 && once(t.in(int(i)), in)
		w.j.rows = append(w.j.rows, jacRow{t, i, in, w.pool[mid:end:end], w.pool[end:len(w.pool):len(w.pool)], varying, one})
	}
}

// once tells whether each of some cells stands in a list once, in the same order.
func once(list, cells []int32) bool {
	n := 0
	for _, c := range list {
		if n < len(cells) && c == cells[n] {
			n++
		} else if slices.Contains(cells, c) {
			return false
		}
	}
	return n == len(cells)
}

func (j *Jacobian) add(c int32, idx []int32) int32 {
	p := int32(len(j.Ptr) - 1)
	if j.many != nil {
		j.many[c] = p + 1
	} else {
		j.few[c] = p
	}
	j.Idx = append(j.Idx, idx...)
	j.Ptr = append(j.Ptr, int32(len(j.Idx)))
	return p
}

// Row gives the members a cell depends on and, once they have been computed, its derivatives.
func (j *Jacobian) Row(c int32) (idx []int32, val []float64) {
	p, ok := j.Pos(c)
	switch {
	case !ok:
		return nil, nil
	case j.Val == nil:
		return j.Idx[j.Ptr[p]:j.Ptr[p+1]], nil
	}
	return j.Idx[j.Ptr[p]:j.Ptr[p+1]], j.Val[j.Ptr[p]:j.Ptr[p+1]]
}

// At gives the derivatives at a place in Ptr; none where it is −1.
func (j *Jacobian) At(p int32) []float64 {
	if p < 0 {
		return nil
	}
	return j.Val[j.Ptr[p]:j.Ptr[p+1]]
}

// Eval computes the derivatives at the state's current values: at first all, then those that change.
func (j *Jacobian) Eval(s *State) {
	first := j.Val == nil
	if first {
		j.Val = make([]float64, len(j.Idx))
		for k := range j.Members {
			j.Val[k] = 1
		}
	}
	T := s.Direction()
	for k := range j.rows {
		r := &j.rows[k]
		if !first && !r.varying {
			continue
		}
		if r.one {
			j.evalBack(s, r)
			continue
		}
		for _, p := range r.out {
			if p >= 0 {
				clear(j.Val[j.Ptr[p]:j.Ptr[p+1]])
			}
		}
		outs := r.t.out(int(r.i))
		for i, c := range r.in {
			T[c] = 1
			s.tangentRow(r.t, int(r.i))
			T[c] = 0
			for o, p := range r.out {
				d := T[outs[o]]
				if p >= 0 && d != 0 {
					j.addScaled(p, r.from[i], d)
				}
			}
		}
		for _, o := range outs {
			T[o] = 0
		}
	}
}

// evalBack computes those of a row with one output.
func (j *Jacobian) evalBack(s *State, r *jacRow) {
	a := s.operandSlopes(r.t, int(r.i))
	n := 0
	for k, c := range r.t.in(int(r.i)) {
		if n == len(r.in) || c != r.in[n] {
			continue
		}
		p := r.from[n]
		n++
		if a[k] == 0 {
			continue
		}
		for e := j.Ptr[p]; e < j.Ptr[p+1]; e++ {
			j.dense[j.Idx[e]] += float64(a[k] * j.Val[e])
		}
	}
	to := r.out[0]
	for e := j.Ptr[to]; e < j.Ptr[to+1]; e++ {
		j.Val[e], j.dense[j.Idx[e]] = j.dense[j.Idx[e]], 0
	}
}

// addScaled adds d times one row to another whose pattern contains its own.
func (j *Jacobian) addScaled(to, from int32, d float64) {
	for e := j.Ptr[from]; e < j.Ptr[from+1]; e++ {
		j.dense[j.Idx[e]] = float64(d * j.Val[e])
	}
	for e := j.Ptr[to]; e < j.Ptr[to+1]; e++ {
		j.Val[e] += j.dense[j.Idx[e]]
	}
	for e := j.Ptr[from]; e < j.Ptr[from+1]; e++ {
		j.dense[j.Idx[e]] = 0
	}
}

// Detach gives the Jacobian scratch memory of its own.
func (j *Jacobian) Detach() { j.dense = make([]float64, len(j.Members)) }
