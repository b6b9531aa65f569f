package rbm

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// MaxExact is the largest number of units in the smaller layer that
// [Model.Exact] sums over.
const MaxExact = 30

// Exact computes log Z by summing over the 2ⁿ states of the smaller layer,
// each with the sum over the other layer in closed form. It takes some
// 0.6·2ⁿ·m nanoseconds of one core for layers of n ≤ m units; n is at most
// [MaxExact]. The relative error of Z is about 1e-12. threads of 0 stands for
// all cores; the result does not depend on it. progress, which may be nil, is
// called from one goroutine at a time.
//
// States follow each other in Gray-code order (Gray, 1953), so that from one
// to the next a single unit changes and the odds of the other layer's units
// change by known factors.
func (m *Model) Exact(ctx context.Context, threads int, progress func(done, total int64)) (float64, error) {
	if err := m.Check(); err != nil {
		return 0, err
	}
	m = m.smallerHidden()
	if m.Hidden > MaxExact {
		return 0, fmt.Errorf("the smaller layer has %d units: exact summation is over at most 2^%d states", m.Hidden, MaxExact)
	}
	sums, err := newEnumeration(m).sums(ctx, cmp.Or(threads, runtime.GOMAXPROCS(0)), progress)
	if err != nil {
		return 0, err
	}
	return total(sums).log(), nil
}

// smallerHidden is the machine, or its transpose, whose hidden layer is the
// smaller one.
func (m *Model) smallerHidden() *Model {
	if m.Visible < m.Hidden {
		return m.Transpose()
	}
	return m
}

// sums returns the sum over each piece.
func (e *enumeration) sums(ctx context.Context, threads int, progress func(done, total int64)) ([]scaled, error) {
	sums := make([]scaled, e.pieces)
	var done atomic.Int64
	var tell sync.Mutex
	fanout.Each(threads, e.pieces, e.walker, func(w *walker, k int) {
		if ctx.Err() != nil {
			return
		}
		var sum scaled
		w.piece(k, func(weight scaled, _, _ uint8) bool {
			sum = sum.plus(weight)
			return true
		})
		sums[k] = sum
		if d := done.Add(1); progress != nil {
			tell.Lock()
			defer tell.Unlock()
			progress(d<<e.low, int64(e.pieces)<<e.low)
		}
	})
	if done.Load() < int64(e.pieces) {
		return nil, ctx.Err()
	}
	return sums, nil
}

func total(sums []scaled) (z scaled) {
	for _, s := range sums {
		z = z.plus(s)
	}
	return z
}

// enumeration is a sum over the states of the hidden layer, divided into pieces
// of 2^low states that differ in the first low units. The sum over a piece
// depends only on its number.
type enumeration struct {
	m      *Model
	low    int
	pieces int
	// up[j] and down[j] are the factors by which the odds of the visible units
	// change when hidden unit j goes on and off.
	up, down [][]float64
	// run is how many factors 1 + odds may be multiplied without overflow; 0
	// where even the odds can overflow or vanish.
	run int
}

// pieceUnits makes pieces of 4096 states: long enough that their start costs
// little, and short enough that rounding errors do not accumulate.
const pieceUnits = 12

func newEnumeration(m *Model) *enumeration {
	low := min(m.Hidden, pieceUnits)
	e := &enumeration{m: m, low: low, pieces: 1 << (m.Hidden - low), run: longestRun(m)}
	for j := range low {
		up, down := make([]float64, m.Visible), make([]float64, m.Visible)
		for i := range up {
			w := m.W[i*m.Hidden+j]
			up[i], down[i] = vec.Exp(w), vec.Exp(-w)
		}
		e.up, e.down = append(e.up, up), append(e.down, down)
	}
	return e
}

// longestRun bounds the log odds of all visible units over all states.
func longestRun(m *Model) int {
	const safe = 690 // exp(±690) is a normal number
	most := 0.0
	for i := range m.Visible {
		lo, hi := m.VisibleBias[i], m.VisibleBias[i]
		for _, w := range m.W[i*m.Hidden : (i+1)*m.Hidden] {
			lo, hi = lo+min(w, 0), hi+max(w, 0)
		}
		if lo < -safe || hi > safe {
			return 0
		}
		most = max(most, vec.Log1pExp(hi))
	}
	return max(1, int(safe/max(most, 1)))
}

// walker enumerates pieces with scratch of its own.
type walker struct {
	*enumeration
	state []uint8   // of the hidden layer
	input []float64 // log odds of the visible units
	odds  []float64
	ones  []float64 // the factors of no change
}

func (e *enumeration) walker() *walker {
	w := &walker{e, make([]uint8, e.m.Hidden), make([]float64, e.m.Visible), make([]float64, e.m.Visible), make([]float64, e.m.Visible)}
	for i := range w.ones {
		w.ones[i] = 1
	}
	return w
}

// piece calls visit for each state of a piece, until it returns false, with the
// weight exp(aᵀh) Πᵢ (1 + exp(bᵢ + Σⱼ Wᵢⱼhⱼ)). The first two hidden units are
// passed to visit; the others are in w.state.
func (w *walker) piece(k int, visit func(weight scaled, first, second uint8) (more bool)) {
	for j := range w.state {
		w.state[j] = 0
		if j >= w.low {
			w.state[j] = uint8(k >> (j - w.low) & 1)
		}
	}
	w.m.VisibleInput(w.input, w.state)
	if w.run == 0 || w.low < 2 {
		w.pieceInLogs(visit)
		return
	}
	columns.Exp(w.odds, w.input)
	f := w.ones
	for g := 0; g < 1<<w.low; g += 4 {
		if g > 0 {
			f = w.flip(bits.TrailingZeros(uint(g)))
		}
		p, q := w.state[0], w.state[1]
		first, second := w.m.HiddenBias[0], w.m.HiddenBias[1]
		if p == 1 {
			first = -first
		}
		if q == 1 {
			second = -second
		}
		a := sumOn(w.m.HiddenBias, w.state)
		all := products(w.odds, f, w.factors(0), w.flip(1), w.run)
		units := [4][2]uint8{{p, q}, {1 - p, q}, {1 - p, 1 - q}, {p, 1 - q}}
		for k, bias := range [4]float64{a, a + first, a + first + second, a + second} {
			weight := exp(bias)
			if !visit(normal(all[k].m*weight.m, all[k].e+weight.e), units[k][0], units[k][1]) {
				return
			}
		}
	}
}

// factors are those of the odds when hidden unit j changes.
func (w *walker) factors(j int) []float64 {
	if w.state[j] == 0 {
		return w.up[j]
	}
	return w.down[j]
}

// flip changes hidden unit j and gives the factors.
func (w *walker) flip(j int) []float64 {
	f := w.factors(j)
	w.state[j] ^= 1
	return f
}

// pieceInLogs is piece in logarithms, for weights so large that odds overflow.
func (w *walker) pieceInLogs(visit func(weight scaled, first, second uint8) (more bool)) {
	for g := 1; ; g++ {
		second := uint8(0)
		if len(w.state) > 1 {
			second = w.state[1]
		}
		if !visit(exp(sumOn(w.m.HiddenBias, w.state)+sumSoftplus(w.input)), w.state[0], second) || g == 1<<w.low {
			return
		}
		w.flip(bits.TrailingZeros(uint(g)))
		w.m.VisibleInput(w.input, w.state)
	}
}
