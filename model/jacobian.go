package model

// Jacobian is the sparse derivative of affine logical cells along a set of
// member cells: for each cell the members it depends on, and by how much.
type Jacobian struct {
	Members []int32
	Pos     map[int32]int32 // position of a cell's entries: Ptr[Pos[c]]…
	Ptr     []int32
	Idx     []int32 // member numbers
	Val     []float64

	rows  []jacRow
	dense []float64
}

// jacRow is one logical row: its affine outputs as linear functions of its
// affine inputs.
type jacRow struct {
	t   *Template
	i   int
	in  []int32 // affine cells it reads
	out []int32 // positions of its outputs, −1 for one that is not affine
}

// NewJacobian finds the pattern over the blanket's logical rows whose form is
// affine.
func (m *Model) NewJacobian(b *Blanket, forms map[int32]Form) *Jacobian {
	j := &Jacobian{Members: b.Cells, Pos: map[int32]int32{}, Ptr: []int32{0}, dense: make([]float64, len(b.Cells))}
	for k, c := range b.Cells {
		j.add(c, []int32{int32(k)})
		j.Val[j.Ptr[j.Pos[c]]] = 1
	}
	mark := make([]int32, len(b.Cells))
	stamp := int32(0)
	for _, g := range b.Det {
		t := m.Templates[g.T]
		for i := int(g.Lo); i < int(g.Hi); i++ {
			r := jacRow{t: t, i: i}
			var idx []int32
			stamp++
			see := func(c int32) {
				p, ok := j.Pos[c]
				if !ok {
					return
				}
				r.in = append(r.in, c)
				for _, k := range j.Idx[j.Ptr[p]:j.Ptr[p+1]] {
					if mark[k] != stamp {
						mark[k] = stamp
						idx = append(idx, k)
					}
				}
			}
			seen := map[int32]bool{}
			m.eachParent(t, i, func(c int32) {
				if !seen[c] {
					seen[c] = true
					see(c)
				}
			})
			useful := false
			for _, o := range t.out(i) {
				if forms[o].Kind != Affine {
					r.out = append(r.out, -1)
					continue
				}
				useful = true
				r.out = append(r.out, j.add(o, idx))
			}
			if useful {
				j.rows = append(j.rows, r)
			}
		}
	}
	return j
}

func (j *Jacobian) add(c int32, idx []int32) int32 {
	p := int32(len(j.Ptr) - 1)
	j.Pos[c] = p
	j.Idx = append(j.Idx, idx...)
	j.Val = append(j.Val, make([]float64, len(idx))...)
	j.Ptr = append(j.Ptr, int32(len(j.Idx)))
	return p
}

// Row gives the members a cell depends on and its derivatives.
func (j *Jacobian) Row(c int32) (idx []int32, val []float64) {
	p, ok := j.Pos[c]
	if !ok {
		return nil, nil
	}
	return j.Idx[j.Ptr[p]:j.Ptr[p+1]], j.Val[j.Ptr[p]:j.Ptr[p+1]]
}

// Eval computes the derivatives at the state's current values.
func (j *Jacobian) Eval(s *State) {
	T := s.Direction()
	for k := range j.rows {
		r := &j.rows[k]
		for _, p := range r.out {
			if p >= 0 {
				clear(j.Val[j.Ptr[p]:j.Ptr[p+1]])
			}
		}
		outs := r.t.out(r.i)
		for _, c := range r.in {
			T[c] = 1
			s.tangentRow(r.t, r.i)
			T[c] = 0
			for o, p := range r.out {
				d := T[outs[o]]
				if p >= 0 && d != 0 {
					j.addScaled(p, j.Pos[c], d)
				}
			}
		}
		for _, o := range outs {
			T[o] = 0
		}
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
