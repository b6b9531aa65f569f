package dist

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// tableCases holds parameters for every row of the table, the ordinary and the extreme.
var tableCases = map[string][][]float64{
	"dbeta":         {{2, 3}, {0.5, 0.5}, {1, 1}, {1e-3, 2}, {300, 200}, {1, 5}},
	"dchisqr":       {{1}, {4.5}, {500}},
	"ddexp":         {{0, 1}, {-3, 20}},
	"dexp":          {{1}, {1e-3}},
	"df":            {{3, 9}, {1, 1}, {300, 450}},
	"dgamma":        {{2.5, 0.7}, {1, 3}, {0.3, 1}, {1e-3, 1}, {5000, 10}},
	"dgen.gamma":    {{2, 0.5, 1.5}, {0.4, 3, 0.7}},
	"dgev":          {{0, 1, 0.2}, {1, 2, -0.125}, {0, 1, 0}, {-1, 0.5, 1e-7}},
	"dgpar":         {{0, 1, 0.2}, {1, 2, -0.125}, {0, 1, 0}, {-1, 0.5, 1e-7}},
	"dinvgamma":     {{3.5, 0.7}, {1, 3}, {0.4, 1}, {5000, 10}},
	"dlnorm":        {{0.5, 4}, {-2, 100}},
	"dlogis":        {{1, 2}, {0, 0.01}},
	"dnchisqr":      {{3, 2}, {0.7, 30}, {5, 0}},
	"dnorm":         {{0, 1}, {-5, 0.01}, {1e3, 100}},
	"dnt":           {{1, 1, 7}, {-2, 4, 3.3}},
	"dpar":          {{3, 2}, {9, 0.01}},
	"dscaled.gamma": {{2, 3}, {0.1, 1}},
	"dt":            {{0, 1, 5}, {2, 0.25, 1}, {-1, 9, 300}},
	"dunif":         {{-1, 3}, {1e3, 1e3 + 1}},
	"dweib":         {{1.5, 2}, {0.4, 1}, {12, 0.1}},
	"dbern":         {{0.3}, {1e-300}},
	"dbetabin":      {{2, 3, 20}, {0.3, 0.4, 5}},
	"dbin":          {{0.3, 20}, {1e-3, 100}, {0.5, 1000}},
	"dcat":          {{1, 2, 0.5}, {0.1, 0, 0.9, 3}},
	"dgeom":         {{0.3}, {0.9}, {0.01}},
	"dhyper":        {{20, 15, 12, 1}, {8, 9, 7, 2.5}},
	"dnegbin":       {{0.3, 4.5}, {0.9, 0.5}, {0.05, 30}},
	"dpois":         {{3}, {0.01}, {400}},
}

func eachCase(t *testing.T, f func(t *testing.T, d *Scalar, p []float64)) {
	for _, d := range Scalars() {
		cases := tableCases[d.Name]
		if len(cases) == 0 {
			t.Errorf("%s has no test case", d.Name)
		}
		for _, p := range cases {
			t.Run(fmt.Sprintf("%s%v", d.Name, p), func(t *testing.T) { f(t, d, p) })
		}
	}
}

// points are quantiles of d: inside the support and away from its ends.
func points(d *Scalar, p []float64) []float64 {
	var x []float64
	if d.Quantile == nil {
		return []float64{1}
	}
	for _, q := range []float64{0.01, 0.23, 0.61, 0.9, 0.999} {
		v := d.Quantile(q, p)
		if lo, hi := d.Support(p); !d.Discrete && !(v > lo && v < hi && v > smallest) {
			continue // underflow, as that of the quantiles of dgamma(0.001, 1)
		}
		x = append(x, v)
	}
	return x
}

func TestTableNames(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Scalars() {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			if got, ok := Lookup(name); !ok || got != d {
				t.Errorf("Lookup(%q) does not find its row", name)
			}
			if seen[name] {
				t.Errorf("%q names two rows", name)
			}
			seen[name] = true
		}
		if d.CanTruncate && d.LogCDF == nil {
			t.Errorf("%s can be truncated but has no distribution function", d.Name)
		}
	}
	for _, name := range []string{ // LANGUAGE.md §4
		"dbern", "dbeta", "dbin", "dbinom", "dcat", "dchisqr", "dchisq", "ddexp", "dexp", "df", "dgamma", "dgen.gamma",
		"dggamma", "dhyper", "dlnorm", "dlogis", "dnchisqr", "dnchisq", "dnegbin", "dnbinom", "dnorm", "dnt", "dpar",
		"dpois", "dt", "dunif", "dweib", "dweibull", "dscaled.gamma", "dbetabin", "dbetabinom",
	} {
		if _, ok := Lookup(name); !ok {
			t.Errorf("no distribution %s", name)
		}
	}
	if _, ok := Lookup("dfoo"); ok {
		t.Error("dfoo exists")
	}
}

// TestTableDomain: what Check refuses gives NaN everywhere and a message with the parameter and its value; what it
// accepts gives a log density.
func TestTableDomain(t *testing.T) {
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		if m := d.Check(p); m != "" {
			t.Fatalf("Check refuses a good case: %s", m)
		}
		r := testRand(1)
		x := 1.0
		quantile := d.Quantile
		if quantile != nil {
			x = quantile(0.4, p)
		} else {
			quantile = func(float64, []float64) float64 { return math.NaN() }
		}
		if l := d.LogProb(math.NaN(), p); l == l && !d.Discrete {
			t.Errorf("LogProb(NaN) = %v", l)
		}
		for i := range p {
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0} {
				bad := append([]float64(nil), p...)
				bad[i] = v
				message := d.Check(bad)
				if message == "" {
					if l := d.LogProb(x, bad); l != l {
						t.Errorf("Check accepts %v, LogProb is NaN", bad)
					}
					continue
				}
				if i < len(d.Params) && len(d.Params) == len(p) && !strings.Contains(message, d.Params[i]) {
					t.Errorf("the message for %v does not name %s: %s", bad, d.Params[i], message)
				}
				results := map[string]float64{
					"LogProb": d.LogProb(x, bad), "Sample": d.Sample(r, bad), "Quantile": quantile(0.4, bad),
					"SampleT": d.SampleT(r, bad, x, x+1),
				}
				if d.CDF != nil {
					results["CDF"], results["LogCDF"], results["LogSF"] = d.CDF(x, bad), d.LogCDF(x, bad), d.LogSF(x, bad)
					results["LogMass"] = d.LogMass(bad, x, x+1)
				}
				for what, got := range results {
					if got == got {
						t.Errorf("%s with %v = %v, want NaN: %s", what, bad, got, message)
					}
				}
			}
		}
	})
}

func TestTableSupport(t *testing.T) {
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		lo, hi := d.Support(p)
		for _, x := range []float64{lo - 1, hi + 1} {
			if math.IsInf(x, 0) {
				continue
			}
			if l := d.LogProb(x, p); l != math.Inf(-1) {
				t.Errorf("LogProb(%v) = %v outside the support", x, l)
			}
		}
		for _, x := range []float64{math.Inf(1), math.Inf(-1)} {
			if l := d.LogProb(x, p); l != math.Inf(-1) {
				t.Errorf("LogProb(%v) = %v", x, l)
			}
		}
		if d.Discrete {
			if l := d.LogProb(lo+0.5, p); l != math.Inf(-1) {
				t.Errorf("LogProb(%v) = %v between two values", lo+0.5, l)
			}
		}
		if d.LogCDF == nil {
			return
		}
		for _, q := range []float64{-0.1, 1.1, math.NaN()} {
			if x := d.Quantile(q, p); x == x {
				t.Errorf("Quantile(%v) = %v, want NaN", q, x)
			}
		}
		if a := d.Quantile(0, p); a != lo && !d.Discrete {
			t.Errorf("Quantile(0) = %v, the support begins at %v", a, lo)
		}
		if b := d.Quantile(1, p); b != hi && !(d.Discrete && d.CDF(hi-1, p) == 1) {
			t.Errorf("Quantile(1) = %v, the support ends at %v", b, hi)
		}
		for _, e := range []struct {
			what      string
			got, want float64
		}{
			{"CDF(-Inf)", d.CDF(math.Inf(-1), p), 0}, {"CDF(+Inf)", d.CDF(math.Inf(1), p), 1},
			{"LogCDF(+Inf)", d.LogCDF(math.Inf(1), p), 0}, {"LogSF(-Inf)", d.LogSF(math.Inf(-1), p), 0},
			{"LogCDF(-Inf)", d.LogCDF(math.Inf(-1), p), math.Inf(-1)}, {"LogSF(+Inf)", d.LogSF(math.Inf(1), p), math.Inf(-1)},
		} {
			if e.got != e.want {
				t.Errorf("%s = %v", e.what, e.got)
			}
		}
	})
}

// derivative is a central difference with the error terms of orders 2 and 4 removed.
func derivative(f func(x float64) float64, x, h float64) float64 {
	d := func(h float64) float64 { return (f(x+h) - f(x-h)) / ((x + h) - (x - h)) }
	a, b, c := d(h), d(h/2), d(h/4)
	ab, bc := (4*b-a)/3, (4*c-b)/3
	return (16*bc - ab) / 15
}

// room is a step that stays inside the support.
func room(d *Scalar, x float64, p []float64) float64 {
	lo, hi := d.Support(p)
	h := min(x-lo, hi-x)
	if d.LogCDF != nil {
		if spread := d.Quantile(0.8, p) - d.Quantile(0.2, p); spread > 1e-6*math.Abs(x) {
			h = min(h, spread)
		}
	}
	return 0.01 * h
}

func TestTableGrad(t *testing.T) {
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		dp := make([]float64, len(p))
		for _, x := range points(d, p) {
			dx := d.Grad(x, p, dp)
			h := room(d, x, p)
			scale := 1.0
			if d.Discrete {
				if dx == dx {
					t.Errorf("∂/∂x of a discrete log probability is %v", dx)
				}
			} else {
				scale = max(1, math.Abs(dx*(d.Quantile(0.8, p)-d.Quantile(0.2, p))))
				want := derivative(func(x float64) float64 { return d.LogProb(x, p) }, x, h)
				if !(math.Abs(dx-want) <= 1e-6*math.Abs(want)+1e-11/h) {
					t.Errorf("∂/∂x at %v = %v, differences give %v", x, dx, want)
				}
			}
			for i := range p {
				step := 1e-3 * math.Abs(p[i])
				if p[i] == 0 && d.Discrete {
					continue // the end of a domain
				}
				if p[i] == 0 || d.Params[min(i, len(d.Params)-1)] == "mu" {
					step = h
				}
				if d.Name == "dunif" {
					step = 1e-3 * (p[1] - p[0])
				}
				shift := append([]float64(nil), p...)
				at := func(v float64) float64 { shift[i] = v; return d.LogProb(x, shift) }
				shift[i] = p[i] - step/4
				if d.Check(shift) != "" {
					continue // whole numbers, and the ends of a domain
				}
				want := derivative(at, p[i], step)
				if !(math.Abs(dp[i]-want) <= 1e-6*(math.Abs(want)+scale)+1e-11/step) {
					t.Errorf("∂/∂%s at %v = %v, differences give %v", d.Params[min(i, len(d.Params)-1)], x, dp[i], want)
				}
			}
		}
	})
}

// TestTableCDF: the distribution function's derivative is the density (its jumps the probabilities), its logarithms
// agree with it, and the quantile inverts it.
func TestTableCDF(t *testing.T) {
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		if d.LogCDF == nil {
			return
		}
		for _, x := range points(d, p) {
			f := d.CDF(x, p)
			if got := math.Exp(d.LogCDF(x, p)) + math.Exp(d.LogSF(x, p)); math.Abs(got-1) > 1e-13 {
				t.Errorf("at %v the tails sum to 1%+g", x, got-1)
			}
			if got := math.Exp(d.LogCDF(x, p)); math.Abs(got-f) > 1e-13*f {
				t.Errorf("at %v CDF = %v and exp LogCDF = %v", x, f, got)
			}
			density := math.Exp(d.LogProb(x, p))
			if d.Discrete {
				if jump := f - d.CDF(x-1, p); math.Abs(jump-density) > 1e-12 {
					t.Errorf("CDF jumps by %v at %v, the probability is %v", jump, x, density)
				}
				if back := d.Quantile(f*(1-1e-12), p); back != x {
					t.Errorf("Quantile(CDF(%v)) = %v", x, back)
				}
				continue
			}
			h := room(d, x, p)
			slope := derivative(func(x float64) float64 { return d.CDF(x, p) }, x, h)
			if !(math.Abs(slope-density) <= 1e-7*density+1e-13/h) {
				t.Errorf("CDF′(%v) = %v, the density is %v", x, slope, density)
			}
			if back := d.Quantile(f, p); !(math.Abs(back-x) <= 1e-12*math.Abs(x)+1e-13/density) {
				t.Errorf("Quantile(CDF(%v)) = %v", x, back)
			}
		}
	})
}

// TestTableMoments compares Mean and Variance with sums and with quadrature between quantiles.
func TestTableMoments(t *testing.T) {
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		mean, variance := d.Mean(p), d.Variance(p)
		if math.IsNaN(mean+variance) || math.IsInf(mean+variance, 0) {
			return
		}
		var total, m1, m2 float64
		add := func(x, w float64) {
			total += w
			m1 += w * (x - mean)
			m2 += w * (x - mean) * (x - mean)
		}
		if d.Discrete {
			lo, hi := d.Support(p)
			for x := lo; x <= min(hi, 20_000); x++ {
				add(x, math.Exp(d.LogProb(x, p)))
			}
		} else {
			from := d.Quantile(1e-250, p)
			if lo, _ := d.Support(p); lo == 0 && from < 1e-290 {
				from = 1e-290
				add(0, d.CDF(from, p)) // what underflows
			}
			for _, q := range momentGrid() {
				to := d.Quantile(q, p)
				if !(to > from) {
					continue
				}
				integrate(d, p, from, to, add)
				from = to
			}
			for l := -3.5; l > -34; l -= 0.25 { // upper tail, by bisection on LogSF
				to := upperQuantile(d, p, l)
				if _, hi := d.Support(p); to > hi-1e-12*math.Abs(hi) {
					add(hi, math.Exp(d.LogSF(from, p)))
					break
				}
				integrate(d, p, from, to, add)
				from = to
			}
		}
		if math.Abs(total-1) > 1e-6 {
			t.Errorf("the density integrates to %v", total)
		}
		sd := math.Sqrt(variance)
		if math.Abs(m1) > 1e-5*sd {
			t.Errorf("Mean = %v, off by %v", mean, -m1)
		}
		if math.Abs(m2-variance) > tailTolerance(d, p)*variance {
			t.Errorf("Variance = %v, the integral gives %v", variance, m2)
		}
	})
}

// tailTolerance: what lies beyond a tail of e⁻³⁴ is missing from the integral; with α the power of the tail, that is
// some e^(−34(1−2/α)) of the second moment.
func tailTolerance(d *Scalar, p []float64) float64 {
	alpha := map[string]float64{"dpar": p[0], "df": 0, "dt": 0, "dnt": 0}[d.Name]
	switch d.Name {
	case "df":
		alpha = p[1] / 2
	case "dt", "dnt":
		alpha = p[2]
	}
	if alpha == 0 {
		return 1e-5
	}
	return 1e-5 + 20*math.Exp(-34*(1-2/alpha))
}

func momentGrid() []float64 {
	var q []float64
	for l := -250.0; l < -10; l += 10 {
		q = append(q, math.Pow(10, l))
	}
	for l := -10.0; l < -1; l += 0.25 {
		q = append(q, math.Pow(10, l))
	}
	for v := 0.1; v < 0.97; v += 0.02 {
		q = append(q, v)
	}
	return q
}

func upperQuantile(d *Scalar, p []float64, logSF float64) float64 {
	lo, hi := d.Quantile(0.9, p), d.Quantile(0.99, p)
	for d.LogSF(hi, p) > logSF {
		lo, hi = hi, hi+2*(hi-lo)
	}
	for range 50 {
		mid := lo + 0.5*(hi-lo)
		if d.LogSF(mid, p) > logSF {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// integrate gives add the nodes of Gauss's rule on [a, b], in log x where the ends are far apart.
func integrate(d *Scalar, p []float64, a, b float64, add func(x, w float64)) {
	if !(a < b) || math.IsInf(a, 0) {
		return
	}
	if a > 0 && b > 4*a || b < 0 && a < 4*b {
		sign := math.Copysign(1, a)
		la, lb := math.Log(sign*a), math.Log(sign*b)
		n := math.Ceil(math.Abs(lb-la) / 0.5)
		for i := range int(n) {
			l0 := la + (lb-la)*float64(i)/n
			half := (lb - la) / n / 2
			for j, z := range gaussNode {
				x := sign * math.Exp(l0+half+z*half)
				add(x, half*gaussWeight[j]*x*math.Exp(d.LogProb(x, p)))
			}
		}
		return
	}
	half := (b - a) / 2
	for j, z := range gaussNode {
		x := a + half + z*half
		add(x, half*gaussWeight[j]*math.Exp(d.LogProb(x, p)))
	}
}

// TestTableSample is a goodness-of-fit test of every sampler.
func TestTableSample(t *testing.T) {
	const n = 20_000
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		r := testRand(2)
		if d.Discrete {
			fitsDiscrete(t, d, p, math.Inf(-1), math.Inf(1), n, func() float64 { return d.Sample(r, p) })
			return
		}
		x := make([]float64, n)
		lo, hi := d.Support(p)
		for i := range x {
			x[i] = d.Sample(r, p)
			if !(x[i] >= lo && x[i] <= hi && !math.IsInf(x[i], 0)) {
				t.Fatalf("a draw is %v, outside the support", x[i])
			}
		}
		ksFits(t, d.Name, x, func(x float64) float64 { return d.CDF(x, p) })
	})
}

func fitsDiscrete(t *testing.T, d *Scalar, p []float64, lo, hi float64, n int, draw func() float64) {
	a, b := d.Support(p)
	a, b = math.Ceil(max(a, lo)), math.Floor(min(b, hi))
	b = min(b, a+2000)
	counts := make([]int, int(b-a)+1)
	probs := make([]float64, len(counts))
	for i := range probs {
		probs[i] = math.Exp(d.LogProbT(a+float64(i), p, lo, hi))
	}
	for range n {
		x := draw()
		if !(x >= lo && x <= hi && x == math.Floor(x)) {
			t.Fatalf("a draw is %v, outside [%v, %v] or not whole", x, lo, hi)
		}
		if x <= b {
			counts[int(x-a)]++
		}
	}
	if maxProb(probs) > 1-20/float64(n) { // one cell: no more than a few draws may miss it
		for i, c := range counts {
			// Poisson with mean ≤ 20: above 60 has probability 1e-12.
			if probs[i] > 0.5 && c < n-60 {
				t.Errorf("only %d of %d draws are %v", c, n, a+float64(i))
			}
		}
		return
	}
	chiSquareFits(t, d.Name, counts, probs, n)
}

func maxProb(p []float64) float64 {
	m := 0.0
	for _, v := range p {
		m = max(m, v)
	}
	return m
}

// intervals are truncations in the body, one-sided, in both far tails, and narrow.
func intervals(d *Scalar, p []float64) [][2]float64 {
	inf := math.Inf(1)
	q := func(u float64) float64 { return d.Quantile(u, p) }
	up := func(l float64) float64 { return upperQuantile(d, p, l) }
	cases := [][2]float64{
		{q(0.2), q(0.7)}, {-inf, q(0.3)}, {q(0.6), inf}, {q(0.05), q(0.97)}, {q(0.5), q(0.5001)},
		{-inf, q(1e-20)}, {q(1e-50), q(1e-49)}, {-inf, q(1e-200)},
	}
	if d.Name != "dunif" && d.Name != "dbeta" && !d.Discrete {
		cases = append(cases, [][2]float64{{up(-50), inf}, {up(-200), inf}, {up(-100), up(-101)}}...)
	}
	return cases
}

// TestTableTruncated: densities integrate to 1 over the interval, draws stay inside and fit.
func TestTableTruncated(t *testing.T) {
	eachCase(t, func(t *testing.T, d *Scalar, p []float64) {
		if d.LogCDF == nil {
			return
		}
		r := testRand(3)
		for _, c := range intervals(d, p) {
			lo, hi := c[0], c[1]
			supLo, supHi := d.Support(p)
			a, b := max(lo, supLo), min(hi, supHi)
			if !d.Discrete && !(a < b && b > 100*smallest) {
				continue // underflow
			}
			if d.Discrete {
				n := 5000
				fitsDiscrete(t, d, p, lo, hi, n, func() float64 { return d.SampleT(r, p, lo, hi) })
				continue
			}
			n := 4000
			if d.sampleT == nil {
				n = 150 // by bisection: slow
			}
			x := make([]float64, n)
			for i := range x {
				x[i] = d.SampleT(r, p, lo, hi)
				if !(x[i] >= a && x[i] <= b && !math.IsInf(x[i], 0)) {
					t.Fatalf("given [%v, %v] a draw is %v", lo, hi, x[i])
				}
			}
			total := d.LogMass(p, lo, hi)
			share := func(x float64) float64 { return math.Exp(d.LogMass(p, lo, x) - total) }
			ksFits(t, fmt.Sprintf("%s%v in [%v, %v]", d.Name, p, lo, hi), x, share)
			if d.sampleT != nil { // also where SampleT would have tried plain draws first
				for i := range x {
					x[i] = min(max(d.sampleT(r, p, a, b), a), b)
				}
				ksFits(t, fmt.Sprintf("sampleT of %s%v in [%v, %v]", d.Name, p, lo, hi), x, share)
			}
			if finite(a) && finite(b) && a != supLo && b != supHi && !hardToIntegrate(d, p, a, b) {
				if mass := quadratureT(d, p, a, b, lo, hi); math.Abs(mass-1) > 1e-8 {
					t.Errorf("given [%v, %v] the density integrates to %v", lo, hi, mass)
				}
			}
			// ksFits has sorted the draws: the masses on both sides of any add up.
			for _, m := range []float64{x[n/10], x[n/2], x[n-2]} {
				if sum := vec.LogAddExp(d.LogMass(p, lo, m), d.LogMass(p, m, hi)); !(math.Abs(sum-total) < 1e-9) {
					t.Errorf("LogMass of [%v, %v] and [%v, %v] sum to %v, not %v", lo, m, m, hi, sum, total)
				}
			}
			for _, out := range []float64{math.Nextafter(lo, math.Inf(-1)), math.Nextafter(hi, math.Inf(1))} {
				if l := d.LogProbT(out, p, lo, hi); l != math.Inf(-1) && !math.IsInf(out, 0) {
					t.Errorf("given [%v, %v] LogProbT(%v) = %v", lo, hi, out, l)
				}
			}
		}
		for _, bad := range [][2]float64{{2, 1}, {math.NaN(), 1}, {0, math.NaN()}} {
			if l := d.LogProbT(1, p, bad[0], bad[1]); l == l {
				t.Errorf("LogProbT given %v = %v, want NaN", bad, l)
			}
			if x := d.SampleT(r, p, bad[0], bad[1]); x == x {
				t.Errorf("SampleT given %v = %v, want NaN", bad, x)
			}
		}
	})
}

// hardToIntegrate: Gauss's rule wants smoothness, and there is a kink, or a pole is near.
func hardToIntegrate(d *Scalar, p []float64, a, b float64) bool {
	return d.Name == "ddexp" && a < p[0] && p[0] < b || d.Name == "dbeta" && p[1] < 1 && b > 0.9
}

// quadratureT integrates the truncated density over a finite interval.
func quadratureT(d *Scalar, p []float64, a, b, lo, hi float64) float64 {
	const panels = 200
	at := func(i int) float64 { return a + (b-a)*float64(i)/panels }
	if a > 0 && b > 4*a {
		at = func(i int) float64 { return a * math.Pow(b/a, float64(i)/panels) }
	}
	total := d.LogMass(p, lo, hi)
	sum := 0.0
	for i := range panels {
		integrate(d, p, at(i), at(i+1), func(_, w float64) { sum += w * math.Exp(-total) })
	}
	return sum
}

func FuzzLogProb(f *testing.F) {
	f.Add(uint8(0), 0.5, 1.0, 2.0, 3.0)
	f.Add(uint8(5), 1e300, 1e-300, 5e-324, math.Inf(1))
	f.Add(uint8(9), math.Copysign(0, -1), math.NaN(), 1.0, 1.0)
	rows := Scalars()
	f.Fuzz(func(t *testing.T, row uint8, x, a, b, c float64) {
		d := rows[int(row)%len(rows)]
		p := []float64{a, b, c, 1}[:len(d.Params)]
		dp := make([]float64, len(p))
		l := d.LogProb(x, p)
		if (d.Check(p) == "") == (l != l) && x == x && d.Name != "dcat" {
			t.Errorf("%s%v: Check says %q, LogProb(%v) = %v", d.Name, p, d.Check(p), x, l)
		}
		if d.Check(p) != "" {
			return
		}
		d.Grad(x, p, dp)
		lo, hi := d.Support(p)
		if lo > hi {
			t.Errorf("%s%v: support [%v, %v]", d.Name, p, lo, hi)
		}
		if large(p) || d.LogCDF == nil {
			return // sums would take long
		}
		if u, v := d.LogCDF(x, p), d.LogSF(x, p); x == x && !(u <= 0 && v <= 0) {
			t.Errorf("%s%v: the log tails at %v are %v and %v", d.Name, p, x, u, v)
		}
	})
}

// large reports parameters with which sums over a Poisson or binomial mixture are long, and those whose halves or
// ratios underflow.
func large(p []float64) bool {
	for _, v := range p {
		if math.Abs(v) > 1e5 || v != 0 && math.Abs(v) < 1e-100 {
			return true
		}
	}
	return false
}

// TestExtremeDraws: no infinite, zero or NaN draw where the parameters are extreme.
func TestExtremeDraws(t *testing.T) {
	r := testRand(4)
	for _, c := range []struct {
		name string
		p    []float64
	}{
		{"dgamma", []float64{1e-3, 1e300}}, {"dgamma", []float64{1e-300, 1}}, {"dgamma", []float64{1e300, 1e-5}},
		{"dbeta", []float64{1e-3, 1e-3}}, {"dbeta", []float64{1e-300, 1}}, {"dbeta", []float64{1, 1e-300}}, {"dbeta", []float64{1e15, 1e-3}},
		{"dchisqr", []float64{1e-3}}, {"df", []float64{1e-3, 1e-3}}, {"dscaled.gamma", []float64{1e-3, 1e-3}},
		{"dweib", []float64{1e-3, 1}}, {"dpar", []float64{1e-3, 1}}, {"dlnorm", []float64{700, 1e-4}}, {"dlnorm", []float64{-700, 1e-4}},
		{"dgen.gamma", []float64{1e-3, 1, 1e-3}},
	} {
		d, _ := Lookup(c.name)
		for range 2000 {
			x := d.Sample(r, c.p)
			if !(x > 0 && x <= math.MaxFloat64) || c.name == "dbeta" && x >= 1 {
				t.Errorf("%s%v draws %v", c.name, c.p, x)
				break
			}
		}
	}
}

// TestForty: 40 standard deviations out, where the truncated normal is nearly exponential with rate 40+1/40; and the same
// far tail for the distributions whose tails differ.
func TestForty(t *testing.T) {
	r := testRand(5)
	d, _ := Lookup("dnorm")
	const n = 20_000
	x := make([]float64, n)
	for i := range x {
		x[i] = d.SampleT(r, []float64{0, 1}, 40, math.Inf(1))
	}
	ksFits(t, "dnorm beyond 40", x, func(x float64) float64 {
		return -math.Expm1(vec.LogNormCDF(-x) - vec.LogNormCDF(-40))
	})
	if got, want := d.LogMass([]float64{0, 1}, 40, math.Inf(1)), -804.608442013754; math.Abs(got-want) > 1e-10 {
		t.Errorf("log P(Z > 40) = %v, want %v (mpmath)", got, want)
	}
	if got := d.LogProbT(40, []float64{0, 1}, 40, math.Inf(1)); math.Abs(got-3.689503480549115) > 1e-10 { // mpmath
		t.Errorf("LogProbT(40) = %v", got)
	}
}

func FuzzSampleT(f *testing.F) {
	f.Add(uint8(0), 0.5, 1.0, 2.0, 3.0, 4.0)
	f.Add(uint8(9), 0.0, 1.0, 2.0, 40.0, math.Inf(1))
	rows := Scalars()
	f.Fuzz(func(t *testing.T, row uint8, a, b, c, lo, hi float64) {
		d := rows[int(row)%len(rows)]
		p := []float64{a, b, c, 1}[:len(d.Params)]
		if d.Check(p) != "" || large(p) || d.LogCDF == nil {
			return
		}
		x := d.SampleT(testRand(9), p, lo, hi)
		if x == x && !(x >= lo && x <= hi) {
			t.Errorf("%s%v: a draw given [%v, %v] is %v", d.Name, p, lo, hi, x)
		}
		if supLo, supHi := d.Support(p); x != x && !d.Discrete && lo < hi && hi > supLo && lo < supHi && d.LogMass(p, lo, hi) > -1e300 {
			t.Errorf("%s%v: no draw given [%v, %v], of log mass %v", d.Name, p, lo, hi, d.LogMass(p, lo, hi))
		}
	})
}
