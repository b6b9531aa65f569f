package mh

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// MoveCheck is what [CheckMove] needs: a target that can be drawn from exactly, any one
// that the move fits, such as a standard normal for a random walk.
type MoveCheck[X any] struct {
	Target mcmc.Density[X]
	Draw   func(r *rand.Rand) X // an exact draw of the target
	Stats  func(x X) []float64  // what is compared: coordinates, squares, distances
	Steps  int                  // independent steps; 0: 100 000
	Seed   uint64
}

const checkSteps = 100_000

// checkAlpha is the false-alarm rate over all statistics.
const checkAlpha = 1e-6

// CheckMove finds moves whose log ratio is not that of what they draw: one that is said to be
// symmetric and is not, or that lacks its Jacobian. From an exact draw x of the target, a right
// move that is accepted or rejected leads to x₁ such that (x, x₁) and (x₁, x) have one law;
// so any statistic goes up as often as down, for steps of any size, which sign tests
// check. The false-alarm rate is at most 10⁻⁶. If the move has a density, its log ratio is
// compared with that. The move must not be in use by a chain at the time.
func CheckMove[X any](move Move[X], c MoveCheck[X]) error {
	if move == nil || c.Target == nil || c.Draw == nil || c.Stats == nil {
		return errors.New("mh: to check a move takes the move, a Target, Draw and Stats")
	}
	if c.Steps <= 0 {
		c.Steps = checkSteps
	}
	r := rng.New(c.Seed, "mh check").Rand
	var test signs
	for range c.Steps {
		x := c.Draw(r)
		before := slices.Clone(c.Stats(x))
		var dst X
		to, ratio := move.Propose(dst, x, r)
		if now := c.Stats(x); !equalBits(before, now) {
			return fmt.Errorf("mh: the move changes the state that it starts from, from %v to %v", before, now)
		}
		if broken(ratio) {
			return fmt.Errorf("mh: from %v the move gives the log ratio %v; it must be finite, or −Inf where there is no proposal", before, ratio)
		}
		if !vec.Finite(ratio) {
			continue
		}
		if err := sameRatio(move, to, x, ratio); err != nil {
			return err
		}
		prob := MetropolisHastings.Prob(Ends{From: c.Target.LogDensity(x), To: c.Target.LogDensity(to), Back: ratio})
		if r.Float64() >= prob {
			continue
		}
		test.add(before, c.Stats(to))
	}
	return test.err()
}

func equalBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// sameRatio compares the log ratio of a step with the densities, if there are any.
func sameRatio[X any](move Move[X], to, x X, ratio float64) error {
	q, ok := move.(Conditional[X])
	if !ok {
		return nil
	}
	there, back := q.LogDensity(to, x), q.LogDensity(x, to)
	if size := 1 + math.Abs(there) + math.Abs(back); math.Abs(back-there-ratio) <= 1e-6*size {
		return nil
	}
	return fmt.Errorf("mh: from %v to %v the move gives the log ratio %v, but its log densities are %v there and %v back, a ratio of %v",
		x, to, ratio, there, back, back-there)
}

// signs counts, for each statistic, the steps up and down by their size: bin k holds those
// between 2ᵏ⁻¹ and 2ᵏ, counted from 2⁻³².
type signs [][sizes]struct{ up, down int }

const sizes = 64 // what is beyond is in the last bins

func (t *signs) add(before, after []float64) {
	if *t == nil {
		*t = make(signs, len(before))
	}
	for i, v := range after {
		if v == before[i] {
			continue
		}
		_, size := math.Frexp(v - before[i])
		bin := &(*t)[i][min(max(size+sizes/2, 0), sizes-1)]
		if v > before[i] {
			bin.up++
		} else {
			bin.down++
		}
	}
}

func (t signs) err() error {
	moved := false
	for i := range t {
		for size, bin := range t[i] {
			n := bin.up + bin.down
			if n == 0 {
				continue
			}
			moved = true
			law := distuv.Binomial{N: float64(n), P: 0.5}
			if p := 2 * law.CDF(float64(min(bin.up, bin.down))); p < checkAlpha/float64(len(t)*sizes) {
				return fmt.Errorf("mh: the log ratio of the move is not that of its steps: statistic %d went up %d times and down %d times by about %.2g (p = %.2g); "+
					"is the move symmetric, and is its Jacobian in the ratio?", i+1, bin.up, bin.down, math.Ldexp(0.75, size-sizes/2), p)
			}
		}
	}
	if !moved {
		return errors.New("mh: the move was never accepted, so that nothing could be compared; take another target or other statistics")
	}
	return nil
}
