package mode

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// gaussian is a normal density with the precision matrix and the mean, without its constant.
func gaussian(precision [][]float64, mean []float64) hmc.TargetFunc {
	return func(x, grad []float64) float64 {
		f := 0.0
		for i, row := range precision {
			s := 0.0
			for j, p := range row {
				s += p * (x[j] - mean[j])
			}
			f -= 0.5 * s * (x[i] - mean[i])
			if grad != nil {
				grad[i] = -s
			}
		}
		return f
	}
}

// stretched has a precision with eigenvalues from 1 to the condition, turned.
func stretched(n int, condition float64) ([][]float64, []float64) {
	q := make([][]float64, n)
	r := rng.New(3, "turned").Rand
	for i := range q { // Gram and Schmidt
		q[i] = make([]float64, n)
		for j := range q[i] {
			q[i][j] = r.NormFloat64()
		}
		for k := range i {
			columns.AddScaled(q[i], q[k], -vec.Dot(q[k], q[i]))
		}
		l := math.Sqrt(vec.Dot(q[i], q[i]))
		for j := range q[i] {
			q[i][j] /= l
		}
	}
	m, mean := make([][]float64, n), make([]float64, n)
	for i := range m {
		m[i], mean[i] = make([]float64, n), float64(i)-2
		for j := range m[i] {
			for k := range q {
				m[i][j] += math.Pow(condition, float64(k)/float64(n-1)) * q[k][i] * q[k][j]
			}
		}
	}
	return m, mean
}

// rosenbrock is minus the function of Rosenbrock (1960), in pairs; its top is at ones.
func rosenbrock(x, grad []float64) float64 {
	f := 0.0
	for i := 0; i < len(x); i += 2 {
		a, b := x[i+1]-x[i]*x[i], 1-x[i]
		f -= 100*a*a + b*b
		if grad != nil {
			grad[i], grad[i+1] = 400*a*x[i]+2*b, -200*a
		}
	}
	return f
}

// funnel is Neal's (2003): x₀ ~ N(0, 3²), the others N(0, e^{x₀}).
func funnel(x, grad []float64) float64 {
	v, sum, n := math.Exp(-x[0]), 0.0, float64(len(x)-1)
	for i, y := range x[1:] {
		sum += y * y
		if grad != nil {
			grad[i+1] = -v * y
		}
	}
	if grad != nil {
		grad[0] = -x[0]/9 - n/2 + v*sum/2
	}
	return -x[0]*x[0]/18 - n*x[0]/2 - v*sum/2
}

func TestClimb(t *testing.T) {
	wide, mean := stretched(20, 1e6)
	half := hmc.TargetFunc(func(x, grad []float64) float64 { // log x₀ − x₀, which ends at 0
		if x[0] <= 0 {
			return math.Inf(-1)
		}
		if grad != nil {
			grad[0] = 1/x[0] - 1
		}
		return math.Log(x[0]) - x[0]
	})
	ones := []float64{1, 1, 1, 1, 1, 1, 1, 1}
	for _, c := range []struct {
		name        string
		target      hmc.Target
		start, want []float64
		tolerance   float64
		evals       int
	}{
		{"condition 1e6", gaussian(wide, mean), make([]float64, 20), mean, 1e-4, 1500},
		{"Rosenbrock", hmc.TargetFunc(rosenbrock), []float64{-1.2, 1}, ones[:2], 1e-5, 100},
		{"Rosenbrock in 8", hmc.TargetFunc(rosenbrock), []float64{-1.2, 1, 3, -4, 0, 0, -20, 15}, ones, 1e-4, 400},
		{"a density that ends", half, []float64{50}, ones[:1], 1e-5, 40},
		{"from far", gaussian([][]float64{{1e-8, 0}, {0, 1e8}}, []float64{0, 0}), []float64{1e6, 1e6}, []float64{0, 0}, 1, 200},
	} {
		top, err := Climb(c.target, c.start, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if top.End != Converged || top.Evals > c.evals || top.Rise > smallRise {
			t.Errorf("%s: %v after %d evaluations, %g left", c.name, top.End, top.Evals, top.Rise)
		}
		for i, x := range top.X {
			if math.Abs(x-c.want[i]) > c.tolerance {
				t.Errorf("%s: coordinate %d is %v, not %v", c.name, i, x, c.want[i])
			}
		}
		if f := c.target.LogDensity(top.X); f != top.LogDensity {
			t.Errorf("%s: log density %v, said to be %v", c.name, f, top.LogDensity)
		}
	}
}

// Where there is no mode the end says so.
func TestClimbWithoutAMode(t *testing.T) {
	up := hmc.TargetFunc(func(x, grad []float64) float64 {
		if grad != nil {
			grad[0] = 1
		}
		return x[0]
	})
	if top, err := Climb(up, []float64{0}, Settings{}); err != nil || top.End != Endless {
		t.Errorf("%+v, %v", top, err)
	}
	if top, err := Climb(hmc.TargetFunc(rosenbrock), []float64{-1.2, 1}, Settings{Iterations: 5}); err != nil || top.End != Exhausted || top.Iterations != 5 {
		t.Errorf("%+v, %v", top, err)
	}
	kink := hmc.TargetFunc(func(x, grad []float64) float64 {
		if grad != nil {
			grad[0] = math.Copysign(1, -x[0])
		}
		return -math.Abs(x[0])
	})
	if top, err := Climb(kink, []float64{0.7}, Settings{}); err != nil || top.End != Stalled || math.Abs(top.X[0]) > 1e-6 {
		t.Errorf("%+v, %v", top, err)
	}
	for _, x := range [][]float64{nil, {math.NaN(), 1}} {
		if _, err := Climb(hmc.TargetFunc(rosenbrock), x, Settings{}); err == nil {
			t.Errorf("a climb from %v", x)
		}
	}
}

// The estimate's draws, density and products are those of one and the same matrix: the density is that of the matrix of the products,
// by Cholesky's factors, and draws have it for their covariance. 465 entries within 6.5 standard errors: 4e-8.
func TestHistoryIsOneMatrix(t *testing.T) {
	const n = 30
	precision, mean := stretched(n, 1e5)
	c, err := newClimber(gaussian(precision, mean), make([]float64, n), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for range pairs + 3 { // more steps than are kept
		c.step()
	}
	cov := make([]float64, n*n)
	for j := range n {
		unit := make([]float64, n)
		unit[j] = 1
		c.h.apply(cov[j*n:(j+1)*n], unit)
	}
	q, ok := c.h.freeze(mean)
	if !ok || len(q.s) != pairs {
		t.Fatalf("%d pairs, %v", len(q.s), ok)
	}
	l := make([]float64, n*n)
	if !vec.Chol(l, cov, n) {
		t.Fatal("no covariance")
	}
	r := rng.New(1, "history").Rand
	const draws = 50_000
	x, sum := make([]float64, n), make([]float64, n*n)
	for k := range draws {
		q.draw(r, x)
		for i := range x {
			x[i] -= mean[i]
		}
		for i := range n {
			for j := range n {
				sum[i+j*n] += x[i] * x[j]
			}
		}
		if k < 100 {
			w := make([]float64, n)
			vec.TriSolveLower(w, l, x, n)
			want := -0.5 * (vec.Dot(w, w) + vec.CholLogDet(l, n) + n*math.Log(2*math.Pi))
			for i := range x {
				x[i] += mean[i]
			}
			if got := q.logDensity(x); math.Abs(got-want) > 1e-8*math.Abs(want) {
				t.Fatalf("log density %v, by Cholesky %v", got, want)
			}
		}
	}
	for i := range n {
		for j := range i + 1 {
			want := cov[i+j*n]
			se := math.Sqrt((cov[i+i*n]*cov[j+j*n] + want*want) / draws)
			if got := sum[i+j*n] / draws; math.Abs(got-want) > 6.5*se {
				t.Errorf("covariance %d, %d of draws is %v, of products %v ± %v", i, j, got, want, se)
			}
		}
	}
}

// Of a normal density all is exact: the covariance, and the weights of Laplace's draws, which are its integral.
func TestLaplaceOfNormal(t *testing.T) {
	const n = 7
	precision, mean := stretched(n, 1e4)
	target := gaussian(precision, mean)
	top, err := Climb(target, make([]float64, n), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Curve(target, top.X)
	if err != nil || !c.Definite() {
		t.Fatalf("%+v, %v", c, err)
	}
	if c.Ascend(target, top, 1e-20); top.End != Converged {
		t.Errorf("%v, %g left", top.End, top.Rise)
	}
	flat := make([]float64, n*n)
	for i, row := range precision {
		copy(flat[i*n:], row)
		if math.Abs(top.X[i]-mean[i]) > 1e-9 {
			t.Errorf("coordinate %d of the mode is %v, not %v", i, top.X[i], mean[i])
		}
	}
	if !vec.Chol(flat, flat, n) {
		t.Fatal("no precision")
	}
	logZ := 0.5 * (n*math.Log(2*math.Pi) - vec.CholLogDet(flat, n))
	if got := c.LogMass(top.LogDensity); math.Abs(got-logZ) > 1e-6 {
		t.Errorf("the logarithm of the mass is %v, not %v", got, logZ)
	}
	inverse := make([]float64, n*n)
	vec.CholInverse(inverse, flat, n)
	for i := range n {
		unit := make([]float64, n)
		unit[i] = 1
		if got, want := c.SD(unit), math.Sqrt(inverse[i+i*n]); math.Abs(got/want-1) > 1e-7 {
			t.Errorf("standard deviation %d is %v, not %v", i, got, want)
		}
	}
	for j := range n {
		step := c.Ridge(j)
		unit := make([]float64, n)
		unit[j] = 1
		if sd := c.SD(unit); math.Abs(step[j]/sd-1) > 1e-9 {
			t.Errorf("the ridge goes %v along coordinate %d, not %v", step[j], j, sd)
		}
		for i := range step {
			step[i] += top.X[i]
		}
		if fall := top.LogDensity - target.LogDensity(step); math.Abs(fall-0.5) > 1e-6 {
			t.Errorf("the log density falls by %v along ridge %d", fall, j)
		}
	}
	a, err := Laplace(target, c, 200, rng.New(2, "laplace").Rand)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range a.LogWeights {
		if math.Abs(w-logZ) > 1e-5 {
			t.Errorf("log weight %v, log integral %v", w, logZ)
		}
	}
}

// Directions without curvature are named, and have no draws.
func TestFlatDirections(t *testing.T) {
	ridge := hmc.TargetFunc(func(x, grad []float64) float64 { // of x₀ + x₂ alone
		s := x[0] + x[2] - 1
		if grad != nil {
			grad[0], grad[1], grad[2] = -s, -4*x[1], -s
		}
		return -0.5*s*s - 2*x[1]*x[1]
	})
	saddle := gaussian([][]float64{{1, 0}, {0, -1}}, []float64{0, 0})
	loose := gaussian([][]float64{{1, 0}, {0, 0}}, []float64{0, 0})
	for _, c := range []struct {
		target hmc.Target
		at     []float64
		want   string
	}{{ridge, []float64{0.3, 0, 0.7}, "[[0 2]]"}, {saddle, []float64{0, 0}, "[[1]]"}, {loose, []float64{0, 3}, "[[1]]"}} {
		k, err := Curve(c.target, c.at)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]int
		for _, d := range k.Flat {
			got = append(got, d.Coordinates)
		}
		if fmt.Sprint(got) != c.want && fmt.Sprint(got) != "[[2 0]]" || k.Definite() {
			t.Errorf("flat along %v, want %s", got, c.want)
		}
		if _, err := Laplace(c.target, k, 5, rand.New(rand.NewPCG(1, 2))); err == nil || !strings.Contains(err.Error(), "flat") {
			t.Errorf("Laplace there: %v", err)
		}
	}
	end := hmc.TargetFunc(func(x, grad []float64) float64 { return math.Log(-math.Abs(x[0])) })
	if _, err := Curve(end, []float64{0}); err == nil {
		t.Error("second derivatives of a point")
	}
}

// logistic is the log likelihood of a logistic regression with standard normal priors.
func logistic(rows, dim int) hmc.TargetFunc {
	r := rng.New(5, "logistic").Rand
	xs, ys := make([][]float64, rows), make([]float64, rows)
	for i := range xs {
		xs[i] = make([]float64, dim)
		eta := 0.0
		for j := range xs[i] {
			xs[i][j] = r.NormFloat64()
			eta += xs[i][j] * float64(j%3-1)
		}
		if r.Float64() < 1/(1+math.Exp(-eta)) {
			ys[i] = 1
		}
	}
	return func(x, grad []float64) float64 {
		f := -0.5 * vec.Dot(x, x)
		for j := range grad {
			grad[j] = -x[j]
		}
		for i, row := range xs {
			eta := vec.Dot(row, x)
			f += ys[i]*eta - vec.Log1pExp(eta)
			if grad != nil {
				columns.AddScaled(grad, row, ys[i]-vec.Ilogit(eta))
			}
		}
		return f
	}
}

// Both approximations are good where the posterior is nearly normal, and the estimates that are corrected by weights agree with each other: the
// difference of two estimates of the mean of each coordinate is within 6 of their standard errors, 10 times: 2e-8.
func TestApproximationsOfLogistic(t *testing.T) {
	const dim = 10
	target := logistic(300, dim)
	top, err := Climb(target, make([]float64, dim), Settings{})
	if err != nil || top.End != Converged {
		t.Fatalf("%+v, %v", top, err)
	}
	c, err := Curve(target, top.X)
	if err != nil {
		t.Fatal(err)
	}
	laplace, err := Laplace(target, c, 4000, rng.New(1, "laplace").Rand)
	if err != nil {
		t.Fatal(err)
	}
	var starts [][]float64
	for i := range 4 {
		x, r := make([]float64, dim), rng.New(9, "start", uint64(i)).Rand
		for j := range x {
			x[j] = 4*r.Float64() - 2
		}
		starts = append(starts, x)
	}
	path, paths, err := Pathfinder(func() hmc.Target { return target }, starts, PathfinderSettings{Seed: 7, Draws: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if p.Err != nil || p.Top.End != Converged || !vec.Finite(p.ELBO) {
			t.Errorf("%+v", p)
		}
	}
	var means [2][dim]struct{ value, se float64 }
	for k, a := range []*Approximation{laplace, path} {
		s, err := a.Sample()
		if err != nil {
			t.Fatal(err)
		}
		smooth, khat := s.Smooth()
		if khat > 0.7 {
			t.Errorf("approximation %d: k-hat %v", k, khat)
		}
		for j := range dim {
			m, err := smooth.Mean(func(x []float64) float64 { return x[j] })
			if err != nil {
				t.Fatal(err)
			}
			means[k][j].value, means[k][j].se = m.Value, m.SE
		}
	}
	for j := range dim {
		a, b := means[0][j], means[1][j]
		if math.Abs(a.value-b.value) > 6*math.Hypot(a.se, b.se) {
			t.Errorf("coordinate %d: %v ± %v by Laplace, %v ± %v by Pathfinder", j, a.value, a.se, b.value, b.se)
		}
	}

	// As many threads as there may be, the same draws.
	again, _, err := Pathfinder(func() hmc.Target { return target }, starts, PathfinderSettings{Seed: 7, Draws: 1000, Threads: 3})
	if err != nil || fmt.Sprint(again.LogWeights) != fmt.Sprint(path.LogWeights) {
		t.Errorf("other draws on three threads, %v", err)
	}
	some, err := again.Resample(rng.New(1, "resample").Rand, 500)
	if err != nil || len(some) != 500 {
		t.Errorf("%d draws, %v", len(some), err)
	}
}

// No normal density is near a funnel, and the weights say so, for any seed.
func TestFunnelComplains(t *testing.T) {
	starts := [][]float64{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {-1, 0.5, 0.5, -0.5, 0.1, 0.1, -1, 1, 0, 0.2}, {0, 1, -1, 1, -1, 1, -1, 1, -1, 1}, {2, 1, -1, 1, -1, 1, -1, 1, -1, 1}}
	for seed := range uint64(6) {
		a, _, err := Pathfinder(func() hmc.Target { return hmc.TargetFunc(funnel) }, starts, PathfinderSettings{Seed: seed, Draws: 4000})
		if err != nil {
			t.Fatal(err)
		}
		s, err := a.Sample()
		if err != nil {
			t.Fatal(err)
		}
		if _, khat := s.Smooth(); khat < 0.7 || s.Warning() == "" {
			t.Errorf("seed %d: k-hat of the funnel is %v", seed, khat)
		}
	}
}

// crooked is a density with the same bits everywhere: x₁ ~ N(x₀², e^{x₀}).
func crooked(x, grad []float64) float64 {
	v := vec.Exp(-x[0])
	d := x[1] - float64(x[0]*x[0])
	if grad != nil {
		grad[1] = -float64(v * d)
		grad[0] = -x[0] - 0.5 + float64(0.5*float64(float64(d*d)*v)) + float64(2*float64(x[0]*float64(v*d)))
	}
	return -float64(0.5*float64(x[0]*x[0])) - float64(0.5*x[0]) - float64(0.5*float64(float64(d*d)*v))
}

// TestGoldenApproximations freezes the mode, and a draw of each method with its weight, for a seed.
func TestGoldenApproximations(t *testing.T) {
	target := hmc.TargetFunc(crooked)
	top, err := Climb(target, []float64{2, -1}, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Curve(target, top.X)
	if err != nil {
		t.Fatal(err)
	}
	laplace, err := Laplace(target, c, 5, rng.New(1, "laplace").Rand)
	if err != nil {
		t.Fatal(err)
	}
	path, _, err := Pathfinder(func() hmc.Target { return target }, [][]float64{{2, -1}}, PathfinderSettings{Seed: 1, Draws: 5})
	if err != nil {
		t.Fatal(err)
	}
	const want = "[-0.500000086726754 0.25000010807390627] [-1.2137084109982978 0.268593449910952] -0.3304724458360413 [0.5924965039590022 0.9033710359459093] 2.3165176328057813"
	if got := fmt.Sprint(top.X, laplace.Draws[4], laplace.LogWeights[4], path.Draws[4], path.LogWeights[4]); got != want {
		t.Errorf("%s, not %s: a change of the draws of a seed is breaking", got, want)
	}
}

func TestPathfinderSaysWhatIsWrong(t *testing.T) {
	make1 := func() hmc.Target { return hmc.TargetFunc(func(x, grad []float64) float64 { return math.Inf(-1) }) }
	if _, paths, err := Pathfinder(make1, [][]float64{{1}, {2}}, PathfinderSettings{}); err == nil || !strings.Contains(err.Error(), "no path") || paths[1].Err == nil {
		t.Errorf("%v, %v", paths, err)
	}
	if _, _, err := Pathfinder(make1, nil, PathfinderSettings{}); err == nil {
		t.Error("no start is no error")
	}
	a := &Approximation{Draws: [][]float64{{1}, {2}}, LogWeights: []float64{0, math.NaN()}}
	if _, err := a.Resample(rand.New(rand.NewPCG(1, 2)), 3); err == nil {
		t.Error("a weight that is not a number is no error")
	}
}

func ExampleClimb() {
	// The posterior of a rate and a shape on their logarithms: 12 events in 3 units of time under a gamma(2, 1) prior.
	target := hmc.TargetFunc(func(u, grad []float64) float64 {
		rate := math.Exp(u[0])
		if grad != nil {
			grad[0] = 14 - 4*rate
		}
		return 14*u[0] - 4*rate
	})
	top, err := Climb(target, []float64{0}, Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := Curve(target, top.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log rate %.4f ± %.4f, %v\n", top.X[0], c.SD([]float64{1}), top.End)
	// Output: log rate 1.2528 ± 0.2673, converged
}
