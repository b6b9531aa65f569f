package qap

import (
	"errors"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// walker is one assignment. right and rightT are those of the matrices with rows and columns in the order of the facilities, so that
// a difference of energy reads four rows from end to end.
type walker[T entry, S sum] struct {
	p             *Problem
	m             *matrices[T]
	place, lowest []int32 // of each facility, now and when the energy was best
	right, rightT []T
	energy, best  int64
	table         table[T, S]
}

func newWalker[T entry, S sum](p *Problem, m *matrices[T]) *walker[T, S] {
	w := &walker[T, S]{p: p, m: m, place: make([]int32, p.n), lowest: make([]int32, p.n), right: make([]T, len(m.right)), rightT: make([]T, len(m.rightT))}
	for i := range w.place {
		w.place[i] = int32(i)
	}
	w.table.init(p.n, m.stride)
	w.begin()
	return w
}

// fill computes what follows from the places.
func (w *walker[T, S]) fill() {
	permute(w.right, w.m.right, w.place, w.m.stride)
	permute(w.rightT, w.m.rightT, w.place, w.m.stride)
	w.energy = w.p.value(w.place)
	w.table.forget(w.p.n)
}

func permute[T entry](to, from []T, place []int32, stride int) {
	if len(to) == 0 {
		return
	}
	for i, pi := range place {
		row := from[int(pi)*stride:][:stride]
		for j, pj := range place {
			to[i*stride+j] = row[pj]
		}
	}
}

func (w *walker[T, S]) Replicas() int { return 1 }

// Start draws a uniform permutation.
func (w *walker[T, S]) Start(r *rand.Rand) {
	for i := range w.place {
		w.place[i] = int32(i)
	}
	for i := len(w.place) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		w.place[i], w.place[j] = w.place[j], w.place[i]
	}
	w.begin()
}

// begin makes the state the best one.
func (w *walker[T, S]) begin() {
	w.fill()
	copy(w.lowest, w.place)
	w.best = w.energy
}

// Sweep proposes n exchanges of the places of two facilities, all pairs with the same probability.
func (w *walker[T, S]) Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64) {
	w.tabulate()
	beta := 1 / temperature
	for range w.p.n {
		i, j := w.pair(r)
		u := r.Float64()
		if i == j {
			continue
		}
		d := w.change(i, j)
		if !accepts(float64(d), beta, u) {
			continue
		}
		accepted++
		w.make(i, j, d)
	}
	w.table.observe(accepted)
	return int64(w.p.n), accepted
}

// SweepThreshold proposes as many, and accepts what adds no more than the threshold.
func (w *walker[T, S]) SweepThreshold(threshold float64, r *rand.Rand) (proposed, accepted int64) {
	w.tabulate()
	for range w.p.n {
		i, j := w.pair(r)
		if i == j {
			continue
		}
		if d := w.change(i, j); float64(d) <= threshold {
			accepted++
			w.make(i, j, d)
		}
	}
	w.table.observe(accepted)
	return int64(w.p.n), accepted
}

// Climb makes the exchange that lowers the energy most, or the first one that lowers it from a random pair on.
func (w *walker[T, S]) Climb(first bool, r *rand.Rand) (looked, made int64) {
	if !w.table.kept {
		w.fillTable()
	}
	n := w.p.n
	left, right := r.IntN(n), r.IntN(n)
	bestI, bestJ, best := 0, 0, int64(0)
	for a := range n {
		i := (left + a) % n
		for b := range n {
			j := (right + b) % n
			if j >= i {
				continue
			}
			looked++
			if d := w.difference(i, j); d < best {
				bestI, bestJ, best = i, j, d
			}
			if first && best < 0 {
				w.make(bestI, bestJ, best)
				return looked, 1
			}
		}
	}
	if best == 0 {
		return looked, 0
	}
	w.make(bestI, bestJ, best)
	return looked, 1
}

// pair draws two facilities; that they may be the same one keeps the chain from going back and forth between odd and even permutations where everything
// is accepted. Halves of 64 bits are no multiples of n, which makes some pairs likelier by 2⁻¹⁷ at most, in both directions of an exchange.
func (w *walker[T, S]) pair(r *rand.Rand) (i, j int) {
	u, n := r.Uint64(), uint64(w.p.n)
	return int(u >> 32 * n >> 32), int(u << 32 >> 32 * n >> 32)
}

// make exchanges two facilities' places, which adds d to the energy.
func (w *walker[T, S]) make(i, j int, d int64) {
	if w.table.kept {
		w.follow(i, j)
	}
	w.place[i], w.place[j] = w.place[j], w.place[i]
	exchange(w.right, w.m.stride, i, j)
	exchange(w.rightT, w.m.stride, i, j)
	if w.energy += d; w.energy < w.best {
		w.best = w.energy
		copy(w.lowest, w.place)
	}
}

// accepts tells whether a draw u from 0 to 1 is less than e^{−d/t}, with beta = 1/t. Most proposals fail by the start of the series of eˣ, for which
// nothing need be predicted; below 2⁻⁵³, what a draw can tell from 0, all do.
func accepts(d, beta, u float64) bool {
	x := d * beta
	if float64(u*(1+float64(x*(1+float64(x*(1./2+float64(x*(1./6)))))))) >= 1 {
		return false
	}
	return d <= 0 || x < 37 && u < vec.Exp(-x)
}

// change is what the exchange of two facilities' places adds to the energy.
func (w *walker[T, S]) change(i, j int) int64 {
	if w.table.kept {
		return w.difference(i, j)
	}
	return w.delta(i, j)
}

// delta is what the exchange of two facilities' places adds to the energy:
//
//	Σ_{k≠i,j} (a_ik − a_jk)(b_jk − b_ik)   with b_ik for b_{p(i) p(k)},
//
// plus the same for the transposes, plus (a_ij − a_ji)(b_ji − b_ij) and (a_ii − a_jj)(b_jj − b_ii). The sum runs over all k, and the terms
// of i and j, which diagonals of 0 leave simple, are taken back.
func (w *walker[T, S]) delta(i, j int) int64 {
	n := w.m.stride
	ai, aj, bi, bj := w.m.left[i*n:][:n], w.m.left[j*n:][:n], w.right[i*n:][:n], w.right[j*n:][:n]
	d := products(ai, aj, bi, bj)
	if len(w.rightT) == 0 {
		d += 2 * int64(ai[j]) * int64(bi[j])
	} else {
		d += products(w.m.leftT[i*n:][:n], w.m.leftT[j*n:][:n], w.rightT[i*n:][:n], w.rightT[j*n:][:n])
		d += (int64(ai[j]) + int64(aj[i])) * (int64(bi[j]) + int64(bj[i]))
	}
	return d + w.onDiagonal(i, j)
}

// onDiagonal is (a_ii − a_jj)(b_jj − b_ii).
func (w *walker[T, S]) onDiagonal(i, j int) int64 {
	if !w.p.diagonal {
		return 0
	}
	a, b, n, pi, pj := w.p.a, w.p.b, w.p.n, int(w.place[i]), int(w.place[j])
	return (a[i*n+i] - a[j*n+j]) * (b[pj*n+pj] - b[pi*n+pi])
}

// productsGo is Σ_k (ai_k − aj_k)(bj_k − bi_k).
func productsGo[T entry](ai, aj, bi, bj []T) int64 {
	aj, bi, bj = aj[:len(ai)], bi[:len(ai)], bj[:len(ai)]
	sum := int64(0)
	for k, x := range ai {
		sum += int64(x-aj[k]) * int64(bj[k]-bi[k])
	}
	return sum
}

// exchange swaps rows i and j and columns i and j of a matrix that may be empty.
func exchange[T entry](m []T, n, i, j int) {
	if len(m) == 0 {
		return
	}
	mi, mj := m[i*n:][:n], m[j*n:][:n]
	for k, x := range mi {
		mi[k], mj[k] = mj[k], x
	}
	for at := 0; at < len(m); at += n {
		row := m[at:][:n]
		row[i], row[j] = row[j], row[i]
	}
}

func (w *walker[T, S]) Energy(int) float64 { return float64(w.energy) }
func (w *walker[T, S]) Best(int) float64   { return float64(w.best) }

// Solution is the place of each facility, from 0.
func (w *walker[T, S]) Solution(int) []float64 { return floats(w.lowest) }
func (w *walker[T, S]) State(int) []float64    { return floats(w.place) }

func floats(place []int32) []float64 {
	x := make([]float64, len(place))
	for i, p := range place {
		x[i] = float64(p)
	}
	return x
}

func (w *walker[T, S]) Set(_ int, solution []float64) error {
	place, err := w.p.places(solution)
	if err != nil {
		return err
	}
	copy(w.place, place)
	w.begin()
	return nil
}

func (w *walker[T, S]) Copy(_ int, from anneal.Walker, _ int) {
	f := from.(*walker[T, S])
	copy(w.place, f.place)
	copy(w.lowest, f.lowest)
	copy(w.right, f.right)
	copy(w.rightT, f.rightT)
	w.energy, w.best = f.energy, f.best
}

// saved is a walker as bytes.
type saved struct{ Place, Lowest []int32 }

func (w *walker[T, S]) MarshalBinary() ([]byte, error) {
	return gobs.Marshal(saved{w.place, w.lowest})
}

func (w *walker[T, S]) UnmarshalBinary(b []byte) error {
	var s saved
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	if !permutation(s.Place, w.p.n) || !permutation(s.Lowest, w.p.n) {
		return errors.New("qap: these bytes are not an assignment of this problem")
	}
	copy(w.place, s.Place)
	copy(w.lowest, s.Lowest)
	w.fill()
	w.best = w.p.value(w.lowest)
	return nil
}

func permutation(place []int32, n int) bool {
	seen := make([]bool, n)
	for _, k := range place {
		if k < 0 || int(k) >= n || seen[k] {
			return false
		}
		seen[k] = true
	}
	return len(place) == n
}
