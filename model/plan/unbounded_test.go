package plan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// allByNUTS plans a model with nuts for every node that it can move; nil where there is none.
func allByNUTS(t testing.TB, m *model.Model) *plan.Plan {
	t.Helper()
	names := continuousNodes(m)
	if len(names) == 0 {
		return nil
	}
	p, err := plan.New(m, []*plan.Override{{Pattern: "all", Kernel: "nuts", Match: func(s string) bool { return slices.Contains(names, s) }}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// coordinates are the cells that a density of the plan's nuts nodes is with respect to: of a Dirichlet all shares but one that are not zero, of a Wishart what is
// on and below the diagonal.
func coordinates(p *plan.Plan, s *model.State) (cells []int32) {
	for _, it := range p.Items {
		if it.Kernel != "nuts" {
			continue
		}
		for _, row := range it.Rows {
			t, i := p.Model.TemplateOf(row)
			all := t.Cells(i)
			if d := t.Stoch.Scalar; d != nil && d.Discrete {
				continue // summed out
			}
			switch t.Stoch.Name {
			case "ddirch":
				var moving []int32
				for _, c := range all {
					if s.V[c] != 0 {
						moving = append(moving, c)
					}
				}
				cells = append(cells, moving[1:]...)
			case "dwish":
				n := int(math.Sqrt(float64(len(all))))
				for j := range n {
					cells = append(cells, all[j*n+j:(j+1)*n]...)
				}
			default:
				cells = append(cells, all...)
			}
		}
	}
	return cells
}

// discreteNodes tells whether a plan has any.
func discreteNodes(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Items, func(it plan.Item) bool {
		return slices.ContainsFunc(it.Rows, func(row int32) bool {
			t, _ := p.Model.TemplateOf(row)
			return t.Stoch.Scalar != nil && t.Stoch.Scalar.Discrete || t.Stoch.Name == "dmulti" || t.Stoch.Name == "dsample"
		})
	})
}

// TestJacobians compares the density of the unbounded numbers with that of the nodes times the Jacobian by central differences, in the models of
// the conformance suite, and the way back with the numbers.
func TestJacobians(t *testing.T) {
	compared := 0
	for k, tc := range cases() {
		if strings.HasSuffix(tc.name, "zeros that move") {
			continue // some of its numbers stand for nothing
		}
		c := compileText(t, tc.model, tc.data)
		p := allByNUTS(t, c.Model)
		if p == nil {
			continue
		}
		joint, r := jointModel(t, c.Model), rand.New(rand.NewPCG(uint64(k), 6))
		var first float64
		for n := range 7 {
			s := joint.Draw(r)
			cells := coordinates(p, s)
			sweep := p.Sweep()
			if n >= 3 {
				sweep.HalfCentred(0.3, n >= 5)
			}
			target, at := sweep.Unbounded(s)
			u := slices.Clone(at)
			if len(cells) != len(u) {
				t.Fatalf("%s: %d numbers for %d coordinates", tc.name, len(u), len(cells))
			}
			was := slices.Clone(s.V)
			lp := target.LogDensity(u)
			for _, c := range cells {
				if math.Abs(s.V[c]-was[c]) > 1e-9*(1+math.Abs(was[c])) {
					t.Errorf("%s: %s is %v, and %v after the way there and back", tc.name, p.Model.CellName(c), was[c], s.V[c])
				}
			}
			density := s.LogProb(p.Model.DensityRows())
			if math.IsInf(density, -1) && math.IsInf(lp, -1) {
				continue
			}
			jacobian := mat.NewDense(len(u), len(u), nil)
			for j, x := range u {
				const h = 1e-3                                                                                // small shares of a simplex are rounded: shorter steps see more of that than of the slope
				for _, step := range [][2]float64{{1, 2. / 3}, {-1, -2. / 3}, {2, -1. / 12}, {-2, 1. / 12}} { // of order h⁴
					u[j] = x + step[0]*h
					target.LogDensity(u)
					for i, c := range cells {
						jacobian.Set(i, j, jacobian.At(i, j)+step[1]*s.V[c]/h)
					}
				}
				u[j] = x
			}
			logDet, _ := mat.LogDet(jacobian)
			// The rows of the density that depend on no node of the block are left out of it: the same constant in all draws but where there are discrete nodes.
			off := lp - density - logDet
			if !discreteNodes(p) && n > 0 && math.Abs(off-first) > 1e-5*(1+math.Abs(lp)) {
				t.Errorf("%s: the log density of the numbers is off by %v, in another draw by %v", tc.name, off, first)
			}
			if n == 0 {
				first = off
			}
			compared++
		}
	}
	if t.Logf("%d points compared", compared); compared < 200 {
		t.Errorf("only %d points were compared", compared)
	}
}

// Of the continuous distributions, those named here alone have parameters as bounds: the search for bounds of nodes knows these.
func TestSupportsThatMove(t *testing.T) {
	var moving []string
	for _, d := range dist.Scalars() {
		if d.Discrete {
			continue
		}
		a, b := make([]float64, len(d.Params)), make([]float64, len(d.Params))
		for k := range a {
			a[k], b[k] = float64(k), 10+3*float64(k)
		}
		aLo, aHi := d.Support(a)
		bLo, bHi := d.Support(b)
		if aLo != bLo || aHi != bHi {
			moving = append(moving, d.Name)
		}
		if moves := aLo != bLo || aHi != bHi; moves != d.MovingSupport {
			t.Errorf("%s: MovingSupport is %v", d.Name, d.MovingSupport)
		}
	}
	slices.Sort(moving)
	if want := []string{"dgev", "dgpar", "dpar", "dunif"}; !slices.Equal(moving, want) {
		t.Errorf("the supports of %v depend on parameters; %v are known", moving, want)
	}
}

// TestUnboundedFarOut goes far out along the unbounded numbers: the density is a number or zero, the same with derivatives and without but for rounding, and where it is
// positive the derivatives are numbers.
func TestUnboundedFarOut(t *testing.T) {
	positive := 0
	for k, tc := range append(cases(), larger()...) {
		c := compileText(t, tc.model, tc.data)
		p := allByNUTS(t, c.Model)
		if p == nil {
			continue
		}
		joint, r := jointModel(t, c.Model), rand.New(rand.NewPCG(uint64(k), 7))
		s := joint.Draw(r)
		target, at := p.Sweep().Unbounded(s)
		u, grad := slices.Clone(at), make([]float64, len(at))
		for _, size := range []float64{1, 30, 300, 710, 750, 1e4, 1e150, math.MaxFloat64} {
			for range 20 {
				for j := range u {
					u[j] = at[j]
					if r.IntN(2) == 0 {
						u[j] = size * (2*r.Float64() - 1)
					}
				}
				lp := target.Gradient(u, grad)
				again := target.LogDensity(u)
				if math.IsInf(again, -1) && lp < -1e4 {
					continue // a mean or rate has underflowed; with derivatives its logarithm, the predictor, is taken as it is
				}
				if lp != again && !(math.Abs(lp-again) <= 1e-10*(1+math.Abs(lp))) { // one of the two forms of a density has more digits far out
					t.Errorf("%s: %v with derivatives, %v without", tc.name, lp, again)
				}
				if math.IsInf(lp, -1) {
					continue
				}
				positive++
				if math.IsNaN(lp) || math.IsInf(lp, 1) || slices.ContainsFunc(grad, func(g float64) bool { return math.IsNaN(g) || math.IsInf(g, 0) }) {
					t.Errorf("%s: log density %v with derivatives %v at %v", tc.name, lp, grad, u)
				}
			}
		}
	}
	if t.Logf("%d points of positive density", positive); positive < 2000 {
		t.Errorf("only %d points had a positive density", positive)
	}
}

// Bounds pass through the nodes between: data lie below b, and b below c, so that every point of the unbounded numbers has a density.
func TestBoundsPassThroughNodes(t *testing.T) {
	for _, text := range []string{
		"model { for (i in 1:3) { y[i] ~ dunif(a, b) }; a ~ dunif(0, b); b ~ dunif(0, c); c ~ dgamma(4, 0.5) }",
		"model { for (i in 1:3) { y[i] ~ dnorm(0, 1) T(b,) }; b ~ dnorm(0, 1) T(c,); c ~ dnorm(0, 1) T(d,); d ~ dnorm(1, 1) }",
	} {
		c := compileText(t, text, "y <- c(1.5, 2, 3.5)")
		p := allByNUTS(t, c.Model)
		r := rand.New(rand.NewPCG(1, 9))
		s, err := p.Start(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		target, u := p.Sweep().Unbounded(s)
		u = slices.Clone(u)
		for range 200 {
			for j := range u {
				u[j] = 2 * r.NormFloat64()
			}
			if lp := target.LogDensity(u); math.IsInf(lp, 0) || math.IsNaN(lp) {
				t.Fatalf("%s: the log density at %v is %v", text, u, lp)
			}
		}
	}
}
