package plan_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

var (
	update = flag.Bool("update", false, "rewrite testdata/draws.golden")
	soak   = flag.Int("soak", 1, "times as many draws in the tests of the joint distribution")
)

const goldenFile = "testdata/draws.golden"

// Whole runs with a fixed seed are frozen, bit for bit: the models that hold
// each kernel to its distribution, and the examples. A change here changes the
// draws of every seed: it is breaking, and belongs in the changelog. The file
// is the same on every processor; CI runs this test on arm64 too.
func TestGoldenDraws(t *testing.T) {
	var got []string
	add := func(name string, c *bugs.Compiled, over []*plan.Override, set mcmc.Settings) {
		got = append(got, hashDraws(t, name, c, over, set)+"  "+name)
	}
	for _, tc := range cases() {
		add(tc.name, compileText(t, tc.model, tc.data), tc.overrides(), mcmc.Settings{Seed: 1, Chains: 1, Warmup: 200, Draws: 50})
	}
	for _, e := range [][2]string{{"hives.bug", "hives.R"}, {"lift.bug", "lift.json"}} {
		add("examples/"+e[0], compileExample(t, e[0], e[1]), nil, mcmc.Settings{Seed: 1, Chains: 2, Warmup: 300, Draws: 300})
	}
	if *update {
		if err := os.WriteFile(goldenFile, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(b)) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		want[name] = hash
	}
	for _, line := range got {
		hash, name, _ := strings.Cut(line, "  ")
		if hash != want[name] {
			t.Errorf("the draws of %q have changed: sha256 %s, frozen %q; if that is meant, run go test -run Golden -update here and say so in CHANGELOG.md", name, hash, want[name])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%s has %d entries for %d runs", goldenFile, len(want), len(got))
	}
}

func compileExample(t *testing.T, model, data string) *bugs.Compiled {
	t.Helper()
	dir := "../../examples"
	src, err := os.ReadFile(filepath.Join(dir, model))
	if err != nil {
		t.Fatal(err)
	}
	p, err := bugs.Parse(model, string(src))
	if err != nil {
		t.Fatal(err)
	}
	d, err := bugs.ReadDataFiles([]string{filepath.Join(dir, data)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(p, d, rng.New(1, "data").Rand)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hashDraws runs a model and hashes every draw that it records by default.
func hashDraws(t *testing.T, name string, c *bugs.Compiled, over []*plan.Override, set mcmc.Settings) string {
	t.Helper()
	p, err := plan.New(c.Model, over)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	names, left := c.DefaultMonitors()
	monitors, err := c.Monitors(append(names, left...))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	job := &plan.Job{Plan: p, Monitors: monitors}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return hashSet(rec.Draws())
}

func hashSet(set *draws.Set) string {
	h := sha256.New()
	for i, name := range set.Names() {
		fmt.Fprintln(h, name)
		for _, chain := range set.Element(i) {
			for _, x := range chain {
				h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
