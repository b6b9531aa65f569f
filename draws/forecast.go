package draws

const block = 4096 // bytes that a file system hands out at a time

// Forecast is about how many bytes of a disk a run will still take: for the
// draws that are asked for less those that r has, which is nil for a new run.
// Of a run that is resumed the last chunks may be rewritten, holes and all.
func (l Layout) Forecast(r *Reader, warmup, kept int) float64 {
	total := 0.0
	sampling, warm := l.groups()
	for _, t := range []struct {
		groups []group
		draws  int
	}{{sampling, kept}, {warm, warmup}} {
		for _, g := range t.groups {
			have := -1 // no folder yet
			if r != nil {
				have = r.Draws(g.name)
			}
			total += g.forecast(l.Chains, have, t.draws)
		}
	}
	return total
}

// forecast is what a group takes to go from so many draws to others.
func (g group) forecast(chains, have, want int) float64 {
	total := 0.0
	for _, v := range g.vars {
		row := float64(v.Size() * itemSize(v.dtype))
		total += float64(chains*max(want-max(have, 0), 0)) * row
		if have < 0 {
			total += float64(3+3*len(v.Dims)) * block // two files of metadata each, and what chunks do not fill
		} else {
			total += float64(chains*v.rows) * row
		}
	}
	return total
}
