package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// Formulas agree with the functions of package dist, and the adjoints of their
// operations with its gradients, at 200 random points of every distribution.
func TestScalarFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, d := range dist.Scalars() {
		shapes := [][]int{}
		for range d.Params {
			shapes = append(shapes, []int{1})
		}
		if d.Name == "dcat" {
			shapes[0] = []int{4}
		}
		f, err := NewDensity(d.Name, []int{1}, shapes)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for range 200 {
			p := scalarParameters(t, d, total(shapes), r)
			x := d.Sample(r, p)
			dp := make([]float64, len(p))
			dx := d.Grad(x, p, dp)
			checkFormula(t, d.Name, f, append([]float64{x}, p...), d.LogProb(x, p), append([]float64{dx}, dp...))
		}
	}
}

func total(shapes [][]int) int {
	n := 0
	for _, s := range shapes {
		n += size(s)
	}
	return n
}

// scalarParameters are drawn until the distribution takes them: probabilities,
// positive numbers and whole ones.
func scalarParameters(t *testing.T, d *dist.Scalar, n int, r *rand.Rand) []float64 {
	p := make([]float64, n)
	for range 10000 {
		for k := range p {
			switch r.IntN(3) {
			case 0:
				p[k] = 0.1 + 0.8*r.Float64()
			case 1:
				p[k] = 1 + 3*r.Float64()
			default:
				p[k] = float64(2 + r.IntN(8))
			}
		}
		if x := d.Sample(r, p); d.Check(p) == "" && !math.IsNaN(x) && !math.IsInf(d.LogProb(x, p), 0) {
			return p
		}
	}
	t.Fatalf("no parameters of %s found", d.Name)
	return nil
}

// checkFormula compares; a derivative that dist has none of, NaN or 0 of what is a
// whole number, is not asked for.
func checkFormula(t *testing.T, name string, f *Density, args []float64, lp float64, grad []float64) {
	t.Helper()
	g := make([]float64, len(args))
	got := f.Gradient(g, args)
	if math.Abs(got-lp) > 1e-10*(1+math.Abs(lp)) {
		t.Errorf("%s at %v is %v, its formula %v", name, args, lp, got)
	}
	for k, want := range grad {
		whole := want == 0 && args[k] == math.Trunc(args[k])
		if !whole && !math.IsNaN(want) && math.Abs(g[k]-want) > 1e-8*(1+math.Abs(want)) {
			t.Errorf("∂%s/∂%d at %v is %v, that of its formula %v", name, k, args, want, g[k])
		}
	}
}

// Matrices are compared along symmetric directions: the elements of dist's
// gradient stand for both halves.
func TestMultiFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	shapes := map[string][][]int{"ddirch": {{4}, {4}}, "dmulti": {{4}, {4}, {1}}, "dmnorm": {{3}, {3}, {3, 3}},
		"dmnorm.vcov": {{3}, {3}, {3, 3}}, "dmt": {{3}, {3}, {3, 3}, {1}}, "dwish": {{2, 2}, {2, 2}, {1}}}
	for _, d := range dist.Multis() {
		if d.Formula == "" {
			continue
		}
		s := shapes[d.Name]
		if s == nil {
			t.Errorf("no shapes to test %s with", d.Name)
			continue
		}
		f, err := NewDensity(d.Name, s[0], s[1:])
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for range 200 {
			args, grad := make([]float64, size(s[0])), make([]float64, size(s[0]))
			var p, dp [][]float64
			for _, dims := range s[1:] {
				v := multiParameter(dims, r)
				args, grad = append(args, v...), append(grad, v...)
				p = append(p, v)
				dp = append(dp, make([]float64, len(v)))
			}
			x, dx := args[:size(s[0])], grad[:size(s[0])]
			d.Sample(x, r, p, s[1:], nil)
			d.Grad(dx, dp, x, p, s[1:], nil)
			at := len(x)
			for _, v := range dp {
				at += copy(grad[at:], v)
			}
			checkFormula(t, d.Name, f, args, d.LogProb(x, p, s[1:], nil), grad)
		}
	}
}

// multiParameter is a vector of positive numbers, a matrix with a heavy diagonal or
// a whole number.
func multiParameter(dims []int, r *rand.Rand) []float64 {
	v := make([]float64, size(dims))
	for k := range v {
		v[k] = 0.2 + 2*r.Float64()
	}
	switch {
	case len(v) == 1:
		v[0] = float64(4 + r.IntN(5))
	case len(dims) == 2:
		n := dims[0]
		for i := range n {
			for j := range i {
				v[i+j*n] = 0.5 * (r.Float64() - 0.5)
				v[j+i*n] = v[i+j*n]
			}
			v[i+i*n] += 1
		}
	}
	return v
}

func TestFormulaErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		p    [][]int
	}{{"dnone", nil}, {"dnorm", [][]int{{1}}}, {"dmnorm", [][]int{{2}, {3, 3}}}} {
		if d, err := NewDensity(c.name, []int{1}, c.p); err == nil {
			t.Errorf("%s of parameters of shapes %v is %v", c.name, c.p, d.Prog)
		}
	}
}
