package mcmc_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The recorders of package draws get what Memory gets.
func TestRecordTo(t *testing.T) {
	job := bananaJob{extras: 1}
	set := mcmc.Settings{Seed: 10, Chains: 2, Warmup: 20, Draws: 30, SaveWarmup: true}
	want := memory(t, job, set)
	mustRun(t, job, set, want)

	mem, err := draws.NewMemory(draws.Layout{Chains: 2, Posterior: job.Variables(), SaveWarmup: true})
	if err != nil {
		t.Fatal(err)
	}
	rec := mcmc.RecordTo(mem)
	mustRun(t, job, set, rec)
	g := mem.Groups()
	for c := range 2 {
		for e := range want.Draws().Names() {
			if !reflect.DeepEqual(g.Posterior.Chain(c, e), want.Draws().Chain(c, e)) {
				t.Errorf("draws of element %d in chain %d differ", e, c)
			}
		}
		if n := len(g.Warmup.Chain(c, 0)); n != 20 {
			t.Errorf("%d draws of warm-up", n)
		}
		for i, info := range want.Infos(c) {
			accept, _ := g.SampleStats.Lookup("acceptance_rate")
			steps, _ := g.SampleStats.Lookup("n_steps")
			lp, _ := g.SampleStats.Lookup("lp")
			if g.SampleStats.Chain(c, accept)[i] != info.AcceptProb || g.SampleStats.Chain(c, steps)[i] != float64(info.Evals) {
				t.Fatalf("what the kernel said of draw %d is lost", i)
			}
			x := []float64{g.Posterior.Chain(c, 0)[i], g.Posterior.Chain(c, 1)[i], g.Posterior.Chain(c, 2)[i]}
			if got := g.SampleStats.Chain(c, lp)[i]; got != (banana{}).LogDensity(x) {
				t.Fatalf("draw %d has lp = %v at %v", i, got, x)
			}
		}
	}
	if _, err := mcmc.Run[*mcmc.Point](bg, struct{ mcmc.Job[*mcmc.Point] }{job}, set, rec, nil); err == nil || !strings.Contains(err.Error(), "keeps lp") {
		t.Errorf("lp of a job that does not know it: %v", err)
	}
	if err := rec.Truncate(1, 5, 7, nil); err != nil {
		t.Fatal(err)
	}
	if g.Warmup.Draws() != 5 || g.Posterior.Draws() != 7 {
		t.Errorf("cut to 5 and 7, there are %d and %d", g.Warmup.Draws(), g.Posterior.Draws())
	}
	if err := rec.Close(); err != nil {
		t.Error(err)
	}
}

// Memory extends a run of the same process, and cannot bring back that of another.
func TestMemoryResume(t *testing.T) {
	job := bananaJob{extras: 1}
	set := mcmc.Settings{Seed: 10, Chains: 2, Warmup: 20, Draws: 50}
	want := memory(t, job, set)
	mustRun(t, job, set, want)

	set.Dir, set.Draws = t.TempDir(), 30
	rec := memory(t, job, set)
	mustRun(t, job, set, rec)
	set.Resume, set.Draws = true, 50
	mustRun(t, job, set, rec)
	if !reflect.DeepEqual(rec.Draws().Element(1), want.Draws().Element(1)) {
		t.Error("an extended run in memory differs from a longer one")
	}
	_, err := mcmc.Run(bg, job, set, memory(t, job, set), nil)
	if err == nil || !strings.Contains(err.Error(), "recorder on disk") {
		t.Errorf("an empty memory: %v", err)
	}
}

func TestMemoryBadInput(t *testing.T) {
	if _, err := mcmc.NewMemory([]draws.Variable{{Name: "a"}, {Name: "a"}}, mcmc.Settings{}); err == nil {
		t.Error("a variable is accepted twice")
	}
	if _, err := mcmc.NewMemory(nil, mcmc.Settings{Chains: -1}); err == nil {
		t.Error("-1 chains are accepted")
	}
	m, err := mcmc.NewMemory([]draws.Variable{{Name: "a"}}, mcmc.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Append(0, false, []float64{1, 2}, mcmc.Stat{}) == nil || m.Append(9, false, []float64{1}, mcmc.Stat{}) == nil {
		t.Error("a draw of another width or chain is accepted")
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

func TestPoint(t *testing.T) {
	p := mcmc.NewPoint(banana{}, []float64{1, math.Copysign(0, -1), 1e-320})
	codec := mcmc.PointCodec(3)
	b, err := codec.MarshalState(p)
	if err != nil {
		t.Fatal(err)
	}
	if q, err := codec.UnmarshalState(b); err != nil || !reflect.DeepEqual(p, q) || !math.Signbit(q.X[1]) {
		t.Errorf("%v became %v: %v", p, q, err)
	}
	for _, n := range []int{0, 7, 9, 24, 31} {
		if _, err := codec.UnmarshalState(b[:n]); err == nil {
			t.Errorf("%d bytes are accepted as a point", n)
		}
	}
}

func TestPhaseNames(t *testing.T) {
	for p, want := range map[mcmc.Phase]string{mcmc.Warming: "warmup", mcmc.Sampling: "sampling", mcmc.Done: "done"} {
		if p.String() != want {
			t.Errorf("%v, want %s", p, want)
		}
	}
}

// talker is a kernel that knows the energy and the depth of its last step.
type talker struct {
	mcmc.Kernel[*mcmc.Point]
	energy, depth float64
}

func (k *talker) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	info := k.Kernel.Step(s, r)
	k.energy, k.depth = 1-s.LogP, float64(info.Evals)
	return info
}

func (k *talker) Statistic(name string) (float64, bool) {
	switch name {
	case "energy":
		return k.energy, true
	case "tree_depth":
		return k.depth, true
	}
	return 0, false
}

// What any kernel tells of its steps, alone or as a part, is recorded beside the draws under its name.
func TestStatistics(t *testing.T) {
	stats := []string{"energy", "lp", "n_steps", "tree_depth"}
	set := mcmc.Settings{Seed: 10, Chains: 2, Warmup: -1, Draws: 30, Thin: 2}
	for name, of := range map[string]func(k *talker) mcmc.Kernel[*mcmc.Point]{
		"alone":    func(k *talker) mcmc.Kernel[*mcmc.Point] { return k },
		"repeated": func(k *talker) mcmc.Kernel[*mcmc.Point] { return mcmc.Repeat(3, k) },
		"cycled": func(k *talker) mcmc.Kernel[*mcmc.Point] {
			return mcmc.Cycle(mcmc.Cycle[*mcmc.Point](), k)
		},
	} {
		job := hooked{kernel: func(_ int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] { return of(&talker{Kernel: k}) }}
		dir := filepath.Join(t.TempDir(), "draws.zarr")
		w, err := draws.Create(dir, draws.Layout{Chains: 2, Posterior: job.Variables(), Stats: stats})
		if err != nil {
			t.Fatal(err)
		}
		mustRun(t, job, set, mcmc.RecordTo(w))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := draws.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		read := func(stat string) []float64 {
			v, err := r.ReadVariable(draws.SampleStats, stat)
			if err != nil {
				t.Fatal(err)
			}
			return slices.Concat(v[0]...)
		}
		lp, energy, steps, depth := read("lp"), read("energy"), read("n_steps"), read("tree_depth")
		for i := range lp {
			if energy[i] != 1-lp[i] || depth[i] < 1 || depth[i] > steps[i] {
				t.Fatalf("%s: energy %v and depth %v at draw %d, where lp is %v after %v steps", name, energy[i], depth[i], i, lp[i], steps[i])
			}
		}
		mem, err := draws.NewMemory(draws.Layout{Chains: 2, Posterior: job.Variables(), Stats: stats})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := mcmc.Run(bg, bananaJob{}, set, mcmc.RecordTo(mem), nil); err == nil || !strings.Contains(err.Error(), "keeps energy") {
			t.Errorf("energy that no kernel tells: %v", err)
		}
	}
}
