package main

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// A few dozen inputs of the thousand; go run ./bench/hostile has them all.
func TestHostileInputs(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 10
	}
	dir := t.TempDir()
	program, err := run.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	base, err := baseRun(program, dir)
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		in := makeInput(rand.New(rand.NewPCG(1000, uint64(k))), base)
		o, err := attempt(program, t.TempDir(), "1G", in)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range o.faults {
			t.Errorf("input %d, %s %.200q: %s: status %d, %v, %d MB: %.300q", k, in.kind, in.args, f, o.status, o.cpu, o.peakMB, o.said)
		}
	}
}

// The judge sees what it is there for.
func TestJudge(t *testing.T) {
	for want, o := range map[string]outcome{
		"takes memory":       {peakMB: 2000},
		"takes time":         {cpu: 2 * mostCPU},
		"says panic:":        {status: 2, said: "panic: index out of range"},
		"says fatal error:":  {status: 2, said: "fatal error: out of memory"},
		"says too much":      {status: 1, said: string(bytes.Repeat([]byte("x"), 5000))},
		"says control bytes": {status: 1, said: "unknown name \x1b[31m"},
		"says nothing":       {status: 1},
		"is killed":          {status: -1},
	} {
		if o.judge(false); len(o.faults) != 1 || o.faults[0] != want {
			t.Errorf("%v, not %q", o.faults, want)
		}
	}
	o := outcome{status: 1, said: "m.bug:1:1: unknown name"}
	if o.judge(false); len(o.faults) != 0 {
		t.Errorf("%v of a good error", o.faults)
	}
	if o.judge(true); len(o.faults) != 1 || o.faults[0] != "hangs" {
		t.Errorf("%v of one that hangs", o.faults)
	}
}
