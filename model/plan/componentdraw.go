package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// componentDraw proposes values of a node of a component, from its full conditional or from a law near it. The law does not depend on where the node is, but for rounding.
type componentDraw interface {
	// propose draws the node, or puts it where to says, with the log density of the law there; ok is false, and the state is to be given up, where there is no such law.
	propose(s *model.State, r *rand.Rand, to []float64) (logq float64, ok bool)
}

// newComponentDraw is that of a node, by the kernel which moves it alone or by one that is made here and then has to be prepared; nil where there is none.
func newComponentDraw(n *node, moves kernel) (d componentDraw, made kernel) {
	switch k := moves.(type) {
	case *conjNormal:
		return normalDraw{k}, nil
	case *conjGamma:
		return gammaDraw{k}, nil
	case *conjBeta:
		return betaDraw{k}, nil
	case *conjDirichlet:
		return dirichletDraw{k}, nil
	case *conjMNormal:
		return mnormalDraw{k}, nil
	case *conjWishart:
		return wishartDraw{k}, nil
	}
	if c := newConjNormal(n); c != nil {
		return normalDraw{c}, c
	}
	if c := newConjMNormal(n); c != nil {
		return mnormalDraw{c}, c
	}
	if a := newAdaptive(n.guarded()); a != nil {
		return &modeDraw{adaptive: a}, nil
	}
	return nil, nil
}

type normalDraw struct{ *conjNormal }

func (d normalDraw) propose(s *model.State, r *rand.Rand, to []float64) (float64, bool) {
	mean, prec := d.conditional(s)
	x := s.V[d.n.cells[0]]
	var nx float64
	if to != nil {
		nx = to[0]
	} else {
		nx = d.draw(s, r, mean, 1/math.Sqrt(prec))
	}
	if !vec.Finite(nx) {
		return 0, false
	}
	logq := dist.NormLogProb(nx, mean, prec)
	if d.bounded {
		p := [2]float64{mean, prec}
		logq = cutLogProb(s, d.n, d.cut, "dnorm", nx, p[:])
	}
	d.move(s, nx-x, nx)
	return logq, vec.Finite(logq)
}

type gammaDraw struct{ *conjGamma }

func (d gammaDraw) propose(s *model.State, r *rand.Rand, to []float64) (float64, bool) {
	shape, rate := d.prior(s.V)
	ds, dr, bad := d.evidence(s)
	shape, rate = shape+ds, rate+dr
	if bad || !(shape > 0) || !(rate > 0) || math.IsInf(rate, 1) {
		return 0, false
	}
	var x float64
	if to != nil {
		x = to[0]
	} else if x = d.draw(s, r, shape, rate); !(x > 0) || math.IsInf(x, 1) {
		return 0, false
	}
	logq := dist.GammaLogProb(x, shape, rate)
	if d.n.t.Stoch.Truncated() || len(d.cut) > 0 {
		d.par = [2]float64{shape, rate}
		logq = cutLogProb(s, d.n, d.cut, "dgamma", x, d.par[:])
	}
	d.n.set(s, x)
	return logq, vec.Finite(logq)
}

// cutLogProb is the log density of a law between the bounds of a node and of the intervals that its children see it in.
func cutLogProb(s *model.State, n *node, cut []child, law string, x float64, par []float64) float64 {
	lo, hi := ownBounds(s, n)
	l, h := interval(s, cut)
	d, _ := dist.Lookup(law)
	return d.LogProbT(x, par, max(lo, l), min(hi, h))
}

type betaDraw struct{ *conjBeta }

func (d betaDraw) propose(s *model.State, r *rand.Rand, to []float64) (float64, bool) {
	a, b := d.prior(s.V)
	da, db, ok := d.evidence(s)
	if !ok {
		return 0, false
	}
	a, b = a+da, b+db
	var x float64
	if to != nil {
		x = to[0]
	} else if x = d.draw(s, r, a, b); !(x >= 0 && x <= 1) {
		return 0, false
	}
	logq := dist.BetaLogProb(x, a, b)
	if d.n.t.Stoch.Truncated() || len(d.cut) > 0 {
		d.par = [2]float64{a, b}
		logq = cutLogProb(s, d.n, d.cut, "dbeta", x, d.par[:])
	}
	d.n.set(s, x)
	return logq, vec.Finite(logq)
}

type dirichletDraw struct{ *conjDirichlet }

func (d dirichletDraw) propose(s *model.State, r *rand.Rand, to []float64) (float64, bool) {
	d.count(s)
	if to != nil {
		copy(d.x, to)
	} else {
		dist.Dirichlet(d.x, r, d.alpha)
	}
	logq := dist.DirichletLogProb(d.x, d.alpha)
	for j, x := range d.x {
		s.V[d.n.cells[j]] = x
	}
	s.Run(d.n.b.Det)
	return logq, vec.Finite(logq)
}

type mnormalDraw struct{ *conjMNormal }

func (d mnormalDraw) propose(s *model.State, r *rand.Rand, to []float64) (float64, bool) {
	if !d.toMean(s) {
		return 0, false
	}
	n := len(d.n.cells)
	for j, cell := range d.n.cells { // the mean
		d.step[j] += s.V[cell]
	}
	if to != nil {
		for j, x := range to {
			d.row[j] = x - d.step[j]
		}
	} else {
		for j := range d.row {
			d.row[j] = dist.StdNormal(r)
		}
		vec.TriSolveLowerT(d.row, d.chol, d.row, n)
	}
	logq := float64(n) * logRoot2Pi
	for a := range n {
		logq += vec.Log(d.chol[a+a*n])
		for b := range n {
			logq -= float64(0.5 * float64(d.prec[a+b*n]*float64(d.row[a]*d.row[b])))
		}
	}
	for j, cell := range d.n.cells {
		if s.V[cell] = d.step[j] + d.row[j]; to != nil {
			s.V[cell] = to[j]
		}
	}
	s.Run(d.n.b.Det)
	return logq, vec.Finite(logq)
}

type wishartDraw struct{ *conjWishart }

func (d wishartDraw) propose(s *model.State, r *rand.Rand, to []float64) (float64, bool) {
	if !d.conditional(s) {
		return 0, false
	}
	if to != nil {
		copy(d.x, to)
	} else {
		d.wish.Sample(d.x, r, d.p, d.n.t.Stoch.PDims, &d.work)
	}
	logq := d.wish.LogProb(d.x, d.p, d.n.t.Stoch.PDims, &d.work)
	for j, cell := range d.n.cells {
		s.V[cell] = d.x[j]
	}
	s.Run(d.n.b.Det)
	return logq, vec.Finite(logq)
}

// modeDraw is a Student t at the mode of the full conditional, on the line, logarithm or logit, as wide as the curvature there says. The mode is sought from where the node is: the law is that of
// the state before.
type modeDraw struct {
	*adaptive
	spread *pseudoFit // of the places of such nodes
}

const (
	modeSteps   = 5   // of the search
	modeNear    = 0.2 // of a standard deviation: a step that ends it
	modeFurther = 3   // steps that the search goes at once
)

// logRoot2Pi is the log density of a standard normal distribution at its mean.
const logRoot2Pi = -0.91893853320467274178

// logStudent is the log of the normalising constant of a Student t with proposalDF degrees of freedom and scale 1.
var logStudent = vec.Lgamma(0.5*(proposalDF+1)) - vec.Lgamma(0.5*proposalDF) - float64(0.5*vec.Log(proposalDF*math.Pi))

func (d *modeDraw) propose(s *model.State, r *rand.Rand, to []float64) (float64, bool) {
	n := d.slice.n
	n.begin(s)
	q, ok := d.fit(s, d.forward(s.V[n.cells[0]]))
	if !ok {
		return 0, false
	}
	var x float64
	if to != nil {
		x = to[0]
	} else {
		x, _ = d.back(q.draw(r))
	}
	if !(x > d.lo && x < d.hi) {
		return 0, false
	}
	n.set(s, x)
	u := d.forward(x)
	_, logJ := d.back(u)
	logq := logStudent + q.logQ(u) - vec.Log(q.scale) - logJ
	return logq, vec.Finite(logq)
}

// at is the log density of the full conditional on the line.
func (d *modeDraw) at(s *model.State, u float64) float64 {
	x, logJ := d.back(u)
	if !(x > d.lo && x < d.hi) {
		return math.Inf(-1)
	}
	return d.slice.n.at(s, x) + logJ
}

// fit seeks the mode by Newton's method, with derivatives from differences.
func (d *modeDraw) fit(s *model.State, u float64) (q proposal, ok bool) {
	h := 1.0
	if f := d.spread; d.kind != logit && f.count >= leastPseudo && f.m2 > 0 {
		h = math.Sqrt(f.m2 / f.count)
	}
	for range modeSteps {
		f, above, below := d.at(s, u), d.at(s, u+h), d.at(s, u-h)
		slope, curve := (above-below)/(2*h), (above-f+below-f)/float64(h*h)
		if math.IsNaN(slope) || math.IsNaN(curve) || math.IsInf(curve, 0) {
			if h *= 0.25; math.IsInf(f, 0) || math.IsNaN(f) {
				return q, false
			}
			continue
		}
		if !(curve < 0) {
			u += math.Copysign(2*h, slope)
			h *= 2
			continue
		}
		sd := 1 / math.Sqrt(-curve)
		move := slope / -curve
		if most := modeFurther * max(h, sd); math.Abs(move) > most {
			move = math.Copysign(most, move)
		}
		u += move
		h = sd / 2
		q = proposal{loc: u, scale: widerFit * sd}
		ok = true
		if math.Abs(move) < modeNear*sd {
			break
		}
	}
	return q, ok && vec.Finite(q.loc) && q.scale > 0 && q.scale < math.MaxFloat64
}
