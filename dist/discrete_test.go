package dist

import (
	"fmt"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

func discreteRow(t *testing.T, name string) *Scalar {
	t.Helper()
	for _, d := range discrete() {
		if d.Name == name {
			return d
		}
	}
	t.Fatalf("%s is not in the table", name)
	return nil
}

// near compares with a bound on the relative error, and on the absolute one where the value is an accident of large
// terms that cancel.
func near(got, want, relative, absolute float64) bool {
	return got == want || math.Abs(got-want) <= absolute+relative*math.Abs(want) || math.IsNaN(got) && math.IsNaN(want)
}

// From mpmath with 60 digits, by the definitions with log-gamma functions; parameters are the doubles themselves.
var discreteLogProb = []struct {
	name string
	x    float64
	p    []float64
	want float64
}{
	{"dbin", 3, []float64{0.3, 10}, -1.32115127776688864},
	{"dbin", 0, []float64{1e-300, 7}, -7.00000000000000018e-300},
	{"dbin", 1, []float64{1e-300, 7}, -688.829617749158392},
	{"dbin", 0, []float64{0.5, 0}, 0},
	{"dbin", 500, []float64{0.4, 1000}, -24.0909162522216849},
	{"dbin", 1024, []float64{0.5, 2048}, -4.038222916032076},
	{"dbin", 300000000, []float64{0.3, 1000000000}, -10.5002475778590362},
	{"dbin", 250100000, []float64{0.25, 1000000000}, -37.108013373408523},
	{"dbin", 1, []float64{1e-09, 1000000000}, -0.9999999995},
	{"dbin", 999999999, []float64{0.999999999, 1000000000}, -0.9999999995000004},
	{"dbin", 1000000000, []float64{0.3, 1000000000}, -1.20397280432593603e9},
	{"dbin", 700, []float64{0.1, 1500}, -663.593355681098589},
	{"dpois", 0, []float64{0.1}, -0.100000000000000006},
	{"dpois", 3, []float64{2.5}, -1.54288727360558981},
	{"dpois", 0, []float64{1e-300}, -1.00000000000000003e-300},
	{"dpois", 1, []float64{1e-300}, -690.775527898213705},
	{"dpois", 1023, []float64{1000}, -4.6467625457244567},
	{"dpois", 1024, []float64{1000}, -4.67047907234177274},
	{"dpois", 100000000, []float64{100000000}, -10.1292789060141888},
	{"dpois", 100050000, []float64{100000000}, -22.6274460308783999},
	{"dpois", 99000000, []float64{100000000}, -5026.87475709541868},
	{"dpois", 5000, []float64{0.001}, -72129.9209037874517},
	{"dpois", 2, []float64{700}, -687.590986510473136},
	{"dnegbin", 0, []float64{0.3, 2.5}, -3.00993201081484007},
	{"dnegbin", 4, []float64{0.3, 2.5}, -2.23680642753349278},
	{"dnegbin", 7, []float64{0.001, 0.001}, -8.86512743094946784},
	{"dnegbin", 1000000, []float64{1e-06, 1.5}, -14.6947284453294872},
	{"dnegbin", 1000000, []float64{0.5, 1000000}, -8.17326752746678245},
	{"dnegbin", 2000000, []float64{0.5, 1000000}, -169907.759369041496},
	{"dnegbin", 5, []float64{1e-300, 3}, -2069.28206125691769},
	{"dnegbin", 1000, []float64{0.9, 10000}, -9.61373408419374326},
	{"dnegbin", 3, []float64{0.999999, 1000000}, -2.79175696917337703},
	{"dnegbin", 990, []float64{0.5, 12}, -636.094618376660074},
	{"dnegbin", 5000, []float64{0.01, 40}, -8.76412168768933804},
	{"dbetabin", 3, []float64{2, 3, 10}, -1.93894147973921996},
	{"dbetabin", 0, []float64{0.001, 0.001, 5}, -0.695228381220451157},
	{"dbetabin", 2, []float64{0.001, 0.001, 5}, -7.78488896320878701},
	{"dbetabin", 500000000, []float64{1, 1, 1000000000}, -20.7232658379464112},
	{"dbetabin", 3, []float64{100000000, 200000000, 10}, -1.34660089497943356},
	{"dbetabin", 1000, []float64{30, 70, 4000}, -6.65775673036110902},
	{"dbetabin", 0, []float64{0.5, 0.5, 0}, 0},
	{"dbetabin", 5, []float64{1e20, 1e20, 10}, -1.40204271808802979},
	{"dbetabin", 700, []float64{0.001, 5, 1500}, -15.9661368619179366},
	{"dhyper", 2, []float64{5, 6, 4, 1}, -0.788457360364270169},
	{"dhyper", 2, []float64{5, 6, 4, 3.5}, -1.10093385478541676},
	{"dhyper", 4, []float64{5, 6, 4, 1e-10}, -93.2020160090966036},
	{"dhyper", 0, []float64{0, 6, 4, 2}, 0},
	{"dhyper", 3, []float64{3, 0, 3, 2}, 0},
	{"dhyper", 120, []float64{500, 700, 300, 0.9}, -2.92144680969208632},
	{"dhyper", 10, []float64{500, 700, 300, 0.9}, -141.030629686276117},
	{"dhyper", 4000, []float64{10000, 20000, 9000, 1.7}, -23.8784988751306653},
}

func TestDiscreteLogProb(t *testing.T) {
	for _, c := range discreteLogProb {
		d := discreteRow(t, c.name)
		// Below 1024 log factorials of up to 6000 are subtracted: 1e-12 of absolute error.
		if got := d.LogProb(c.x, c.p); !near(got, c.want, 3e-15, 3e-12) {
			t.Errorf("%s(%v): log P(%v) = %.17g, want %.17g", c.name, c.p, c.x, got, c.want)
		}
	}
}

// From mpmath with 60 digits, by summation; the last two by the incomplete gamma function.
var discreteTails = []struct {
	name          string
	x             float64
	p             []float64
	logCDF, logSF float64
}{
	{"dbin", 3, []float64{0.3, 10}, -0.431381990270792314, -1.04871050942885091},
	{"dbin", 0, []float64{1e-10, 30}, -3.00000000015000011e-9, -19.6246535497283014},
	{"dbin", 29, []float64{0.99, 30}, -1.34592190143627748, -0.301510075605043505},
	{"dbin", 80, []float64{0.02, 100}, -2.19017733271925133e-118, -270.921058458902779},
	{"dbin", 2, []float64{0.9, 100}, -217.354672647276092, -4.01850999999991275e-95},
	{"dpois", 0, []float64{5}, -5, -0.00676074944948855783},
	{"dpois", 40, []float64{5}, -1.03928431818337291e-23, -52.9209248181904234},
	{"dpois", 300, []float64{5}, 0, -941.155454623743435},
	{"dpois", 900, []float64{1000}, -7.26762485203848723, -6.98010880720282353e-4},
	{"dpois", 400, []float64{1000}, -236.888865159001445, -1.31969337689710586e-103},
	{"dpois", 1200, []float64{1000}, -3.88493957174256145e-10, -21.6687435006850806},
	{"dnegbin", 3, []float64{0.3, 2.5}, -1.04356293726843081, -0.434169545649146143},
	{"dnegbin", 300, []float64{0.3, 2.5}, -1.55642492045098666e-44, -100.871352618140023},
	{"dnegbin", 0, []float64{0.05, 0.01}, -0.02995732273553991, -3.52292275388783326},
	{"dnegbin", 10, []float64{0.05, 0.01}, -0.00519211327889817933, -5.26320941523677574},
	{"dnegbin", 200, []float64{0.05, 30}, -13.2182126082497901, -1.81720364060585127e-6},
	{"dnegbin", 3000, []float64{0.05, 30}, -2.90341765981815699e-35, -79.5245897083035998},
	{"dbetabin", 3, []float64{2, 3, 10}, -0.788457360364270169, -0.606135803570315543},
	{"dbetabin", 0, []float64{0.001, 0.001, 5}, -0.695228381220451157, -0.691070302301399865},
	{"dbetabin", 4, []float64{0.5, 0.1, 5}, -1.25336737874822996, -0.336230574770278677},
	{"dbetabin", 50, []float64{100, 20, 100}, -16.6812698594275208, -5.69398818005939033e-8},
	{"dhyper", 2, []float64{5, 6, 4, 3.5}, -0.919746728062073933, -0.508528244027003208},
	{"dhyper", 60, []float64{500, 700, 300, 0.9}, -37.1449748706812691, -7.3814619132228026e-17},
	{"dhyper", 200, []float64{500, 700, 300, 0.9}, -2.63477871013252862e-28, -63.5035834063409254},
	{"dpois", 99900000, []float64{100000000}, -53.2474501886470378, -7.49766803262174404e-24},
	{"dpois", 100100000, []float64{100000000}, -7.74390398469692089e-24, -53.2151362806300203},
}

func TestDiscreteTails(t *testing.T) {
	for _, c := range discreteTails {
		d := discreteRow(t, c.name)
		if got := d.LogCDF(c.x, c.p); !near(got, c.logCDF, 4e-12, 0) {
			t.Errorf("%s(%v): log P(X ≤ %v) = %.17g, want %.17g", c.name, c.p, c.x, got, c.logCDF)
		}
		if got := d.LogSF(c.x, c.p); !near(got, c.logSF, 4e-12, 0) {
			t.Errorf("%s(%v): log P(X > %v) = %.17g, want %.17g", c.name, c.p, c.x, got, c.logSF)
		}
	}
}

// discreteCases are laws small enough to be summed whole.
var discreteCases = []struct {
	name string
	p    []float64
	hi   float64 // the mass above is below 1e-15
}{
	{"dbern", []float64{0.3}, 1},
	{"dbern", []float64{0}, 1},
	{"dbern", []float64{1}, 1},
	{"dbin", []float64{0.3, 20}, 20},
	{"dbin", []float64{1e-300, 20}, 20},
	{"dbin", []float64{0, 4}, 4},
	{"dbin", []float64{1, 4}, 4},
	{"dbin", []float64{0.7, 0}, 0},
	{"dbin", []float64{0.97, 3000}, 3000},
	{"dcat", []float64{2, 0, 1e-3, 5}, 4},
	{"dcat", []float64{7}, 1},
	{"dpois", []float64{0}, 2},
	{"dpois", []float64{4.5}, 60},
	{"dpois", []float64{900}, 1300},
	{"dnegbin", []float64{0.3, 2.5}, 200},
	{"dnegbin", []float64{0.02, 0.01}, 2500},
	{"dnegbin", []float64{1, 2}, 3},
	{"dnegbin", []float64{0.2, 0}, 3},
	{"dnegbin", []float64{0.5, 800}, 1400},
	{"dbetabin", []float64{2, 3, 30}, 30},
	{"dbetabin", []float64{1e-3, 1e-3, 30}, 30},
	{"dbetabin", []float64{900, 500, 700}, 700},
	{"dhyper", []float64{7, 9, 6, 1}, 6},
	{"dhyper", []float64{7, 3, 6, 5}, 6},
	{"dhyper", []float64{700, 300, 600, 0.01}, 600},
}

// Sum, mean and variance by summation of exp(LogProb); tails against partial sums; quantiles against the definition.
func TestDiscreteSums(t *testing.T) {
	for _, c := range discreteCases {
		d := discreteRow(t, c.name)
		name := fmt.Sprintf("%s%v", c.name, c.p)
		if s := d.Check(c.p); s != "" {
			t.Errorf("%s: Check: %s", name, s)
		}
		lo, hi := d.Support(c.p)
		if hi < c.hi && d.Name != "dhyper" {
			t.Errorf("%s: support ends at %v", name, hi)
		}
		var sum, s1, s2 float64
		for x := lo; x <= c.hi; x++ {
			prob := math.Exp(d.LogProb(x, c.p))
			sum += prob
			s1 += x * prob
			s2 += x * x * prob
			if d.CDF == nil {
				continue
			}
			if f := d.CDF(x, c.p); !near(f, sum, 1e-11, 1e-300) {
				t.Errorf("%s: P(X ≤ %v) = %v, the sum is %v", name, x, f, sum)
			}
			if both := math.Exp(d.LogCDF(x, c.p)) + math.Exp(d.LogSF(x, c.p)); !near(both, 1, 1e-14, 0) {
				t.Errorf("%s: the tails at %v sum to %v", name, x, both)
			}
			if f := d.CDF(x+0.5, c.p); f != d.CDF(x, c.p) {
				t.Errorf("%s: the distribution function is not constant beyond %v", name, x)
			}
			if f := d.CDF(x, c.p); prob > 1e-12 && f < 1-2e-9 {
				if q := d.Quantile(f, c.p); q != x {
					t.Errorf("%s: quantile of P(X ≤ %v) is %v", name, x, q)
				}
				if q := d.Quantile(f*(1+1e-9), c.p); !(q > x) {
					t.Errorf("%s: quantile just above P(X ≤ %v) is %v", name, x, q)
				}
			}
		}
		if !near(sum, 1, 1e-11, 0) {
			t.Errorf("%s: the probabilities sum to 1 + %v", name, sum-1)
		}
		if m := d.Mean(c.p); !near(m, s1, 1e-11, 1e-300) {
			t.Errorf("%s: mean %v, the sum is %v", name, m, s1)
		}
		if v := d.Variance(c.p); !near(v, s2-s1*s1, 1e-9, 1e-9) {
			t.Errorf("%s: variance %v, the sum is %v", name, v, s2-s1*s1)
		}
		for _, x := range []float64{lo - 1, lo + 0.5, -0.5, math.Inf(1), math.Inf(-1)} {
			if l := d.LogProb(x, c.p); !math.IsInf(l, -1) {
				t.Errorf("%s: log P(%v) = %v", name, x, l)
			}
		}
		if l := d.LogProb(math.NaN(), c.p); !math.IsNaN(l) {
			t.Errorf("%s: log P(NaN) = %v", name, l)
		}
		if d.CDF == nil {
			continue
		}
		if d.CDF(lo-1, c.p) != 0 || d.LogSF(lo-1, c.p) != 0 || d.CDF(math.Inf(1), c.p) != 1 || !math.IsInf(d.LogSF(math.Inf(1), c.p), -1) {
			t.Errorf("%s: wrong tails outside the support", name)
		}
		if d.Quantile(0, c.p) != lo || !math.IsNaN(d.Quantile(-0.1, c.p)) || !math.IsNaN(d.Quantile(1.1, c.p)) || !math.IsNaN(d.Quantile(math.NaN(), c.p)) {
			t.Errorf("%s: wrong quantiles of 0 or outside [0, 1]", name)
		}
	}
}

func TestDiscreteSamplers(t *testing.T) {
	r := testRand(20)
	for _, c := range discreteCases {
		d := discreteRow(t, c.name)
		if d.Variance(c.p) < 1e-20 { // all mass at one value
			for range 100 {
				if x := d.Sample(r, c.p); d.LogProb(x, c.p) < -1e-20 {
					t.Fatalf("%s%v drew %v", c.name, c.p, x)
				}
			}
			continue
		}
		lo, hi := d.Support(c.p)
		discreteFits(t, fmt.Sprintf("%s%v", c.name, c.p), 100_000, lo, min(hi, c.hi),
			func() float64 { return d.Sample(r, c.p) },
			func(x float64) float64 { return d.LogProb(x, c.p) })
	}
}

// Central differences; the step and the tolerance balance rounding of 1e-13 in LogProb.
func TestDiscreteGrad(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     float64
		p     []float64
		fixed int // parameters from here on are whole numbers
	}{
		{"dbern", 1, []float64{0.3}, 1}, {"dbern", 0, []float64{0.3}, 1},
		{"dbin", 3, []float64{0.3, 10}, 1}, {"dbin", 0, []float64{0.3, 10}, 1}, {"dbin", 10, []float64{0.3, 10}, 1},
		{"dcat", 2, []float64{0.5, 1.5, 3}, 3},
		{"dpois", 4, []float64{2.5}, 1}, {"dpois", 0, []float64{2.5}, 1},
		{"dnegbin", 4, []float64{0.3, 2.5}, 2}, {"dnegbin", 0, []float64{0.3, 2.5}, 2},
		{"dbetabin", 4, []float64{1.5, 0.7, 9}, 2},
	} {
		d := discreteRow(t, c.name)
		dp := make([]float64, len(c.p))
		if dx := d.Grad(c.x, c.p, dp); !math.IsNaN(dx) {
			t.Errorf("%s: dx = %v, want NaN", c.name, dx)
		}
		for i := range c.p {
			if i >= c.fixed {
				if dp[i] != 0 {
					t.Errorf("%s: derivative by %s is %v, want 0", c.name, d.Params[i], dp[i])
				}
				continue
			}
			h := 1e-5 * c.p[i]
			up, down := append([]float64(nil), c.p...), append([]float64(nil), c.p...)
			up[i] += h
			down[i] -= h
			if want := (d.LogProb(c.x, up) - d.LogProb(c.x, down)) / (up[i] - down[i]); !near(dp[i], want, 1e-7, 1e-7) {
				t.Errorf("%s(%v)%v: derivative by parameter %d is %v, want %v", c.name, c.x, c.p, i, dp[i], want)
			}
		}
	}
	dp := make([]float64, 4)
	p := []float64{7, 9, 6, 1.5}
	hyperGrad(3, p, dp)
	want := (HyperLogProb(3, 7, 9, 6, 1.5001) - HyperLogProb(3, 7, 9, 6, 1.4999)) / 2e-4
	if !near(dp[3], want, 1e-7, 0) {
		t.Errorf("dhyper: derivative by psi is %v, want %v", dp[3], want)
	}
}

// TestRoundedProbability takes a probability that is above 1 by rounding for 1.
func TestRoundedProbability(t *testing.T) {
	d, r := discreteRow(t, "dbern"), testRand(22)
	for _, above := range []float64{1 + 0x1p-52, 1 + 1e-12} {
		p, one := []float64{above}, []float64{1}
		if msg := d.Check(p); msg != "" {
			t.Error(msg)
		}
		for _, x := range []float64{0, 1} {
			if got, want := d.LogSF(x, p), d.LogSF(x, one); got != want {
				t.Errorf("log P(> %v) = %v, want %v", x, got, want)
			}
			if got, want := d.CDF(x, p), d.CDF(x, one); got != want {
				t.Errorf("P(≤ %v) = %v, want %v", x, got, want)
			}
		}
		if l := d.LogProb(0, p); !math.IsInf(l, -1) {
			t.Errorf("log P(0) = %v", l)
		}
		if l := d.LogProb(1, p); math.Abs(l) > 2e-12 {
			t.Errorf("log P(1) = %v", l)
		}
		if x, q := d.Sample(r, p), d.Quantile(0.5, p); x != 1 || q != 1 {
			t.Errorf("drew %v, median %v", x, q)
		}
	}
}

func TestDiscreteOutsideDomain(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	r := testRand(21)
	for _, c := range []struct {
		name, want string
		p          []float64
	}{
		{"dbern", "p = 1.5 must be between 0 and 1", []float64{1.5}},
		{"dbern", "p = NaN must be between 0 and 1", []float64{nan}},
		{"dbin", "p = -0.1 must be between 0 and 1", []float64{-0.1, 3}},
		{"dbin", "n = 2.5 must be a whole number, not negative", []float64{0.1, 2.5}},
		{"dbin", "n = +Inf must be a whole number, not negative", []float64{0.1, inf}},
		{"dcat", "pi[2] = -1 must be finite and not negative", []float64{2, -1}},
		{"dcat", "pi is all zero; at least one entry must be positive", []float64{0, 0}},
		{"dpois", "lambda = -1 must be positive", []float64{-1}},
		{"dpois", "lambda = +Inf must be positive", []float64{inf}},
		{"dnegbin", "p = 0 must be greater than 0", []float64{0, 1}},
		{"dnegbin", "r = -1 must be positive", []float64{0.5, -1}},
		{"dbetabin", "a = 0 must be positive", []float64{0, 1, 3}},
		{"dbetabin", "b = NaN must be positive", []float64{1, nan, 3}},
		{"dbetabin", "n = -1 must be a whole number, not negative", []float64{1, 1, -1}},
		{"dhyper", "m1 = 9 must not exceed n1 + n2 = 7", []float64{3, 4, 9, 1}},
		{"dhyper", "psi = 0 must be positive", []float64{3, 4, 2, 0}},
		{"dhyper", "n1 = 1.5 must be a whole number, not negative", []float64{1.5, 4, 2, 1}},
	} {
		d := discreteRow(t, c.name)
		if got := d.Check(c.p); got != c.want {
			t.Errorf("%s%v: Check says %q, want %q", c.name, c.p, got, c.want)
		}
		if l := d.LogProb(1, c.p); !math.IsNaN(l) {
			t.Errorf("%s%v: log P(1) = %v, want NaN", c.name, c.p, l)
		}
		if x := d.Sample(r, c.p); !math.IsNaN(x) {
			t.Errorf("%s%v: drew %v, want NaN", c.name, c.p, x)
		}
		if d.CDF != nil && (!math.IsNaN(d.CDF(1, c.p)) || !math.IsNaN(d.LogSF(1, c.p)) || !math.IsNaN(d.Quantile(0.5, c.p))) {
			t.Errorf("%s%v: distribution function or quantile is not NaN", c.name, c.p)
		}
	}
}

// The kernels leave out what does not vary with the parameter.
func TestKernels(t *testing.T) {
	for x := 0.0; x <= 10; x++ {
		for _, p := range []float64{0.001, 0.5, 0.9} {
			want := BinLogProb(x, p, 10) - BinLogProb(x, 0.25, 10)
			if got := BinLogKernel(x, p, 10) - BinLogKernel(x, 0.25, 10); !near(got, want, 1e-12, 1e-13) {
				t.Errorf("binomial kernel at %v, %v: %v, want %v", x, p, got, want)
			}
			want = PoisLogProb(x, p) - PoisLogProb(x, 3)
			if got := PoisLogKernel(x, p) - PoisLogKernel(x, 3); !near(got, want, 1e-12, 1e-13) {
				t.Errorf("Poisson kernel at %v, %v: %v, want %v", x, p, got, want)
			}
		}
	}
	if BinLogKernel(0, 0, 3) != 0 || BinLogKernel(3, 1, 3) != 0 || PoisLogKernel(0, 0) != 0 {
		t.Error("a kernel is not 0 where the law is all at one value")
	}
	if !math.IsInf(BinLogKernel(4, 0.5, 3), -1) || !math.IsInf(PoisLogKernel(-1, 2), -1) || !math.IsNaN(PoisLogKernel(1, -2)) || !math.IsNaN(BinLogKernel(1, 2, 3)) {
		t.Error("a kernel does not tell the support or the domain")
	}
}

func TestHugeCounts(t *testing.T) {
	// The sums fall back on incomplete functions: the median of Poisson(λ) is within 1 of λ + 1/3 (Choi 1994).
	for _, lambda := range []float64{1e8, 1e12} {
		if m := poisQuantile(0.5, []float64{lambda}); math.Abs(m-lambda) > 1 {
			t.Errorf("median of Poisson(%v) is %v", lambda, m)
		}
	}
	// ±5 standard deviations of Binomial(1e9, 0.3), skewness 3e-5: Φ(−5) = 2.866515718791939e-7 by mpmath, with a
	// Cornish–Fisher term skew·(z²−1)/6 of relative size 1.2e-4·5 and a lattice term of 5.2·7e-5/2.
	sd := math.Sqrt(1e9 * 0.3 * 0.7)
	if got := math.Exp(binLogSF(math.Floor(3e8+5*sd), []float64{0.3, 1e9})); !near(got, 2.866515718791939e-7, 2e-3, 0) {
		t.Errorf("binomial tail at 5 sd: %v", got)
	}
	// At the mean m1/3 the density is normal to O(1/variance), variance = 9e8·(1/3)·(2/3)·(1 − 9e8/3e9) = 1.4e8.
	want := -0.5 * math.Log(2*math.Pi*1.4e8)
	if got := HyperLogProb(3e8, 1e9, 2e9, 9e8, 1); !near(got, want, 1e-8, 0) {
		t.Errorf("hypergeometric at its mean: %v, want %v", got, want)
	}
}

func TestInterval(t *testing.T) {
	cuts := []float64{1, 2, 5}
	for _, c := range []struct{ x, want float64 }{{0, 0}, {1, 0}, {1.5, 1}, {2, 1}, {3, 2}, {5, 2}, {6, 3}, {math.Inf(1), 3}, {math.Inf(-1), 0}} {
		if got := Interval(c.x, cuts); got != c.want {
			t.Errorf("Interval(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	if !math.IsNaN(Interval(math.NaN(), cuts)) {
		t.Error("Interval(NaN) is a number")
	}
}

func TestLogProbAllocatesNothing(t *testing.T) {
	dp := make([]float64, 4)
	for _, c := range discreteCases {
		d := discreteRow(t, c.name)
		if n := testing.AllocsPerRun(50, func() {
			d.LogProb(2, c.p)
			d.Grad(1, c.p, dp)
			if d.CDF != nil {
				d.LogSF(2, c.p)
				d.Quantile(0.4, c.p)
			}
		}); n != 0 {
			t.Errorf("%s%v: %v allocations", c.name, c.p, n)
		}
	}
}

func BenchmarkDiscreteLogProb(b *testing.B) {
	for _, c := range []struct {
		name string
		f    func() float64
	}{
		{"bern", func() float64 { return BernLogProb(1, 0.3) }},
		{"bin", func() float64 { return BinLogProb(30, 0.3, 100) }},
		{"binLarge", func() float64 { return BinLogProb(3000, 0.3, 10000) }},
		{"binKernel", func() float64 { return BinLogKernel(30, 0.3, 100) }},
		{"pois", func() float64 { return PoisLogProb(4, 3.3) }},
		{"poisLarge", func() float64 { return PoisLogProb(4000, 4033) }},
		{"negbin", func() float64 { return NegbinLogProb(4, 0.3, 2.5) }},
		{"hyper", func() float64 { return HyperLogProb(4, 10, 12, 9, 1.3) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.f()
			}
		})
	}
}

// truncatedCases are intervals inside, around and far from the mass of a law.
var truncatedCases = []struct {
	name   string
	p      []float64
	lo, hi float64
}{
	{"dpois", []float64{3}, 1, math.Inf(1)},
	{"dpois", []float64{3}, 0, 2},
	{"dpois", []float64{3}, 40, math.Inf(1)},
	{"dpois", []float64{3}, 40.5, 42.5},
	{"dpois", []float64{400}, 0, 100},
	{"dpois", []float64{1e-300}, 1, math.Inf(1)},
	{"dpois", []float64{0.99}, 1, math.Inf(1)},
	{"dpois", []float64{1.5}, 2, 9},
	{"dpois", []float64{1000}, 1010, 1030},
	{"dpois", []float64{1000}, 900, 960},
	{"dbin", []float64{0.3, 50}, 10, 20},
	{"dbin", []float64{0.3, 50}, 45, 50},
	{"dbin", []float64{1e-300, 50}, 3, 50},
	{"dbin", []float64{0.999, 50}, 0, 5},
	{"dbin", []float64{0.7, 50}, 0, 20},
	{"dbin", []float64{0.5, 4000}, 1950, 1975},
	{"dbin", []float64{0.5, 4000}, 2025, 2110},
	{"dnegbin", []float64{0.3, 1e-7}, 1, 20},
	{"dnegbin", []float64{0.3, 2.5}, 2, 30},
	{"dnegbin", []float64{0.3, 2.5}, 300, math.Inf(1)},
	{"dnegbin", []float64{0.3, 0.01}, 1, math.Inf(1)},
	{"dbetabin", []float64{2, 3, 30}, 25, 30},
	{"dbetabin", []float64{0.01, 0.02, 30}, 1, 29},
	{"dbetabin", []float64{2000, 3, 30}, 0, 3},
}

// The law given the interval, from log probabilities.
func TestDiscreteTruncatedSamplers(t *testing.T) {
	r := testRand(22)
	for _, c := range truncatedCases {
		d := discreteRow(t, c.name)
		lo, hi := math.Ceil(c.lo), min(math.Floor(c.hi), math.Ceil(c.lo)+200)
		var logs []float64
		for x := lo; x <= hi; x++ {
			logs = append(logs, d.LogProb(x, c.p))
		}
		total := vec.LogSumExp(logs)
		name := fmt.Sprintf("%s%v T(%v, %v)", c.name, c.p, c.lo, c.hi)
		for i, l := range logs {
			if got := d.LogProbT(lo+float64(i), c.p, c.lo, c.hi); !near(got, l-total, 1e-12, 2e-11) {
				t.Errorf("%s: LogProbT(%v) = %v, want %v", name, lo+float64(i), got, l-total)
			}
		}
		if logs[0]-total > -1e-20 || logs[len(logs)-1]-total > -1e-20 { // all at one end
			for range 100 {
				if x := d.SampleT(r, c.p, c.lo, c.hi); d.LogProb(x, c.p)-total < -1e-12 {
					t.Fatalf("%s drew %v", name, x)
				}
			}
			continue
		}
		if logs[0]-total > math.Log1p(-1e-3) || logs[len(logs)-1]-total > math.Log1p(-1e-3) {
			x := d.SampleT(r, c.p, c.lo, c.hi) // too concentrated for a chi-square test: only that it ends, inside
			if !(x >= c.lo && x <= c.hi) {
				t.Errorf("%s drew %v", name, x)
			}
			continue
		}
		discreteFits(t, name, 50_000, lo, hi,
			func() float64 { return d.SampleT(r, c.p, c.lo, c.hi) },
			func(x float64) float64 { return d.LogProb(x, c.p) - total })
		if n := testing.AllocsPerRun(50, func() { d.SampleT(r, c.p, c.lo, c.hi) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	for _, c := range []struct {
		name   string
		p      []float64
		lo, hi float64
		want   float64
	}{
		{"dpois", []float64{0}, 0, 3, 0}, {"dpois", []float64{0}, 1, 3, math.NaN()}, {"dpois", []float64{2}, 3.2, 3.8, math.NaN()},
		{"dbin", []float64{1, 4}, 2, 4, 4}, {"dbin", []float64{0, 4}, 2, 4, math.NaN()}, {"dbin", []float64{0.5, 4}, 2, 2, 2},
		{"dnegbin", []float64{1, 4}, 0, 4, 0}, {"dbetabin", []float64{1, 1, 4}, 1.5, 1.7, math.NaN()},
	} {
		if x := discreteRow(t, c.name).SampleT(r, c.p, c.lo, c.hi); !near(x, c.want, 0, 0) {
			t.Errorf("%s%v T(%v, %v) drew %v, want %v", c.name, c.p, c.lo, c.hi, x, c.want)
		}
	}
}

// Beyond z standard deviations the law is the normal's, but for
// a skewness of 1e-4 that shifts its log density by skew·z³/6 ≈ 1e-4 relative over the width of the tail.
func TestDiscreteTruncatedHuge(t *testing.T) {
	r := testRand(23)
	x := draw(20_000, func() float64 {
		return (discreteRow(t, "dpois").SampleT(r, []float64{1e8}, 1e8+4e4, math.Inf(1)) - 1e8) / 1e4
	})
	tail := math.Erfc(4 / math.Sqrt2)
	ksFits(t, "dpois(1e8) above 4 sd", x, func(z float64) float64 { return 1 - math.Erfc(z/math.Sqrt2)/tail })
	x = draw(20_000, func() float64 { return (discreteRow(t, "dpois").SampleT(r, []float64{1e8}, 0, 1e8-4e4) - 1e8) / 1e4 })
	ksFits(t, "dpois(1e8) below 4 sd", x, func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / tail })
	for range 5 {
		if v := discreteRow(t, "dnegbin").SampleT(r, []float64{1e-9, 0.5}, 1e10, 2e10); !(v >= 1e10 && v <= 2e10) {
			t.Fatalf("dnegbin drew %v", v)
		}
	}
}
