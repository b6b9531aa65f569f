package plan_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// classics are the models of the comparison with JAGS.
var classics = [][3]string{{"rats", "rats.bug", "rats-data.R"}, {"pump", "pump.bug", "pump-data.R"}, {"leuk", "leuk.bug", "leuk-data.R"},
	{"bones", "bones.bug", "bones-data.R"}, {"seeds", "seeds.bug", "seeds-data.R"}, {"stagnant", "stagnant2.bug", "stagnant-data.R"},
	{"dyes", "dyes.bug", "dyes-data.R"}, {"line", "line.bug", "line-data.R"}, {"litters", "litters.bug", "litters-data.R"}}

func warmed(t testing.TB, dir, file, data string) (*plan.Sweep, *model.State, *rand.Rand) {
	d := os.Getenv("ERGODIC_SHARED")
	if d == "" {
		d = "../../../shared"
	}
	d = filepath.Join(d, "bugs/classic", dir)
	src, err := os.ReadFile(filepath.Join(d, file))
	if err != nil {
		t.Skip("the test material in ../shared is missing; ERGODIC_SHARED may name another place")
	}
	prog, err := bugs.Parse(file, string(src))
	if err != nil {
		t.Fatal(err)
	}
	all, err := bugs.ReadDataFiles([]string{filepath.Join(d, data)})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	c, err := bugs.Compile(prog, all, r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Start(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	w := p.Sweep()
	for i := range 500 {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 500})
	}
	w.Freeze()
	return w, s, r
}

// BenchmarkSweep is one iteration after warm-up.
func BenchmarkSweep(b *testing.B) {
	for _, m := range classics {
		b.Run(m[0], func(b *testing.B) {
			w, s, r := warmed(b, m[0], m[1], m[2])
			b.ReportAllocs()
			for b.Loop() {
				w.Step(s, r)
			}
		})
	}
}

// TestSweepAllocatesNothing holds an iteration after warm-up to no allocation.
func TestSweepAllocatesNothing(t *testing.T) {
	for _, m := range classics {
		w, s, r := warmed(t, m[0], m[1], m[2])
		if n := testing.AllocsPerRun(200, func() { w.Step(s, r) }); n != 0 {
			t.Errorf("%s: %v allocations in an iteration", m[0], n)
		}
	}
}

// BenchmarkNoteFar is what [plan.Job.NoteFar] adds to an iteration of [BenchmarkSweep].
func BenchmarkNoteFar(b *testing.B) {
	for _, c := range classics {
		b.Run(c[0], func(b *testing.B) {
			_, s, _ := warmed(b, c[0], c[1], c[2])
			job := &plan.Job{Plan: planOf(b, s.M)}
			job.NoteFar(s)
			b.ReportAllocs()
			for b.Loop() {
				job.NoteFar(s)
			}
		})
	}
}

func planOf(b testing.TB, m *model.Model) *plan.Plan {
	p, err := plan.New(m, nil)
	if err != nil {
		b.Fatal(err)
	}
	return p
}
