package plan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// BenchmarkSummedOut is a value with its derivatives, of users' models whose chains of discrete nodes are summed out.
func BenchmarkSummedOut(b *testing.B) {
	d := os.Getenv("ERGODIC_SHARED")
	if d == "" {
		d = "../../../shared"
	}
	for _, name := range []string{"cjs_dipper", "eagleowl_multistate_dynocc", "titis_multievent_uncertainty", "watervole_fp_dynocc"} {
		dir := filepath.Join(d, "bugs/users", name)
		src, err := os.ReadFile(filepath.Join(dir, "model.bug"))
		if err != nil {
			b.Skip("the test material in ../shared is missing; ERGODIC_SHARED may name another place")
		}
		prog, err := bugs.Parse("model.bug", string(src))
		if err != nil {
			b.Fatal(err)
		}
		data, err := bugs.ReadDataFiles([]string{filepath.Join(dir, "data.R")})
		if err != nil {
			b.Fatal(err)
		}
		c, err := bugs.Compile(prog, data, rng.New(1, "data").Rand)
		if err != nil {
			b.Fatal(err)
		}
		moved := map[string]bool{}
		for _, n := range continuousNodes(c.Model) {
			moved[n] = true
		}
		p, err := plan.New(c.Model, []*plan.Override{{Pattern: "all", Kernel: "nuts", Match: func(s string) bool { return moved[s] }}})
		if err != nil {
			b.Fatal(err)
		}
		s, err := p.Start(nil, rng.New(1, "start").Rand)
		if err != nil {
			b.Fatal(err)
		}
		target, u := p.Sweep().Unbounded(s)
		grad := make([]float64, len(u))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				target.Gradient(u, grad)
			}
		})
	}
}
