package markov

// coarsen builds the levels below.
func (l *level) coarsen() {
	for l.n() > coarsest && l.merge() {
		l.twice = len(l.next.from) <= len(l.from)*2/5
		l = l.next
	}
}

// merge builds the next level, and reports whether there is one. Where every group has transitions to most others, as on
// a random graph, a level costs nearly as much as the one above and reduces the error little: groups are then merged
// further until their transitions are fewer by half.
func (l *level) merge() bool {
	groups := l.gather()
	if groups > l.n()*4/5 {
		return false
	}
	l.weight = make([]float64, l.n())
	for {
		l.next = l.pattern(groups)
		l.aggregate()
		c := l.next
		if len(c.from) <= len(l.from)/2 || groups <= coarsest {
			return true
		}
		groups = c.gather()
		if groups > c.n()*4/5 {
			return true
		}
		for i, g := range l.group {
			l.group[i] = c.group[g]
		}
	}
}

// pattern lists which groups have transitions between them.
func (l *level) pattern(groups int) *level {
	c := &level{start: make([]int, 1, groups+1), out: make([]float64, groups), x: make([]float64, groups)}
	l.entry = make([]int32, len(l.from))
	first := make([]int32, groups+1) // members by group
	for _, g := range l.group {
		first[g+1]++
	}
	for g := range groups {
		first[g+1] += first[g]
	}
	members := make([]int32, l.n())
	at := append([]int32(nil), first...)
	for i, g := range l.group {
		members[at[g]] = int32(i)
		at[g]++
	}
	place := make([]int32, groups) // of the transition from a group to the present one
	for g := range place {
		place[g] = -1
	}
	for g := range int32(groups) {
		base := int32(len(c.from))
		for _, j := range members[first[g]:first[g+1]] {
			for k := l.start[j]; k < l.start[j+1]; k++ {
				h := l.group[l.from[k]]
				if h == g {
					l.entry[k] = -1
					continue
				}
				if place[h] < base {
					place[h] = int32(len(c.from))
					c.from = append(c.from, h)
				}
				l.entry[k] = place[h]
			}
		}
		c.start = append(c.start, len(c.from))
	}
	c.q = make([]float64, len(c.from))
	return c
}
