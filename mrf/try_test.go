package mrf

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestTryShared(t *testing.T) {
	limit, _ := time.ParseDuration(os.Getenv("MRF_TIME"))
	if limit == 0 {
		t.Skip()
	}
	for _, name := range uaiNames {
		if only := os.Getenv("MRF_ONLY"); only != "" && only != name {
			continue
		}
		in := sharedInstance(t, name)
		s, err := SampleMarginals(context.Background(), in.given.Model, SampleSettings{Seed: 1, Threads: 1, Time: limit, Path: PathSettings{Entries: envInt("MRF_E"), Total: envInt("MRF_T"), Blocks: BlockSettings{Entries: envInt("MRF_B")}}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		worst, worstConv := 0.0, 0.0
		for k, i := range in.given.Free {
			for v, p := range in.mar[i] {
				d := math.Abs(p - s.Marginals[k].Values[v].P)
				worst = max(worst, d)
				if s.Marginals[k].Converged {
					worstConv = max(worstConv, d)
				}
			}
		}
		fmt.Printf("%-18s err %.4f conv %d/%d errconv %.4f logZ %.4f±%.4f (PR %.4f, conv %v) steps %d rungs %v trips %v cpu %.1f MAP %.5f vs %.5f\n   %v\n", name, worst, s.Converged, len(s.Marginals), worstConv,
			s.LogZ/math.Ln10, s.LogZSE/math.Ln10, in.pr, s.LogZConverged, s.Steps, s.Rungs, s.RoundTrips, s.CPU, s.BestDensity, in.model.LogDensity(in.state), s.Warnings)
	}
}

func envInt(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return n
}
