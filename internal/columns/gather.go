package columns

// Gather sets d[i] = v[idx[i]]; an index outside v panics.
func Gather(d, v []float64, idx []int32) { best().gather(d, v, idx[:len(d)]) }

// ScatterAdd sets v[idx[i]] += d[i], row by row; an index outside v panics.
func ScatterAdd(v []float64, idx []int32, d []float64) {
	idx = idx[:len(d)]
	for i := 0; i < len(d); {
		// A run of equal indices is added up in a register: a number that was just stored takes longer to read.
		at := idx[i]
		s := v[at] + d[i]
		for i++; i < len(d) && idx[i] == at; i++ {
			s += d[i]
		}
		v[at] = s
	}
}

// AddRuns adds up runs of rows: v[at[k]] += Σ d[i] for ends[k−1] ≤ i < ends[k], where ends[−1] is 0. A run's sum starts from zero and goes in four
// lanes, its j-th row to lane j mod 4, added as (0+2)+(1+3). For rows that are sorted by their index this is quicker than ScatterAdd, and has
// other bits.
func AddRuns(v []float64, at, ends []int32, d []float64) { addRunsGo(v, at, ends[:len(at)], d) }

func gatherGo(d, v []float64, idx []int32) {
	for i := range d {
		d[i] = v[idx[i]]
	}
}

func addRunsGo(v []float64, at, ends []int32, d []float64) {
	from := int32(0)
	for k, to := range ends {
		run := d[from:to]
		from = to
		var s0, s1, s2, s3 float64
		for ; len(run) >= 4; run = run[4:] {
			s0 += run[0]
			s1 += run[1]
			s2 += run[2]
			s3 += run[3]
		}
		if len(run) > 0 {
			s0 += run[0]
		}
		if len(run) > 1 {
			s1 += run[1]
		}
		if len(run) > 2 {
			s2 += run[2]
		}
		v[at[k]] += (s0 + s2) + (s1 + s3)
	}
}
