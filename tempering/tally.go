package tempering

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// maxBatches is the largest number of batches of steps; when all are full, neighbours are merged and
// each batch has twice as many steps.
const maxBatches = 64

// tally holds the swap statistics of each pair of neighbouring rungs. Fields are exported for gob.
type tally struct {
	Tried  []int
	Accept []float64 // sums of acceptance probabilities
	// Batches of Length steps; Steps counts the steps of all. For each batch and pair, Up is the logarithm of
	// Σ √(f(x; β_{i+1})/f(x; β_i)) over x at β_i, and Down that of the sum of reciprocals over x at β_{i+1}.
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
	t.Steps, t.Length = 0, 2 // each pair is proposed once in two steps
	for b := range t.Up {
		t.empty(b)
	}
}

func (t *tally) empty(b int) {
	for i := range t.Up[b] {
		t.Up[b][i], t.Down[b][i] = math.Inf(-1), math.Inf(-1)
	}
}

// add counts a proposed swap of rungs i and i+1 with its acceptance probability. up is the change of the
// log density of the replica at i if it were at i+1, down that of the replica at i+1 if it were at i.
func (t *tally) add(i int, prob, up, down float64) {
	t.Tried[i]++
	t.Accept[i] += prob
	b := t.Steps / t.Length
	accumulate(&t.Up[b][i], up/2)
	accumulate(&t.Down[b][i], down/2)
}

// accumulate adds exp(x) to a sum whose logarithm is *log. An x that is not finite comes from a density
// that counts as zero.
func accumulate(log *float64, x float64) {
	if vec.Finite(x) {
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

// complete says whether a swap of every pair was proposed.
func (t *tally) complete() bool { return !slices.Contains(t.Tried, 0) }

// rejections are the mean rejection probabilities of swaps; NaN where none was proposed.
func (t *tally) rejections() []float64 {
	r := make([]float64, len(t.Tried))
	for i, n := range t.Tried {
		r[i] = 1 - t.Accept[i]/float64(n)
	}
	return r
}

// leastBatches is the smallest number of batches for a standard error.
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
		estimate += up[i] - down[i] // both sums have the same number of terms
	}
	if !vec.Finite(estimate) {
		return math.NaN(), math.NaN()
	}
	if full < leastBatches {
		return estimate, math.NaN()
	}
	// The delta method: the influence of a batch on log Σ is its share of the sum.
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
