package dist

import "math/rand/v2"

// geom is dgeom(p): P(x) = p (1−p)^(x−1) for x = 1, 2, …, the trials up to the first success; x − 1 has dnegbin(p, 1).
func geom() *Scalar {
	f := negbin()
	full := func(p []float64) [2]float64 { return [2]float64{p[0], 1} }
	d := &Scalar{
		Name:        "dgeom",
		Params:      []string{"p"},
		Formula:     "log(p) + (x-1)*log(1-p)",
		Discrete:    true,
		CanTruncate: true,
		Check:       func(p []float64) string { q := full(p); return f.Check(q[:]) },
		Support: func(p []float64) (lo, hi float64) {
			q := full(p)
			lo, hi = f.Support(q[:])
			return lo + 1, hi
		},
		LogProb: func(x float64, p []float64) float64 { return NegbinLogProb(x-1, p[0], 1) },
		Grad: func(x float64, p, dp []float64) (dx float64) {
			q, by := full(p), [2]float64{}
			dx = f.Grad(x-1, q[:], by[:])
			dp[0] = by[0]
			return dx
		},
		Sample:   func(r *rand.Rand, p []float64) float64 { return 1 + NegBinomial(r, p[0], 1) },
		CDF:      func(x float64, p []float64) float64 { q := full(p); return f.CDF(x-1, q[:]) },
		LogCDF:   func(x float64, p []float64) float64 { q := full(p); return f.LogCDF(x-1, q[:]) },
		LogSF:    func(x float64, p []float64) float64 { q := full(p); return f.LogSF(x-1, q[:]) },
		Quantile: func(u float64, p []float64) float64 { q := full(p); return 1 + f.Quantile(u, q[:]) },
		Mean:     func(p []float64) float64 { return 1 / p[0] },
		Variance: func(p []float64) float64 { return (1 - p[0]) / (p[0] * p[0]) },
		slide: func(k int, x float64, p []float64) float64 {
			q := full(p)
			return slideNegBinomial(k, x-1, q[:])
		},
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			q := full(p)
			return 1 + negbinSampleT(r, q[:], lo-1, hi-1)
		},
	}
	return d
}
