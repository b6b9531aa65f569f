package tempering

import (
	"errors"
	"math"
)

// Report is what the swaps of a chain after its warm-up tell.
type Report struct {
	Steps int
	Betas []float64
	// Swaps are the mean probabilities with which the swaps of rungs i and i+1 were
	// accepted; NaN where none was tried. A ladder with one near 0 is broken there: add rungs.
	Swaps []float64
	// Barrier is Λ, the sum of the rejection probabilities: nearly free of the number of
	// rungs, once there are many (SBDD).
	Barrier float64
	// RoundTrips counts the journeys of replicas from the hot end to the cold one and back;
	// each brings the cold end a state that owes nothing to the one before.
	RoundTrips int
	// LogZ estimates log Z at the cold end less log Z at the hot one, and LogZError is its standard error,
	// NaN before 32 steps. Each ratio of neighbours is a bridge with the geometric mean of both
	// densities (Meng and Wong 1996): its variance is finite whatever the tails. The
	// error is from batch means of up to 64 batches, and is right if replicas make
	// round trips within a batch.
	LogZ, LogZError float64
}

// Report is the account since the warm-up ended, or since the kernel was made.
func (k *Kernel[S]) Report() Report {
	rep := Report{Steps: k.trips.Steps, Betas: k.Betas(), RoundTrips: k.trips.Round}
	for _, r := range k.tally.rejections() {
		rep.Swaps = append(rep.Swaps, 1-r)
		rep.Barrier += r
	}
	rep.LogZ, rep.LogZError = k.tally.logZ()
	return rep
}

// BestRate bounds the round trips a step that any ladder can have with this barrier,
// 1/(2 + 2Λ), if each replica forgets its log density between two swaps (SBDD).
func (r Report) BestRate() float64 { return 1 / (2 + 2*r.Barrier) }

// CombineLogZ averages the estimates of independent chains. The standard error is the larger
// of that from within the chains and, with two chains or more, that from between them.
func CombineLogZ(reports ...Report) (estimate, se float64, err error) {
	if len(reports) == 0 {
		return math.NaN(), math.NaN(), errors.New("tempering: no reports to combine")
	}
	n := float64(len(reports))
	for _, r := range reports {
		estimate += r.LogZ / n
		se += r.LogZError * r.LogZError / (n * n)
	}
	between := 0.0
	for _, r := range reports {
		between += (r.LogZ - estimate) * (r.LogZ - estimate) / (n * max(n-1, 1))
	}
	return estimate, math.Sqrt(max(se, between)), nil
}
