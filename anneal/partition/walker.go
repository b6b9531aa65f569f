package partition

import (
	"errors"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// walker is one division.
type walker struct {
	numbers []uint64
	// fields in bytes
	saved
}

type saved struct {
	Sign, Lowest []int8 // now, and when the energy was best
	Sum, Least   int128 // Σ s_i a_i now, |Σ s_i a_i| then
}

func newWalker(p *Problem) *walker {
	w := &walker{numbers: p.numbers, saved: saved{Sign: make([]int8, len(p.numbers)), Lowest: make([]int8, len(p.numbers))}}
	for i := range w.Sign {
		w.Sign[i] = 1
	}
	w.begin()
	return w
}

// begin computes the sum, and makes the state the best one.
func (w *walker) begin() {
	w.Sum = sum(w.numbers, w.Sign)
	w.keep()
}

func (w *walker) keep() {
	w.Least = w.Sum.abs()
	copy(w.Lowest, w.Sign)
}

func sum(numbers []uint64, sign []int8) (s int128) {
	for i, a := range numbers {
		if sign[i] > 0 {
			s = s.plus(int128{Lo: a})
		} else {
			s = s.minus(int128{Lo: a})
		}
	}
	return s
}

func (w *walker) Replicas() int { return 1 }

// Start draws each sign from −1 and 1.
func (w *walker) Start(r *rand.Rand) {
	for i := range w.Sign {
		w.Sign[i] = int8(1 - 2*(r.Uint64()>>63))
	}
	w.begin()
}

// Sweep proposes n changes, of one sign or of two, with the same probability.
func (w *walker) Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64) {
	for range w.numbers {
		i, j, some := w.draw(r)
		if !some {
			continue
		}
		to := w.changed(i, j)
		if d := to.abs().minus(w.Sum.abs()).float(); d <= 0 || d < 40*temperature && r.Float64() < vec.Exp(-d/temperature) {
			w.change(i, j, to)
			accepted++
		}
	}
	return int64(len(w.numbers)), accepted
}

// SweepThreshold proposes as many, and accepts what adds no more than the threshold.
func (w *walker) SweepThreshold(threshold float64, r *rand.Rand) (proposed, accepted int64) {
	for range w.numbers {
		i, j, some := w.draw(r)
		if !some {
			continue
		}
		to := w.changed(i, j)
		if to.abs().minus(w.Sum.abs()).float() <= threshold {
			w.change(i, j, to)
			accepted++
		}
	}
	return int64(len(w.numbers)), accepted
}

// Climb makes the change of one sign or two that lowers the energy most, or the first one that lowers it from a random pair on.
func (w *walker) Climb(first bool, r *rand.Rand) (looked, made int64) {
	n := len(w.numbers)
	left, right := r.IntN(n), r.IntN(n)
	bestI, bestJ, best := -1, -1, w.Sum
	for a := range n {
		i := (left + a) % n
		for b := range n {
			j := (right + b) % n
			if j > i {
				continue
			}
			looked++
			if to := w.changed(i, j); to.abs().minus(best.abs()).negative() {
				bestI, bestJ, best = i, j, to
				if first {
					w.change(i, j, to)
					return looked, 1
				}
			}
		}
	}
	if bestI < 0 {
		return looked, 0
	}
	w.change(bestI, bestJ, best)
	return looked, 1
}

// draw is the numbers whose signs are to change: i = j is one sign, the proposal of half the probability. A second number that is drawn as the first
// changes nothing, so that the only sign of one number does not go back and forth. That proposals are drawn whatever the state makes
// each as likely as its reverse.
func (w *walker) draw(r *rand.Rand) (i, j int, some bool) {
	u, n := r.Uint64(), uint64(len(w.numbers))
	i = int(u >> 33 * n >> 31)
	if u>>32&1 == 0 {
		return i, i, true
	}
	j = int(u << 32 >> 32 * n >> 32)
	return i, j, i != j
}

// changed is the sum with the signs of i and j changed.
func (w *walker) changed(i, j int) int128 {
	s := w.without(w.Sum, i)
	if j != i {
		s = w.without(s, j)
	}
	return s
}

// without is a sum that has the sign of i changed.
func (w *walker) without(s int128, i int) int128 {
	twice := int128{Hi: w.numbers[i] >> 63, Lo: w.numbers[i] << 1}
	if w.Sign[i] > 0 {
		return s.minus(twice)
	}
	return s.plus(twice)
}

func (w *walker) change(i, j int, to int128) {
	if w.Sign[i] = -w.Sign[i]; j != i {
		w.Sign[j] = -w.Sign[j]
	}
	if w.Sum = to; to.abs().minus(w.Least).negative() {
		w.keep()
	}
}

func (w *walker) Energy(int) float64     { return w.Sum.abs().float() }
func (w *walker) Best(int) float64       { return w.Least.float() }
func (w *walker) Solution(int) []float64 { return floats(w.Lowest) }
func (w *walker) State(int) []float64    { return floats(w.Sign) }

func floats(sign []int8) []float64 {
	x := make([]float64, len(sign))
	for i, s := range sign {
		x[i] = float64(s)
	}
	return x
}

func (w *walker) Set(_ int, solution []float64) error {
	if err := (&Problem{w.numbers}).check(solution); err != nil {
		return err
	}
	for i, s := range solution {
		w.Sign[i] = int8(s)
	}
	w.begin()
	return nil
}

func (w *walker) Copy(_ int, from anneal.Walker, _ int) {
	f := from.(*walker)
	copy(w.Sign, f.Sign)
	copy(w.Lowest, f.Lowest)
	w.Sum, w.Least = f.Sum, f.Least
}

func (w *walker) MarshalBinary() ([]byte, error) { return gobs.Marshal(w.saved) }

func (w *walker) UnmarshalBinary(b []byte) error {
	var s saved
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	if !w.fits(s.Sign) || !w.fits(s.Lowest) || sum(w.numbers, s.Sign) != s.Sum || sum(w.numbers, s.Lowest).abs() != s.Least {
		return errors.New("partition: these bytes are not a division of these numbers")
	}
	w.saved = s
	return nil
}

func (w *walker) fits(sign []int8) bool {
	for _, s := range sign {
		if s != 1 && s != -1 {
			return false
		}
	}
	return len(sign) == len(w.numbers)
}
