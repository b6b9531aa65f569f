package plan_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
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

// TestSharedModelsStart compiles every reference and user model with its data,
// finds initial values and takes a few steps.
func TestSharedModelsStart(t *testing.T) {
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
		t.Run(filepath.Base(ref), func(t *testing.T) { start(t, filepath.Join(d, meta.Meta.Model), files) })
	}
	users, _ := filepath.Glob(filepath.Join(dir, "bugs/users/*/model.bug"))
	for _, m := range users {
		t.Run(filepath.Base(filepath.Dir(m)), func(t *testing.T) { start(t, m, []string{filepath.Join(filepath.Dir(m), "data.R")}) })
	}
}

func start(t *testing.T, file string, data []string) {
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
	all := &bugs.Data{}
	for _, f := range data {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		d, err := bugs.ReadData(f, b)
		if err != nil {
			t.Fatal(err)
		}
		if err := all.Merge(d); err != nil {
			t.Fatal(err)
		}
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
}
