package vec

import "math"

// GammaQuantileLog gives log x for which log P(a, x) = logp, or log Q(a, x) = logp where upper is set. In t = log x
// the density is log-concave and so are both tails: Newton's method on the logarithm of the smaller tail converges from
// any point where the tail is too small.
func GammaQuantileLog(a, logp float64, upper bool) float64 {
	if !(logp <= 0) || !(a > 0 && a <= math.MaxFloat64) {
		return math.NaN()
	}
	if p, done := certain(logp, upper); done {
		return p
	}
	if logp > -ln2 { // work on the other, smaller tail
		logp, upper = Log1mExp(logp), !upper
	}
	t := gammaQuantileGuess(a, logp, upper)
	lg := Lgamma(a)
	return newtonTail(t, logp, upper, func(t float64) (tail, logDensity float64) {
		x := Exp(t)
		p, q := GammaTails(a, x)
		if x < 0x1p-1000 {
			p = float64(a*t) - lgamma1p(a)
		}
		logDensity = float64(a*t) - x - lg
		if a >= 8 {
			logDensity = gammaPrefix(a, x) + Log(a)
		}
		if upper {
			return q, logDensity
		}
		return p, logDensity
	})
}

// certain gives the end of the support where the tail is 0 or 1.
func certain(logp float64, upper bool) (t float64, done bool) {
	switch {
	case logp == 0 && upper, logp == math.Inf(-1) && !upper:
		return math.Inf(-1), true
	case logp == 0 || logp == math.Inf(-1):
		return math.Inf(1), true
	}
	return 0, false
}

// gammaQuantileGuess starts from Wilson and Hilferty's (1931) cube for moderate tails, from the leading term of the
// tail otherwise.
func gammaQuantileGuess(a, logp float64, upper bool) float64 {
	z := NormQuantileLog(logp)
	if upper {
		z = -z
	}
	if a > 0.5 {
		c := 1 / float64(9*a)
		w := 1 - c + float64(z*math.Sqrt(c))
		if w > 0.2 {
			return Log(a) + float64(3*Log(w))
		}
	}
	if upper {
		return Log(max(a, 1) - logp)
	}
	return (logp + lgamma1p(a)) / a
}

// BetaQuantileLogit gives t = log(x/(1−x)) for which log I_x(a, b) = logp, or log(1 − I_x(a, b)) = logp where upper is
// set. The density of t is log-concave, as for GammaQuantileLog.
func BetaQuantileLogit(a, b, logp float64, upper bool) float64 {
	if !(logp <= 0) || !(a > 0 && a <= math.MaxFloat64 && b > 0 && b <= math.MaxFloat64) {
		return math.NaN()
	}
	if t, done := certain(logp, upper); done {
		return t
	}
	if logp > -ln2 {
		logp, upper = Log1mExp(logp), !upper
	}
	if upper { // 1 − x has the distribution with a and b exchanged
		return -betaQuantileLower(b, a, logp)
	}
	return betaQuantileLower(a, b, logp)
}

func betaQuantileLower(a, b, logp float64) float64 {
	// Normal approximation of the logit, or the leading term of the tail where that is nearer to the centre.
	z := NormQuantileLog(logp)
	t := Log(a/b) + float64(z*math.Sqrt(1/a+1/b))
	if lead := (logp + logABeta(a, b)) / a; a < 1 || lead > t {
		t = lead
	}
	return newtonTail(t, logp, false, func(t float64) (tail, logDensity float64) {
		x, y := Ilogit(t), Ilogit(-t)
		tail, _ = BetaTails(a, b, x, y)
		logDensity = betaPrefix(a, b, x, y) + Log(a)
		if t < -690 {
			logDensity = float64(a*t) - logABeta(a, b) + Log(a)
			tail = logDensity - Log(a)
		}
		return tail, logDensity
	})
}

// newtonTail solves log(tail at t) = logp, where tail is increasing in t, or decreasing where upper is set. A bracket,
// that every evaluation shrinks, guards each step.
func newtonTail(t, logp float64, upper bool, f func(t float64) (tail, logDensity float64)) float64 {
	sign := 1.0
	if upper {
		sign = -1
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	for range 200 {
		tail, logDensity := f(t)
		d := tail - logp
		if d == 0 {
			return t
		}
		if (d > 0) == (sign > 0) {
			hi = t
		} else {
			lo = t
		}
		step := -float64(sign * float64(d*Exp(tail-logDensity)))
		next := t + step
		if !(next > lo && next < hi) {
			switch {
			case lo > math.Inf(-1) && hi < math.Inf(1):
				next = lo + float64(0.5*(hi-lo))
			case lo > math.Inf(-1):
				next = lo + max(1, math.Abs(lo))
			default:
				next = hi - max(1, math.Abs(hi))
			}
		}
		if math.Abs(next-t) <= 0x1p-51*math.Max(math.Abs(t), 0x1p-6) || next == lo || next == hi {
			return next
		}
		t = next
	}
	return t
}
