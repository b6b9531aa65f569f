package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A note lists a dozen names: a program may have thousands.
func TestManyNodesWithoutData(t *testing.T) {
	var m strings.Builder
	m.WriteString("model {")
	for i := range 1000 {
		fmt.Fprintf(&m, "node%d ~ dnorm(0, 1)\n", i)
	}
	m.WriteString("}")
	path := filepath.Join(t.TempDir(), "m.bug")
	if err := os.WriteFile(path, []byte(m.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	r := must(t, "check", path)
	if len(r.stderr) > 1000 || !strings.Contains(r.stderr, "node1, ") || !strings.Contains(r.stderr, " and 988 more: drawn from the prior") {
		t.Errorf("%.2000s", r.stderr)
	}
}

func TestCheck(t *testing.T) {
	args := []string{"check", "testdata/lamps.bug", "--data", "testdata/lamps.json"}
	r := must(t, append(args, "--json")...)
	var p planInfo
	if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
		t.Fatal(err)
	}
	// rate[1:5], level, slope, precision, change, factor, shape, rate0 are
	// sampled, next is predicted; failures is 5 by 6 and lit has 5.
	if p.Sampled != 12 || p.Observed != 35 || p.Unreached != 1 {
		t.Errorf("%d to sample, %d observed, %d unreached", p.Sampled, p.Observed, p.Unreached)
	}
	roles := map[string]string{}
	nodes := 0
	for _, n := range p.Nodes {
		roles[n.Name] = n.Role
		if n.Role == roleSampled {
			nodes += n.Elements
			if len(n.Kernels) == 0 || len(n.Distributions) != 1 {
				t.Errorf("%+v", n)
			}
		}
	}
	want := map[string]string{"rate": roleSampled, "next": roleUnreached, "lit": roleObserved, "step": roleComputed, "hours": roleData}
	for name, role := range want {
		if roles[name] != role {
			t.Errorf("%s is %q, not %q", name, roles[name], role)
		}
	}
	if nodes != p.Sampled || !slices.Contains(p.Monitors, "slope") || slices.Contains(p.Monitors, "lit") {
		t.Errorf("%d nodes, monitors %v", nodes, p.Monitors)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "next") {
		t.Errorf("warnings %q", p.Warnings)
	}
	text := must(t, args...)
	for _, part := range []string{"12 to sample, 35 observed", "enumerate", "recorded by default: "} {
		if !strings.Contains(text.stdout, part) {
			t.Errorf("no %q in\n%s", part, text.stdout)
		}
	}
	if forced := must(t, append(args, "--sampler", "slope=slice")...); !strings.Contains(forced.stdout, "slice") {
		t.Errorf("no slice sampler in\n%s", forced.stdout)
	}
	if r := execute(t, program(t, "check", "testdata/lamps.bug")); r.status != 1 || !strings.HasPrefix(r.stderr, "testdata/lamps.bug:") {
		t.Errorf("without data: status %d\n%s", r.status, r.stderr)
	}
}

// What a kernel draws on its way is counted as that kernel's, and once where two kernels of a name draw it.
func TestCheckSaysWhatRuns(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"m.bug": `model { a ~ dgamma(4, 2); b ~ dgamma(4, 2); for (i in 1:3) { p[i] ~ dbeta(a, b); y[i] ~ dbin(p[i], 4) } }`, "d.R": "y <- c(1,1,1)"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for over, want := range map[string][]samplerInfo{
		"a=collapsed": {{Kernel: "collapsed", Nodes: 5, Example: "b"}},
		"p[2]=slice":  {{Kernel: "slice", Nodes: 1, Example: "p[2]"}, {Kernel: "collapsed", Nodes: 4, Example: "b"}, {Kernel: "joint-adaptive", Nodes: 2, Example: "b"}},
		"p=slice":     {{Kernel: "slice", Nodes: 3, Example: "p[3]"}, {Kernel: "adaptive", Nodes: 2, Example: "b"}, {Kernel: "joint-adaptive", Nodes: 2, Example: "b"}},
	} {
		r := must(t, "check", filepath.Join(dir, "m.bug"), "--data", filepath.Join(dir, "d.R"), "--json", "--sampler", over)
		var p planInfo
		if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Samplers, want) {
			t.Errorf("%s: %v; want %v", over, p.Samplers, want)
		}
	}
}

// The graph of a model is text for Graphviz; a model that cannot be read is an error with its place.
func TestGraph(t *testing.T) {
	r := must(t, "graph", "testdata/lamps.bug")
	if !strings.HasPrefix(r.stdout, "digraph model {\n") || !strings.HasSuffix(r.stdout, "}\n") || !strings.Contains(r.stdout, "subgraph cluster_1 {") {
		t.Errorf("%s", r.stdout)
	}
	steps := filepath.Join(t.TempDir(), "steps.bug")
	if err := os.WriteFile(steps, []byte("model { for (i in 2:n-1) { x[i] ~ dnorm(0, 1) } }"), 0o644); err != nil {
		t.Fatal(err)
	}
	for dialect, want := range map[string]string{"openbugs": "i in 2:(n - 1)", "nimble": "i in (2:n) - 1"} {
		if r := must(t, "graph", steps, "--dialect", dialect); !strings.Contains(r.stdout, want) {
			t.Errorf("%s: %s", dialect, r.stdout)
		}
	}
	bad := filepath.Join(t.TempDir(), "m.bug")
	if err := os.WriteFile(bad, []byte("model { y ~ }"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := execute(t, program(t, "graph", bad)); r.status != 1 || !strings.Contains(r.stderr, "m.bug:1:13") {
		t.Errorf("%d: %s", r.status, r.stderr)
	}
}
