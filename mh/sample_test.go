package mh_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// Of (x, x² + z) the means are 0 and 1, the standard deviations 1 and √3. Five Monte Carlo standard errors
// are a false alarm in 1.7 million.
func TestSample(t *testing.T) {
	banana := mcmc.TargetFunc(func(x []float64) float64 {
		b := x[1] - x[0]*x[0]
		return -(x[0]*x[0] + b*b) / 2
	})
	set := mcmc.Settings{Seed: 2, Draws: 20_000}
	got, err := mh.Sample(context.Background(), banana, 2, set)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1} {
		chains := got.Element(i)
		if s := diag.Summarize(chains, nil); math.Abs(s.Mean-want) > 5*diag.MCSEMean(chains) || len(chains) != 4 {
			t.Errorf("x[%d]: mean %v ± %v of %d chains, want %v", i+1, s.Mean, diag.MCSEMean(chains), len(chains), want)
		}
	}
	if _, err := mh.Sample(context.Background(), nil, 2, set); err == nil {
		t.Error("no target is accepted")
	}
	if _, err := mh.Sample(context.Background(), banana, -1, set); err == nil || !strings.Contains(err.Error(), "length -1") {
		t.Errorf("a length of -1: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := mh.Sample(ctx, banana, 2, set); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Errorf("stopped: %v", err)
	}
}
