package path

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// counting is a machine of which something happens after so many moves, of whichever chains.
type counting struct {
	*machine
	left *atomic.Int64
	then func()
}

func (f counting) Move(s units, beta float64, r *rand.Rand) {
	if f.left.Add(-1) == 0 {
		f.then()
	}
	f.machine.Move(s, beta, r)
}

func temperedJob() (*machine, Schedule, TemperedSettings) {
	set := TemperedSettings{Settings: Settings{Seed: 6, Runs: 3, Threads: 1}, Rounds: 60, Moves: 7, Learn: 20, Passes: 4, MBAR: true}
	return newMachine(8, 4, 0.7), must(Uniform(6)), set
}

func write(t *testing.T, file string, b []byte) {
	t.Helper()
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Error(err)
	}
}

func sameTempered(t *testing.T, got, want *TemperedResult) {
	t.Helper()
	same(t, got.RTS, want.RTS)
	same(t, got.TS, want.TS)
	same(t, got.MBAR, want.MBAR)
	if g, w := *got, *want; g.Passes != w.Passes || g.Imbalance != w.Imbalance || g.RoundTrips != w.RoundTrips || !sameNumbers(g.LogZ, w.LogZ) {
		t.Errorf("resumed %+v, undisturbed %+v", g, w)
	}
}

// Chains over a ladder that are stopped or killed wherever they are, in the anneal, in a pass or among the draws that count,
// go on from there on any number of threads, and say what undisturbed ones say. The moves that are made again after a kill are
// those since the chain was last between two rounds.
func TestTemperedGoesOn(t *testing.T) {
	m, ladder, set := temperedJob()
	want := must(Tempered(background, Family[units](m), ladder, set))
	all := int(want.RTS.Moves)
	for stop := 1; stop < all; stop += all / 12 {
		set := set
		set.Checkpoint, set.Every, set.Threads = filepath.Join(t.TempDir(), "chains"), time.Nanosecond, 1+stop%3
		killed := set.Checkpoint + ".killed"
		ctx, cancel := context.WithCancel(background)
		var left atomic.Int64
		left.Store(int64(stop))
		_, err := Tempered(ctx, Family[units](counting{m, &left, func() {
			cancel()
			if b, err := os.ReadFile(set.Checkpoint); err == nil {
				write(t, killed, b)
			}
		}}), ladder, set)
		if err != nil && !errors.Is(err, mcmc.ErrInterrupted) {
			t.Fatalf("stopped at move %d: error %v", stop, err)
		}
		set.Resume = true
		for file, again := range map[string]int{set.Checkpoint: 0, killed: 3 * (stopEvery + set.Moves)} {
			set := set
			set.Checkpoint, set.Threads, set.Every = file, 1+(stop+1)%3, time.Hour
			left.Store(1 << 40)
			sameTempered(t, must(Tempered(background, Family[units](counting{m, &left, nil}), ladder, set)), want)
			if made := 1<<40 - int(left.Load()); made > all-stop+again {
				t.Errorf("stopped at move %d of %d: %d are made after", stop, all, made)
			}
		}
	}
}

// A job that is interrupted again and again comes to its end.
func TestTemperedIsInterruptedOften(t *testing.T) {
	m, ladder, set := temperedJob()
	want := must(Tempered(background, Family[units](m), ladder, set))
	set.Checkpoint, set.Resume = filepath.Join(t.TempDir(), "chains"), true
	for range 200 {
		ctx, cancel := context.WithCancel(background)
		var left atomic.Int64
		left.Store(150)
		got, err := Tempered(ctx, Family[units](counting{m, &left, cancel}), ladder, set)
		cancel()
		if err == nil {
			sameTempered(t, got, want)
			return
		}
		if !errors.Is(err, mcmc.ErrInterrupted) {
			t.Fatal(err)
		}
	}
	t.Error("the job does not end")
}

func TestTemperedRefusesAnotherCheckpoint(t *testing.T) {
	m, ladder, set := temperedJob()
	set.Checkpoint, set.Fingerprint = filepath.Join(t.TempDir(), "chains"), "this machine"
	must(Tempered(background, Family[units](m), ladder, set))
	set.Resume = true
	for name, other := range map[string]func(*TemperedSettings){
		"seed":              func(s *TemperedSettings) { s.Seed++ },
		"setting":           func(s *TemperedSettings) { s.Rounds++ },
		"family":            func(s *TemperedSettings) { s.Fingerprint = "another" },
		"number of chains":  func(s *TemperedSettings) { s.Runs++ },
		"is not an ergodic": func(s *TemperedSettings) { write(t, s.Checkpoint, []byte("x\n")) },
	} {
		set := set
		if name == "is not an ergodic" {
			set.Checkpoint = filepath.Join(t.TempDir(), "chains")
		}
		other(&set)
		if _, err := Tempered(background, Family[units](m), ladder, set); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), set.Checkpoint) {
			t.Errorf("another %s: error %v", name, err)
		}
	}
	set.Resume = false
	if _, err := Tempered(background, Family[[]float64](newGaussian(2)), ladder, set); err == nil || !strings.Contains(err.Error(), "Marshal") {
		t.Errorf("states that cannot be kept: error %v", err)
	}
}

// Whatever a checkpoint's bytes are, they are refused or the chains go on from them.
func FuzzTemperedCheckpoint(f *testing.F) {
	m, ladder, set := temperedJob()
	set.Checkpoint = filepath.Join(f.TempDir(), "chains")
	var wholes [][]byte
	for _, stop := range []int64{30, 400, 1 << 40} {
		ctx, cancel := context.WithCancel(background)
		var left atomic.Int64
		left.Store(stop)
		Tempered(ctx, Family[units](counting{m, &left, cancel}), ladder, set)
		cancel()
		wholes = append(wholes, must(os.ReadFile(set.Checkpoint)))
	}
	head := len(temperedKind().EncodeBytes(nil))
	for _, whole := range wholes {
		f.Add(whole[head:])
	}
	f.Add(wholes[0][:head])
	line := wholes[0][:head-sha256.Size]
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sha256.Sum256(data)
		set := set
		set.Resume = true
		set.Checkpoint = filepath.Join(t.TempDir(), "chains")
		write(t, set.Checkpoint, bytes.Join([][]byte{line, sum[:], data}, nil))
		if r, err := Tempered(background, Family[units](m), ladder, set); err == nil && r == nil {
			t.Error("neither a result nor an error")
		}
	})
}
