package mh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

type vector = []float64

// shapeOf is a matrix with the variances 1, 2, … over a constant covariance of 0.3.
func shapeOf(d int) []float64 {
	a := make([]float64, d*d)
	for i := range d {
		for j := range d {
			a[i*d+j] = 0.3
		}
		a[i*d+i] = float64(i + 1)
	}
	return a
}

func newWalk(d int, set WalkSettings) *Walk { return must(NewWalk(d, shapeOf(d), set)) }

// vectorKernels are the kernels of this package over vectors, for one law.
func vectorKernels(l law) map[string]mcmc.Adapter[*mcmc.Point] {
	kernels := make(map[string]mcmc.Adapter[*mcmc.Point])
	add := func(name string, m Move[vector]) { kernels[name] = must(New(l, m, MetropolisHastings)) }
	for _, law := range []Increment{Normal, Uniform, Student} {
		add(law.String(), newWalk(l.dim, WalkSettings{Increment: law}))
	}
	kernels["Barker"] = must(New(l, Move[vector](newWalk(l.dim, WalkSettings{})), Barker))
	add("scale", newWalk(l.dim, WalkSettings{Learn: LearnScale}))
	add("Haario", newWalk(l.dim, WalkSettings{Learn: AdaptiveMetropolis}))
	add("Vihola", newWalk(l.dim, WalkSettings{Learn: RobustAdaptive}))
	add("Vihola's t", newWalk(l.dim, WalkSettings{Learn: RobustAdaptive, Increment: Student}))
	walk, wide := newWalk(l.dim, WalkSettings{}), newWalk(l.dim, WalkSettings{Increment: Student, DF: 3})
	fresh := must(NewIndependenceMove(must(NewNormalProposal(make([]float64, l.dim), shapeOf(l.dim)))))
	add("mixture", must(NewMixture([]float64{1, 1, 1}, Move[vector](walk), wide, fresh)))
	walk, wide = newWalk(l.dim, WalkSettings{Learn: LearnScale}), newWalk(l.dim, WalkSettings{})
	add("mixture density", must(NewMixtureDensity([]float64{2, 1, 1}, Conditional[vector](walk), wide, fresh)))
	walk = newWalk(l.dim, WalkSettings{})
	kernels["delayed"] = must(NewDelayedRejection(l, Conditional[vector](walk), must(walk.Shrunk(0.3)), must(walk.Shrunk(0.1))))
	kernels["delayed, Vihola"] = must(NewDelayedRejection(l, Conditional[vector](newWalk(l.dim, WalkSettings{Learn: RobustAdaptive})), wide))
	kernels["tries"] = must(NewMultipleTry(l, Move[vector](newWalk(l.dim, WalkSettings{})), 4))
	kernels["tries of independent moves"] = must(NewMultipleTry(l, Move[vector](fresh), 3))
	if l.name == "exponential" {
		add("multiply", must(NewMultiply(2)))
		add("dilate", must(NewDilate(0.5)))
		multiply := must(NewMultiply(2))
		add("multiply in a mixture density", must(NewMixtureDensity([]float64{1, 1}, Conditional[vector](multiply), newWalk(1, WalkSettings{}))))
		kernels["tries of multiply"] = must(NewMultipleTry(l, Move[vector](must(NewMultiply(2))), 3))
		kernels["delayed multiply"] = must(NewDelayedRejection(l, Conditional[vector](must(NewMultiply(3))), must(NewMultiply(0.5))))
	}
	return kernels
}

// gammas are two gamma variables of shape 2 and 3, and one that is their sum's scale.
var gammas = law{"gammas", func(x []float64) float64 {
	if x[0] <= 0 || x[1] <= 0 {
		return math.Inf(-1)
	}
	return math.Log(x[0]) - x[0] + 2*math.Log(x[1]) - x[1]
}, func(x []float64, r *rand.Rand) {
	x[0] = r.ExpFloat64() + r.ExpFloat64()
	x[1] = r.ExpFloat64() + r.ExpFloat64() + r.ExpFloat64()
}, 2}

// Kernels conform before and after warm-up; kerneltest's false-alarm rate is 1e-6 each.
func TestVectors(t *testing.T) {
	for _, l := range []law{laws[1], laws[3]} {
		for name, k := range vectorKernels(l) {
			conforms(t, name, l, k)
		}
	}
	// From a shape wrong by 10⁴ a longer warm-up is needed.
	conforms(t, "Haario, long", laws[2], must(New(laws[2], Move[vector](newWalk(3, WalkSettings{Learn: AdaptiveMetropolis})), MetropolisHastings)))
	conforms(t, "Vihola, long", laws[2], must(New(laws[2], Move[vector](newWalk(3, WalkSettings{Learn: RobustAdaptive})), MetropolisHastings)))
	both := mcmc.Cycle[*mcmc.Point](
		must(New(gammas, Move[vector](must(NewMultiply(1))), MetropolisHastings)),
		must(New(gammas, Move[vector](must(NewDilate(1))), Barker)))
	conforms(t, "factors", gammas, both)
}

// beside is gammas beside a structural zero.
var beside = law{"gammas beside a zero", func(x []float64) float64 {
	if x[2] != 0 {
		return math.Inf(-1)
	}
	return gammas.logp(x)
}, gammas.draw, 3}

// A coordinate that is 0 stays, and has no part in the Jacobian.
func TestStructuralZero(t *testing.T) {
	multiply := func(sd float64) *Multiply { return must(NewMultiply(sd)) }
	both := func() Move[vector] {
		return must(NewMixture([]float64{1, 1}, Move[vector](must(NewDilate(1))), multiply(1)))
	}
	for name, k := range map[string]mcmc.Adapter[*mcmc.Point]{
		"multiply":           must(New(beside, Move[vector](multiply(1)), MetropolisHastings)),
		"a mixture":          must(New(beside, both(), MetropolisHastings)),
		"a mixture density":  must(New(beside, must(NewMixtureDensity([]float64{1, 1}, Conditional[vector](multiply(1)), multiply(3))), MetropolisHastings)),
		"delayed rejection":  must(NewDelayedRejection(beside, Conditional[vector](multiply(3)), multiply(1))),
		"tries of a mixture": must(NewMultipleTry(beside, both(), 3)),
	} {
		conforms(t, name, beside, k)
	}
	for _, m := range []Move[vector]{multiply(1), must(NewDilate(1))} {
		if err := CheckMove(m, checkOf(beside)); err != nil {
			t.Errorf("%T: %v", m, err)
		}
	}
}

// A factor that leads to a subnormal or infinite number, or from one, makes no proposal; a proposal from where
// its own density is zero is rejected.
func TestNoWayBack(t *testing.T) {
	r := newRand(4)
	for _, x := range []float64{1e-307, 1e307} {
		for _, m := range []Move[vector]{must(NewMultiply(200)), must(NewDilate(200))} {
			for range 100 {
				to, ratio := m.Propose(nil, []float64{x, 0, -x}, r)
				for _, i := range []int{0, 2} {
					if !math.IsInf(ratio, -1) && !(math.Abs(to[i]) >= 0x1p-1022 && math.Abs(to[i]) <= math.MaxFloat64) {
						t.Fatalf("%T from %v to %v with the log ratio %v", m, x, to, ratio)
					}
				}
			}
		}
	}
	elsewhere := must(NewIndependenceMove(denies{}))
	point := mcmc.NewPoint(flat{}, []float64{0.5})
	for name, k := range map[string]mcmc.Kernel[*mcmc.Point]{
		"independence":      must(NewIndependence(flat{}, denies{}, 1)),
		"independence move": must(New(flat{}, Move[vector](elsewhere), MetropolisHastings)),
	} {
		if info := k.Step(point, r); info.Accepted || !info.Divergent || point.X[0] != 0.5 {
			t.Errorf("%s: %+v to %v", name, info, point.X)
		}
	}
	if err := CheckMove(Move[vector](elsewhere), checkOf(law{"unit", func([]float64) float64 { return 0 },
		func(x []float64, r *rand.Rand) { x[0] = r.Float64() }, 1})); err == nil || !strings.Contains(err.Error(), "log ratio +Inf") {
		t.Errorf("CheckMove: %v", err)
	}
}

// denies draws from 1 to 2, and has its density from 0 to 1.
type denies struct{}

func (denies) Draw(x []float64, r *rand.Rand) { x[0] = 1 + r.Float64() }

func (denies) LogDensity(x []float64) float64 {
	if x[0] > 1 {
		return math.Inf(-1)
	}
	return 0
}

func conforms(t *testing.T, name string, l law, k mcmc.Adapter[*mcmc.Point]) {
	t.Helper()
	set := kerneltest.Settings{Steps: 2, Replicates: 5000}
	if err := kerneltest.Invariant(l.sampled(k), set); err != nil {
		t.Errorf("%s on %s: %v", name, l.name, err)
	}
	r := newRand(2)
	n := 2000
	if strings.HasSuffix(name, "long") {
		n = 30_000
	}
	warm(k, l.point(r), n, r)
	if err := kerneltest.Invariant(l.sampled(k), set); err != nil {
		t.Errorf("%s on %s, after warm-up: %v", name, l.name, err)
	}
	start := func(*rand.Rand) *mcmc.Point {
		x := make([]float64, l.dim)
		for i := range x {
			x[i] = 0.2
		}
		if l.name == beside.name {
			x[2] = 0
		}
		return mcmc.NewPoint(l, x)
	}
	if err := kerneltest.Converges(l.sampled(k), start, kerneltest.Settings{Steps: 300, Replicates: 500}); err != nil {
		t.Errorf("%s on %s: %v", name, l.name, err)
	}
}

// Each adaptation comes to its acceptance rate, whatever the first scale. The rate over
// 10 000 steps has a standard deviation of about 0.01: 0.08 is far outside, and far below a
// miss. AdaptiveMetropolis tunes no rate: on a normal target it comes near the best one.
func TestWalkLearns(t *testing.T) {
	l := laws[2]
	for _, c := range []struct {
		learn Adaptation
		scale float64
		warm  int
	}{
		{LearnScale, 1e-4, 2000}, {LearnScale, 1e4, 2000}, {LearnShape, 1e-3, 2000}, {LearnShape, 1e3, 2000},
		{RobustAdaptive, 1e-3, 20_000}, {RobustAdaptive, 1e3, 20_000}, {AdaptiveMetropolis, 1e-2, 20_000},
	} {
		shape := shapeOf(l.dim)
		for i := range shape {
			shape[i] *= c.scale * c.scale
		}
		k := must(New(l, Move[vector](must(NewWalk(l.dim, shape, WalkSettings{Learn: c.learn}))), MetropolisHastings))
		r := newRand(3)
		s := l.point(r)
		warm(k, s, c.warm, r)
		if got, want := acceptance(k, s, 10_000, r), OptimalAcceptance(l.dim); math.Abs(got-want) > 0.08 {
			t.Errorf("%d from scale %v: acceptance %v, want %v", c.learn, c.scale, got, want)
		}
	}
}

// Vihola's update against the matrix it stands for.
func TestRankOne(t *testing.T) {
	const d = 4
	r := newRand(4)
	for _, sign := range []float64{1, -1} {
		l := must(factor(d, shapeOf(d)))
		v := make([]float64, d)
		want := shapeOf(d)
		for i := range v {
			v[i] = r.NormFloat64() / 4
		}
		for i := range d {
			for j := range d {
				want[i*d+j] += sign * v[i] * v[j]
			}
		}
		if !rankOne(l, v, d, sign) {
			t.Fatal("no factor")
		}
		for i := range d {
			for j := range i + 1 {
				got := 0.0
				for k := range j + 1 {
					got += l[i+k*d] * l[j+k*d]
				}
				if math.Abs(got-want[i*d+j]) > 1e-14 {
					t.Errorf("sign %v: element %d, %d is %v, want %v", sign, i, j, got, want[i*d+j])
				}
			}
		}
	}
	if rankOne(must(factor(1, []float64{1})), []float64{2}, 1, -1) {
		t.Error("a matrix that is not positive definite has a factor")
	}
}

// The density of a walk integrates to one and is that of its steps: by importance sampling
// from another walk, with the standard errors of the estimates (5.5 of them, a false alarm
// in 26 million).
func TestWalkDensity(t *testing.T) {
	wide := must(NewWalk(2, []float64{9, 1, 1, 9}, WalkSettings{Increment: Student, DF: 3}))
	from := []float64{1, -2}
	for _, law := range []Increment{Normal, Uniform, Student} {
		k := must(NewWalk(2, []float64{1, 0.5, 0.5, 2}, WalkSettings{Increment: law, DF: 5}))
		narrow := must(k.Shrunk(0.5))
		r := newRand(5)
		for _, q := range []Conditional[vector]{k, narrow} {
			const n = 100_000
			var sum, square, inside, insideSquare float64
			var to vector
			for range n {
				to, _ = wide.Propose(to, from, r)
				w := math.Exp(q.LogDensity(to, from) - wide.LogDensity(to, from))
				sum += w
				square += w * w
				if to[0] < 1.5 && to[1] > -2.3 {
					inside += w
					insideSquare += w * w
				}
			}
			mean := sum / n
			if se := math.Sqrt(square/n-mean*mean) / math.Sqrt(n); math.Abs(mean-1) > 5.5*se {
				t.Errorf("%v: the density integrates to %v ± %v", law, mean, se)
			}
			drawn := 0.0
			for range n {
				if to, _ = q.Propose(to, from, r); to[0] < 1.5 && to[1] > -2.3 {
					drawn++
				}
			}
			p := drawn / n
			se := math.Sqrt((insideSquare/n - inside*inside/n/n + p*(1-p)) / n)
			if math.Abs(drawn-inside)/n > 5.5*se {
				t.Errorf("%v: a corner has probability %v by density and %v by draws", law, inside/n, drawn/n)
			}
		}
	}
}

func TestVectorAllocations(t *testing.T) {
	for _, l := range []law{laws[1], laws[3]} {
		for name, k := range vectorKernels(l) {
			r := newRand(6)
			s := l.point(r)
			warm(k, s, 100, r)
			if n := testing.AllocsPerRun(200, func() { k.Step(s, r) }); n != 0 {
				t.Errorf("%s on %s: %v allocations a step", name, l.name, n)
			}
		}
	}
	for name, k := range finiteKernels(t) {
		r := newRand(6)
		s := mcmc.NewState(five, 0)
		if n := testing.AllocsPerRun(200, func() { k.Step(s, r) }); n != 0 {
			t.Errorf("%s: %v allocations a step", name, n)
		}
	}
}

// A kernel restored at any point of its warm-up goes on bit for bit.
func TestVectorMarshal(t *testing.T) {
	type tunable interface {
		mcmc.Adapter[*mcmc.Point]
		MarshalBinary() ([]byte, error)
		UnmarshalBinary([]byte) error
	}
	for _, l := range []law{laws[1], laws[3]} {
		a, b := vectorKernels(l), vectorKernels(l)
		for name := range a {
			k, restored := a[name].(tunable), b[name].(tunable)
			r, at := newRand(7), 230
			s := l.point(r)
			for i := range at {
				k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 400})
			}
			bytes, err := k.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if err := restored.UnmarshalBinary(bytes); err != nil {
				t.Fatal(err)
			}
			q := newRand(8)
			*r = *newRand(8)
			other := &mcmc.Point{X: append([]float64(nil), s.X...), LogP: s.LogP}
			for i := at; i < 400; i++ {
				w := mcmc.Warmup{Iteration: i, Total: 400}
				if x, y := k.Adapt(s, r, w), restored.Adapt(other, q, w); x != y || !reflect.DeepEqual(s, other) {
					t.Fatalf("%s on %s: restored at %d, differs at %d", name, l.name, at, i)
				}
			}
			if len(bytes) > 3 && restored.UnmarshalBinary(bytes[:len(bytes)-1]) == nil {
				t.Errorf("%s on %s: a cut tuning is accepted", name, l.name)
			}
		}
	}
	k := newWalk(2, WalkSettings{})
	if k.UnmarshalBinary(must(newWalk(3, WalkSettings{}).MarshalBinary())) == nil {
		t.Error("the tuning of a walk over longer vectors is accepted")
	}
}

func TestMoveErrors(t *testing.T) {
	l, walk := laws[3], newWalk(2, WalkSettings{})
	nan := math.NaN()
	second := func(_ any, err error) error { return err }
	for want, err := range map[string]error{
		"2 rows of 2":                          second(NewWalk(2, []float64{1, 2, 3}, WalkSettings{})),
		"0 rows of 0":                          second(NewWalk(0, nil, WalkSettings{})),
		"not symmetric: 0.5 in row 2":          second(NewWalk(2, []float64{1, 0.4, 0.5, 1}, WalkSettings{})),
		"first 2 rows":                         second(NewWalk(3, []float64{1, 2, 0, 2, 1, 0, 0, 0, 1}, WalkSettings{})),
		"first 1 rows":                         second(NewWalk(1, []float64{0}, WalkSettings{})),
		"first 3 rows":                         second(NewWalk(3, []float64{1, 0, 1, 0, 1, 1, 1, 1, 2}, WalkSettings{})),
		"NaN in row 2, column 2":               second(NewWalk(2, []float64{1, 0, 0, nan}, WalkSettings{})),
		"no increment 7":                       second(NewWalk(1, []float64{1}, WalkSettings{Increment: 7})),
		"-1 degrees":                           second(NewWalk(1, []float64{1}, WalkSettings{DF: -1})),
		"learn by 9":                           second(NewWalk(1, []float64{1}, WalkSettings{Learn: 9})),
		"acceptance rate 1":                    second(NewWalk(1, []float64{1}, WalkSettings{Accept: 1})),
		"standard deviation 0":                 second(NewMultiply(0)),
		"standard deviation NaN":               second(NewDilate(nan)),
		"needs a target and a move":            second(New[vector](l, nil, Barker)),
		"acceptance rule 5":                    second(New(l, Move[vector](walk), 5)),
		"needs the density of the move":        second(New(l, Move[vector](must(NewDilate(1))), Plain)),
		"from 1 to 8 moves":                    second(NewDelayedRejection[vector](l)),
		"move 1 of delayed":                    second(NewDelayedRejection[vector](l, nil)),
		"0 tries":                              second(NewMultipleTry(l, Move[vector](walk), 0)),
		"learns by RobustAdaptive":             second(NewMultipleTry(l, Move[vector](newWalk(2, WalkSettings{Learn: RobustAdaptive})), 2)),
		"tries make several":                   second(NewMultipleTry(l, Move[vector](must(NewMixture([]float64{1}, Move[vector](newWalk(2, WalkSettings{Learn: RobustAdaptive}))))), 2)),
		"is the first one":                     second(NewDelayedRejection(l, Conditional[vector](walk), walk)),
		"factor 0":                             second(walk.Shrunk(0)),
		"1 moves has 2 weights":                second(NewMixture([]float64{1, 2}, Move[vector](walk))),
		"the weights of a mixture":             second(NewMixtureDensity([]float64{-1}, Conditional[vector](walk))),
		"move 1 of a mixture":                  second(NewMixtureDensity[vector]([]float64{1}, nil)),
		"an empty proposal matrix":             second(NewMatrix(nil)),
		"row 1 of the proposal matrix has 1":   second(NewMatrix([][]float64{{1}, {0, 1}})),
		"row 2 of the proposal matrix adds":    second(NewMatrix([][]float64{{1, 0}, {0, 0.9}})),
		"row 2 of the proposal matrix has the": second(NewMatrix([][]float64{{1, 0}, {1.5, -0.5}})),
		"needs to know which they are":         second(NewNeighbours[int](nil)),
		"a distribution to draw from":          second(NewIndependenceMove(nil)),
		"mean 2 of a proposal":                 second(NewNormalProposal([]float64{1, nan}, []float64{1, 0, 0, 1})),
		"first 2 rows and":                     second(NewNormalProposal([]float64{1, 1}, []float64{1, 1, 1, 1})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

// Parts for vectors of different lengths do not go together, and no kernel moves a vector of a
// length that is not its own.
func TestLengths(t *testing.T) {
	from, err := NewNormalProposal([]float64{0, 0}, []float64{1, 0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewIndependence(flat{}, from, 3); err == nil || !strings.Contains(err.Error(), "length 3 with proposals of length 2") {
		t.Errorf("an independence sampler: %v", err)
	}
	one, err := NewWalk(1, []float64{1}, WalkSettings{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := NewIndependenceMove(from)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewMixture([]float64{1, 1}, Move[[]float64](one), two); err == nil || !strings.Contains(err.Error(), "move 2 of a mixture is for vectors of length 2") {
		t.Errorf("a mixture of moves: %v", err)
	}
	walk, err := NewRandomWalk(flat{}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	r := rng.New(1, "length").Rand
	for name, do := range map[string]func(){
		"RandomWalk": func() { walk.Step(mcmc.NewPoint(flat{}, []float64{0, 0}), r) },
		"Walk":       func() { one.Propose(nil, []float64{0, 0}, r) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, "length 1 is to move one of length 2") {
					t.Errorf("%s: %s", name, got)
				}
			}()
			do()
		}()
	}
}

// flat has the same density everywhere.
type flat struct{}

func (flat) LogDensity([]float64) float64 { return 0 }
