package tempering

import (
	"errors"
	"math"
)

// Report is the swap statistics of a chain after its warm-up.
type Report struct {
	Steps int
	Betas []float64
	// Swaps are the mean acceptance probabilities of swaps of rungs i and i+1; NaN where none was
	// proposed. Where one is near 0, replicas do not pass: add rungs there.
	Swaps []float64
	// Barrier is the global communication barrier Λ, the sum of the rejection probabilities: almost
	// independent of the number of rungs when there are many (SBDD).
	Barrier float64
	// RoundTrips counts the round trips of replicas from the hot end to the cold end and back; each
	// brings a state to the cold end that is independent of the one before.
	RoundTrips int
	// LogZ estimates log Z at the cold end less log Z at the hot end, and LogZError is its standard
	// error, NaN before 32 steps. Each ratio of neighbours is by bridge sampling with the geometric mean
	// of both densities (Meng and Wong 1996), whose variance is finite whatever the tails. The error is
	// from batch means of up to 64 batches, and is valid if replicas make round trips within a batch.
	LogZ, LogZError float64
}

// Report is the swap statistics since the end of warm-up, or since the kernel was made.
func (k *Kernel[S]) Report() Report {
	rep := Report{Steps: k.trips.Steps, Betas: k.Betas(), RoundTrips: k.trips.Round}
	for _, r := range k.tally.rejections() {
		rep.Swaps = append(rep.Swaps, 1-r)
		rep.Barrier += r
	}
	rep.LogZ, rep.LogZError = k.tally.logZ()
	return rep
}

// BestRate is the upper bound 1/(2 + 2Λ) of round trips per step over all ladders with this barrier, if
// the log densities of a replica at successive swaps are independent (SBDD).
func (r Report) BestRate() float64 { return 1 / (2 + 2*r.Barrier) }

// CombineLogZ averages the estimates of independent chains. The standard error is the larger of the
// one within chains and, with two chains or more, the one between chains.
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
