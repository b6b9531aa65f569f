package diag

import "math"

// Geweke compares the mean of the first 10 % of a chain with that of the last
// 50 %: z = (x̄_a - x̄_b)/√(S_a/n_a + S_b/n_b), standard normal if the chain was
// stationary from the start (Geweke 1992, section 3.3.1). The variances at
// frequency zero S come from Geyer's initial monotone sequence, as in the
// effective sample sizes. NaN when a segment has fewer than six draws or both
// are constant.
func Geweke(chain []float64) float64 { return GewekeSegments(chain, 0.1, 0.5) }

// GewekeSegments is [Geweke] for the first and last fraction of the chain.
func GewekeSegments(chain []float64, first, last float64) float64 {
	if !(first > 0 && last > 0 && first+last <= 1) {
		return math.NaN()
	}
	n := float64(len(chain))
	a := chain[:int(n*first)]
	b := chain[len(chain)-int(n*last):]
	if len(a) < 6 || len(b) < 6 {
		return math.NaN()
	}
	w := new(Work)
	return (mean(a) - mean(b)) / math.Sqrt(w.meanVariance(a)+w.meanVariance(b))
}

// meanVariance is the Monte Carlo variance of the mean of one sequence; 0 for
// a constant.
func (w *Work) meanVariance(x []float64) float64 {
	ess := w.ess(x, 1, len(x), mean(x))
	v := variance(x, mean(x))
	if v == 0 {
		return 0
	}
	return v / ess
}
