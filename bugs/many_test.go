package bugs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// A chain of thousands of relations is planned in time that grows with their
// number, and as one block.
func TestManyRelations(t *testing.T) {
	const n = 20000
	var b strings.Builder
	b.WriteString("model { m0 ~ dnorm(0, 1)\n")
	for k := range n {
		fmt.Fprintf(&b, "m%d ~ dnorm(m%d, 1)\n", k+1, k)
	}
	fmt.Fprintf(&b, "y ~ dnorm(m%d, 1) }", n)
	c, err := compileText(t, b.String(), "y <- 1")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Items) != 1 || p.Items[0].Kernel != "block-normal" || len(p.Items[0].Rows) != n+1 {
		t.Errorf("%d kernels, the first %s of %d nodes", len(p.Items), p.Items[0].Kernel, len(p.Items[0].Rows))
	}
}

// The weights of all categories together are those of each alone, to the bit.
func TestCategoryLogProbs(t *testing.T) {
	c, err := compileText(t, "model { for (i in 1:2) { k[i] ~ dcat(p[i,])\ny[i] ~ dnorm(k[i], 1) } }",
		"y <- c(1, 2)\np <- structure(c(0.1, 0, 0.7, 0, 1.3, 0.2, 5, 1), .Dim = c(2, 4))")
	if err != nil {
		t.Fatal(err)
	}
	s := c.Model.NewState()
	s.Simulate(rand.New(rand.NewPCG(1, 2)))
	for _, row := range c.Model.Unobserved() {
		tm, i := c.Model.TemplateOf(row)
		got := make([]float64, 4)
		if !s.CategoryLogProbs(tm, i, got) || s.CategoryLogProbs(tm, i, got[:3]) {
			t.Fatal("places")
		}
		for k, lp := range got {
			s.V[tm.Cells(i)[0]] = float64(k + 1)
			if want := s.LogProbRow(tm, i); math.Float64bits(lp) != math.Float64bits(want) {
				t.Errorf("category %d: %v, not %v", k+1, lp, want)
			}
		}
	}
}

// What a plan takes for a node does not grow with the model: states of the
// whole model for each node took minutes for 4·10⁵ of them.
func TestAPlanIsAsLargeAsItsNodes(t *testing.T) {
	const n = 20000
	for _, program := range []string{
		"y[i] ~ dpois(e[i]) e[i] ~ dlnorm(0, 1) T(0, 50)",
		"y[i] ~ dbern(q[i]) q[i] <- 1 - p[i] p[i] ~ dbeta(1, 2)",
	} {
		c, err := compileText(t, fmt.Sprintf("data { for (i in 1:%d) { y[i] <- 1 } } model { for (i in 1:%d) { %s } }", n, n, program), "")
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Sweep()
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / n; each > 10000 {
			t.Errorf("%s: %d bytes for a node", program, each)
		}
	}
}
