package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// counting sums the density of each latent count and its data over the count's values,
//
//	log Σ_n prior(n) ∏_j C(n, x_j) p_jˣʲ (1−p_j)ⁿ⁻ˣʲ   (Royle 2004),
//
// outwards from the largest term by the ratio of neighbours, until what is left is below rounding. The terms rise to one maximum and fall after it, so that a ratio
// bounds all those beyond it. Where at most one of the data is not 0, what it has missed is itself Poisson or negative binomial. Derivatives follow from the expectation of n given the rest (Fisher's identity), as all but that by r are linear in n.
type counting struct {
	c    *counts
	up   upstream
	sums []countSum
}

// countSum is the sum over one count, as the last value left it.
type countSum struct {
	count
	closed bool    // at most one of the data is not 0
	top    float64 // the value with the largest term; where it is closed the least
	total  float64 // the sum of all terms, that of top being 1; where it is closed its log
	mean   float64 // of the count
	height float64 // the mean of ψ(n + r) − ψ(r)
}

// count are the numbers on which the terms of a sum depend.
type count struct {
	rate, stay, r float64 // stay: 1−p of a negative binomial, 1 else
	missed, seen  float64 // ∏ (1−p_j), and 1 less it
	least         float64 // the largest of the data
	x             []float64
	negbin        bool
}

const (
	// leastTerm is the share of a sum below which what is left of it is not added.
	leastTerm = 1e-17
	// mostTerms bounds a sum: a Poisson count of expectation 10¹¹ needs as many. What needs more counts as impossible.
	mostTerms = 1 << 22
)

func newCounting(c *counts, up upstream) *counting {
	g := &counting{c: c, up: up, sums: make([]countSum, len(c.nodes))}
	for k := range c.nodes {
		g.sums[k].x = make([]float64, len(c.nodes[k].data))
	}
	return g
}

func (g *counting) begin(*model.State) {}

func (g *counting) value(s *model.State) float64 {
	s.Run(g.up.rows)
	total := 0.0
	for k := range g.sums {
		n, sum := &g.c.nodes[k], &g.sums[k]
		sum.read(s, n)
		if sum.closed {
			s.V[n.cell] = sum.least
		} else {
			s.V[n.cell] = sum.mode()
		}
		lp := s.LogProb(n.self)
		if !vec.Finite(lp) {
			return math.Inf(-1)
		}
		if sum.closed {
			total += sum.close(lp)
			continue
		}
		if !sum.add(s.V[n.cell]) {
			return math.Inf(-1)
		}
		total += lp + vec.Log(sum.total)
	}
	if !vec.Finite(total) {
		return math.Inf(-1)
	}
	return total
}

// close is the log of the whole sum, of which lp is that of the least value's term: that of ∑ (λ missed)ᵏ/k!, or ∑ C(k+r+x−1, k) (stay missed)ᵏ, as what is
// beyond the least is Poisson or negative binomial.
func (k *countSum) close(lp float64) float64 {
	k.top = k.least
	if !k.negbin {
		left := float64(k.rate * k.missed)
		k.mean = k.least + left
		return lp + left
	}
	size := k.r + k.least
	end := 1 - k.stay + float64(k.stay*k.seen) // 1 − stay missed
	log := vec.Log(end)
	k.mean = k.least + size*float64(k.stay*k.missed)/end
	k.height = vec.Digamma(size) - vec.Digamma(k.r) - log
	return lp - float64(size*log)
}

// read takes the numbers from a state.
func (k *countSum) read(s *model.State, n *latentCount) {
	k.negbin, k.stay, k.missed, k.seen, k.least = n.rate < 0, 1, 1, 0, 0
	if k.negbin {
		k.stay, k.r = 1-s.V[n.p], s.V[n.r]
	} else {
		k.rate = s.V[n.rate]
	}
	found := 0
	for j, d := range n.data {
		x, p := s.V[d.x], s.V[d.p]
		k.seen += float64(p * k.missed)
		k.missed *= 1 - p
		k.x[j], k.least = x, max(k.least, x)
		if x > 0 {
			found++
		}
	}
	k.closed = found <= 1
}

// ratio is that of the terms of n + 1 and n.
func (k *count) ratio(n float64) float64 {
	q := k.missed
	if k.negbin {
		q *= k.stay * (n + k.r) / (n + 1)
	} else {
		q *= k.rate / (n + 1)
	}
	for _, x := range k.x {
		if x > 0 {
			q *= (n + 1) / (n + 1 - x)
		}
	}
	return q
}

// mode is the value with the largest term. The ratio falls with n where a datum is not 0, and with a Poisson prior; else it is below 1.
func (k *count) mode() float64 {
	lo, by := k.least, 1.0
	if !(k.ratio(lo) > 1) {
		return lo
	}
	for k.ratio(lo+by) > 1 && by < 1<<52 {
		by *= 2
	}
	hi := lo + by // ratio(lo) > 1 ≥ ratio(hi)
	for hi-lo > 1 {
		if mid := math.Floor((lo + hi) / 2); k.ratio(mid) > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// add sums; false where terms are too many.
func (k *countSum) add(top float64) bool {
	k.top, k.height = top, 0
	from := 0.0
	if k.negbin {
		from = vec.Digamma(top + k.r)
	}
	away, high, at, last := 0.0, 0.0, from, top
	ok := k.each(func(n, w float64) bool {
		away += float64(w * (n - top))
		if k.negbin {
			switch {
			case n > last:
				at += 1 / (last + k.r)
			case n == top-1:
				at = from - 1/(n+k.r)
			case n < last:
				at -= 1 / (n + k.r)
			}
			last = n
			high += float64(w * at)
		}
		return true
	})
	k.mean = top + away/k.total
	if k.negbin {
		k.height = high/k.total - vec.Digamma(k.r)
	}
	return ok && vec.Finite(k.total)
}

// each visits the values that matter, from the top upwards and then downwards, with their terms, as long as visit says so. It leaves their sum in total; false where
// they are too many.
func (k *countSum) each(visit func(n, w float64) bool) bool {
	limit := 0.0 // of the ratio, where it rises with n
	if k.negbin {
		limit = k.stay * k.missed
	}
	k.total = 1
	if !visit(k.top, 1) {
		return true
	}
	terms := 0
	w := 1.0
	for n := k.top; ; n++ {
		q := k.ratio(n)
		if b := max(q, limit); b < 1 && w*b <= leastTerm*k.total*(1-b) {
			break
		}
		if terms++; terms > mostTerms || !(q >= 0) {
			return false
		}
		w = float64(w * q)
		k.total += w
		if !visit(n+1, w) {
			return true
		}
	}
	w = 1
	for n := k.top; n > k.least; n-- {
		q := 1 / k.ratio(n-1)
		if q < 1 && w*q <= leastTerm*k.total*(1-q) {
			break
		}
		if terms++; terms > mostTerms {
			return false
		}
		w = float64(w * q)
		k.total += w
		if !visit(n-1, w) {
			return true
		}
	}
	return true
}

func (g *counting) slopes(s *model.State) {
	zero(s, g.up.outs)
	for k := range g.sums {
		n, sum := &g.c.nodes[k], &g.sums[k]
		if sum.negbin {
			p := s.V[n.p]
			s.A[n.p] += sum.r/p - over(sum.mean, 1-p)
			s.A[n.r] += sum.height + vec.Log(p)
		} else {
			s.A[n.rate] += over(sum.mean, sum.rate) - 1
		}
		for j, d := range n.data {
			p := s.V[d.p]
			s.A[d.p] += over(sum.x[j], p) - over(sum.mean-sum.x[j], 1-p)
		}
	}
	g.up.back.Pull(s)
}

// over is x/y, and 0 where x is.
func over(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

func (g *counting) finish(s *model.State, r *rand.Rand) {
	g.value(s)
	for k := range g.sums {
		s.V[g.c.nodes[k].cell] = g.sums[k].draw(r)
	}
	s.Run(g.c.det)
}

// draw is a value by the terms: where they were added, that at a quantile in the order of adding.
func (k *countSum) draw(r *rand.Rand) float64 {
	switch {
	case !k.closed:
	case k.negbin:
		return k.least + dist.NegBinomial(r, 1-k.stay+float64(k.stay*k.seen), k.r+k.least)
	default:
		return k.least + dist.Poisson(r, float64(k.rate*k.missed))
	}
	left, x, total := float64(r.Float64()*k.total), k.top, k.total
	k.each(func(n, w float64) bool {
		x = n
		left -= w
		return left >= 0
	})
	k.total = total
	return x
}
