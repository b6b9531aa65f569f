package plan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// still is a kernel of several nodes that leaves them where they are.
type still struct{}

func (still) Step(*model.State, *rand.Rand) mcmc.Info {
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// A kernel is an entry of the list: the factories after it see the nodes that it leaves, and a sweep
// runs it in its place.
func TestFactoriesShareTheNodes(t *testing.T) {
	prog, err := bugs.Parse("m.bug", "model { for (i in 1:2) { a[i] ~ dnorm(0, 1); y[i] ~ dnorm(a[i], t) } t ~ dgamma(1, 1) }")
	if err != nil {
		t.Fatal(err)
	}
	data, err := bugs.ReadData("d.R", []byte("y <- c(0, 1)"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(prog, data, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	p := newPlanner(c.Model)
	normals := factory{[]string{"still"}, "", func(p *planner, rows []int32) {
		rows = slices.DeleteFunc(rows, func(r int32) bool { return p.node(r).dist() != "dnorm" })
		p.add(Item{Kernel: "still", Rows: rows, make: func([]kernel) kernel { return still{} }})
	}}
	for _, f := range append([]factory{normals}, factories()...) {
		f.cover(p, p.open(f.names))
	}
	var got []string
	for _, it := range p.Items {
		got = append(got, it.Kernel)
	}
	if want := []string{"still", "conjugate-gamma"}; !slices.Equal(got, want) || len(p.Items[0].Rows) != 2 {
		t.Errorf("%v, the first of %d nodes; want %v", got, len(p.Items[0].Rows), want)
	}
	if k := p.Sweep().kernels; len(k) != 2 || k[0] != (still{}) {
		t.Errorf("a sweep of %v", k)
	}
}
