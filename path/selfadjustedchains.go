package path

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/ladder"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// selfAdjustedChain is the state of one chain of SAMS or SAMC.
type selfAdjustedChain struct {
	label            int
	zeta, bias, w    []float64
	visits, logPrior []float64
	trips            tripCounter
}

// tripCounter counts round trips of a chain from the first label to the last and back; the way to the last for the first time counts as
// the first half of one wherever it begins.
type tripCounter struct {
	leg   ladder.Leg
	count int
}

func newTripCounter() tripCounter { return tripCounter{leg: ladder.Up} }

func (t *tripCounter) visit(label, last int) {
	if t.leg.Visit(label == 0, label == last) {
		t.count++
	}
}

// runSelfAdjusted runs the chains of SAMS or SAMC. A chain's row holds its ζ, its visits, ζ at the points of the trace, and its
// round trips in the second half of the rounds, where the updates of ζ are too small to push the chain from label to label.
// SAMS has the factor π in the probabilities w of labels, SAMC does not.
func runSelfAdjusted[S any](ctx context.Context, l Labels[S], set SelfAdjustedSettings, method string, update func(c *selfAdjustedChain, t int)) (*SelfAdjustedResult, error) {
	k := l.Len()
	shape := fmt.Sprint(k, set.Rounds, set.Moves, set.Burn, set.Decay, set.Target)
	if m, ok := l.(*models[S]); ok {
		shape += " " + m.ladder.hash()
	}
	b := job{purpose: method, shape: shape, width: k*(2+tracePoints) + 1, worker: func() runFunc {
		x := l.New()
		return func(_ int, r *rand.Rand, row []float64, t *tally) error {
			c := newSelfAdjustedChain(k, set.Target, method == "SAMS")
			return runSelfAdjustedChain(l, x, c, set, update, row, r, t)
		}
	}}
	o, err := b.do(ctx, set.Settings)
	if o == nil || len(o.rows) == 0 {
		return nil, err
	}
	a := &SelfAdjustedResult{Method: method, Occupancy: make([]float64, k), outcome: *o, target: set.Target, reference: l.Reference}
	for _, row := range o.rows {
		a.zeta = append(a.zeta, row[:k])
		a.visits = append(a.visits, row[k:2*k])
		a.trace = append(a.trace, row[2*k:len(row)-1])
		a.RoundTrips += int(row[len(row)-1])
		for j, v := range row[k : 2*k] {
			a.Occupancy[j] += v / float64(set.Rounds*len(o.rows))
		}
	}
	for p := 1; p <= tracePoints; p++ {
		a.rounds = append(a.rounds, int64(set.Rounds*p/tracePoints)*int64(set.Moves)*int64(len(o.rows)))
	}
	return a, err
}

func newSelfAdjustedChain(k int, target []float64, weighted bool) *selfAdjustedChain {
	c := &selfAdjustedChain{trips: newTripCounter(), zeta: make([]float64, k), bias: make([]float64, k), w: make([]float64, k), visits: make([]float64, k), logPrior: make([]float64, k)}
	if weighted {
		for j, v := range target {
			c.logPrior[j] = vec.Log(v)
		}
	}
	return c
}

func runSelfAdjustedChain[S any](l Labels[S], x S, c *selfAdjustedChain, set SelfAdjustedSettings, update func(*selfAdjustedChain, int), row []float64, r *rand.Rand, t *tally) error {
	k := len(c.zeta)
	point := 0
	c.label = l.Start(x, r)
	for round := 1; round <= set.Rounds; round++ {
		for range set.Moves {
			l.Move(x, c.label, r)
			if t.moved() {
				return errStopped
			}
		}
		l.LogDensities(c.w, x)
		t.evals += int64(k)
		for j, z := range c.zeta {
			c.bias[j] = c.logPrior[j] - z
		}
		if err := softmax(c.w, c.bias); err != nil {
			return fmt.Errorf("%w: log densities of the labels in round %d", err, round)
		}
		c.label = pick(c.w, r)
		c.visits[c.label]++
		if round > set.Rounds/2 {
			c.trips.visit(c.label, k-1)
		}
		update(c, round)
		first := c.zeta[0]
		for j := range c.zeta {
			c.zeta[j] -= first
		}
		if round == set.Rounds*(point+1)/tracePoints {
			copy(row[(2+point)*k:], c.zeta)
			point++
		}
	}
	copy(row, c.zeta)
	copy(row[k:], c.visits)
	row[len(row)-1] = float64(c.trips.count)
	return nil
}

// LogZ is log Z of the last label relative to the first, whose log Z is known: for a ladder, log Z of the target.
func (a *SelfAdjustedResult) LogZ() *Result { return a.Relative(len(a.target)-1, 0) }

// Relative is log Z of a label relative to a reference label: the estimated log ratio, plus log Z of the reference where
// that is known, as it is at the base of a family. Otherwise add log Z of the reference to LogZ and CI95.
func (a *SelfAdjustedResult) Relative(label, reference int) *Result {
	res := newResult(a.Method, &a.outcome)
	if n := len(a.target); label < 0 || label >= n || reference < 0 || reference >= n {
		res.warn(fmt.Sprintf("labels %d and %d; they go from 0 to %d", label, reference, n-1))
		return res
	}
	base := 0.0
	if z, ok := a.reference(reference); ok {
		base = z
	}
	if a.Method == "SAMC" { // exp(ζ_j) tends to Z_j/π_j
		base += vec.Log(a.target[label] / a.target[reference])
	}
	for _, z := range a.zeta {
		res.PerRun = append(res.PerRun, base+z[label]-z[reference])
	}
	m, se := meanError(res.PerRun)
	res.LogZ = m
	if len(res.PerRun) > 1 {
		res.SE, res.SEJackknife = se, se // the jackknife of a mean is the same
		res.studentInterval(len(res.PerRun) - 1)
	}
	k := len(a.target)
	for p, moves := range a.rounds {
		sum := 0.0
		for _, t := range a.trace {
			sum += (t[p*k+label] - t[p*k+reference]) / float64(len(a.trace))
		}
		res.Trace = append(res.Trace, Point{moves, base + sum})
	}
	a.addWarnings(res)
	return res
}
