package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// logConcave is what truncated sampling needs to know of a law on the whole numbers whose ratios P(x)/P(x−1) fall.
type logConcave struct {
	mode, sd float64
	logRatio func(x float64) float64 // log P(x)/P(x−1), precise where it is small
	logProb  func(x float64) float64
	sample   func() float64
}

// drawBetween draws from the law given lo ≤ X ≤ hi, however little mass that has, by rejection in a bounded number of
// steps on average: in a tail from the geometric law that touches it at the near end, as Robert (1995) does for the
// normal; near the mode from the uniform on a narrow interval, else from the law itself. lo ≤ hi are whole numbers in
// the support, hi may be +Inf.
func (l *logConcave) drawBetween(r *rand.Rand, lo, hi float64) float64 {
	switch {
	case lo == hi:
		return lo
	case lo >= l.mode+l.sd:
		return l.tail(r, lo, 1, hi-lo, l.logRatio(lo+1))
	case hi <= l.mode-l.sd:
		return l.tail(r, hi, -1, hi-lo, -l.logRatio(hi))
	case hi-lo <= l.sd:
		return l.flat(r, lo, hi)
	}
	for {
		if x := l.sample(); x >= lo && x <= hi || math.IsNaN(x) {
			return x
		}
	}
}

// tail draws near + dir·K, 0 ≤ K ≤ width, from proposals K with probability proportional to exp(logRatio·K).
func (l *logConcave) tail(r *rand.Rand, near, dir, width, logRatio float64) float64 {
	logRatio = max(logRatio, -math.MaxFloat64)
	top := l.logProb(near)
	for {
		var k float64
		if math.IsInf(width, 1) {
			k = math.Floor(StdExp(r) / -logRatio)
		} else {
			k = math.Floor(vec.Log1p(uniform(r)*vec.Expm1((width+1)*logRatio)) / logRatio)
			k = min(k, width)
		}
		x := near + float64(dir*k)
		if StdExp(r) >= top+float64(k*logRatio)-l.logProb(x) {
			return x
		}
	}
}

// flat draws from uniform proposals.
func (l *logConcave) flat(r *rand.Rand, lo, hi float64) float64 {
	top := l.logProb(min(max(l.mode, lo), hi))
	for {
		x := min(lo+math.Floor((hi-lo+1)*uniform(r)), hi)
		if StdExp(r) >= top-l.logProb(x) {
			return x
		}
	}
}

// logQuotient is log(a/b) given the difference a − b to full precision.
func logQuotient(a, b, difference float64) float64 {
	if a < 0.5*b {
		return vec.Log(a / b)
	}
	return vec.Log1p(difference / b)
}

func binSampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	prob, n := p[0], p[1]
	if prob == 0 || prob == 1 {
		return degenerate(prob*n, lo, hi)
	}
	law := logConcave{
		mode:     min(math.Floor((n+1)*prob), n),
		sd:       math.Sqrt(n * prob * (1 - prob)),
		logRatio: func(x float64) float64 { return logQuotient((n-x+1)*prob, x*(1-prob), float64((n+1)*prob)-x) },
		logProb:  func(x float64) float64 { return BinLogProb(x, prob, n) },
		sample:   func() float64 { return Binomial(r, prob, n) },
	}
	return law.drawBetween(r, lo, hi)
}

func poisSampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	lambda := p[0]
	if lambda == 0 {
		return degenerate(0, lo, hi)
	}
	law := logConcave{
		mode:     math.Floor(lambda),
		sd:       math.Sqrt(lambda),
		logRatio: func(x float64) float64 { return logQuotient(lambda, x, lambda-x) },
		logProb:  func(x float64) float64 { return PoisLogProb(x, lambda) },
		sample:   func() float64 { return Poisson(r, lambda) },
	}
	return law.drawBetween(r, lo, hi)
}

// negbinSampleT is for r ≥ 1: below, the ratios rise.
func negbinSampleT(r *rand.Rand, p []float64, lo, hi float64) float64 {
	prob, size := p[0], p[1]
	if prob == 1 {
		return degenerate(0, lo, hi)
	}
	q := 1 - prob
	law := logConcave{
		mode:     math.Floor((size - 1) * q / prob),
		sd:       math.Sqrt(size*q) / prob,
		logRatio: func(x float64) float64 { return logQuotient((x+size-1)*q, x, float64((size-1)*q)-float64(x*prob)) },
		logProb:  func(x float64) float64 { return NegbinLogProb(x, prob, size) },
		sample:   func() float64 { return NegBinomial(r, prob, size) },
	}
	return law.drawBetween(r, lo, hi)
}

// degenerate is the draw of a law with all its mass at one value: NaN where the interval misses it.
func degenerate(at, lo, hi float64) float64 {
	if at >= lo && at <= hi {
		return at
	}
	return math.NaN()
}
