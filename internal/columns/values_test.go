package columns

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// predictors are moderate and extreme numbers.
func predictors(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64() * []float64{0.1, 1, 5, 30, 200}[r.IntN(5)]
		if r.IntN(20) == 0 {
			x[i] = []float64{0, 800, -800, 708.5, -708.5, 37, -37, 1e-300, -1e-17}[r.IntN(9)]
		}
	}
	return x
}

func counts(r *rand.Rand, n, most int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(most + 1))
	}
	return x
}

// blocks cuts n rows into blocks of so many.
func blocks(n, size int, f func(lo, hi int)) {
	for lo := 0; lo < n; lo += size {
		f(lo, min(lo+size, n))
	}
}

func near(t *testing.T, what string, got, want, scale float64) {
	t.Helper()
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return
	}
	if !(math.Abs(got-want) <= 1e-13*scale) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// pass is a likelihood: what it adds up, at once or in blocks, and the log density and derivative of a row.
type pass struct {
	name string
	y    func(r *rand.Rand, n int) []float64
	run  func(d, y, eta []float64, block int) float64
	row  func(y, eta float64) (l, d float64)
	dist func(y, eta float64) float64 // less what run leaves out; for predictors in ±20
	tail bool                         // the derivative goes to 0 as exp(−eta²/2), with a relative error that grows as eta²
}

const size, tau = 2.5, 0.7

var trials = func() []float64 {
	n := make([]float64, 3000)
	for i := range n {
		n[i] = 9
	}
	return n
}()

// ones are the times that a row counts.
var ones = func() []float64 {
	w := make([]float64, 3000)
	Fill(w, 1)
	return w
}()

// ends are those of the categories of rows.
func ends(y, eta []float64) (a, b []float64) {
	a, b = make([]float64, len(y)), make([]float64, len(y))
	for i := range y {
		a[i], b[i] = between(y[i], eta[i])
	}
	return a, b
}

var passes = []pass{
	{"Normal", func(r *rand.Rand, n int) []float64 { return predictors(r, n) },
		func(d, y, eta []float64, block int) float64 {
			var s Sums
			blocks(len(d), block, func(i, j int) { Normal(&s, d[i:j], y[i:j], eta[i:j], tau) })
			return -0.5 * tau * s.Total()
		},
		func(y, eta float64) (l, d float64) { return -0.5 * tau * (y - eta) * (y - eta), tau * (y - eta) },
		func(y, eta float64) float64 { return dist.NormLogProb(y, eta, tau) - dist.NormLogProb(0, 0, tau) }, false},
	{"NormalRows", func(r *rand.Rand, n int) []float64 { return predictors(r, n) },
		func(d, y, eta []float64, block int) float64 {
			var s Sums
			q, precision := make([]float64, len(d)), make([]float64, len(d))
			Fill(precision, tau)
			blocks(len(d), block, func(i, j int) { NormalRows(&s, d[i:j], q[i:j], y[i:j], eta[i:j], precision[i:j]) })
			for i := range q {
				if q[i] != (y[i]-eta[i])*(y[i]-eta[i]) {
					return math.NaN()
				}
			}
			return -0.5 * s.Total()
		},
		func(y, eta float64) (l, d float64) { return -0.5 * tau * (y - eta) * (y - eta), tau * (y - eta) },
		func(y, eta float64) float64 { return dist.NormLogProb(y, eta, tau) - dist.NormLogProb(0, 0, tau) }, false},
	{"BernoulliLogit", func(r *rand.Rand, n int) []float64 { return counts(r, n, 1) },
		func(d, y, eta []float64, block int) float64 {
			var t Density
			blocks(len(d), block, func(i, j int) { BernoulliLogit(&t, d[i:j], y[i:j], eta[i:j]) })
			return t.Total()
		},
		func(y, eta float64) (l, d float64) {
			s := 2*y - 1
			return -vec.Log1pExp(-s * eta), s * vec.Ilogit(-s*eta)
		},
		func(y, eta float64) float64 { return dist.BernLogProb(y, vec.Ilogit(eta)) }, false},
	{"BinomialLogit", func(r *rand.Rand, n int) []float64 { return counts(r, n, 9) },
		func(d, y, eta []float64, block int) float64 {
			var s Sums
			blocks(len(d), block, func(i, j int) { BinomialLogit(&s, d[i:j], y[i:j], trials[i:j], eta[i:j]) })
			return s.Total()
		},
		func(y, eta float64) (l, d float64) {
			return y*eta - 9*vec.Log1pExp(eta), y - 9*vec.Ilogit(eta)
		},
		func(y, eta float64) float64 { return dist.BinLogProb(y, vec.Ilogit(eta), 9) - vec.LogChoose(9, y) }, false},
	{"PoissonLog", func(r *rand.Rand, n int) []float64 { return counts(r, n, 30) },
		func(d, y, eta []float64, block int) float64 {
			var s Sums
			blocks(len(d), block, func(i, j int) { PoissonLog(&s, d[i:j], y[i:j], eta[i:j]) })
			return s.Total()
		},
		func(y, eta float64) (l, d float64) { return y*eta - vec.Exp(eta), y - vec.Exp(eta) },
		func(y, eta float64) float64 { return dist.PoisLogProb(y, vec.Exp(eta)) + vec.Lgamma(y+1) }, false},
	{"NegBinLog", func(r *rand.Rand, n int) []float64 { return counts(r, n, 30) },
		func(d, y, u []float64, block int) float64 {
			var s, l Sums
			blocks(len(d), block, func(i, j int) { NegBinLog(&s, &l, d[i:j], y[i:j], ones[i:j], u[i:j], size) })
			return s.Total()
		},
		func(y, u float64) (l, d float64) {
			return y*u - (y+size)*vec.Log1pExp(u), y - (y+size)*vec.Ilogit(u)
		},
		func(y, u float64) float64 {
			return dist.NegbinLogProb(y, vec.Ilogit(-u), size) - vec.Lgamma(y+size) + vec.Lgamma(size) + vec.Lgamma(y+1)
		}, false},
	{"OrderedLogit", func(r *rand.Rand, n int) []float64 { return counts(r, n, 2) },
		func(d, y, eta []float64, block int) float64 {
			var t Density
			n := len(d)
			a, b := ends(y, eta)
			da, db := make([]float64, n), make([]float64, n)
			blocks(n, block, func(i, j int) { OrderedLogit(&t, da[i:j], db[i:j], a[i:j], b[i:j]) })
			Add(d, da, db)
			Neg(d, d)
			return t.Total()
		},
		func(y, eta float64) (l, d float64) {
			a, b := between(y, eta)
			return -vec.Log1pExp(a) - vec.Log1pExp(-b) + vec.Log1mExp(a-b), vec.Ilogit(a) - vec.Ilogit(-b)
		},
		func(y, eta float64) float64 {
			a, b := between(y, eta)
			return vec.Log(vec.Ilogit(-a) - vec.Ilogit(-b))
		}, false},
	{"OrderedProbit", func(r *rand.Rand, n int) []float64 { return counts(r, n, 2) },
		func(d, y, eta []float64, block int) float64 {
			var t Density
			n := len(d)
			a, b := ends(y, eta)
			da, db := make([]float64, n), make([]float64, n)
			blocks(n, block, func(i, j int) { OrderedProbit(&t, da[i:j], db[i:j], a[i:j], b[i:j]) })
			Add(d, da, db)
			Neg(d, d)
			return t.Total()
		},
		func(y, eta float64) (l, d float64) {
			a, b := between(y, eta)
			side := 1.0
			if a+b > 0 {
				a, b, side = -b, -a, -1
			}
			// φ(a)/φ(b), and Φ(b)−Φ(a) over φ(b) by hazards, which do not underflow.
			ratio := vec.Exp(0.5 * (b - a) * (b + a))
			tails := 1/vec.NormHazard(-b) - ratio/vec.NormHazard(-a)
			if math.IsInf(a, -1) {
				return vec.LogNormCDF(b), -side * vec.NormHazard(-b)
			}
			return vec.Log(tails) - 0.5*b*b - 0.5*math.Log(2*math.Pi), -side * (1 - ratio) / tails
		},
		func(y, eta float64) float64 { return vec.Log(orderedMass(between(y, eta))) }, true},
	{"BernoulliProbit", func(r *rand.Rand, n int) []float64 { return counts(r, n, 1) },
		func(d, y, eta []float64, block int) float64 {
			var t Density
			blocks(len(d), block, func(i, j int) { BernoulliProbit(&t, d[i:j], y[i:j], eta[i:j]) })
			return t.Total()
		},
		func(y, eta float64) (l, d float64) {
			s := 2*y - 1
			return vec.LogNormCDF(s * eta), s * vec.NormHazard(-s*eta)
		},
		func(y, eta float64) float64 { return dist.BernLogProb(1, vec.NormCDF((2*y-1)*eta)) }, true},
}

// orderedMass is the probability of a category, Φ(b)−Φ(a), taken on the side where both are small.
func orderedMass(a, b float64) float64 {
	if a+b > 0 {
		a, b = -b, -a
	}
	return vec.NormCDF(b) - vec.NormCDF(a)
}

// between are the cutpoints -1 and 1.5 around a category, less the predictor.
func between(y, eta float64) (a, b float64) {
	cut := []float64{math.Inf(-1), -1, 1.5, math.Inf(1)}
	return cut[int(y)] - eta, cut[int(y)+1] - eta
}

// The derivatives by both ends of a category, and by the size of counts, are those of package dist's probabilities: by central differences.
func TestEndsAndSizes(t *testing.T) {
	const h = 1e-5
	one := func(run func(t *Density, da, db, a, b []float64), a, b float64) (l, da, db float64) {
		var t2 Density
		d, e := []float64{0}, []float64{0}
		run(&t2, d, e, []float64{a}, []float64{b})
		return t2.Total(), d[0], e[0]
	}
	for name, run := range map[string]func(t *Density, da, db, a, b []float64){"logit": OrderedLogit, "probit": OrderedProbit} {
		for _, e := range [][2]float64{{-1, 0.5}, {0.2, 0.9}, {-3, -2.5}, {2, 6}, {-0.01, 0.01}} {
			_, da, db := one(run, e[0], e[1])
			at := func(a, b float64) float64 { l, _, _ := one(run, a, b); return l }
			byA := (at(e[0]+h, e[1]) - at(e[0]-h, e[1])) / (2 * h)
			byB := (at(e[0], e[1]+h) - at(e[0], e[1]-h)) / (2 * h)
			if math.Abs(da-byA) > 1e-5*(1+math.Abs(da)) || math.Abs(db-byB) > 1e-5*(1+math.Abs(db)) {
				t.Errorf("%s between %v: derivatives %v and %v, by differences %v and %v", name, e, da, db, byA, byB)
			}
		}
		if l, _, _ := one(run, 0.5, 0.5); !math.IsInf(l, -1) {
			t.Errorf("%s between equal ends: %v", name, l)
		}
		if l, da, db := one(run, math.Inf(-1), math.Inf(1)); l != 0 || math.Abs(da) > 1e-300 || math.Abs(db) > 1e-300 {
			t.Errorf("%s between infinite ends: %v, %v, %v", name, l, da, db)
		}
	}
	y, w, u, d := []float64{7, 3}, []float64{2, 1}, []float64{0.3, -1.2}, make([]float64, 2)
	sum := func(r float64) float64 { // two counts whose sum is 7, and one of 3
		p0, p1 := vec.Ilogit(-u[0]), vec.Ilogit(-u[1])
		rest := func(y float64) float64 { return vec.Lgamma(y+r) - vec.Lgamma(r) - vec.Lgamma(y+1) }
		return dist.NegbinLogProb(5, p0, r) + dist.NegbinLogProb(2, p0, r) + dist.NegbinLogProb(3, p1, r) - rest(5) - rest(2) - rest(3)
	}
	var s, l Sums
	NegBinLog(&s, &l, d, y, w, u, size)
	near(t, "the log density of counts that repeat", s.Total(), sum(size), 30)
	if byR := (sum(size+h) - sum(size-h)) / (2 * h); math.Abs(byR+l.Total()) > 1e-7 {
		t.Errorf("the derivative by the size is %v, by differences %v", -l.Total(), byR)
	}
}

// The rows of a pass are the formulas of package vec, to 1e-13 of the terms' size; the sums are those of the rows, and have the same bits in blocks.
func TestLikelihoods(t *testing.T) {
	for _, p := range passes {
		t.Run(p.name, func(t *testing.T) {
			for _, n := range []int{0, 1, 15, 16, 17, 100, 3000} {
				r := rand.New(rand.NewPCG(1, uint64(n)))
				eta, y := predictors(r, n), p.y(r, n)
				d, e := make([]float64, n), make([]float64, n)
				got := p.run(d, y, eta, 3008)
				want, size := 0.0, float64(n)
				for i := range eta {
					l, slope := p.row(y[i], eta[i])
					want += l
					size += math.Abs(l) + math.Abs(y[i]*eta[i])
					relative := 1.0
					if p.tail {
						relative += eta[i] * eta[i] / 100
					}
					near(t, "a derivative", d[i], slope, relative*math.Abs(slope)+y[i]*1e-3+1e-290)
				}
				near(t, "the log density", got, want, size)
				for _, block := range []int{16, 48, 256, 1024} {
					again := p.run(e, y, eta, block)
					if again != got && !math.IsNaN(got) {
						t.Errorf("%d rows in blocks of %d give %v, not %v", n, block, again, got)
					}
					for i := range d {
						if d[i] != e[i] {
							t.Fatalf("row %d in blocks of %d", i, block)
						}
					}
				}
			}
			for _, eta := range []float64{-3, -0.5, 0, 1e-8, 0.3, 4} {
				for _, y := range p.y(rand.New(rand.NewPCG(2, 0)), 10) {
					l := p.run(make([]float64, 1), []float64{y}, []float64{eta}, 16)
					want := p.dist(y, eta)
					near(t, "the log density of package dist", l, want, 30+math.Abs(want)+y*y)
				}
			}
		})
	}
}

func TestExtremePredictors(t *testing.T) {
	for _, p := range passes {
		for _, eta := range []float64{800, -800, 708, -708, 745, -745.1, 1e9, -1e9} {
			y := []float64{0, 1}
			d := make([]float64, 2)
			l := p.run(d, y, []float64{eta, eta}, 16)
			l0, d0 := p.row(0, eta)
			l1, d1 := p.row(1, eta)
			near(t, p.name, l, l0+l1, math.Abs(l0)+math.Abs(l1)+math.Abs(eta))
			near(t, p.name+"'s derivative", d[0], d0, math.Abs(d0)+1e-290)
			near(t, p.name+"'s derivative", d[1], d1, math.Abs(d1)+1e-13)
		}
		d := make([]float64, 3)
		l := p.run(d, []float64{1, 1, 1}, []float64{1, math.NaN(), 1}, 16)
		if !math.IsNaN(l) || !math.IsNaN(d[1]) || math.IsNaN(d[0]+d[2]) {
			t.Errorf("%s with a predictor NaN: log density %v, derivatives %v", p.name, l, d)
		}
	}
}

// A product of many factors is taken apart before it overflows, at the same rows for all blocks.
func TestLogsOfManyRows(t *testing.T) {
	const n = 100_003
	r := rand.New(rand.NewPCG(3, 0))
	x := make([]float64, n)
	want := 0.0
	for i := range x {
		x[i] = vec.Exp(r.NormFloat64() * 100)
		want += vec.Log(x[i])
	}
	for _, odd := range []float64{1, math.SmallestNonzeroFloat64, math.MaxFloat64, math.Inf(1), 0, -1, math.NaN()} {
		x[7] = odd
		var first float64
		for _, block := range []int{n, 16, 1024, 16 * 1008, 16 * 1009} {
			var l Logs
			blocks(n, block, func(i, j int) { l.Add(x[i:j]) })
			got := l.Total()
			if block == n {
				first = got
				var rest float64
				for _, v := range x {
					rest += vec.Log(v)
				}
				near(t, "the sum of logarithms", got, rest, n)
			} else if math.Float64bits(got) != math.Float64bits(first) {
				t.Errorf("in blocks of %d: %v, not %v", block, got, first)
			}
		}
	}
	var empty Logs
	if empty.Total() != 0 {
		t.Errorf("an empty sum is %v", empty.Total())
	}
}

func TestSums(t *testing.T) {
	a, b := []float64{1, 2, 3, 4, 5}, []float64{2, 0, 1, -1, 3}
	if Sum(a) != 15 || Dot(a, b) != 16 || Dot(a, a) != 55 {
		t.Error(Sum(a), Dot(a, b), Dot(a, a))
	}
	r := rand.New(rand.NewPCG(4, 0))
	x := predictors(r, 3000)
	for _, block := range []int{16, 160, 1024} {
		var s Sums
		blocks(len(x), block, func(i, j int) { s.Dot(x[i:j], x[i:j]) })
		if s.Total() != Dot(x, x) {
			t.Errorf("blocks of %d: %v, not %v", block, s.Total(), Dot(x, x))
		}
	}
}

func TestGather(t *testing.T) {
	v := []float64{10, 20, 30}
	d := make([]float64, 5)
	idx := []int32{2, 0, 1, 1, 2}
	Gather(d, v, idx)
	for i, at := range idx {
		if d[i] != v[at] {
			t.Fatal(d)
		}
	}
	ScatterAdd(v, idx, []float64{1, 2, 3, 4, 5})
	if v[0] != 12 || v[1] != 27 || v[2] != 36 {
		t.Fatal(v)
	}
	AddRuns(v, []int32{1, 0}, []int32{2, 9}, []float64{1, 2, 1, 1, 1, 1, 1, 1, 1})
	if v[0] != 19 || v[1] != 30 {
		t.Fatal(v)
	}
	for _, bad := range []int32{-1, 3, math.MinInt32, math.MaxInt32} {
		panics(t, "Gather", func() { Gather(d, v, []int32{0, 0, bad, 0, 0}) })
		panics(t, "ScatterAdd", func() { ScatterAdd(v, []int32{0, bad}, d[:2]) })
		panics(t, "AddRuns", func() { AddRuns(v, []int32{bad}, []int32{2}, d[:2]) })
	}
	panics(t, "AddRuns", func() { AddRuns(v, []int32{0, 1}, []int32{1, 9}, d[:2]) })
	panics(t, "AddRuns", func() { AddRuns(v, []int32{0, 1}, []int32{2, 1}, d[:2]) })
	panics(t, "Add", func() { Add(d, d, d[:2:2]) })
	panics(t, "AddMatVec", func() { AddMatVec(d, make([]float64, 14), 5, v) })
	panics(t, "AddMatVec", func() { AddMatVec(d, make([]float64, 30), 4, v) })
}

func panics(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	f()
}

func TestMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for _, rows := range []int{0, 1, 5, 16, 33, 100} {
		for _, columns := range []int{0, 1, 2, 3, 4, 5, 9, 20} {
			ld := rows + r.IntN(3)
			x, b, y := predictors(r, ld*columns), predictors(r, columns), predictors(r, rows)
			d, g := make([]float64, rows), make([]Sums, columns)
			AddMatVec(d, x, ld, b)
			AddMatTVec(g, x, ld, y)
			for i := range d {
				want := 0.0
				for j := range b {
					want += float64(x[i+j*ld] * b[j])
				}
				if d[i] != want {
					t.Fatalf("row %d of %d×%d is %v, want %v", i, rows, columns, d[i], want)
				}
			}
			for j := range g {
				if want := Dot(x[j*ld:][:rows], y); g[j].Total() != want {
					t.Fatalf("column %d of %d×%d is %v, want %v", j, rows, columns, g[j].Total(), want)
				}
			}
		}
	}
}

// TestNormalPlaneInPieces compares the bits with those of the loops that it stands for.
func TestNormalPlaneInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, n := range []int{1, 5, 16, 60, 150} {
		var columns [5][]float64
		for k := range columns {
			for range n {
				columns[k] = append(columns[k], r.NormFloat64())
			}
		}
		y, a, x, b, z := columns[0], columns[1], columns[2], columns[3], columns[4]
		mean, w, d, e := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		var want Sums
		Mul(mean, a, x)
		AddMul(mean, b, z)
		Normal(&want, w, y, mean, 0.7)
		for _, piece := range []int{1, 7, 16, 30, n} {
			var got Sums
			clear(d)
			clear(e)
			for lo := 0; lo < n; lo += piece {
				hi := min(lo+piece, n)
				NormalPlane(&got, lo, d[lo:hi], e[lo:hi], y[lo:hi], a[lo:hi], x[lo:hi], b[lo:hi], z[lo:hi], 0.7)
			}
			if got != want {
				t.Errorf("%d rows in pieces of %d: %v, want %v", n, piece, got, want)
			}
			for i := range d {
				if d[i] != float64(w[i]*a[i]) || e[i] != float64(w[i]*b[i]) {
					t.Errorf("%d rows in pieces of %d: derivatives %v and %v of row %d, want %v and %v", n, piece, d[i], e[i], i, w[i]*a[i], w[i]*b[i])
				}
			}
		}
	}
}
