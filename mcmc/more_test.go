package mcmc_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// lastProgress keeps what was said last, and whether the run was ever done before.
type lastProgress struct {
	last  []mcmc.ChainProgress
	dones int
}

func (l *lastProgress) Progress(p mcmc.Progress) {
	l.last = append(l.last[:0], p.Chains...)
	if l.last[0].Phase == mcmc.Done {
		l.dones++
	}
}

// TestMore: a run that is asked for more draws, and more, has those of a run that is asked for all at once, interrupted in between or not,
// and is done once.
func TestMore(t *testing.T) {
	job := bananaJob{extras: 1}
	set := mcmc.Settings{Seed: 6, Chains: 3, Warmup: 500, Draws: 9000, Thin: 2, Threads: 2,
		Fingerprint: []mcmc.Ingredient{{Name: "target", Hash: "banana"}}}
	whole := t.TempDir()
	mustRun(t, job, set, newFileRecorder(t, whole, 3, 4))

	var asked []int
	set.Draws, set.More = 1000, func(draws int) (int, error) {
		asked = append(asked, draws)
		return min(3*draws, 9000), nil
	}
	dir, watch := t.TempDir(), &lastProgress{}
	res, err := mcmc.Run(bg, job, set, newFileRecorder(t, dir, 3, 4), watch)
	if err != nil {
		t.Fatal(err)
	}
	sameRecords(t, recorded(t, dir, 3), recorded(t, whole, 3))
	if len(asked) != 3 || asked[0] != 1000 || asked[1] != 3000 || asked[2] != 9000 {
		t.Errorf("asked after %v draws", asked)
	}
	if c := watch.last[2]; watch.dones != 1 || c.Phase != mcmc.Done || c.Total != 18_500 || res.Chains[2].Draws != 9000 {
		t.Errorf("done %d times, at the end %+v", watch.dones, c)
	}

	// Ended when it has 3000 draws and is asked for more, and gone on with from there.
	dir = t.TempDir()
	ctx, cancel := context.WithCancel(bg)
	more := set.More
	set.Dir, set.More = filepath.Join(dir, "checkpoint"), func(draws int) (int, error) {
		if draws == 3000 {
			cancel()
		}
		return more(draws)
	}
	if _, err := mcmc.Run(ctx, job, set, newFileRecorder(t, dir, 3, 4), nil); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Fatal(err)
	}
	set.Resume, set.Draws, set.More = true, 9000, func(int) (int, error) { return 0, nil }
	mustRun(t, job, set, newFileRecorder(t, dir, 3, 4))
	sameRecords(t, recorded(t, dir, 3), recorded(t, whole, 3))

	fault := errors.New("no answer")
	set.Dir, set.Resume, set.Draws, set.More = "", false, 10, func(int) (int, error) { return 0, fault }
	if _, err := mcmc.Run(bg, job, set, newFileRecorder(t, t.TempDir(), 3, 4), nil); !errors.Is(err, fault) {
		t.Errorf("the error of More became %v", err)
	}
}

// TestEnough: when the time is up, chains catch up with the furthest, and may go on later.
func TestEnough(t *testing.T) {
	enough := make(chan struct{})
	var moved atomic.Bool
	job := hooked{bananaJob: bananaJob{extras: 1}, kernel: func(chain int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
		if chain != 1 {
			return k
		}
		return &countdown{k.(mcmc.Adapter[*mcmc.Point]), 2001, func() {
			if !moved.Swap(true) {
				close(enough)
			}
		}}
	}}
	set := mcmc.Settings{Seed: 7, Chains: 3, Warmup: 500, Draws: 1 << 30, Thin: 3, Threads: 1, Enough: enough,
		Fingerprint: []mcmc.Ingredient{{Name: "target", Hash: "banana"}}}
	dir := t.TempDir()
	set.Dir = filepath.Join(dir, "checkpoint")
	res := mustRun(t, job, set, newFileRecorder(t, dir, 3, 4))
	n := res.Chains[0].Draws
	for i, c := range res.Chains {
		if c.Draws != n || n < 500 || c.Iterations != 500+3*n {
			t.Errorf("chain %d has %d draws in %d iterations, the first %d draws", i+1, c.Draws, c.Iterations, n)
		}
	}
	whole := t.TempDir()
	set.Enough, set.Dir, set.Draws = nil, "", n+100
	mustRun(t, bananaJob{extras: 1}, set, newFileRecorder(t, whole, 3, 4))
	set.Dir, set.Resume = filepath.Join(dir, "checkpoint"), true
	mustRun(t, bananaJob{extras: 1}, set, newFileRecorder(t, dir, 3, 4))
	sameRecords(t, recorded(t, dir, 3), recorded(t, whole, 3))

	// Before the first draw there is nothing to level.
	up := make(chan struct{})
	close(up)
	set.Dir, set.Resume, set.Enough = "", false, up
	if _, err := mcmc.Run(bg, job, set, newFileRecorder(t, t.TempDir(), 3, 4), nil); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Errorf("ended before it began: %v", err)
	}
}
