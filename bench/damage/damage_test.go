package main

import (
	"testing"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// Damaged and mixed folders of runs give the numbers of the whole ones, or an
// error that names a file.
func TestDamagedFolders(t *testing.T) {
	work := t.TempDir()
	program, err := run.Build(work)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(program, work)
	if err != nil {
		t.Fatal(err)
	}
	n := 60
	if testing.Short() {
		n = 15
	}
	verdicts := map[string]int{}
	for k := range n {
		trials, err := b.trial(20261122, k)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range trials {
			verdicts[r.verdict]++
			if r.bad() {
				t.Errorf("%d: %s: %s: %s: %s\n%s", k, r.folder, r.damage, r.command, r.verdict, r.said)
			}
		}
	}
	if verdicts[right] == 0 || verdicts[refused] == 0 {
		t.Errorf("verdicts %v: the damages are all alike", verdicts)
	}
}
