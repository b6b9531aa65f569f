package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// allocationWeights is what the prior of allocations to components says of them, with the weights integrated out where their full conditional given allocations is known.
type allocationWeights interface {
	// begin reads the counts of allocations.
	begin(s *model.State)
	// count adds to the allocations to a component.
	count(label int, by float64)
	// share is about as probable as that an allocation is to a component, given the others; it is counted nowhere. fresh is the same of a component that has none.
	share(s *model.State, z *allocated, label int) float64
	fresh(s *model.State, z *allocated, label int) float64
	// marginal is the log probability of the allocations in the state that no density of the model gives, up to a constant.
	marginal(s *model.State) float64
	// draw draws the weights given the allocations.
	draw(s *model.State, r *rand.Rand)
}

// givenWeights are numbers, or nodes that stay as they are.
type givenWeights struct{}

func (givenWeights) begin(*model.State)            {}
func (givenWeights) count(int, float64)            {}
func (givenWeights) draw(*model.State, *rand.Rand) {}
func (givenWeights) marginal(*model.State) float64 { return 0 }
func (givenWeights) share(s *model.State, z *allocated, label int) float64 {
	return s.At(z.weights[label])
}
func (w givenWeights) fresh(s *model.State, z *allocated, label int) float64 {
	return w.share(s, z, label)
}

// seatWeights are those of a Chinese restaurant process.
type seatWeights struct {
	labels []int32
	after  []model.Seg
	counts []float64
}

func (w *seatWeights) begin(s *model.State) {
	clear(w.counts)
	for _, c := range w.labels {
		w.counts[int(s.V[c])-1]++
	}
}
func (w *seatWeights) count(label int, by float64)                           { w.counts[label] += by }
func (w *seatWeights) draw(*model.State, *rand.Rand)                         {}
func (w *seatWeights) share(_ *model.State, _ *allocated, label int) float64 { return w.counts[label] }
func (w *seatWeights) fresh(*model.State, *allocated, int) float64           { return 1 }

// marginal brings the process's row up to date, whose density is among those of the children.
func (w *seatWeights) marginal(s *model.State) float64 {
	s.Run(w.after)
	return 0
}

// dirichletWeights are those of a Dirichlet node.
type dirichletWeights struct {
	c      *conjDirichlet
	alpha  []int32
	counts []float64
}

func (w *dirichletWeights) begin(s *model.State) {
	w.c.count(s)
	for h, c := range w.alpha {
		w.counts[h] = w.c.alpha[h] - s.At(c)
	}
}
func (w *dirichletWeights) count(label int, by float64) { w.counts[label] += by }
func (w *dirichletWeights) share(s *model.State, _ *allocated, label int) float64 {
	return s.At(w.alpha[label]) + w.counts[label]
}
func (w *dirichletWeights) fresh(s *model.State, z *allocated, label int) float64 {
	return w.share(s, z, label)
}

func (w *dirichletWeights) marginal(s *model.State) float64 {
	w.c.count(s)
	lp := 0.0
	for h, c := range w.alpha {
		switch a := s.At(c); {
		case a > 0:
			lp += vec.Lgamma(w.c.alpha[h]) - vec.Lgamma(a)
		case w.c.alpha[h] > 0:
			return math.Inf(-1)
		}
	}
	return lp
}

func (w *dirichletWeights) draw(s *model.State, r *rand.Rand) { w.c.Step(s, r) }

// stickWeights are those of a stick that is broken. With fractions V,
//
//	p(z) = p(z | V) p(V) / p(V | z)
//
// at any V (Chib 1995): here all are a half, so that no weight is 0.
type stickWeights struct {
	*labels
	at []float64 // log weights there
	v  []float64
}

func (w *stickWeights) begin(s *model.State) {
	w.labels.count(s)
	for j, c := range w.fractions {
		w.v[j] = s.V[c.n.cells[0]]
		s.V[c.n.cells[0]] = 0.5
	}
	s.Run(w.det)
	for h, c := range w.stick.weights {
		w.at[h] = vec.Log(s.At(c))
	}
	for j, c := range w.fractions {
		s.V[c.n.cells[0]] = w.v[j]
	}
	s.Run(w.det)
}

func (w *stickWeights) count(label int, by float64) { w.counts[label] += by }

func (w *stickWeights) share(_ *model.State, _ *allocated, label int) float64 {
	return w.counts[label] + 0.5
}

func (w *stickWeights) fresh(s *model.State, _ *allocated, label int) float64 {
	lp := w.at[label]
	for _, c := range w.fractions {
		yes, not := c.sticks[0].yes[label], c.sticks[0].not[label]
		if yes == 0 && not == 0 {
			continue
		}
		y, n := w.evidence(c)
		alpha, beta := c.prior(s.V)
		y, n = y+alpha, n+beta
		lp += float64(yes*vec.Log(y/(y+n))) + float64(not*vec.Log(n/(y+n))) + float64((yes+not)*math.Ln2)
	}
	return vec.Exp(lp)
}

func (w *stickWeights) marginal(s *model.State) float64 {
	w.labels.count(s)
	lp := 0.0
	for h, n := range w.counts {
		if n > 0 {
			lp += float64(n * w.at[h])
		}
	}
	for _, c := range w.fractions {
		yes, not := w.evidence(c)
		alpha, beta := c.prior(s.V)
		lp += dist.BetaLogProb(0.5, alpha, beta) - dist.BetaLogProb(0.5, alpha+yes, beta+not)
	}
	return lp
}

func (w *stickWeights) draw(s *model.State, r *rand.Rand) { w.labels.draw(s, r) }
