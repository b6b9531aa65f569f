package mcmc_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

const (
	killDir     = "ERGODIC_TEST_KILL_DIR"
	killThreads = "ERGODIC_TEST_KILL_THREADS"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDir); dir != "" {
		threads, _ := strconv.Atoi(os.Getenv(killThreads))
		if err := killRun(dir, threads, time.Millisecond); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const killChains = 3

// killRun is the run of this test, resumed if there is something to resume.
func killRun(dir string, threads int, checkpoint time.Duration) error {
	job := bananaJob{extras: 1}
	rec, err := openFileRecorder(dir, killChains, 4)
	if err != nil {
		return err
	}
	_, err = mcmc.Run(context.Background(), job, mcmc.Settings{
		Seed: 11, Chains: killChains, Warmup: 60_000, Draws: 60_000, Thin: 2, Threads: threads, SaveWarmup: true,
		Dir: filepath.Join(dir, "checkpoint"), Checkpoint: checkpoint, Resume: true,
		Fingerprint: []mcmc.Ingredient{{Name: "model", Hash: "banana"}},
	}, rec, nil)
	return errors.Join(err, rec.Close())
}

// A process that is killed again and again, with another number of threads each time,
// leaves the bytes of one that is not.
func TestKill(t *testing.T) {
	undisturbed, began := t.TempDir(), time.Now()
	if err := killRun(undisturbed, 1, -1); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	want := recorded(t, undisturbed, killChains)
	for i, w := range want {
		if len(w) != 8*6*60_000 && len(w) != 8*6*30_000 {
			t.Fatalf("%s has %d bytes", i, len(w))
		}
	}

	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	kills, resumed := 0, 0
	for run := 0; ; run++ {
		if run == 200 {
			t.Fatal("the run does not get on between kills")
		}
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killDir+"="+dir, fmt.Sprint(killThreads, "=", 1+3*(run%2)))
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		life := time.Duration(r.Int64N(int64(took/4))) + time.Duration(5+2*run+run*run/50)*time.Millisecond // a busy machine takes long to start one
		timer := time.AfterFunc(life, func() { _ = child.Process.Kill() })
		err := child.Wait()
		timer.Stop()
		if err == nil {
			break
		}
		if child.ProcessState.ExitCode() != -1 {
			t.Fatalf("the child failed by itself: %v", err)
		}
		kills++
		if found, _ := filepath.Glob(filepath.Join(dir, "checkpoint", "chain-*.ckpt")); len(found) > 0 {
			resumed++
		}
	}
	t.Logf("%d kills, %d of them with a checkpoint to go on from", kills, resumed)
	if resumed < 3 {
		t.Errorf("only %d of %d kills left a checkpoint: the test has shown nothing", resumed, kills)
	}
	sameRecords(t, recorded(t, dir, killChains), want)
}
