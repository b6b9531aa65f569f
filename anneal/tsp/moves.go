package tsp

// longest is the longest segment that move takes. It is a mask of bits, too.
const longest = 3

// wrap is a place that may be beyond the ends by n.
func wrap(i, n int32) int32 {
	if uint32(i) >= uint32(n) { // one branch, hardly ever taken
		if i < 0 {
			return i + n
		}
		return i - n
	}
	return i
}

func (w *Walker) after(c int32) int32 { return w.tour[wrap(w.at[c]+1, int32(w.n))] }

// flip replaces the edges from a to a1 and from c to c1, which both lead onward or both back, by those from a to c and from a1 to c1.
func (w *Walker) flip(a, a1, c, c1 int32) {
	if w.after(a) == a1 {
		w.reverse(w.at[a1], w.at[c])
	} else {
		w.reverse(w.at[c], w.at[a1])
	}
}

// reverse turns round the cities from place i forward to j, or the others, which gives the same tour, if they are fewer.
func (w *Walker) reverse(i, j int32) {
	n := int32(w.n)
	inside := wrap(j-i, n) + 1
	if 2*inside > n {
		i, j, inside = wrap(j+1, n), wrap(i-1, n), n-inside
	}
	for pairs := inside / 2; pairs > 0; {
		run := min(pairs, n-i, j+1) // up to an end of the array
		w.swap(i, j, run)
		pairs -= run
		i, j = wrap(i+run, n), wrap(j-run, n)
	}
}

// swap exchanges the cities from place i on with those from j back.
func (w *Walker) swap(i, j, count int32) {
	tour, at := w.tour, w.at
	for end := i + count; i < end; i, j = i+1, j-1 {
		b, c := tour[i], tour[j]
		tour[i], at[c] = c, i
		tour[j], at[b] = b, j
	}
}

// insert moves the path from a to z from between p and q to between c and c1, by two flips or three.
func (w *Walker) insert(p, a, z, q, c, c1 int32) {
	onward := w.after(p) == a
	if (w.after(c) == c1) == onward {
		w.flip(p, a, c, c1)
		w.flip(p, c, q, z)
		w.flip(c, z, a, c1)
		return
	}
	w.flip(p, a, c1, c)
	w.flip(p, c1, q, z)
}

// move is insert for paths of few cities. Of the two parts of the tour between here and there the shorter one makes room.
func (w *Walker) move(a, z, c, c1, size int32) {
	n := int32(w.n)
	first, turn := w.at[a], false
	if wrap(w.at[z]-first, n) != size-1 {
		first, turn = w.at[z], true
	}
	if w.after(c) != c1 {
		c, turn = c1, !turn
	}
	var held [longest]int32
	for k := range size {
		held[k] = w.tour[wrap(first+k, n)]
	}
	if turn {
		held[0], held[size-1] = held[size-1], held[0]
	}
	from, to, step := wrap(first+size, n), first, int32(1)
	between := wrap(w.at[c]-from, n) + 1 // from the city after the path on to c
	if rest := n - size - between; rest < between {
		between = rest
		from, to, step = wrap(first-1, n), wrap(first+size-1, n), -1
	}
	for range between {
		b := w.tour[from]
		w.tour[to], w.at[b] = b, to
		from, to = wrap(from+step, n), wrap(to+step, n)
	}
	if step < 0 {
		to = wrap(to-size+1, n)
	}
	for k := range size {
		w.tour[to], w.at[held[k]] = held[k], to
		to = wrap(to+1, n)
	}
}
