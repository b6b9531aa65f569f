package plan_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

func sharedDir(t *testing.T) string {
	if d := os.Getenv("ERGODIC_SHARED"); d != "" {
		return d
	}
	d, _ := filepath.Abs("../../../shared")
	if _, err := os.Stat(d); err != nil {
		t.Skip("the test material in ../shared is missing; ERGODIC_SHARED may name another place")
	}
	return d
}

// eachShared compiles every reference and user model with its data.
func eachShared(t *testing.T, f func(t *testing.T, c *bugs.Compiled)) {
	dir := sharedDir(t)
	refs, _ := filepath.Glob(filepath.Join(dir, "bugs/reference/*.json"))
	for _, ref := range refs {
		b, _ := os.ReadFile(ref)
		var meta struct {
			Meta struct {
				Dir, Model string
				Data       []string
			} `json:"_meta"`
		}
		if err := json.Unmarshal(b, &meta); err != nil {
			t.Fatal(err)
		}
		d := filepath.Join(dir, "bugs", meta.Meta.Dir)
		var files []string
		for _, f := range meta.Meta.Data {
			files = append(files, filepath.Join(d, f))
		}
		t.Run(filepath.Base(ref), func(t *testing.T) { f(t, compileFiles(t, filepath.Join(d, meta.Meta.Model), files)) })
	}
	users, _ := filepath.Glob(filepath.Join(dir, "bugs/users/*/model.bug"))
	for _, m := range users {
		t.Run(filepath.Base(filepath.Dir(m)), func(t *testing.T) {
			f(t, compileFiles(t, m, []string{filepath.Join(filepath.Dir(m), "data.R")}))
		})
	}
}

func compileFiles(t *testing.T, file string, data []string) *bugs.Compiled {
	if strings.HasSuffix(file, "inhaler1.bug") { // the reference names a file that is given as inhaler.bug
		file = strings.Replace(file, "inhaler1.bug", "inhaler.bug", 1)
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := bugs.Parse(file, string(src))
	if err != nil {
		t.Fatal(err)
	}
	all, err := bugs.ReadDataFiles(data)
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(prog, all, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSharedModelsStart finds initial values of every shared model and takes a few steps.
func TestSharedModelsStart(t *testing.T) {
	eachShared(t, func(t *testing.T, c *bugs.Compiled) {
		r := rand.New(rand.NewPCG(1, 2))
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, it := range p.Items {
			count[it.Kernel] += len(it.Rows)
		}
		t.Log(count, strings.Join(c.Warnings, "; "))
		s, err := p.Start(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		w := p.Sweep()
		for i := range 3 {
			w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 3})
		}
	})
}

// TestSharedGradients compares some derivatives of every shared model, by the unbounded numbers of all its continuous nodes, with central differences
// after the first steps: where models start, probabilities within rounding of 1 make staircases of densities.
func TestSharedGradients(t *testing.T) {
	compared := 0
	eachShared(t, func(t *testing.T, c *bugs.Compiled) {
		p := allByNUTS(t, c.Model)
		if p == nil {
			return
		}
		s := settled(t, c.Model)
		r := rand.New(rand.NewPCG(1, 2))
		target, at := p.Sweep().Unbounded(s)
		u, grad := slices.Clone(at), make([]float64, len(at))
		lp := target.Gradient(u, grad)
		for range 30 {
			j := r.IntN(len(u))
			want, rough := differenceAt(target, u, j, 1e-5), differenceAt(target, u, j, 1e-4)
			if !(math.Abs(want-rough) < 1e-3*(1+math.Abs(want))) {
				continue // a step or a bound is near
			}
			compared++
			if noise := 1e-16 * math.Abs(lp) / 1e-5; !(math.Abs(grad[j]-want) < 1e-5*(1+math.Abs(want))+20*noise) {
				t.Errorf("derivative %d of %d is %v, by differences %v", j, len(u), grad[j], want)
			}
		}
	})
	if t.Logf("%d derivatives compared", compared); compared < 2000 {
		t.Errorf("only %d derivatives were compared", compared)
	}
}

// started is the default plan of a model with the state that it starts from.
func started(t *testing.T, m *model.Model) (*plan.Plan, *model.State, *rand.Rand) {
	t.Helper()
	p, err := plan.New(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	s, err := p.Start(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	return p, s, r
}

// settled is a state of the default plan after its first sweeps.
func settled(t *testing.T, m *model.Model) *model.State {
	p, s, r := started(t, m)
	w := p.Sweep()
	for i := range 20 {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 20})
	}
	return s
}
