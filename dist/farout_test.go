package dist

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

func close12(got, want float64) bool { return math.Abs(got-want) <= 1e-11*(1+math.Abs(want)) }

// The integral for long tails of dbetabin: beside sums term by term, and beside the closed form for b = 1 and
// whole a, P(X ≤ x) = (x+1)⋯(x+a)/((n+1)⋯(n+a)), also for n = 10⁹.
func TestBetabinFar(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for range 300 {
		n := math.Floor(math.Exp(9 + 4*r.Float64()))
		a, b := math.Exp(12*r.Float64()-4), math.Exp(12*r.Float64()-4)
		x := math.Floor(betabinTerms + 1 + r.Float64()*(n-betabinTerms-2))
		top := BetabinLogProb(x, a, b, n)
		sum, term := 1.0, 1.0
		for k := x; k > 0; k-- {
			term *= k / (n - k + 1) * ((n - k + b) / (k - 1 + a))
			if sum += term; sum > 1e280 {
				top, term, sum = top+math.Log(sum), term/sum, 1
			}
		}
		if got, want := betabinIntegral(x, a, b, n), top+math.Log(sum); math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
			t.Errorf("P(X ≤ %v) of a = %v, b = %v, n = %v: log %v, want %v", x, a, b, n, got, want)
		}
	}
	for _, n := range []float64{1e6, 1e9, 1e12} {
		for _, a := range []float64{1, 2, 5} {
			for _, share := range []float64{1e-4, 0.3, 0.5, 0.9, 1 - 1e-4} {
				x := math.Floor(share * n)
				want := 0.0
				for j := 1.0; j <= a; j++ {
					want += math.Log((x + j) / (n + j))
				}
				if got := betabinLogCDF(x, []float64{a, 1, n}); !close12(got, want) {
					t.Errorf("P(X ≤ %v) of a = %v, n = %v: log %v, want %v", x, a, n, got, want)
				}
			}
		}
	}
	d := betabin()
	for _, q := range []float64{1e-6, 0.25, 0.5, 0.99} {
		if x := d.Quantile(q, []float64{1, 1, 1e9}); math.Abs(x-(math.Ceil(q*(1e9+1))-1)) > 1 {
			t.Errorf("the quantile of a uniform at %v is %v", q, x)
		}
	}
}

// A narrow peak beside a long tail takes few points when they are spread; the even rule with a million is the oracle.
func TestNtFar(t *testing.T) {
	for _, c := range []struct{ t, delta, k float64 }{
		{-3e3, 1e3, 3}, {-1e5, -1e4, 0.5}, {-1e4, -3e3, 20}, {-5, 2e3, 4}, {2e3, 1e4, 0.2}, {-1e7, -4e3, 2}, {-1e4, 0, 5},
	} {
		var even, spread ntRule
		catch := func(_, resid float64) float64 { return vec.LogNormCDF(resid) }
		slope := func(s float64) float64 { return c.k/s - c.k*s + c.t*vec.NormHazard(c.delta-c.t*s) }
		lo, hi := 1e-12, 1e12
		for range 80 {
			if mid := math.Sqrt(lo * hi); slope(mid) > 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		s := math.Sqrt(lo * hi)
		z := c.t*s - c.delta
		h := vec.NormHazard(-z)
		curvature := max(2*c.k*s*s+math.Abs(c.t*s*h)+c.t*s*c.t*s*h*(h+z), c.t*s*c.t*s)
		even = ntRule{t: c.t, delta: c.delta, k: c.k, top: math.Log(s), step: min(0.4/math.Sqrt(curvature), 0.1), f: catch}
		spread = ntRule{t: c.t, delta: c.delta, k: c.k, top: math.Log(s), step: ntSpread, width: min(1/math.Sqrt(curvature), 0.25), f: catch}
		want, ok := even.integrate(3e6)
		got, fast := spread.integrate(2000)
		if !ok || !fast || !close12(got.logValue, want.logValue) {
			t.Errorf("%+v: log %v (%v), want %v (%v)", c, got.logValue, fast, want.logValue, ok)
		}
		if tail := ntTail(c.t, c.delta, c.k); !close12(tail, want.logValue) {
			t.Errorf("%+v: log %v, want %v", c, tail, want.logValue)
		}
	}
	d := noncentralT()
	// By a rule of step 10⁻⁶: the peak is wider than the rise of Φ.
	if got := ntTail(-1e5, -1e4, 0.5); !close12(got, -1.4000940794612768) {
		t.Errorf("a rise of width 10⁻⁴: log %v", got)
	}
	p := []float64{-6.6e6, 9e4, 0.0119} // took 1.2 s
	if x := d.SampleT(rand.New(rand.NewPCG(1, 1)), p, -4.2e13, math.Inf(1)); !(x >= -4.2e13) {
		t.Errorf("a draw of %v", x)
	}
}

// Long sums for dnchisqr by recurrence, beside sums whose terms each have a tail of their own, and beside references.
func TestNchisqrFar(t *testing.T) {
	r := testRand(6)
	for range 400 {
		k, delta := math.Exp(12*r.Float64()-3), math.Exp(5+6*r.Float64())
		x := (k + delta) + float64(8*(r.Float64()-0.5)*math.Sqrt(2*(k+2*delta)))
		if r.IntN(4) == 0 {
			x = (k + delta) * math.Exp(2*r.Float64()-1)
		}
		if x <= 0 {
			continue
		}
		tail := vec.LogGammaP
		if x >= k+delta {
			tail = vec.LogGammaQ
		}
		term := func(j float64) float64 { return PoisLogProb(j, 0.5*delta) + tail(0.5*k+j, 0.5*x) }
		a := 0.5 * k
		top := math.Floor(max(0, 0.5*((1-a)+math.Sqrt((a-1)*(a-1)+delta*x))))
		want := term(top)
		for _, way := range [2]float64{-1, 1} {
			for j, last := top+way, math.Inf(-1); j >= 0; j += way {
				l := term(j)
				if want = vec.LogAddExp(want, l); l < last && l < want-45 {
					break
				}
				last = l
			}
		}
		got := nchisqrLongTail(x, k, delta, top, term)
		if !close12(got, want) {
			t.Errorf("k = %v, delta = %v, x = %v: log %v, want %v", k, delta, x, got, want)
		}
	}
	// By mpmath at 40 to 60 digits, P from its series and Q from Legendre's continued fraction.
	for _, c := range []struct{ k, delta, x, log float64 }{
		{3, 1000, 900, -3.0172141098416195999},
		{3, 1000, 700, -16.120567086077987278},
		{3, 1000, 1200, -6.5684998800092875028},
		{5000, 1000, 5500, -11.852870981551273329},
		{5000, 1000, 6400, -7.6922829752073849999},
		{0.5, 1e5, 98000, -7.204989823660047911},
		{0.5, 1e5, 103000, -13.597368927172308243},
		{20, 1e6, 990000, -15.179787546921638057},
		{20, 1e6, 1.01e6, -14.9515721570050316},
		{1e5, 1e6, 1.08e6, -51.277841708819116744},
		{1e5, 1e6, 1.12e6, -50.385358546111892201},
	} {
		lower, upper := nchisqrTails(c.x, c.k, c.delta)
		if got := min(lower, upper); !close12(got, c.log) {
			t.Errorf("%+v: log %v", c, got)
		}
	}
}
