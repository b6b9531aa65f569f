package columns

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Density is a log density: a sum of terms and of the logarithms of Factors, less that of the logarithms in Logs. Its zero value is empty.
type Density struct {
	Terms   Sums
	Logs    Logs
	Factors Logs
}

// Total is the log density.
func (t *Density) Total() float64 { return t.Terms.Total() + t.Factors.Total() - t.Logs.Total() }

// leastExp is the least argument of an exponential in a likelihood, the next above −708: below it exp counts as exp(leastExp), some 3e-308.
const leastExp = -0x1.61fffffffffffp9

// Normal adds (y[i] − mu[i])² to s and sets d[i] = tau·(y[i] − mu[i]), the derivative by mu[i] of the log density −tau/2·s of normal numbers with
// precision tau.
func Normal(s *Sums, d, y, mu []float64, tau float64) {
	best().normal(s, d, y[:len(d)], mu[:len(d)], tau)
}

// NormalRows is Normal with a precision for each row: it adds tau[i]·q[i] to s, q[i] = (y[i] − mu[i])², and sets d[i] = tau[i]·(y[i] − mu[i]). The
// log density is Σ log(tau[i])/2 − s/2, its derivative by tau[i] is (1/tau[i] − q[i])/2.
func NormalRows(s *Sums, d, q, y, mu, tau []float64) {
	best().normalRows(s, d, q[:len(d)], y[:len(d)], mu[:len(d)], tau[:len(d)])
}

// BernoulliLogit adds log p(y[i]) for y[i] 0 or 1 with probability ilogit(eta[i]) of 1, and sets d[i] to its derivative by eta[i].
func BernoulliLogit(t *Density, d, y, eta []float64) {
	y, eta = y[:len(d)], eta[:len(d)]
	for len(d) > 0 {
		n := t.Logs.room(len(d))
		best().bernoulliLogit(&t.Terms, &t.Logs.product, d[:n], y[:n], eta[:n])
		d, y, eta = d[n:], y[n:], eta[n:]
	}
}

// BinomialLogit adds y[i]·eta[i] − n[i]·log(1+exp(eta[i])) to s, the log density of y[i] successes in n[i] trials without its binomial coefficient,
// and sets d[i] = y[i] − n[i]·ilogit(eta[i]), its derivative.
func BinomialLogit(s *Sums, d, y, n, eta []float64) {
	best().binomialLogit(s, d, y[:len(d)], n[:len(d)], eta[:len(d)])
}

// PoissonLog adds y[i]·eta[i] − exp(eta[i]) to s, the log density of a count with mean exp(eta[i]) without log y[i]!, and sets d[i] to its
// derivative y[i] − exp(eta[i]). Means above exp(709) are infinite.
func PoissonLog(s *Sums, d, y, eta []float64) {
	best().poissonLog(s, d, y[:len(d)], eta[:len(d)])
}

func normalGo(s *Sums, d, y, mu []float64, tau float64) {
	for i := range d {
		r := y[i] - mu[i]
		d[i] = float64(tau * r)
		s[i%lanes] += float64(r * r)
	}
}

func normalRowsGo(s *Sums, d, q, y, mu, tau []float64) {
	for i := range d {
		r, t := y[i]-mu[i], tau[i]
		r2 := float64(r * r)
		q[i] = r2
		d[i] = float64(t * r)
		s[i%lanes] += float64(t * r2)
	}
}

// bernoulliLogitGo multiplies the factors 1+exp(−|z|), z = ±eta[i], into the product: log p = min(z, 0) − log(1+exp(−|z|)).
func bernoulliLogitGo(s *Sums, product *[lanes]float64, d, y, eta []float64) {
	for i := range d {
		d[i] = bernoulliRow(&s[i%lanes], &product[i%lanes], eta[i], 2*y[i]-1)
	}
}

func bernoulliRow(s, product *float64, eta, sign float64) (d float64) {
	z := float64(sign * eta)
	e := vec.Exp(max(-math.Abs(z), leastExp))
	f := 1 + e
	*s += min(z, 0)
	*product = float64(*product * f)
	if z < 0 {
		e = 1
	}
	return float64(sign * (e / f))
}

// softplusIlogit is log(1+exp(x)) and ilogit(x).
func softplusIlogit(x float64) (l, p float64) {
	e := vec.Exp(max(-math.Abs(x), leastExp))
	l = max(x, 0) + vec.Log1p(e)
	f := 1 + e
	if x >= 0 {
		e = 1
	}
	return l, e / f
}

func binomialLogitGo(s *Sums, d, y, n, eta []float64) {
	for i := range d {
		l, p := softplusIlogit(eta[i])
		s[i%lanes] += float64(y[i]*eta[i]) - float64(n[i]*l)
		d[i] = y[i] - float64(n[i]*p)
	}
}

func poissonLogGo(s *Sums, d, y, eta []float64) {
	for i := range d {
		e := math.Inf(1)
		if !(eta[i] > 709) {
			e = vec.Exp(max(eta[i], leastExp))
		}
		s[i%lanes] += float64(y[i]*eta[i]) - e
		d[i] = y[i] - e
	}
}
