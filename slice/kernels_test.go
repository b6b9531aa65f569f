package slice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// density makes a target of a function.
type density func(x []float64) float64

func (d density) LogDensity(x []float64) float64 { return d(x) }

// current says whether the log density of a point is that of its place.
func current(d density) func(s *mcmc.Point) error {
	return func(s *mcmc.Point) error {
		if f := d(s.X); f != s.LogP {
			return fmt.Errorf("at %v the log density is given as %v and is %v", s.X, s.LogP, f)
		}
		return nil
	}
}

// wedge is an exponential x and, given it, a normal y of mean x and sd 1/2.
func wedge(x []float64) float64 {
	if x[0] < 0 {
		return math.Inf(-1)
	}
	return -x[0] - 2*(x[1]-x[0])*(x[1]-x[0])
}

func drawWedge(r *rand.Rand) *mcmc.Point {
	x := r.ExpFloat64()
	return mcmc.NewPoint(density(wedge), []float64{x, x + r.NormFloat64()/2})
}

func second(s *mcmc.Point) []float64 {
	return []float64{s.X[0], s.X[1], s.X[0] * s.X[1], s.X[1] - s.X[0]}
}

func TestCoordinates(t *testing.T) {
	for _, bounded := range []bool{true, false} {
		for _, proto := range []Univariate{{}, {Method: Doubling}} {
			k, err := NewCoordinates(density(wedge), 2, proto)
			if err != nil {
				t.Fatal(err)
			}
			if bounded {
				k.Lower, k.Upper = []float64{0, -inf}, []float64{inf, inf}
			}
			r := rand.New(rand.NewPCG(1, 1))
			s := drawWedge(r)
			for i := range 200 {
				k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 200})
			}
			k.Freeze()
			target := kerneltest.Sampled[*mcmc.Point]{Draw: drawWedge, Kernel: k, Stats: second, Check: current(wedge)}
			if err := kerneltest.Invariant(target, kerneltest.Settings{Steps: 3}); err != nil {
				t.Error(err)
			}
			far := func(*rand.Rand) *mcmc.Point { return mcmc.NewPoint(density(wedge), []float64{20, -5}) }
			if err := kerneltest.Converges(target, far, kerneltest.Settings{Steps: 200, Replicates: 3000}); err != nil {
				t.Error(err)
			}
			if n := testing.AllocsPerRun(100, func() { k.Step(s, r) }); n != 0 {
				t.Errorf("%v allocations a step", n)
			}
		}
	}
}

func TestCoordinatesMarshal(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	k, _ := NewCoordinates(density(wedge), 2, Univariate{})
	s := drawWedge(r)
	for i := range 50 {
		k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 100})
	}
	b, err := k.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	l, _ := NewCoordinates(density(wedge), 2, Univariate{})
	if err := l.UnmarshalBinary(b); err != nil || !reflect.DeepEqual(l.coords, k.coords) {
		t.Errorf("tuning %+v became %+v: %v", k.coords, l.coords, err)
	}
	if l.UnmarshalBinary(b[1:]) == nil || l.UnmarshalBinary(nil) == nil {
		t.Error("tuning of another length is accepted")
	}
	if _, err := NewCoordinates(density(wedge), 0, Univariate{}); err == nil {
		t.Error("vectors of length 0 are accepted")
	}
	if w := k.Widths(); len(w) != 2 || w[0] == 1 || w[1] == 1 {
		t.Errorf("widths %v", w)
	}
}

// normals is the model of the elliptical sampler's tests: a vector with a correlated
// normal prior, and one observation of sd 1/2 of each coordinate.
type normals struct {
	*mcmc.Point
	data [2]float64
}

var (
	priorMean = []float64{1, -2}
	priorCov  = []float64{1, 0.8, 0.8, 2}
)

func (s *normals) loglik(x []float64) float64 {
	a, b := x[0]-s.data[0], x[1]-s.data[1]
	return -2 * (a*a + b*b)
}

// ellipse is the sampler on the data of the state it is given.
type ellipse struct {
	k *Elliptical
	s *normals
}

func (e *ellipse) Step(s *normals, r *rand.Rand) mcmc.Info {
	e.s = s
	return e.k.Step(s.Point, r)
}

func (e *ellipse) LogDensity(x []float64) float64 { return e.s.loglik(x) }

func TestElliptical(t *testing.T) {
	e := new(ellipse)
	k, err := NewElliptical(e, priorMean, priorCov)
	if err != nil {
		t.Fatal(err)
	}
	e.k = k
	redraw := func(s *normals, r *rand.Rand) {
		for i := range s.data {
			s.data[i] = s.X[i] + r.NormFloat64()/2
		}
		s.LogP = s.loglik(s.X)
	}
	joint := kerneltest.Joint[*normals]{
		Draw: func(r *rand.Rand) *normals {
			// The Cholesky factor of the covariance is (1, 0.8; 0, √1.36).
			z := r.NormFloat64()
			s := &normals{Point: &mcmc.Point{X: []float64{1 + z, -2 + 0.8*z + math.Sqrt(1.36)*r.NormFloat64()}}}
			redraw(s, r)
			return s
		},
		Redraw: redraw,
		Clone: func(s *normals) *normals {
			return &normals{&mcmc.Point{X: append([]float64(nil), s.X...), LogP: s.LogP}, s.data}
		},
		Kernel: e,
		Stats:  func(s *normals) []float64 { return append(second(s.Point), s.LogP) },
		Check:  func(s *normals) error { return current(s.loglik)(s.Point) },
	}
	if err := kerneltest.Geweke(joint, kerneltest.Settings{Steps: 8}); err != nil {
		t.Error(err)
	}
	if err := kerneltest.SBC(joint, kerneltest.Settings{Replicates: 2000, Steps: 5}); err != nil {
		t.Error(err)
	}
	if k.Exhausted > 0 {
		t.Errorf("gave up %d times", k.Exhausted)
	}
}

// The posterior by conjugacy: precision S⁻¹ + 4 I for one observation of variance 1/4.
func TestEllipticalConjugate(t *testing.T) {
	s := &normals{Point: &mcmc.Point{X: []float64{30, 30}}, data: [2]float64{2, 0}}
	e := &ellipse{s: s}
	k, _ := NewElliptical(e, priorMean, priorCov)
	e.k = k
	// S⁻¹ = (2, -0.8; -0.8, 1)/1.36; P = S⁻¹ + 4 I; mean = P⁻¹ (S⁻¹ m + 4 y).
	const det = 1.36
	p11, p12, p22 := 2/det+4, -0.8/det, 1/det+4
	b1, b2 := (2*1+-0.8*-2)/det+4*2, (-0.8*1-2)/det
	d := p11*p22 - p12*p12
	m1, m2 := (p22*b1-p12*b2)/d, (p11*b2-p12*b1)/d
	v11, v12, v22 := p22/d, -p12/d, p11/d
	draw := func(r *rand.Rand) *normals {
		z := r.NormFloat64()
		x := []float64{m1 + math.Sqrt(v11)*z, m2 + v12/math.Sqrt(v11)*z + math.Sqrt(v22-v12*v12/v11)*r.NormFloat64()}
		return &normals{&mcmc.Point{X: x, LogP: s.loglik(x)}, s.data}
	}
	err := kerneltest.Converges(kerneltest.Sampled[*normals]{
		Draw: draw, Kernel: e,
		Stats: func(s *normals) []float64 { return second(s.Point) },
	}, func(*rand.Rand) *normals {
		return &normals{mcmc.NewPoint(density(s.loglik), s.X), s.data}
	}, kerneltest.Settings{Steps: 60, Replicates: 10_000})
	if err != nil {
		t.Error(err)
	}
}

// turned is a point and the way, 1 or −1, in which positive angles of the last step went round the ellipse.
type turned struct {
	*mcmc.Point
	way float64
}

type turning struct{ k *Elliptical }

func (e turning) Step(s *turned, r *rand.Rand) mcmc.Info {
	info := e.k.Step(s.Point, r)
	s.way = math.Copysign(1, e.k.start[0]*e.k.nu[1]-e.k.start[1]*e.k.nu[0])
	return info
}

// On an ellipse and a level a step keeps the uniform distribution given the way round, which is the same seen from the
// point before and from the one after (Murray, Adams and MacKay 2010, section 2.3). An arc that is not cut at random first
// moves probability along the way; both ways together nearly hide that. The likelihood is 1 in two sectors: each ellipse
// about 0 goes through both, and they are mirror images, so that either way sees the same.
func TestEllipticalEitherWay(t *testing.T) {
	const width, end = 0.5, 4.5 // sectors from 0 to width and from end − width to end
	polar := func(x []float64) float64 {
		a := math.Atan2(x[1], x[0])
		if a < 0 {
			a += 2 * math.Pi
		}
		return a
	}
	loglik := density(func(x []float64) float64 {
		if a := polar(x); a < width || a > end-width && a < end {
			return 0
		}
		return math.Inf(-1)
	})
	k, err := NewElliptical(loglik, []float64{0, 0}, []float64{1, 0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	err = kerneltest.Invariant(kerneltest.Sampled[*turned]{
		Draw: func(r *rand.Rand) *turned {
			for {
				if s := mcmc.NewPoint(loglik, []float64{r.NormFloat64(), r.NormFloat64()}); s.LogP == 0 {
					return &turned{s, float64(1 - 2*r.IntN(2))}
				}
			}
		},
		Kernel: turning{k},
		Stats: func(s *turned) []float64 {
			along := polar(s.X)
			if s.way < 0 {
				along = end - along
			}
			return []float64{along, s.way, s.X[0], s.X[1]}
		},
		Check: func(s *turned) error { return current(loglik)(s.Point) },
	}, kerneltest.Settings{Replicates: 100_000})
	if err != nil {
		t.Error(err)
	}
	if k.Exhausted > 0 {
		t.Errorf("gave up %d times", k.Exhausted)
	}
}

func TestEllipticalBadInput(t *testing.T) {
	flat := density(func([]float64) float64 { return 0 })
	if _, err := NewElliptical(flat, nil, nil); err == nil {
		t.Error("no mean is accepted")
	}
	if _, err := NewElliptical(flat, []float64{0, 0}, []float64{1, 2}); err == nil {
		t.Error("a short covariance is accepted")
	}
	if _, err := NewElliptical(flat, []float64{0, 0}, []float64{1, 2, 2, 1}); err == nil {
		t.Error("an indefinite covariance is accepted")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, f := range []float64{math.NaN(), math.Inf(-1), math.Inf(1)} {
		k, _ := NewElliptical(density(func([]float64) float64 { return f }), []float64{0, 0}, []float64{1, 0, 0, 1})
		s := &mcmc.Point{X: []float64{1, 2}, LogP: f}
		if k.Step(s, r); s.X[0] != 1 || s.X[1] != 2 || k.Exhausted != 1 {
			t.Errorf("likelihood %v: at %v", f, s.X)
		}
	}
	k, _ := NewElliptical(flat, []float64{0, 0}, []float64{1, 0, 0, 1})
	s := mcmc.NewPoint(flat, []float64{1, 2})
	if n := testing.AllocsPerRun(100, func() { k.Step(s, r) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}
