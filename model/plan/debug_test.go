package plan_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"os"
)

func TestDebugBlock(t *testing.T) {
	f := os.Getenv("DBG_MODEL")
	if f == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(f)
	prog, err := bugs.Parse(f, string(src))
	if err != nil {
		t.Fatal(err)
	}
	d, err := bugs.ReadDataFiles([]string{os.Getenv("DBG_DATA")})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	c, err := bugs.Compile(prog, d, r)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := plan.New(c.Model, nil)
	s, err := p.Start(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	w := p.Sweep()
	for i := range 2000 {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 2000})
	}
	fmt.Println(plan.DebugBlocks(w))
}
