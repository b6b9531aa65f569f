package mcmc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

var bg = context.Background()

func mustRun(t *testing.T, job mcmc.Job[*mcmc.Point], set mcmc.Settings, rec mcmc.Recorder) *mcmc.Result {
	t.Helper()
	res, err := mcmc.Run(bg, job, set, rec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func memory(t *testing.T, job mcmc.Job[*mcmc.Point], set mcmc.Settings) *mcmc.Memory {
	t.Helper()
	m, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestThreads: draws and infos are the same for every number of threads.
func TestThreads(t *testing.T) {
	job := bananaJob{extras: 2}
	set := mcmc.Settings{Seed: 3, Chains: 5, Warmup: 2000, Draws: 8000, Threads: 1}
	want := memory(t, job, set)
	mustRun(t, job, set, want)
	for _, threads := range []int{2, 4, 64} {
		set.Threads = threads
		got := memory(t, job, set)
		mustRun(t, job, set, got)
		for c := range set.Chains {
			if !reflect.DeepEqual(got.Infos(c), want.Infos(c)) {
				t.Errorf("%d threads: infos of chain %d differ", threads, c)
			}
			for e := range want.Draws().Names() {
				if !reflect.DeepEqual(got.Draws().Chain(c, e), want.Draws().Chain(c, e)) {
					t.Errorf("%d threads: draws of element %d in chain %d differ", threads, e, c)
				}
			}
		}
	}
	if reflect.DeepEqual(want.Draws().Chain(0, 0), want.Draws().Chain(1, 0)) {
		t.Error("two chains have the same draws")
	}
}

// TestMonitoringMore: recording more forward samples leaves the chain as it was.
func TestMonitoringMore(t *testing.T) {
	set := mcmc.Settings{Seed: 4, Chains: 2, Warmup: 100, Draws: 500}
	few, many := memory(t, bananaJob{extras: 0}, set), memory(t, bananaJob{extras: 7}, set)
	mustRun(t, bananaJob{extras: 0}, set, few)
	mustRun(t, bananaJob{extras: 7}, set, many)
	for c := range 2 {
		for e := range 3 {
			if !reflect.DeepEqual(few.Draws().Chain(c, e), many.Draws().Chain(c, e)) {
				t.Errorf("coordinate %d of chain %d depends on what is recorded", e, c)
			}
		}
	}
}

// TestInterrupted: a run that its context ends goes on where it was, with other threads.
func TestInterrupted(t *testing.T) {
	job := bananaJob{extras: 1}
	set := mcmc.Settings{Seed: 5, Chains: 3, Warmup: 3000, Draws: 12_000, Threads: 2, SaveWarmup: true,
		Fingerprint: []mcmc.Ingredient{{Name: "target", Hash: "banana"}}} // one kernel is wrapped, and then not
	whole := t.TempDir()
	mustRun(t, job, set, newFileRecorder(t, whole, 3, 4))

	for _, at := range []int{1, 2500, 3001, 8000} { // iterations of the first chain, well before its end: a fast chain looks at the context every millisecond or so
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(bg)
		stopping := hooked{bananaJob: job, kernel: func(chain int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
			if chain != 0 {
				return k
			}
			return &countdown{k.(mcmc.Adapter[*mcmc.Point]), at, cancel}
		}}
		set := set
		set.Dir = filepath.Join(dir, "deep", "checkpoint")
		rec := newFileRecorder(t, dir, 3, 4)
		res, err := mcmc.Run(ctx, stopping, set, rec, nil)
		if !errors.Is(err, mcmc.ErrInterrupted) || !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted at %d: %v", at, err)
		}
		if n := res.Chains[0].Iterations; n < at || n > at+20_000 {
			t.Errorf("interrupted at %d, the chain stopped after %d iterations", at, n)
		}
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		set.Resume, set.Threads = true, 1
		rec = newFileRecorder(t, dir, 3, 4)
		res = mustRun(t, job, set, rec)
		rec.Close()
		sameRecords(t, recorded(t, dir, 3), recorded(t, whole, 3))
		if c := res.Chains[0]; c.Iterations != 15_000 || c.Warmup != 3000 || c.Draws != 12_000 {
			t.Errorf("after the resumed run the counts are %+v", c)
		}
	}
}

// countdown cancels after some iterations.
type countdown struct {
	mcmc.Adapter[*mcmc.Point]
	left   int
	cancel func()
}

func (k *countdown) tick() {
	if k.left--; k.left == 0 {
		k.cancel()
	}
}

func (k *countdown) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.tick()
	return k.Adapter.Step(s, r)
}

func (k *countdown) Adapt(s *mcmc.Point, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	k.tick()
	return k.Adapter.Adapt(s, r, w)
}

func (k *countdown) MarshalBinary() ([]byte, error) {
	return k.Adapter.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
}

// TestExtend: a finished run that is resumed for more draws has those of a longer one,
// and its counts are those of the longer one.
func TestExtend(t *testing.T) {
	job := bananaJob{extras: 1}
	set := mcmc.Settings{Seed: 6, Chains: 2, Warmup: 500, Draws: 900, Thin: 3}
	long := t.TempDir()
	want := mustRun(t, job, set, newFileRecorder(t, long, 2, 4))

	dir := t.TempDir()
	set.Dir = filepath.Join(dir, "checkpoint")
	set.Draws = 200
	rec := newFileRecorder(t, dir, 2, 4)
	mustRun(t, job, set, rec)
	rec.Close()
	set.Resume = true
	var res *mcmc.Result
	for _, set.Draws = range []int{200, 201, 900} {
		rec := newFileRecorder(t, dir, 2, 4)
		res = mustRun(t, job, set, rec)
		rec.Close()
	}
	sameRecords(t, recorded(t, dir, 2), recorded(t, long, 2))
	for c := range res.Chains {
		got, want := res.Chains[c], want.Chains[c]
		got.CPU, want.CPU = mcmc.CPUTime{}, mcmc.CPUTime{}
		if got != want {
			t.Errorf("chain %d: %+v, want %+v", c, got, want)
		}
	}

	set.Draws = 899
	_, err := mcmc.Run(bg, job, set, newFileRecorder(t, dir, 2, 4), nil)
	if err == nil || !strings.Contains(err.Error(), "900") || !strings.Contains(err.Error(), "899") {
		t.Errorf("fewer draws than there are: %v", err)
	}
}

// TestResumeAnother: what differs is named, and no draw is touched.
func TestResumeAnother(t *testing.T) {
	dir := t.TempDir()
	job := bananaJob{extras: 1}
	set := mcmc.Settings{
		Seed: 7, Chains: 2, Warmup: 100, Draws: 100, Dir: filepath.Join(dir, "checkpoint"), Resume: true,
		Fingerprint: []mcmc.Ingredient{{Name: "model rats.bug", Hash: "aa"}, {Name: "data rats.json", Hash: "bb"}},
	}
	rec := newFileRecorder(t, dir, 2, 4)
	mustRun(t, job, set, rec)
	rec.Close()
	before := recorded(t, dir, 2)
	for want, change := range map[string]func(*mcmc.Settings, *bananaJob){
		"seed differs: the run has 7, and 8":     func(s *mcmc.Settings, _ *bananaJob) { s.Seed = 8 },
		"number of chains":                       func(s *mcmc.Settings, _ *bananaJob) { s.Chains = 1 },
		"warm-up length":                         func(s *mcmc.Settings, _ *bananaJob) { s.Warmup = -1; s.Draws = 1000 },
		"thinning":                               func(s *mcmc.Settings, _ *bananaJob) { s.Thin = 2 },
		"keeping of the warm-up":                 func(s *mcmc.Settings, _ *bananaJob) { s.SaveWarmup = true },
		"recorded variables":                     func(_ *mcmc.Settings, j *bananaJob) { j.extras = 2 },
		"data rats.json differs: the run has bb": func(s *mcmc.Settings, _ *bananaJob) { s.Fingerprint[1].Hash = "cc" },
		"data rats.json was part of the run":     func(s *mcmc.Settings, _ *bananaJob) { s.Fingerprint = s.Fingerprint[:1] },
		"inits was not part": func(s *mcmc.Settings, _ *bananaJob) {
			s.Fingerprint = append(s.Fingerprint, mcmc.Ingredient{Name: "inits", Hash: "dd"})
		},
	} {
		set, job := set, job
		set.Fingerprint = append([]mcmc.Ingredient(nil), set.Fingerprint...)
		change(&set, &job)
		_, err := mcmc.Run(bg, job, set, untouchable{t}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Join(set.Dir, "chain-1.ckpt")) {
			t.Errorf("error %v does not say %q, or of which checkpoint", err, want)
		}
	}
	sameRecords(t, recorded(t, dir, 2), before)
}

// untouchable is a recorder that nothing may be done to.
type untouchable struct{ t *testing.T }

func (u untouchable) Append(int, bool, []float64, mcmc.Stat) error { u.t.Error("Append"); return nil }
func (u untouchable) Sync(int) ([]byte, error)                     { u.t.Error("Sync"); return nil, nil }
func (u untouchable) Truncate(int, int, int, []byte) error         { u.t.Error("Truncate"); return nil }
func (u untouchable) Close() error                                 { return nil }

// TestDamagedCheckpoint: every flipped byte and every cut is found.
func TestDamagedCheckpoint(t *testing.T) {
	dir := t.TempDir()
	job := bananaJob{extras: 1}
	set := mcmc.Settings{Seed: 8, Chains: 2, Warmup: 50, Draws: 50, Dir: dir}
	mustRun(t, job, set, newFileRecorder(t, t.TempDir(), 2, 4))
	set.Resume = true
	name := filepath.Join(dir, "chain-2.ckpt")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string][]byte{"empty": nil, "cut": good[:len(good)/2], "cut in the sum": good[:30]}
	for i := 0; i < len(good); i += 37 {
		bad := append([]byte(nil), good...)
		bad[i] ^= 0x10
		damage[fmt.Sprint("byte ", i)] = bad
	}
	for what, bad := range damage {
		if err := os.WriteFile(name, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := mcmc.Run(bg, job, set, untouchable{t}, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := os.WriteFile(name, mustRead(t, filepath.Join(dir, "chain-1.ckpt")), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(bg, job, set, untouchable{t}, nil); err == nil || !strings.Contains(err.Error(), "is of chain 1") {
		t.Errorf("the checkpoint of another chain: %v", err)
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStaleCheckpoints: a run that does not resume leaves nothing of the one before,
// whatever the folder's name is as a pattern.
func TestStaleCheckpoints(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[1] [")
	job := bananaJob{}
	mustRun(t, job, mcmc.Settings{Chains: 3, Warmup: 1, Draws: 1, Dir: dir}, newFileRecorder(t, t.TempDir(), 3, 3))
	mustRun(t, job, mcmc.Settings{Chains: 1, Warmup: 1, Draws: 1, Dir: dir}, newFileRecorder(t, t.TempDir(), 1, 3))
	if left, err := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

// full is a recorder whose disk is full from some draw of one chain on.
type full struct {
	mcmc.Recorder
	chain, room int
	sync        bool // Sync fails, too
}

func (f *full) Append(chain int, warmup bool, draw []float64, stat mcmc.Stat) error {
	if chain == f.chain {
		if f.room--; f.room < 0 {
			return syscall.ENOSPC
		}
	}
	return f.Recorder.Append(chain, warmup, draw, stat)
}

func (f *full) Sync(chain int) ([]byte, error) {
	if chain == f.chain && f.sync {
		return nil, syscall.ENOSPC
	}
	return f.Recorder.Sync(chain)
}

// TestDiskFull: the run stops, says so and what is safe, and goes on with the same bytes
// once there is room.
func TestDiskFull(t *testing.T) {
	job := bananaJob{extras: 1}
	set := mcmc.Settings{Seed: 9, Chains: 3, Warmup: 500, Draws: 20_000, Checkpoint: time.Millisecond, Threads: 2}
	whole := t.TempDir()
	mustRun(t, job, set, newFileRecorder(t, whole, 3, 4))
	for _, c := range []struct {
		room int
		sync bool
	}{{0, false}, {15_000, false}, {1 << 30, true}} {
		dir := t.TempDir()
		set := set
		set.Dir = filepath.Join(dir, "checkpoint")
		rec := newFileRecorder(t, dir, 3, 4)
		res, err := mcmc.Run(bg, job, set, &full{Recorder: rec, chain: 1, room: c.room, sync: c.sync}, nil)
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "chain 2") || !strings.Contains(err.Error(), "durable") {
			t.Fatalf("disk full after %d draws: %v", c.room, err)
		}
		if res == nil {
			t.Fatal("no result")
		}
		rec.Close()
		set.Resume = true
		rec = newFileRecorder(t, dir, 3, 4)
		mustRun(t, job, set, rec)
		rec.Close()
		sameRecords(t, recorded(t, dir, 3), recorded(t, whole, 3))
	}
}

// TestCheckpointFolderLost: a checkpoint that cannot be written stops the run and is named.
func TestCheckpointFolderLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkpoint")
	job := hooked{kernel: func(chain int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
		return hookSteps(k, func(n int) {
			if n == 1 {
				os.RemoveAll(dir)
			}
		})
	}}
	set := mcmc.Settings{Chains: 1, Warmup: 10, Draws: 10, Dir: dir}
	_, err := mcmc.Run(bg, job, set, newFileRecorder(t, t.TempDir(), 1, 3), nil)
	if err == nil || !strings.Contains(err.Error(), "checkpoint") || !strings.Contains(err.Error(), "10 of its draws are durable") {
		t.Errorf("error %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	set.Dir = file
	if _, err := mcmc.Run(bg, job, set, untouchable{t}, nil); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file in place of the folder: %v", err)
	}
}

// TestPanic: a panic anywhere becomes an error that names the chain; the draws before it
// stay, and those of the others.
func TestPanic(t *testing.T) {
	boom := func(chain int, at int) func(int, mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
		return func(c int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
			return hookSteps(k, func(n int) {
				if c == chain && n == at {
					panic("boom")
				}
			})
		}
	}
	set := mcmc.Settings{Chains: 2, Warmup: 10, Draws: 1000, Threads: 1}
	rec := memory(t, bananaJob{}, set)
	_, err := mcmc.Run(bg, hooked{kernel: boom(1, 501)}, set, rec, nil)
	if err == nil || !strings.Contains(err.Error(), "chain 2: panic at iteration 511: boom") || !strings.Contains(err.Error(), "run_test.go") {
		t.Errorf("error %v", err)
	}
	if n := len(rec.Draws().Chain(1, 0)); n != 500 {
		t.Errorf("%d draws are left of 500", n)
	}

	start := hooked{start: func(_ context.Context, chain int) error { panic("no way") }}
	if _, err := mcmc.Run(bg, start, set, memory(t, start, set), nil); err == nil || !strings.Contains(err.Error(), "no way") {
		t.Errorf("panic in Start: %v", err)
	}
	_, err = mcmc.Run(bg, bananaJob{}, set, memory(t, bananaJob{}, set), observer(func(mcmc.Progress) { panic("blind") }))
	if err == nil || !strings.Contains(err.Error(), "blind") {
		t.Errorf("panic in an observer: %v", err)
	}
}

// TestStart: a chain without a start ends the run with its name, an interrupted start
// is an interruption.
func TestStart(t *testing.T) {
	set := mcmc.Settings{Chains: 3, Warmup: 10, Draws: 10}
	none := errors.New("the density is zero everywhere")
	job := hooked{start: func(_ context.Context, chain int) error {
		if chain == 2 {
			return none
		}
		return nil
	}}
	if _, err := mcmc.Run(bg, job, set, memory(t, job, set), nil); !errors.Is(err, none) || !strings.Contains(err.Error(), "chain 3") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(bg)
	job.start = func(ctx context.Context, _ int) error { cancel(); <-ctx.Done(); return ctx.Err() }
	if _, err := mcmc.Run(ctx, job, set, memory(t, job, set), nil); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Errorf("error %v", err)
	}
}

// TestFair: on one thread all chains get on together.
func TestFair(t *testing.T) {
	ctx, cancel := context.WithTimeout(bg, 300*time.Millisecond)
	defer cancel()
	job := bananaJob{}
	set := mcmc.Settings{Chains: 3, Warmup: 10, Draws: 1 << 40, Threads: 1}
	res, err := mcmc.Run(ctx, job, set, discard{}, nil)
	if !errors.Is(err, mcmc.ErrInterrupted) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	for i, c := range res.Chains {
		if c.Draws == 0 {
			t.Errorf("chain %d had no turn", i)
		}
	}
}

type discard struct{}

func (discard) Append(int, bool, []float64, mcmc.Stat) error { return nil }
func (discard) Sync(int) ([]byte, error)                     { return nil, nil }
func (discard) Truncate(int, int, int, []byte) error         { return nil }
func (discard) Close() error                                 { return nil }

type observer func(mcmc.Progress)

func (o observer) Progress(p mcmc.Progress) { o(p) }

// TestProgress: reports come one at a time, never go back, and end with the end.
func TestProgress(t *testing.T) {
	var mu sync.Mutex
	var last mcmc.Progress
	reports := 0
	job := bananaJob{}
	set := mcmc.Settings{Chains: 2, Warmup: 1000, Draws: 200_000}
	_, err := mcmc.Run(bg, job, set, discard{}, observer(func(p mcmc.Progress) {
		if !mu.TryLock() {
			t.Error("two reports at once")
			return
		}
		defer mu.Unlock()
		for i, c := range last.Chains {
			if now := p.Chains[i]; now.Iterations < c.Iterations || now.Phase < c.Phase {
				t.Errorf("from %+v back to %+v", c, now)
			}
		}
		reports++
		last = p
		last.Chains = append([]mcmc.ChainProgress(nil), p.Chains...)
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range last.Chains {
		if c.Iterations != 201_000 || c.Total != 201_000 || c.Phase != mcmc.Done || !(c.Rate > 0) {
			t.Errorf("the last report has %+v", c)
		}
	}
	if most := int(last.Elapsed/(100*time.Millisecond)) + 1; reports > most {
		t.Errorf("%d reports in %v", reports, last.Elapsed)
	}
}

// TestResult: the account of a run adds up.
func TestResult(t *testing.T) {
	job := bananaJob{}
	set := mcmc.Settings{Chains: 2, Warmup: 5000, Draws: 20_000}
	rec := memory(t, job, set)
	res := mustRun(t, job, set, rec)
	for c, got := range res.Chains {
		sum, accepted := 0.0, 0
		for _, i := range rec.Infos(c) {
			sum += i.AcceptProb
			if i.Accepted {
				accepted++
			}
		}
		if got.AcceptProb != sum/20_000 || got.Accepted != accepted || got.Iterations != 25_000 || got.Draws != 20_000 || got.Warmup != 0 {
			t.Errorf("chain %d: %+v, but its draws have mean acceptance %v and %d accepted", c, got, sum/20_000, accepted)
		}
		if got.Evals < 3*25_000 {
			t.Errorf("chain %d: %d evaluations in 25 000 iterations of three moves", c, got.Evals)
		}
		if !(got.CPU.Warmup > 0 && got.CPU.Sampling > 0) {
			t.Errorf("chain %d: processor time %+v", c, got.CPU)
		}
	}
	if total := res.CPU.Warmup + res.CPU.Sampling; total > 1.1*float64(len(res.Chains))*res.Wall.Seconds()+1 {
		t.Errorf("%v s of processor in %v", total, res.Wall)
	}
}

// TestSettings: what zero, negative and impossible settings mean.
func TestSettings(t *testing.T) {
	job := bananaJob{}
	set := mcmc.Settings{}
	rec := memory(t, job, set)
	res := mustRun(t, job, set, rec)
	if len(res.Chains) != 4 || res.Chains[3].Iterations != 2000 || rec.Draws().Draws() != 1000 {
		t.Errorf("zero settings ran %+v", res.Chains)
	}
	set = mcmc.Settings{Chains: 1, Warmup: -1, Draws: -1}
	res = mustRun(t, job, set, memory(t, job, set))
	if c := res.Chains[0]; c.Iterations != 0 || !math.IsNaN(c.AcceptProb) {
		t.Errorf("an empty run: %+v", c)
	}
	set = mcmc.Settings{Chains: 1, Warmup: 100, Draws: 7, Thin: 30, SaveWarmup: true}
	dir := t.TempDir()
	frec := newFileRecorder(t, dir, 1, 3)
	res = mustRun(t, job, set, frec)
	warmup, kept := set.Kept()
	if c := res.Chains[0]; c.Warmup != warmup || c.Draws != kept || warmup != 3 || c.Iterations != 310 {
		t.Errorf("thinned: %+v, Kept says %d and %d", c, warmup, kept)
	}
	for _, set := range []mcmc.Settings{
		{Chains: -1}, {Chains: 1 << 40}, {Thin: -1}, {Threads: -2}, {Draws: math.MaxInt}, {Draws: 1 << 40, Thin: 1 << 40}, {Resume: true},
	} {
		if _, err := mcmc.Run(bg, job, set, untouchable{t}, nil); err == nil {
			t.Errorf("%+v is accepted", set)
		}
	}
}

// mute adapts and cannot say what it has learnt.
type mute struct{}

func (mute) Step(*mcmc.Point, *rand.Rand) mcmc.Info               { return mcmc.Info{} }
func (mute) Adapt(*mcmc.Point, *rand.Rand, mcmc.Warmup) mcmc.Info { return mcmc.Info{} }
func (mute) Freeze()                                              {}

// TestMute: a kernel whose tuning a checkpoint would lose is refused one.
func TestMute(t *testing.T) {
	job := hooked{kernel: func(int, mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point] {
		return mcmc.Cycle(mcmc.Kernel[*mcmc.Point](mute{}))
	}}
	set := mcmc.Settings{Chains: 1, Warmup: 1, Draws: 1}
	mustRun(t, job, set, memory(t, job, set))
	set.Dir = t.TempDir()
	if _, err := mcmc.Run(bg, job, set, untouchable{t}, nil); err == nil || !strings.Contains(err.Error(), "mute") {
		t.Errorf("error %v", err)
	}
}

// apart is a job whose chains are told of each other.
type apart struct {
	bananaJob
	seen chan placed
}

type placed struct{ chain, chains, common int }

func (a apart) StartApart(ctx context.Context, at mcmc.Place, r *rand.Rand) (*mcmc.Point, error) {
	a.seen <- placed{at.Chain, at.Chains, at.Common.IntN(1 << 30)}
	return a.Start(ctx, at.Chain, r)
}

// TestStartApart: chains know their place, and have a stream in common that is the same for all and differs between seeds.
func TestStartApart(t *testing.T) {
	seen := map[int]bool{}
	for seed := range uint64(2) {
		set := mcmc.Settings{Chains: 3, Warmup: 1, Draws: 1, Seed: seed}
		job := apart{seen: make(chan placed, set.Chains)}
		if _, err := mcmc.Run(bg, job, set, memory(t, job.bananaJob, set), nil); err != nil {
			t.Fatal(err)
		}
		close(job.seen)
		chains, common := 0, 0
		for p := range job.seen {
			if p.chains != 3 || chains > 0 && p.common != common {
				t.Errorf("%+v, and the stream of another begins with %d", p, common)
			}
			chains, common = chains+1, p.common
		}
		if chains != 3 {
			t.Errorf("%d chains were started", chains)
		}
		seen[common] = true
	}
	if len(seen) != 2 {
		t.Error("two seeds share a stream")
	}
}

// Chains that start at the same place go different ways: each has a stream of its own.
func TestOwnStreams(t *testing.T) {
	set := mcmc.Settings{Seed: 6, Chains: 3, Warmup: 10, Draws: 20}
	job, err := mcmc.NewPoints(mcmc.Points{
		Target: half{}, Dim: 1, Move: walkOf(half{}),
		Init: func(_ int, _ *rand.Rand, x []float64) { x[0] = 1 },
	}, set)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcmc.Run(bg, job, set, rec, nil); err != nil {
		t.Fatal(err)
	}
	for c := 1; c < set.Chains; c++ {
		if reflect.DeepEqual(rec.Draws().Chain(0, 0), rec.Draws().Chain(c, 0)) {
			t.Errorf("chains 1 and %d have the same draws", c+1)
		}
	}
}
