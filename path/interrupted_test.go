package path

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// methods are the methods with checkpoints, each with three chains of about 1000 moves.
var methods = map[string]func(ctx context.Context, f Family[[]float64], set Settings) (*Result, error){
	"SMC": func(ctx context.Context, f Family[[]float64], set Settings) (*Result, error) {
		return SMC(ctx, f, must(Uniform(50)), SMCSettings{Settings: set, Particles: 20})
	},
	"sandwich": func(ctx context.Context, f Family[[]float64], set Settings) (*Result, error) {
		b, err := Sandwich(ctx, f, must(Uniform(333)), SandwichSettings{Settings: set})
		if b == nil {
			return nil, err
		}
		return b.BAR, err
	},
	"integrate": func(ctx context.Context, f Family[[]float64], set Settings) (*Result, error) {
		r, err := Integrate(ctx, f, must(Uniform(9)), IntegrateSettings{Settings: set, Draws: 80})
		if r == nil {
			return nil, err
		}
		return r.TI, err
	},
	"replicas": func(ctx context.Context, f Family[[]float64], set Settings) (*Result, error) {
		r, err := Replicas(ctx, f, must(Uniform(9)), IntegrateSettings{Settings: set, Draws: 66})
		if r == nil {
			return nil, err
		}
		return r.BAR, err
	},
	"SAMS": func(ctx context.Context, f Family[[]float64], set Settings) (*Result, error) {
		a, err := SAMS(ctx, must(Ladder(f, must(Uniform(9)))), SelfAdjustedSettings{Settings: set, Rounds: 1000})
		if a == nil {
			return nil, err
		}
		return a.LogZ(), err
	},
	"SAMC": func(ctx context.Context, f Family[[]float64], set Settings) (*Result, error) {
		a, err := SAMC(ctx, must(Ladder(f, must(Uniform(9)))), SelfAdjustedSettings{Settings: set, Rounds: 1000})
		if a == nil {
			return nil, err
		}
		return a.LogZ(), err
	},
}

// Stopped in its third chain, a method gives the estimate from two; resumed from its file, that from all.
func TestInterrupted(t *testing.T) {
	g := newGaussian(2)
	for name, method := range methods {
		t.Run(name, func(t *testing.T) {
			set := Settings{Seed: 6, Runs: 3, Threads: 1}
			whole := must(method(background, g, set))
			set.Runs = 2
			two := must(method(background, g, set))

			set.Runs, set.Checkpoint = 3, filepath.Join(t.TempDir(), "chains")
			ctx, cancel := context.WithCancel(background)
			defer cancel()
			left := int(two.Moves) + 100
			part, err := method(ctx, stopping{g, &left, cancel}, set)
			if !errors.Is(err, mcmc.ErrInterrupted) || part == nil {
				t.Fatalf("%v, error %v", part, err)
			}
			same(t, part, two)
			set.Resume = true
			same(t, must(method(background, g, set)), whole)
			often := set // what cannot be saved within a run must not be stopped there
			often.Resume, often.Every = false, time.Nanosecond
			same(t, must(method(background, g, often)), whole)

			set.Fingerprint = "another family"
			if _, err := method(background, g, set); err == nil {
				t.Error("resumed with another family")
			}

			early, cancel := context.WithCancel(background)
			cancel()
			if r, err := method(early, g, Settings{}); !errors.Is(err, mcmc.ErrInterrupted) || r != nil && !math.IsNaN(r.LogZ) {
				t.Errorf("stopped before the first chain: %+v, error %v", r, err)
			}
		})
	}
}

// The chains of Tempered adapt together, but those that have finished give an estimate.
func TestTemperedInterrupted(t *testing.T) {
	g, ladder := newGaussian(2), must(Uniform(5))
	set := TemperedSettings{Settings: Settings{Seed: 6, Runs: 4, Threads: 1}, Rounds: 500, MBAR: true}
	whole := must(Tempered(background, Family[[]float64](g), ladder, set))
	for stop, chains := range map[int]int{100: 0, int(whole.RTS.Moves) - 5000 - 100: 2, int(whole.RTS.Moves) - 100: 3} {
		ctx, cancel := context.WithCancel(background)
		left := stop
		r, err := Tempered(ctx, Family[[]float64](stopping{g, &left, cancel}), ladder, set)
		if !errors.Is(err, mcmc.ErrInterrupted) || chains == 0 && r != nil {
			t.Fatalf("stopped after %d moves: %v, error %v", stop, r, err)
		}
		if chains == 0 {
			continue
		}
		for _, x := range []struct{ part, whole *Result }{{r.RTS, whole.RTS}, {r.TS, whole.TS}} {
			if !slices.Equal(x.part.PerRun, x.whole.PerRun[:chains]) {
				t.Errorf("%s: %v of %d chains, %v of all", x.part.Method, x.part.PerRun, chains, x.whole.PerRun)
			}
		}
		for _, x := range []*Result{r.RTS, r.MBAR} {
			within(t, fmt.Sprint(x.Method, " of ", chains), x, g.logZ(1))
		}
		cancel()
	}
}
