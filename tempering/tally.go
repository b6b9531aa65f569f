package tempering

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// maxBatches is the most batches that the steps are kept in; when they are full, neighbours
// are joined and each batch takes twice as many steps.
const maxBatches = 64

// tally sums up swaps, pair by pair of neighbouring rungs. Fields are exported for gob.
type tally struct {
	Tried  []int
	Accept []float64 // sums of acceptance probabilities
	// Batches of Length steps; Steps counts those of all. Of each batch and pair, the logarithms of
	// Σ √(f(x; β_{i+1})/f(x; β_i)) over x at β_i, and of the reciprocals' sum over x at β_{i+1}.
	Steps, Length int
	Up, Down      [][]float64
}

func newTally(rungs int) tally {
	pairs := rungs - 1
	t := tally{Tried: make([]int, pairs), Accept: make([]float64, pairs)}
	for range maxBatches {
		t.Up, t.Down = append(t.Up, make([]float64, pairs)), append(t.Down, make([]float64, pairs))
	}
	t.reset()
	return t
}

func (t *tally) reset() {
	clear(t.Tried)
	clear(t.Accept)
	t.Steps, t.Length = 0, 2 // two steps try each pair once
	for b := range t.Up {
		t.empty(b)
	}
}

func (t *tally) empty(b int) {
	for i := range t.Up[b] {
		t.Up[b][i], t.Down[b][i] = math.Inf(-1), math.Inf(-1)
	}
}

// add takes a proposed swap of rungs i and i+1: up and down are the changes of the log density of
// the replica at i were it at i+1, and of that at i+1 were it at i.
func (t *tally) add(i int, prob, up, down float64) {
	t.Tried[i]++
	t.Accept[i] += prob
	b := t.Steps / t.Length
	accumulate(&t.Up[b][i], up/2)
	accumulate(&t.Down[b][i], down/2)
}

// accumulate adds exp(x) to a sum whose logarithm is *log. What is not a number is a density
// that counts as zero.
func accumulate(log *float64, x float64) {
	if usable(x) {
		*log = vec.LogAddExp(*log, x)
	}
}

// step ends a step.
func (t *tally) step() {
	t.Steps++
	if t.Steps < maxBatches*t.Length {
		return
	}
	for b := range maxBatches / 2 {
		for i := range t.Up[b] {
			t.Up[b][i] = vec.LogAddExp(t.Up[2*b][i], t.Up[2*b+1][i])
			t.Down[b][i] = vec.LogAddExp(t.Down[2*b][i], t.Down[2*b+1][i])
		}
	}
	for b := maxBatches / 2; b < maxBatches; b++ {
		t.empty(b)
	}
	t.Length *= 2
}

// complete tells whether every pair was tried.
func (t *tally) complete() bool {
	for _, n := range t.Tried {
		if n == 0 {
			return false
		}
	}
	return true
}

// rejections are the mean probabilities of rejecting a swap; NaN where none was tried.
func (t *tally) rejections() []float64 {
	r := make([]float64, len(t.Tried))
	for i, n := range t.Tried {
		r[i] = 1 - t.Accept[i]/float64(n)
	}
	return r
}

// leastBatches are what a standard error is computed from at least.
const leastBatches = 16

// logZ estimates log Z at the cold end less that at the hot end, and its standard error.
func (t *tally) logZ() (estimate, se float64) {
	full := t.Steps / t.Length
	pairs := len(t.Tried)
	up, down := make([]float64, pairs), make([]float64, pairs) // of the full batches
	for i := range pairs {
		up[i], down[i] = math.Inf(-1), math.Inf(-1)
		for b := range full {
			up[i], down[i] = vec.LogAddExp(up[i], t.Up[b][i]), vec.LogAddExp(down[i], t.Down[b][i])
		}
		estimate += up[i] - down[i] // as many swaps were tried in both directions
	}
	if !usable(estimate) {
		return math.NaN(), math.NaN()
	}
	if full < leastBatches {
		return estimate, math.NaN()
	}
	// The delta method: a batch changes log Σ by its share of the sum.
	square := 0.0
	for b := range full {
		influence := 0.0
		for i := range pairs {
			influence += vec.Exp(t.Up[b][i]-up[i]) - vec.Exp(t.Down[b][i]-down[i])
		}
		square += float64(influence * influence)
	}
	n := float64(full)
	return estimate, math.Sqrt(square * n / (n - 1))
}
