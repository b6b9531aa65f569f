package bugs_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Of random vectors observed in part the log density is that of the whole vector, but for the Jacobian of the shares: left^(rest − 1) for a Dirichlet vector
// with two or more elements that are not observed.
func TestVectorsObservedInPart(t *testing.T) {
	for seed := range uint64(300) {
		r := rng.New(seed, "vectors in part").Rand
		d, rows := 2+r.IntN(5), 1+r.IntN(3)
		counts := seed%2 == 0
		var x, known []float64 // by rows
		var alpha []float64
		for range d {
			alpha = append(alpha, 0.5+2*r.Float64())
		}
		if r.IntN(4) == 0 && d > 2 {
			alpha[r.IntN(d)] = 0 // a structural zero
		}
		const trials = 9
		want := 0.0
		for range rows {
			row := make([]float64, d)
			if counts {
				dist.Multinomial(row, r, alpha, trials)
				want += dist.MultinomialLogProb(row, alpha, trials)
			} else {
				dist.Dirichlet(row, r, alpha)
				want += dist.DirichletLogProb(row, alpha)
			}
			left, rest := 1.0, 0
			for _, v := range row {
				x = append(x, v)
				if r.IntN(2) == 0 {
					v, rest = math.NaN(), rest+1
				} else {
					left -= v
				}
				known = append(known, v)
			}
			if !counts && 0 < rest && rest < d && left > 0 {
				for k := range d {
					if alpha[k] == 0 && math.IsNaN(known[len(known)-d+k]) {
						rest-- // a share that is 0
					}
				}
				want += float64(max(rest-1, 0)) * math.Log(left)
			}
		}
		what := "ddirch(a[])"
		if counts {
			what = fmt.Sprintf("dmulti(a[], %d)", trials)
		}
		program := fmt.Sprintf("model { for (i in 1:%d) { x[i,1:%d] ~ %s\ny[i] ~ dnorm(sum(x[i,]), 1) }\nfor (k in 1:%d) { a[k] <- b * e[k] }\nb ~ dexp(1) }", rows, d, what, d)
		var data strings.Builder
		fmt.Fprintf(&data, "x <- structure(c(%s), .Dim = c(%d, %d)); e <- c(%s); y <- c(%s)", byColumns(known, rows, d), rows, d, byColumns(alpha, 1, d), byColumns(make([]float64, rows), 1, rows))
		c := compileProgram(t, program, data.String())
		s := c.Model.NewState()
		set := func(name string, k int, v float64) {
			a, _ := c.Model.Array(name)
			if cell := a.Base + int32(k); c.Model.Kinds[cell] == model.Unobserved {
				s.V[cell] = v
			}
		}
		set("b", 0, 1)
		for i := range rows {
			left, first := 1.0, ""
			var of []float64
			for k := range d {
				v := x[i*d+k]
				set("x", k*rows+i, v)
				if math.IsNaN(known[i*d+k]) {
					if of = append(of, v); first == "" {
						first = fmt.Sprintf("x[%d,%d]'shares", i+1, k+1)
					}
				} else {
					left -= v
				}
			}
			if _, ok := c.Model.Array(first); ok {
				for k, v := range of {
					set(first, k, v/left)
				}
			}
		}
		got := logDensity(s)
		for _, row := range c.Model.Topological() {
			if tm, i := c.Model.TemplateOf(row); tm.Stoch != nil && (tm.Stoch.Name == "dnorm" || tm.Stoch.Name == "dexp") {
				got -= s.LogProbRow(tm, i)
			}
		}
		if !(math.Abs(got-want) < 1e-6*(1+math.Abs(want))) {
			t.Errorf("seed %d: log density %v, not %v\n%s\n%s", seed, got, want, program, data.String())
		}
		if at, _ := c.Model.Array("x"); !counts {
			for i := range rows {
				for k := range d {
					if v := s.At(at.Base + int32(k*rows+i)); !(math.Abs(v-x[i*d+k]) < 1e-9) {
						t.Errorf("seed %d: x[%d,%d] is %v, not %v", seed, i+1, k+1, v, x[i*d+k])
					}
				}
			}
		}
	}
}

// byColumns writes a matrix that lies by rows as R does, by columns.
func byColumns(x []float64, rows, cols int) string {
	var parts []string
	for k := range cols {
		for i := range rows {
			text := "NA"
			if v := x[i*cols+k]; !math.IsNaN(v) {
				text = fmt.Sprintf("%.17g", v)
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}
