package main

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// A small part of the experiment: the variance of the estimates of 200 chains of 4000 draws,
// over the exact one, is χ² with 199 degrees of freedom over 199, up to the skewness of estimates
// of short chains, for which the bounds are widened by 5 %. The false-alarm rate is 1e-6 for
// each sampler. The mean is compared with ρ, whose bias is below 3/n.
func TestScatter(t *testing.T) {
	const chains, length = 200, 4000
	law := distuv.ChiSquared{K: chains - 1}
	low, high := law.Quantile(0.5e-6)/(chains-1)*0.95, law.Quantile(1-0.5e-6)/(chains-1)*1.05
	for _, s := range samplers() {
		if s.sd == 0 || s.sd > 0.009 { // the slowest forgets too slowly for short chains
			continue
		}
		e, err := s.estimate(context.Background(), 1, chains, length)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		exact := s.sd * math.Sqrt(1e5/length)
		if ratio := e.sd * e.sd / (exact * exact); ratio < low || ratio > high {
			t.Errorf("%s: the variance of the estimates is %v times what it must be; %v to %v is right but once in 10⁶", s.name, ratio, low, high)
		}
		if off := math.Abs(e.mean - 0.5); off > 5*exact/math.Sqrt(chains)+3.0/length {
			t.Errorf("%s: the mean of the estimates is %v", s.name, e.mean)
		}
	}
}

func TestCorrelation(t *testing.T) {
	m := make(moments, 1)
	for _, p := range [][]float64{{4, 9}, {5, 12}, {7, 10}, {6, 14}} {
		if err := m.Append(0, false, p, mcmc.Stat{}); err != nil {
			t.Fatal(err)
		}
	}
	// By hand: deviations (−1.5, −0.5, 1.5, 0.5) and (−2.25, 0.75, −1.25, 2.75) have products of
	// sum 2.5 and squares of sums 5 and 14.75.
	if got, want := m[0].correlation(), 2.5/math.Sqrt(5*14.75); math.Abs(got-want) > 1e-14 {
		t.Errorf("correlation %v, want %v", got, want)
	}
}
