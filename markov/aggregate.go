package markov

// strong is the share of a state's largest inflow from which on another inflow is strong, largest the greatest number
// of states in a new group.
const (
	strong  = 0.25
	largest = 12
)

// gather groups states that exchange much flow x_i q_ij (Vaněk, Mandel, Brezina, 1996), and returns the number of groups.
// A first pass groups each state that has no strong neighbour in a group with its strong neighbours; a second adds
// each state left to the group of the neighbour it exchanges most flow with.
func (l *level) gather() int {
	l.group = make([]int32, l.n())
	for i := range l.group {
		l.group[i] = -1
	}
	var size []int
	for j := range l.n() {
		if l.group[j] < 0 && l.free(j) {
			size = append(size, l.newGroup(j, int32(len(size))))
		}
	}
	for j := range l.n() {
		if l.group[j] >= 0 {
			continue
		}
		if g := l.nearest(j); g >= 0 {
			l.group[j] = g
			size[g]++
			continue
		}
		size = append(size, l.newGroup(j, int32(len(size))))
	}
	return len(size)
}

func (l *level) flow(k int) float64 { return l.x[l.from[k]] * l.q[k] }

func (l *level) threshold(j int) float64 {
	top := 0.0
	for k := l.start[j]; k < l.start[j+1]; k++ {
		top = max(top, l.flow(k))
	}
	return strong * top
}

// free reports whether no strong neighbour of j is in a group.
func (l *level) free(j int) bool {
	limit := l.threshold(j)
	for k := l.start[j]; k < l.start[j+1]; k++ {
		if l.flow(k) >= limit && l.group[l.from[k]] >= 0 {
			return false
		}
	}
	return true
}

// newGroup makes group g of j and its strong neighbours, and returns its size.
func (l *level) newGroup(j int, g int32) int {
	limit := l.threshold(j)
	l.group[j] = g
	size := 1
	for k := l.start[j]; k < l.start[j+1] && size < largest; k++ {
		if i := l.from[k]; l.group[i] < 0 && l.flow(k) >= limit {
			l.group[i] = g
			size++
		}
	}
	return size
}

// nearest is the group of the neighbour with the strongest flow into j, −1 if all strong ones are without a group.
func (l *level) nearest(j int) int32 {
	limit := l.threshold(j)
	best, g := 0.0, int32(-1)
	for k := l.start[j]; k < l.start[j+1]; k++ {
		h := l.group[l.from[k]]
		if f := l.flow(k); h >= 0 && f >= limit && f > best {
			best, g = f, h
		}
	}
	return g
}
