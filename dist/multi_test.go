package dist

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

var (
	omega3 = []float64{2, 0.5, -0.25, 0.5, 1.5, 0.375, -0.25, 0.375, 1}
	mu3    = []float64{1, 0.5, 0.25}
	x3     = []float64{1.5, -0.25, 2}
	wish3  = []float64{3, 1, 0.5, 1, 2, 0.25, 0.5, 0.25, 1}
)

// multiCase is one value of one distribution, with the log density mpmath gives in 40 digits from the definition.
type multiCase struct {
	name    string
	x       []float64
	p       [][]float64
	logProb float64
}

var multiCases = []multiCase{
	{"dmnorm", x3, [][]float64{mu3, omega3}, -3.64914133043968593},
	{"dmnorm", []float64{1.5}, [][]float64{{1}, {4}}, -0.725791352644727432},
	{"dmnorm.vcov", x3, [][]float64{mu3, omega3}, -6.14520476604862449},
	{"dmt", x3, [][]float64{mu3, omega3, {2.5}}, -4.07134513214867307},
	{"dmt", x3, [][]float64{mu3, omega3, {0.001}}, -10.4692854510376161},
	{"dmt", x3, [][]float64{mu3, omega3, {1e9}}, -3.64914133190153896},
	{"ddirch", []float64{0.25, 0.5, 0.25}, [][]float64{{2, 0.5, 3}}, -1.1200076489456283},
	{"ddirch", []float64{0.25, 0.5, 0, 0.25}, [][]float64{{2, 0.5, 0, 3}}, -1.1200076489456283},
	{"ddirch", []float64{1e-300, 0.5, 0.5}, [][]float64{{1e-3, 1e-3, 2e-3}}, 676.960317754466986},
	{"dmulti", []float64{2, 0, 5}, [][]float64{{1, 2, 4}, {7}}, -3.64537680006431705},
	{"dmulti", []float64{1, 0, 3}, [][]float64{{1e-300, 0, 1}, {4}}, -689.389233537093815},
	{"dmulti", []float64{400, 1000, 600}, [][]float64{{2, 5, 3}, {2000}}, -7.68588946612163257},
	{"dmulti", []float64{0, 0}, [][]float64{{2, 5}, {0}}, 0},
	{"dsample", []float64{1, 0, 1}, [][]float64{{0.2, 0.3, 0.5}, {2}}, -1.1314021114911006}, // log(0.1/0.31)
	{"dsample", []float64{0, 0, 1, 0}, [][]float64{{2, 0, 5, 3}, {1}}, -0.6931471805599453},
	{"dwish", wish3, [][]float64{omega3, {4.5}}, -9.57169141399218119},
	{"dwish", []float64{3}, [][]float64{{0.5}, {0.25}}, -3.90399090527837865},
	{"dwish", []float64{200, 7, 7, 300}, [][]float64{{1, 0, 0, 1}, {250}}, -16.878911374360759},
}

func multiRow(t testing.TB, name string) *Multi {
	t.Helper()
	d, ok := LookupMulti(name)
	if !ok {
		t.Fatalf("%s is not in the table", name)
	}
	return d
}

func TestMultiTable(t *testing.T) {
	names := []string{}
	for _, d := range Multis() {
		names = append(names, d.Name)
		for _, n := range append([]string{d.Name}, d.Aliases...) {
			if got, ok := LookupMulti(n); !ok || got != d {
				t.Errorf("LookupMulti(%q) finds another row", n)
			}
		}
		if d.Dims == nil || d.Check == nil || d.LogProb == nil || d.Grad == nil || d.Sample == nil || d.Mean == nil {
			t.Errorf("%s: a function is missing", d.Name)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("not in alphabetical order: %v", names)
	}
	if _, ok := LookupMulti("dnorm"); ok {
		t.Error("dnorm is no multivariate distribution")
	}
}

func TestMultiLogProb(t *testing.T) {
	var work Work
	for _, c := range multiCases {
		d := multiRow(t, c.name)
		if s := d.Check(c.p, nil); s != "" {
			t.Errorf("%s%v: Check says %q", c.name, c.p, s)
		}
		for range 2 { // the second time with the factor kept
			if got := d.LogProb(c.x, c.p, nil, &work); !near(got, c.logProb, 4e-14, 4e-14) {
				t.Errorf("%s%v at %v: log density %.17g, want %.17g", c.name, c.p, c.x, got, c.logProb)
			}
		}
		if got := d.LogProb(c.x, c.p, nil, nil); got != d.LogProb(c.x, c.p, nil, &work) {
			t.Errorf("%s: the log density depends on the scratch space", c.name)
		}
	}
}

// Γ_4(3.25) from mpmath by the product formula.
func TestLogMultiGamma(t *testing.T) {
	if got := LogMultiGamma(3.25, 4); !near(got, 4.88567684944377405, 1e-14, 0) {
		t.Errorf("got %v", got)
	}
}

func TestMultiSupport(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []multiCase{
		{"ddirch", []float64{0.5, 0.6}, [][]float64{{1, 1}}, -inf},
		{"ddirch", []float64{1.5, -0.5}, [][]float64{{1, 1}}, -inf},
		{"ddirch", []float64{nan, 0.5}, [][]float64{{1, 1}}, -inf},
		{"ddirch", []float64{0.5, 0.25, 0.25}, [][]float64{{1, 1, 0}}, -inf},
		{"ddirch", []float64{0, 1}, [][]float64{{2, 1}}, -inf},
		{"ddirch", []float64{0, 1}, [][]float64{{0.5, 1}}, -inf},
		{"ddirch", []float64{0, 1}, [][]float64{{1, 1}}, -inf},
		{"ddirch", []float64{0, 1}, [][]float64{{0, 1}}, 0},
		{"ddirch", []float64{0.5, 0.5}, [][]float64{{0, 0}}, nan},
		{"ddirch", []float64{0.5, 0.5}, [][]float64{{1, -1}}, nan},
		{"dmulti", []float64{1, 2}, [][]float64{{1, 1}, {4}}, -inf},
		{"dmulti", []float64{1.5, 2.5}, [][]float64{{1, 1}, {4}}, -inf},
		{"dmulti", []float64{-1, 5}, [][]float64{{1, 1}, {4}}, -inf},
		{"dmulti", []float64{1, 3}, [][]float64{{0, 1}, {4}}, -inf},
		{"dmulti", []float64{1, 3}, [][]float64{{0, 0}, {4}}, nan},
		{"dmulti", []float64{1, 3}, [][]float64{{1, 1}, {4.5}}, nan},
		{"dwish", []float64{1, 2, 2, 1}, [][]float64{{1, 0, 0, 1}, {3}}, -inf},
		{"dwish", []float64{1, 0.2, 0.3, 1}, [][]float64{{1, 0, 0, 1}, {3}}, -inf},
		{"dwish", []float64{1, 0, 0, 1}, [][]float64{{1, 0, 0, 1}, {1}}, nan},
		{"dwish", []float64{1, 0, 0, 1}, [][]float64{{1, 2, 2, 1}, {3}}, nan},
		{"dmnorm", []float64{1, 0}, [][]float64{{0, 0}, {1, 2, 2, 1}}, nan},
		{"dmnorm", []float64{1, 0}, [][]float64{{0, 0}, {1, 0.5, 0, 1}}, nan},
		{"dmnorm.vcov", []float64{1, 0}, [][]float64{{0, 0}, {1, 1, 1, 1}}, nan},
		{"dmt", []float64{1, 0}, [][]float64{{0, 0}, {1, 0, 0, 1}, {0}}, nan},
	} {
		d := multiRow(t, c.name)
		if got := d.LogProb(c.x, c.p, nil, nil); got != c.logProb && !(math.IsNaN(got) && math.IsNaN(c.logProb)) {
			t.Errorf("%s%v at %v: %v, want %v", c.name, c.p, c.x, got, c.logProb)
		}
		if math.IsNaN(c.logProb) {
			dst := make([]float64, len(c.x))
			if d.Sample(dst, testRand(30), c.p, nil, nil); !math.IsNaN(dst[0]) {
				t.Errorf("%s%v drew %v, want NaN", c.name, c.p, dst)
			}
		}
	}
}

func TestMultiCheck(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name, want string
		p          [][]float64
	}{
		{"dmnorm", "Omega is not positive definite: its leading 2×2 block is not", [][]float64{{0, 0}, {1, 2, 2, 1}}},
		{"dmnorm", "Omega is not positive definite: its leading 1×1 block is not", [][]float64{{0, 0}, {-1, 0, 0, 1}}},
		{"dmnorm", "Omega is not symmetric: Omega[2,1] = 0.5 but Omega[1,2] = 0.25", [][]float64{{0, 0}, {1, 0.5, 0.25, 1}}},
		{"dmnorm", "Omega[2,1] = NaN must be finite", [][]float64{{0, 0}, {1, nan, 0.25, 1}}},
		{"dmnorm", "mu[2] = NaN must be finite", [][]float64{{0, nan}, {1, 0, 0, 1}}},
		{"dmnorm.vcov", "Sigma is not positive definite: its leading 2×2 block is not", [][]float64{{0, 0}, {1, 1, 1, 1}}},
		{"dmt", "k = 0 must be positive", [][]float64{{0}, {1}, {0}}},
		{"dmt", "Omega is not positive definite: its leading 1×1 block is not", [][]float64{{0}, {0}, {2}}},
		{"ddirch", "alpha[2] = -1 must be finite and not negative", [][]float64{{1, -1}}},
		{"ddirch", "alpha is all zero; at least one entry must be positive", [][]float64{{0, 0}}},
		{"dmulti", "k = 1.5 must be a whole number, not negative", [][]float64{{1, 1}, {1.5}}},
		{"dmulti", "pi[1] = NaN must be finite and not negative", [][]float64{{nan, 1}, {2}}},
		{"dwish", "k = 1 must be greater than 1 for a 2×2 matrix", [][]float64{{1, 0, 0, 1}, {1}}},
		{"dwish", "R is not symmetric: R[2,1] = 0.5 but R[1,2] = 0", [][]float64{{1, 0.5, 0, 1}, {2}}},
	} {
		if got := multiRow(t, c.name).Check(c.p, nil); got != c.want {
			t.Errorf("%s%v: Check says %q, want %q", c.name, c.p, got, c.want)
		}
	}
	large := make([]float64, 400) // beyond the scratch on the stack
	for i := range 20 {
		large[21*i] = 1
	}
	large[399] = -1
	if got, want := checkMatrix("R", large, 20), "R is not positive definite: its leading 20×20 block is not"; got != want {
		t.Errorf("Check says %q, want %q", got, want)
	}
}

func TestMultiDims(t *testing.T) {
	for _, c := range []struct {
		name  string
		pdims [][]int
		want  string
	}{
		{"dmnorm", [][]int{{3}, {3, 3}}, "[3]"},
		{"dmnorm", [][]int{nil, nil}, "[1]"},
		{"dmnorm", [][]int{{1, 3}, {3, 3}}, "[3]"},
		{"dmnorm", [][]int{{3}, {2, 2}}, "mu has length 3, but Omega is 2×2"},
		{"dmnorm", [][]int{{3}, {3, 2}}, "Omega must be a square matrix, but has shape [3 2]"},
		{"dmnorm", [][]int{{2, 2}, {2, 2}}, "mu must be a vector, but has shape [2 2]"},
		{"dmnorm.vcov", [][]int{{2}, {4}}, "Sigma must be a square matrix, but has shape [4]"},
		{"dmt", [][]int{{2}, {2, 2}, nil}, "[2]"},
		{"dmt", [][]int{{2}, {2, 2}, {2}}, "k must be a single number, but has shape [2]"},
		{"ddirch", [][]int{{4}}, "[4]"},
		{"ddirch", [][]int{{0}}, "alpha is empty"},
		{"dmulti", [][]int{{4}, nil}, "[4]"},
		{"dmulti", [][]int{{4}, {3}}, "k must be a single number, but has shape [3]"},
		{"dwish", [][]int{{2, 2}, {1}}, "[2 2]"},
		{"dwish", [][]int{{2, 3}, {1}}, "R must be a square matrix, but has shape [2 3]"},
		{"dwish", [][]int{{2, 2}, {1, 2}}, "k must be a single number, but has shape [1 2]"},
	} {
		dims, err := multiRow(t, c.name).Dims(c.pdims)
		got := fmt.Sprint(dims)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s%v: %q, want %q", c.name, c.pdims, got, c.want)
		}
	}
}

// Central differences; a symmetric matrix moves along symmetric directions.
func TestMultiGrad(t *testing.T) {
	for _, c := range multiCases {
		if slices.Contains(c.x, 1e-300) || c.name == "dmt" && c.p[2][0] == 1e9 || c.name == "dmulti" && slices.Contains(c.p[0], 1e-300) {
			continue // no step is both small beside the value and large beside rounding
		}
		d := multiRow(t, c.name)
		dx := make([]float64, len(c.x))
		dp := make([][]float64, len(c.p))
		for i, v := range c.p {
			dp[i] = make([]float64, len(v))
		}
		d.Grad(dx, dp, c.x, c.p, nil, nil)
		all := append([][]float64{c.x}, c.p...)
		for a, v := range all {
			g := append([][]float64{dx}, dp...)[a]
			if a == 0 && (c.name == "dmulti" || c.name == "dsample") {
				if !math.IsNaN(g[0]) {
					t.Errorf("%s: dx = %v, want NaN", c.name, g)
				}
				continue
			}
			if a == 2 && (c.name == "dmulti" || c.name == "dsample") {
				if g[0] != 0 {
					t.Errorf("%s: derivative by k is %v, want 0", c.name, g[0])
				}
				continue
			}
			order := 0
			if c.name == "dwish" && a < 2 || a == 2 {
				order = matrixOrder(v)
			}
			for i := range v {
				if v[i] == 0 && c.name != "dwish" {
					if g[i] != 0 && c.name == "ddirch" {
						t.Errorf("%s: derivative %v at a structural zero", c.name, g[i])
					}
					continue
				}
				want, got := differenceQuotient(d, all, a, i, order), g[i]
				if order > 0 && i/order != i%order {
					got += g[i/order+order*(i%order)]
				}
				if !near(got, want, 2e-6, 2e-7) {
					t.Errorf("%s%v at %v: derivative %d of argument %d is %v, want %v", c.name, c.p, c.x, i, a, got, want)
				}
			}
		}
		d.Grad(nil, make([][]float64, len(c.p)), c.x, c.p, nil, nil) // nothing asked, nothing written
	}
}

// differenceQuotient moves element i of argument a, and its mirror image where the argument is a matrix. A step off
// the simplex stays inside the tolerance on its sum.
func differenceQuotient(d *Multi, all [][]float64, a, i, order int) float64 {
	h := 1e-6 * max(math.Abs(all[a][i]), 1e-2)
	if d.Name == "ddirch" && a == 0 {
		h = 5e-7
	}
	at := func(h float64) float64 {
		moved := slices.Clone(all)
		moved[a] = slices.Clone(all[a])
		moved[a][i] += h
		if order > 0 && i/order != i%order {
			moved[a][i/order+order*(i%order)] += h
		}
		return d.LogProb(moved[0], moved[1:], nil, nil)
	}
	return (at(h) - at(-h)) / (2 * h)
}

func multiDraws(t *testing.T, name string, seed uint64, n, size int, p [][]float64, keep func(x []float64)) {
	t.Helper()
	d := multiRow(t, name)
	r := testRand(seed)
	var work Work
	x := make([]float64, size)
	for range n {
		d.Sample(x, r, p, nil, &work)
		keep(x)
	}
}

func chiSquareCDF(k float64) func(x float64) float64 {
	return func(x float64) float64 { return mathext.GammaIncReg(k/2, x/2) }
}

func invert3(a []float64) []float64 {
	l := make([]float64, len(a))
	n := matrixOrder(a)
	if !vec.Chol(l, a, n) {
		panic("the test's matrix is positive definite")
	}
	vec.CholInverse(l, l, n)
	return l
}

// quadratic is (x−m)ᵀ A (x−m).
func quadratic(x, m, a []float64) float64 {
	n := len(x)
	s := 0.0
	for i := range n {
		for j := range n {
			s += (x[i] - m[i]) * a[i+j*n] * (x[j] - m[j])
		}
	}
	return s
}

// A projection cᵀx is normal, the quadratic form chi-square with n degrees of freedom.
func TestMnormDraws(t *testing.T) {
	c, zero := []float64{1, -2, 0.5}, make([]float64, 3)
	for _, k := range []struct {
		name              string
		precision, covary []float64
	}{{"dmnorm", omega3, invert3(omega3)}, {"dmnorm.vcov", invert3(omega3), omega3}} {
		var proj, form []float64
		sd := math.Sqrt(quadratic(c, zero, k.covary))
		multiDraws(t, k.name, 31, 100_000, 3, [][]float64{mu3, omega3}, func(x []float64) {
			d := 0.0
			for i := range x {
				d += c[i] * (x[i] - mu3[i])
			}
			proj = append(proj, d/sd)
			form = append(form, quadratic(x, mu3, k.precision))
		})
		ksFits(t, k.name+" projection", proj, normCDF)
		ksFits(t, k.name+" quadratic form", form, chiSquareCDF(3))
	}
}

// The quadratic form over n is F(n, k): with z = q/(q+k), Beta(n/2, k/2). A coordinate is Student's t.
func TestMtDraws(t *testing.T) {
	for _, k := range []float64{0.5, 3, 1e6} {
		var form, first []float64
		sd := math.Sqrt(invert3(omega3)[0])
		multiDraws(t, "dmt", 32, 100_000, 3, [][]float64{mu3, omega3, {k}}, func(x []float64) {
			q := quadratic(x, mu3, omega3)
			form = append(form, 1/(1+k/q))
			first = append(first, (x[0]-mu3[0])/sd)
		})
		ksFits(t, fmt.Sprintf("dmt(%v) quadratic form", k), form, func(z float64) float64 { return mathext.RegIncBeta(1.5, k/2, z) })
		ksFits(t, fmt.Sprintf("dmt(%v) coordinate", k), first, func(x float64) float64 {
			tail := 0.5 * mathext.RegIncBeta(k/2, 0.5, 1/(1+x*x/k))
			if x < 0 {
				return tail
			}
			return 1 - tail
		})
	}
}

// For W ~ dwish(R, k) and a fixed vector c: cᵀWc/cᵀR⁻¹c is chi-square with k degrees of freedom and cᵀRc/cᵀW⁻¹c with
// k − n + 1 (Muirhead 1982, theorems 3.2.8 and 3.2.12); for n = 2, 2√(|W||R|) is chi-square with 2k − 2 (3.2.15 and
// the duplication formula); E W = k R⁻¹ = k Σ and Var W_ij = k (Σ_ij² + Σ_ii Σ_jj); the mean of log |W| is
// Σ_j ψ((k−j)/2) + n log 2 − log |R|, its variance Σ_j ψ′((k−j)/2).
func TestWishDraws(t *testing.T) {
	for _, c := range []struct {
		r []float64
		k float64
	}{{[]float64{2.5}, 0.02}, {[]float64{2, 0.6, 0.6, 1}, 2}, {[]float64{2, 0.6, 0.6, 1}, 1.3}, {omega3, 3.5}, {omega3, 1000}} {
		n := matrixOrder(c.r)
		name := fmt.Sprintf("dwish(%d×%d, %v)", n, n, c.k)
		cvec, zero := []float64{1, -2, 0.5}[:n], make([]float64, n)
		sigma := invert3(c.r)
		scale, inverseScale := quadratic(cvec, zero, sigma), quadratic(cvec, zero, c.r)
		var direct, inverse, det []float64
		sums := make([]float64, n*n)
		const draws = 50_000
		l := make([]float64, n*n)
		multiDraws(t, "dwish", 33, draws, n*n, [][]float64{c.r, {c.k}}, func(w []float64) {
			for i, v := range w {
				sums[i] += v
				if v != w[i/n+n*(i%n)] {
					t.Fatalf("%s drew an asymmetric matrix", name)
				}
			}
			direct = append(direct, quadratic(cvec, zero, w)/scale)
			if !vec.Chol(l, w, n) {
				return // singular but for rounding: counted below
			}
			det = append(det, vec.CholLogDet(l, n))
			vec.CholInverse(l, l, n)
			inverse = append(inverse, inverseScale/quadratic(cvec, zero, l))
		})
		ksFits(t, name+" direct", direct, chiSquareCDF(c.k))
		if c.k >= float64(n) && len(det) < draws {
			t.Errorf("%s: %d of %d draws are not positive definite", name, draws-len(det), draws)
		}
		for i, s := range sums {
			a, b := i%n, i/n
			meanFits(t, fmt.Sprintf("%s mean [%d,%d]", name, a+1, b+1), s, draws, c.k*sigma[i],
				math.Sqrt(c.k*(sigma[i]*sigma[i]+sigma[a+a*n]*sigma[b+b*n])))
		}
		if c.k < float64(n) {
			continue // the smallest eigenvalue may be lost to rounding
		}
		ksFits(t, name+" inverse", inverse, chiSquareCDF(c.k-float64(n)+1))
		mean, variance, logDet := float64(n)*math.Ln2-vec.CholLogDet(cholOf(c.r), n), 0.0, 0.0
		for j := range n {
			mean += mathext.Digamma((c.k - float64(j)) / 2)
			variance += mathext.Zeta(2, (c.k-float64(j))/2)
		}
		for _, v := range det {
			logDet += v
		}
		meanFits(t, name+" log det", logDet, len(det), mean, math.Sqrt(variance))
		if n == 2 {
			logDetR := vec.CholLogDet(cholOf(c.r), n)
			for i := range det {
				det[i] = 2 * math.Exp((det[i]+logDetR)/2)
			}
			ksFits(t, name+" root of the determinant", det, chiSquareCDF(2*c.k-2))
		}
	}
}

func cholOf(a []float64) []float64 {
	l := slices.Clone(a)
	vec.Chol(l, l, matrixOrder(a))
	return l
}

// Every outcome of five draws over three categories, one with weight zero beside them.
func TestMultinomialDraws(t *testing.T) {
	p := [][]float64{{2, 0, 5, 1}, {5}}
	var counts []int
	var probs []float64
	index := map[[4]float64]int{}
	for a := 0.0; a <= 5; a++ {
		for b := 0.0; a+b <= 5; b++ {
			x := [4]float64{a, 0, b, 5 - a - b}
			index[x] = len(probs)
			probs = append(probs, math.Exp(MultinomialLogProb(x[:], p[0], 5)))
			counts = append(counts, 0)
		}
	}
	const n = 200_000
	multiDraws(t, "dmulti", 34, n, 4, p, func(x []float64) {
		i, ok := index[[4]float64(x)]
		if !ok {
			t.Fatalf("drew %v", x)
		}
		counts[i]++
	})
	chiSquareFits(t, "dmulti", counts, probs, n)

	big := [][]float64{{1e-300, 3, 1, 1e-5}, {1e9}}
	var z []float64
	multiDraws(t, "dmulti", 35, 50_000, 4, big, func(x []float64) {
		if x[0] != 0 || x[0]+x[1]+x[2]+x[3] != 1e9 {
			t.Fatalf("drew %v", x)
		}
		total := 4 + 1e-5
		z = append(z, (x[2]-1e9/total)/math.Sqrt(1e9*(1/total)*(1-1/total)))
	})
	ksFits(t, "dmulti of 1e9", z, normCDF) // a binomial with skewness 4e-5
}

// Each of the ten samples of three of five elements, and of two of which one must be in, has its probability: 20,000 draws,
// chi-square with one false alarm in a million at most.
func TestSubsetDraws(t *testing.T) {
	d := multiRow(t, "dsample")
	for _, w := range [][]float64{{1, 2, 3, 4, 5}, {0, 1e-3, 1, 1, 1000}} {
		p := [][]float64{w, {3}}
		seen := map[[5]float64]float64{}
		multiDraws(t, "dsample", 41, 20000, 5, p, func(x []float64) { seen[[5]float64(x)]++ })
		chi, total := 0.0, 0.0
		for k := range 32 {
			var x [5]float64
			for i := range x {
				x[i] = float64(k >> i & 1)
			}
			prob := math.Exp(d.LogProb(x[:], p, nil, nil))
			total += prob
			switch e := 20000 * prob; {
			case e > 20:
				chi += (seen[x] - e) * (seen[x] - e) / e
			case e == 0 && seen[x] > 0:
				t.Errorf("%v: drew %v", w, x)
			}
		}
		if !near(total, 1, 1e-12, 0) || chi > 45.1 { // 1e-6 of chi-square with 9 degrees of freedom
			t.Errorf("%v: total probability %v, chi-square %v", w, total, chi)
		}
	}
}

func TestMultiMean(t *testing.T) {
	for _, c := range []struct {
		name string
		p    [][]float64
		want []float64
	}{
		{"dmnorm", [][]float64{mu3, omega3}, mu3},
		{"dmnorm.vcov", [][]float64{mu3, omega3}, mu3},
		{"dmt", [][]float64{mu3, omega3, {1.5}}, mu3},
		{"dmt", [][]float64{{1}, {1}, {1}}, []float64{math.NaN()}},
		{"ddirch", [][]float64{{1, 0, 3}}, []float64{0.25, 0, 0.75}},
		{"dmulti", [][]float64{{1, 0, 3}, {8}}, []float64{2, 0, 6}},
		{"dsample", [][]float64{{1, 0, 3, 3}, {1}}, []float64{1. / 7, 0, 3. / 7, 3. / 7}},
		{"dwish", [][]float64{{2, 0, 0, 4}, {3}}, []float64{1.5, 0, 0, 0.75}},
	} {
		got := make([]float64, len(c.want))
		multiRow(t, c.name).Mean(got, c.p, nil)
		for i := range got {
			if !near(got[i], c.want[i], 1e-15, 0) {
				t.Errorf("%s%v: mean %v, want %v", c.name, c.p, got, c.want)
			}
		}
	}
}

func TestMultiAllocatesNothing(t *testing.T) {
	r := testRand(36)
	for _, c := range multiCases {
		d := multiRow(t, c.name)
		var work Work
		dst, dx, dp := make([]float64, len(c.x)), make([]float64, len(c.x)), make([][]float64, len(c.p))
		for i, v := range c.p {
			dp[i] = make([]float64, len(v))
		}
		if n := testing.AllocsPerRun(20, func() {
			d.LogProb(c.x, c.p, nil, &work)
			d.Sample(dst, r, c.p, nil, &work)
			d.Grad(dx, dp, c.x, c.p, nil, &work)
			d.Check(c.p, nil)
		}); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

func BenchmarkMulti(b *testing.B) {
	for _, c := range []multiCase{multiCases[0], multiCases[2], multiCases[3], multiCases[6], multiCases[9], multiCases[13]} {
		d := multiRow(b, c.name)
		var work Work
		r := testRand(37)
		dst := make([]float64, len(c.x))
		b.Run(c.name+"/LogProb", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.LogProb(c.x, c.p, nil, &work)
			}
		})
		b.Run(c.name+"/Sample", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d.Sample(dst, r, c.p, nil, &work)
			}
		})
	}
}
