package rbm

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The pseudo-likelihood of a machine that can be enumerated.
func TestPseudoLikelihood(t *testing.T) {
	m, d := random(7, 5, 1.5, 2), randomData(33, 7, 3)
	in, want := make([]float64, m.Hidden), 0.0
	for n := range d.Cases {
		v := append([]uint8{}, d.Case(n)...)
		here := m.LogWeight(v, in)
		for i := range v {
			v[i] ^= 1
			want -= math.Log1p(math.Exp(m.LogWeight(v, in) - here))
			v[i] ^= 1
		}
	}
	want /= float64(d.Cases)
	for threads := range 3 {
		if got, err := m.PseudoLikelihood(d, threads); err != nil || !near(got, want, 2e-6) {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
	}
	if _, err := m.PseudoLikelihood(randomData(3, 8, 1), 1); err == nil {
		t.Error("cases of another width pass")
	}
}

// Annealed importance sampling against the exact likelihood. Its standard
// error is below 0.01 here.
func TestByAIS(t *testing.T) {
	m, d := random(8, 6, 0.7, 2), randomData(50, 8, 3)
	got, se, err := ByAIS(200, 500, 2)(context.Background(), m, d, 1)
	if want := meanLogLikelihood(m, d); err != nil || se > 0.01 || math.Abs(got-want) > 5*se {
		t.Errorf("%v ± %v, %v; want %v", got, se, err, want)
	}
}

// newTrainingRun scores by a list.
func newTrainingRun(t *testing.T, scores []float64) *TrainingRun {
	c := &TrainingRun{Trainer: small(t, Training{}), Validation: randomData(3, 37, 1), Every: 1, File: filepath.Join(t.TempDir(), "training")}
	c.Measure = func(context.Context, *Model, *Data, uint64) (float64, float64, error) {
		return scores[len(c.scores)], 0, nil
	}
	return c
}

func TestTrainingStopsEarly(t *testing.T) {
	c := newTrainingRun(t, []float64{-5, -3, -3.5, -3.2, -1})
	c.Patience = 2
	want := small(t, Training{})
	for range 2 * want.Epoch() {
		want.Update()
	}
	m, err := c.Run(context.Background())
	if err != nil || len(c.Scores()) != 4 || c.Scores()[1].Epoch != 2 {
		t.Fatal(c.Scores(), err)
	}
	if m.W[5] != want.Model().W[5] {
		t.Error("the machine is not the best one")
	}
}

// A run that is interrupted repeatedly has the same result as one that is not.
func TestInterruptedTrainingRun(t *testing.T) {
	scores := []float64{-5, -4, -3, -3.5, -2}
	whole, err := newTrainingRun(t, scores).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "training")
	for turn := 0; ; turn++ {
		c := newTrainingRun(t, scores)
		c.File, c.Fingerprint, c.Interval = file, "x", time.Hour
		if err := c.Resume(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		left := 3
		c.Progress = func() {
			if left--; left == 0 {
				cancel()
			}
		}
		m, err := c.Run(ctx)
		cancel()
		if errors.Is(err, mcmc.ErrInterrupted) && turn < 100 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range whole.W {
			if m.W[k] != x {
				t.Fatalf("weight %d is %v; want %v", k, m.W[k], x)
			}
		}
		if len(c.Scores()) != 5 || turn < 3 {
			t.Errorf("%d scores after %d turns", len(c.Scores()), turn)
		}
		break
	}
	c := newTrainingRun(t, scores)
	c.File, c.Fingerprint = file, "y"
	if c.Resume() == nil {
		t.Error("the state of another training passes")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	for what, b := range map[string][]byte{"damaged": b, "cut short": b[:len(b)/3], "is not an ergodic rbm training": []byte("nonsense\n")} {
		if err := os.WriteFile(file, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := c.Resume(); err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), file) {
			t.Errorf("a file that %s: %v", what, err)
		}
	}
}

// An evaluation that is interrupted is made when the run goes on, of the same machine.
func TestInterruptedEvaluation(t *testing.T) {
	scores := []float64{-5, -4, -3, -3.5, -2}
	c := newTrainingRun(t, scores)
	ctx, cancel := context.WithCancel(context.Background())
	measure := c.Measure
	c.Measure = func(ctx context.Context, m *Model, d *Data, seed uint64) (float64, float64, error) {
		if len(c.scores) == 2 {
			cancel()
			return 0, 0, mcmc.ErrInterrupted
		}
		return measure(ctx, m, d, seed)
	}
	if _, err := c.Run(ctx); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Fatal(err)
	}
	again := newTrainingRun(t, scores)
	again.File = c.File
	if err := again.Resume(); err != nil {
		t.Fatal(err)
	}
	var epochs []int
	measure = again.Measure
	again.Measure = func(ctx context.Context, m *Model, d *Data, seed uint64) (float64, float64, error) {
		done, _ := again.Trainer.Updates()
		epochs = append(epochs, done/again.Trainer.Epoch())
		return measure(ctx, m, d, seed)
	}
	if _, err := again.Run(context.Background()); err != nil || !slices.Equal(epochs, []int{3, 4, 5}) || len(again.Scores()) != 5 {
		t.Errorf("epochs %v are evaluated after the interruption in the third, %v", epochs, err)
	}
}

func TestDivergedTraining(t *testing.T) {
	var c *TrainingRun
	for _, every := range []int{0, 1} {
		c = newTrainingRun(t, make([]float64, 5))
		c.Every = every
		c.Trainer.now.w[3] = float32(math.Inf(1))
		if _, err := c.Run(context.Background()); err == nil || !strings.Contains(err.Error(), "smaller learning rate") {
			t.Errorf("an infinite weight passes: %v", err)
		}
		if done, _ := c.Trainer.Updates(); done != c.Trainer.Epoch() {
			t.Errorf("it is noticed after %d updates", done)
		}
	}
}
