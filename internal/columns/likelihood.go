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

// NormalLine is NormalRows where the mean of a row is x[i]·c + mu. It adds c times the derivative by that mean to d[i], and returns the sums of these derivatives and of
// their products with x[i], the derivatives by mu and by c.
func NormalLine(s *Sums, d, y, x, tau []float64, c, mu float64) (slope, product float64) {
	return best().normalLine(s, d, y[:len(d)], x[:len(d)], tau[:len(d)], c, mu)
}

// NormalPlane is Normal where the mean of a row is a[i]·x[i] + b[i]·z[i], for rows that are the row-th and later ones of those that s is of. It adds the derivatives by x[i] and z[i] to
// d[i] and e[i].
func NormalPlane(s *Sums, row int, d, e, y, a, x, b, z []float64, tau float64) {
	n := len(d)
	s.turn(row)
	best().normalPlane(s, d, e[:n], y[:n], a[:n], x[:n], b[:n], z[:n], tau)
	s.turn(-row)
}

// turn takes lane k to lane 0.
func (s *Sums) turn(k int) {
	if k = (k%lanes + lanes) % lanes; k != 0 {
		was := *s
		copy(s[copy(s[:], was[k:]):], was[:k])
	}
}

// BernoulliLogit adds log p(y[i]) for y[i] 0 or 1 with probability ilogit(eta[i]) of 1, and sets d[i] to its derivative by eta[i].
func BernoulliLogit(t *Density, d, y, eta []float64) {
	y, eta = y[:len(d)], eta[:len(d)]
	for len(d) > 0 {
		n := t.Logs.room(len(d), 1)
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

// NegBinLog is the log density of counts y[i], each w[i] times: the failures before success r where the odds of failure are exp(u[i]), their mean
// r·exp(u[i]). A row of several counts has their sum in y[i]. With L = log(1+exp(u[i])) it adds y[i]·u[i] − (y[i]+w[i]·r)·L to s and w[i]·L to l, and
// sets d[i] = y[i] − (y[i]+w[i]·r)·ilogit(u[i]), the derivative by u[i]; that by r is −l. Left out is lgamma(y+r) − lgamma(r) − log y! of each count.
func NegBinLog(s, l *Sums, d, y, w, u []float64, r float64) {
	best().negBinLog(s, l, d, y[:len(d)], w[:len(d)], u[:len(d)], r)
}

// OrderedLogit adds log(F(b[i])−F(a[i])), F = ilogit, where a[i] < b[i] are the cutpoints below and above the category of row i less its predictor, and
// sets da[i] and db[i] to its derivatives. Below the lowest category a[i] is −Inf, above the highest b[i] is +Inf. Where a[i] ≥ b[i] the log density is
// −Inf. The error of a row is some 1e-16/(b[i]−a[i]).
func OrderedLogit(t *Density, da, db, a, b []float64) {
	db, a, b = db[:len(da)], a[:len(da)], b[:len(da)]
	for len(da) > 0 {
		n := t.Factors.room(t.Logs.room(len(da), 2), 1)
		best().orderedLogit(t, da[:n], db[:n], a[:n], b[:n])
		da, db, a, b = da[n:], db[n:], a[n:], b[n:]
	}
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

func normalLineGo(s *Sums, d, y, x, tau []float64, c, mu float64) (slope, product float64) {
	var byMean, byC Sums
	for i, v := range x {
		r, t := y[i]-(float64(v*c)+mu), tau[i]
		w := float64(t * r)
		s[i%lanes] += float64(t * float64(r*r))
		byMean[i%lanes] += w
		byC[i%lanes] += float64(w * v)
		d[i] += float64(w * c)
	}
	return byMean.Total(), byC.Total()
}

func normalPlaneGo(s *Sums, d, e, y, a, x, b, z []float64, tau float64) {
	for i, v := range y {
		r := v - (float64(a[i]*x[i]) + float64(b[i]*z[i]))
		s[i%lanes] += float64(r * r)
		w := float64(tau * r)
		d[i] += float64(w * a[i])
		e[i] += float64(w * b[i])
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

func negBinLogGo(s, l *Sums, d, y, w, u []float64, r float64) {
	for i := range d {
		softplus, p := softplusIlogit(u[i])
		size := y[i] + float64(w[i]*r)
		s[i%lanes] += float64(y[i]*u[i]) - float64(size*softplus)
		l[i%lanes] += float64(w[i] * softplus)
		d[i] = y[i] - float64(size*p)
	}
}

// orderedLogitGo has log F(b) + log(1−F(a)) + log(1−exp(a−b)).
func orderedLogitGo(t *Density, da, db, a, b []float64) {
	for i := range da {
		lo, hi, lane := a[i], b[i], i%lanes
		ea, eb := vec.Exp(max(-math.Abs(lo), leastExp)), vec.Exp(max(-math.Abs(hi), leastExp))
		fa, fb := 1+ea, 1+eb
		ratio := vec.Exp(min(max(lo-hi, leastExp), 1))
		f := 1 - ratio
		term := min(hi, 0) + min(-lo, 0)
		if !(f > 0) {
			term = float64(0*f) + math.Inf(-1)
		}
		t.Terms[lane] += term
		t.Logs.product[lane] = float64(t.Logs.product[lane] * float64(fa*fb))
		t.Factors.multiply(lane, positive(f))
		apart := ratio / f
		if hi < 0 {
			eb = 1
		}
		if -lo < 0 {
			ea = 1
		}
		db[i], da[i] = float64(eb/fb)+apart, -(float64(ea/fa) + apart)
	}
}
