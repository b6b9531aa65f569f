package model_test

import (
	"runtime"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// compiled is the model of a program without data.
func compiled(t *testing.T, text string) *model.Model {
	t.Helper()
	p, err := bugs.Parse("test.bug", text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(p, &bugs.Data{Values: map[string]*bugs.Value{}}, rng.New(1, "data").Rand)
	if err != nil {
		t.Fatal(err)
	}
	return c.Model
}

// The blanket of one node costs what it holds, not a bit for every row of the
// model: a plan asks for the blanket of every node.
func TestABlanketIsAsLargeAsWhatItHolds(t *testing.T) {
	m := compiled(t, "data { for (i in 1:100000) { y[i] <- i } } model { for (i in 1:100000) { y[i] ~ dnorm(x[i], 1)  x[i] ~ dnorm(0, 1) } }")
	x, _ := m.Array("x")
	const blankets = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for k := range int32(blankets) {
		if b := m.Blanket([]int32{x.Base + k}); model.Count(b.Stoch) != 1 {
			t.Fatalf("x[%d] has the children %v", k+1, b.Stoch)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / blankets; each > 2000 {
		t.Errorf("%d bytes for a blanket of one row", each)
	}
}

// A blanket of a large part of the rows changes its bookkeeping on the way.
func TestABlanketOfManyRows(t *testing.T) {
	m := compiled(t, "data { for (i in 1:5000) { y[i] <- i } } model { for (i in 1:5000) { y[i] ~ dnorm(m[i], 1)  m[i] <- 2*x + i } x ~ dnorm(0, 1) }")
	x, _ := m.Array("x")
	if b := m.Blanket([]int32{x.Base}); model.Count(b.Stoch) != 5000 || model.Count(b.Det) != 5000 {
		t.Errorf("%d densities and %d values, not 5000 of each", model.Count(b.Stoch), model.Count(b.Det))
	}
}
