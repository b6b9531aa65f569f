package lattice

// strides is the part of a graph that is regular, as seen by scans: a lattice has few patterns of where neighbours lie from a site, and long
// runs of sites with the same. Kernels then need a byte a site where the bonds take twenty.
type strides struct {
	pattern []uint8   // of each site
	rows    [][]int32 // of each pattern: neighbours less the site
}

// stretch is sites at equal distances whose neighbours lie alike.
type stretch struct {
	first, step, count int
	row                []int32
}

// run is a stretch as it is kept.
type run struct {
	first, step, count int32
	pattern            uint8
}

// stretch is what a run stands for.
func (s *strides) stretch(r run) stretch {
	return stretch{int(r.first), int(r.step), int(r.count), s.rows[r.pattern]}
}

// patterns finds the strides of a graph; nil where there are more than 256 patterns.
func (g *Graph) patterns() *strides {
	g.scans.strides.once.Do(func() {
		s := &strides{pattern: make([]uint8, g.Sites())}
		known, last := map[string]uint8{}, -1
		var key []byte
		for i := range g.Sites() {
			if last >= 0 && alike(g.Of(i), i, s.rows[last]) {
				s.pattern[i] = uint8(last)
				continue
			}
			key = key[:0]
			for _, j := range g.Of(i) {
				d := uint32(int(j) - i)
				key = append(key, byte(d), byte(d>>8), byte(d>>16), byte(d>>24))
			}
			p, ok := known[string(key)]
			if !ok {
				if len(s.rows) == 256 {
					return
				}
				p = uint8(len(s.rows))
				known[string(key)] = p
				s.rows = append(s.rows, offsets(g.Of(i), i))
			}
			s.pattern[i], last = p, int(p)
		}
		g.scans.strides.of = s
	})
	return g.scans.strides.of
}

// alike says whether the neighbours of i lie as a pattern says.
func alike(ends []int32, i int, row []int32) bool {
	if len(ends) != len(row) {
		return false
	}
	for k, j := range ends {
		if j-int32(i) != row[k] {
			return false
		}
	}
	return true
}

func offsets(ends []int32, i int) []int32 {
	row := make([]int32, len(ends))
	for k, j := range ends {
		row[k] = j - int32(i)
	}
	return row
}

// runs cuts sites, of which there are count and at gives the k-th, into stretches, and at multiples of blockSize.
func (s *strides) runs(count int, at func(k int) int32) []run {
	var all []run
	for k := range count {
		i := at(k)
		if n := len(all); n > 0 && k%blockSize != 0 {
			r := &all[n-1]
			step := i - (r.first + (r.count-1)*r.step)
			if r.pattern == s.pattern[i] && (r.count == 1 || step == r.step) {
				r.step = step
				r.count++
				continue
			}
		}
		all = append(all, run{i, 1, 1, s.pattern[i]})
	}
	return all
}

// of is the spins so far from those of the stretch, in the same places.
func (x stretch) of(spins []uint8, offset int32) []uint8 {
	from := x.first + int(offset)
	return spins[from : from+(x.count-1)*x.step+1]
}
