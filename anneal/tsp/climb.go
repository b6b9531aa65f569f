package tsp

import "math/rand/v2"

// change is a change of the tour: 2-opt where size is 0, else to move a segment; a becomes c's neighbour.
type change struct {
	d          int64 // of the length
	a, c       int32
	step, side int32
	size       int32
}

// Climb makes the tour shorter by the best of all 2-opt changes and moves of segments of up to three cities that make a city a neighbour of one
// of its list; or with first by the first that makes it shorter, from a random city on. It implements anneal.Climbs.
func (w *Walker) Climb(first bool, r *rand.Rand) (looked, made int64) {
	if w.n <= longest {
		return 0, 0
	}
	var best change
	a := 0
	if first {
		a = r.IntN(w.n)
	}
	for range w.n {
		looked += w.look(int32(a), first, &best)
		if first && best.d < 0 {
			break
		}
		if a++; a == w.n {
			a = 0
		}
	}
	if best.d >= 0 {
		return looked, 0
	}
	w.make(best)
	return looked, 1
}

// look goes through the changes at a city, up to the first that is better or through all of them.
func (w *Walker) look(a int32, first bool, best *change) (looked int64) {
	for _, f := range w.near[int(a)*w.width : (int(a)+1)*w.width] {
		for step := int32(-1); step <= 1; step += 2 {
			for size := range min(longest, int32(w.n)-3) + 1 {
				for side := int32(-1); side <= 1; side += 2 {
					if size == 0 && side > 0 {
						continue
					}
					b := change{a: a, c: f.city, step: step, side: side, size: size}
					looked++
					if w.price(&b, int64(f.distance)); b.d >= best.d {
						continue
					}
					if *best = b; first {
						return looked
					}
				}
			}
		}
	}
	return looked
}

// price finds the difference of the length, 0 for what is no change.
func (w *Walker) price(b *change, near int64) {
	n, a, c := int32(w.n), b.a, b.c
	i, j := w.at[a], w.at[c]
	if b.size == 0 {
		if a1, c1 := w.tour[wrap(i+b.step, n)], w.tour[wrap(j+b.step, n)]; a1 != c && c1 != a {
			b.d = near + w.distance(a1, c1) - w.distance(a, a1) - w.distance(c, c1)
		}
		return
	}
	p, z, q, c1 := w.ends(b)
	if wrap((j-i)*b.step, n) >= b.size && wrap((w.at[c1]-i)*b.step, n) >= b.size {
		b.d = near + w.distance(p, q) + w.distance(z, c1) - w.distance(p, a) - w.distance(z, q) - w.distance(c, c1)
	}
}

// ends are the city before the segment, its last one, the one after it, and the one beside c.
func (w *Walker) ends(b *change) (p, z, q, c1 int32) {
	n, i := int32(w.n), w.at[b.a]
	return w.tour[wrap(i-b.step, n)], w.tour[wrap(i+b.step*(b.size-1), n)], w.tour[wrap(i+b.step*b.size, n)], w.tour[wrap(w.at[b.c]+b.side, n)]
}

func (w *Walker) make(b change) {
	w.changes(b.d)
	if n := int32(w.n); b.size == 0 {
		w.flip(b.a, w.tour[wrap(w.at[b.a]+b.step, n)], b.c, w.tour[wrap(w.at[b.c]+b.step, n)])
		return
	}
	_, z, _, c1 := w.ends(&b)
	w.move(b.a, z, b.c, c1, b.size)
}
