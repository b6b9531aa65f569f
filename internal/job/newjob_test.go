package job_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/report"
)

// The wiring of a new job, all that a subcommand needs beside its mathematics (ising_test.go).

type ringSpec struct {
	job.Head
	Sites int
	Beta  float64
	Draws int `resume:"grow"`
}

func ringCommand(args []string) error {
	r := &job.Run{Name: "ring", Version: "1", Say: &job.Notices{Print: func(f string, a ...any) { fmt.Fprintf(os.Stderr, f+"\n", a...) }}}
	defer r.Close()
	f := flag.NewFlagSet("ring", flag.ContinueOnError)
	out, resume := f.String("out", "ring-run", ""), f.String("resume", "", "")
	spec := ringSpec{Head: job.Head{Ergodic: "1", Job: "ring", Seed: 1}, Sites: 50, Beta: 0.4, Draws: 1000}
	var old ringSpec
	if len(args) > 1 && args[0] == "-resume" {
		if err := r.Reopen(args[1], &old); err != nil {
			return err
		}
		spec = old
	}
	f.Uint64Var(&spec.Seed, "seed", spec.Seed, "")
	f.IntVar(&spec.Sites, "sites", spec.Sites, "")
	f.Float64Var(&spec.Beta, "beta", spec.Beta, "")
	f.IntVar(&spec.Draws, "draws", spec.Draws, "")
	if err := f.Parse(args); err != nil {
		return job.Exit{Code: job.Usage, Err: err}
	}
	spec.Origin = rundir.Origin(spec.Sites, spec.Beta, spec.Seed)
	if *resume != "" {
		if err := r.Same(&old, &spec, nil); err != nil {
			return err
		}
	} else if err := r.Create(*out, false, &spec); err != nil {
		return err
	}
	return ringRun(r, &spec, spec.Draws > old.Draws)
}

func ringRun(r *job.Run, spec *ringSpec, extended bool) error {
	l := draws.Layout{Origin: spec.Origin, Chains: 2, Posterior: []draws.Variable{{Name: "energy"}}, Stats: []string{draws.AcceptanceRate}}
	set := mcmc.Settings{Seed: spec.Seed, Chains: l.Chains, Warmup: 100, Draws: spec.Draws, Thin: 1, Checkpoint: 5 * time.Millisecond,
		Fingerprint: []mcmc.Ingredient{{Name: "the ring", Hash: spec.Origin}}}
	chains, err := mcmc.NewStates(ringJob(spec, l.Posterior), set)
	if err != nil {
		return r.Refused(err)
	}
	w, err := r.Dir.Draws(l, r.Resumed)
	if err == nil {
		r.Announce(spec, nil)
		err = r.Begin(spec, extended, nil)
	}
	if err != nil {
		return r.Refused(err)
	}
	res, err := job.Sample[*mcmc.State[ring]](r, chains, set, w, "json", nil)
	switch {
	case job.WasInterrupted(err):
		return r.Ended(nil)
	case err != nil:
		return r.Failed(err, true)
	}
	d, err := draws.Open(r.Dir.File(rundir.DrawsFolder))
	if err != nil {
		return err
	}
	sum, err := report.Summarize(d, 1)
	if err != nil {
		return err
	}
	return r.Finish(&rundir.Summary{Ergodic: r.Version, Job: r.Name, Origin: spec.Origin, Digests: rundir.Digests(d), Parameters: sum.Parameters, Warnings: sum.Warnings,
		Run: rundir.Run{Seed: spec.Seed, Chains: set.Chains, Draws: spec.Draws, WallS: res.Wall.Seconds()}}, nil)
}

func ringJob(spec *ringSpec, named []draws.Variable) mcmc.States[ring] {
	return mcmc.States[ring]{
		Init: func(_ int, r *rand.Rand) (*mcmc.State[ring], error) {
			x := ring{make([]int8, spec.Sites), spec.Beta}
			for i := range x.Spins {
				x.Spins[i] = int8(2*r.IntN(2) - 1)
			}
			return &mcmc.State[ring]{X: x}, nil
		},
		Move: func(int) (mcmc.Kernel[*mcmc.State[ring]], error) {
			up := func(h float64) float64 { return 1 / (1 + math.Exp(-2*spec.Beta*h)) }
			return &sweep{[3]float64{up(-2), up(0), up(2)}}, nil
		},
		Named: named,
		Write: func(x ring, dst []float64) { dst[0] = energy(x) },
	}
}

// TestMain lets the test start the command as a process of its own, which it can kill.
func TestMain(m *testing.M) {
	if os.Getenv("ERGODIC_RING") == "" {
		os.Exit(m.Run())
	}
	if err := ringCommand(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A new job is killed, goes on to the bytes of an undisturbed run, shows progress, is extended, and refuses another β.
func TestANewJob(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file is not removed while a killed process lets go of it")
	}
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	start := func(args ...string) (*exec.Cmd, *bytes.Buffer) {
		cmd, errs := exec.Command(os.Args[0], args...), new(bytes.Buffer)
		cmd.Env, cmd.Stderr = append(os.Environ(), "ERGODIC_RING=1"), errs
		return cmd, errs
	}
	must := func(args ...string) string {
		t.Helper()
		cmd, errs := start(args...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v %s", args, err, errs)
		}
		return errs.String()
	}
	began := time.Now()
	must("-out", whole, "-draws", "60000")
	took, killed, args := time.Since(began), 0, []string{"-out", cut, "-draws", "60000"}
	for range 5 {
		cmd, _ := start(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took / 5)
		cmd.Process.Kill()
		cmd.Wait()
		if !cmd.ProcessState.Exited() {
			killed++
		}
		if _, err := os.Stat(filepath.Join(cut, rundir.SpecFile)); err == nil {
			args = []string{"-resume", cut}
		}
	}
	if said := must(args...); killed == 0 || !bytes.Contains([]byte(said), []byte(`"chains"`)) {
		t.Errorf("killed %d times; %s", killed, said)
	}
	sameFiles(t, whole, cut)
	must("-resume", cut, "-draws", "61000")
	cmd, errs := start("-resume", cut, "-beta", "0.5")
	if err := cmd.Run(); err == nil || !bytes.Contains(errs.Bytes(), []byte("--beta is 0.5, and the run was started with 0.4")) {
		t.Errorf("another β: %s", errs)
	}
	// ⟨Σ sᵢsᵢ₊₁⟩ = n (t + t^(n−1))/(1 + tⁿ) with t = tanh β (Ising 1925); 5.5 of its Monte Carlo errors.
	s, err := rundir.ReadSummary(whole)
	if err != nil {
		t.Fatal(err)
	}
	th := math.Tanh(0.4)
	want := 50 * (th + math.Pow(th, 49)) / (1 + math.Pow(th, 50))
	if e := s.Parameters[0]; math.Abs(float64(e.Mean)-want) > 5.5*float64(e.MCSEMean) {
		t.Errorf("mean energy %v ± %v, exact %v", e.Mean, e.MCSEMean, want)
	}
}

func sameFiles(t *testing.T, whole, cut string) {
	err := filepath.WalkDir(filepath.Join(whole, rundir.DrawsFolder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(whole, path)
		a, errA := os.ReadFile(path)
		b, errB := os.ReadFile(filepath.Join(cut, name))
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
		return errors.Join(errA, errB)
	})
	if err != nil {
		t.Error(err)
	}
}
