package modeltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// own are distributions that the compiler writes in others: how they are drawn, and their log density.
var own = map[string]struct {
	draw    func(dst []float64, r *rand.Rand, par [][]float64)
	logProb func(x []float64, par [][]float64) float64
}{
	"sum":             {drawSum, func(x []float64, par [][]float64) float64 { return certain(drawSum, x, par) }},
	"dround":          {drawRounded, func(x []float64, par [][]float64) float64 { return certain(drawRounded, x, par) }},
	"target":          {func([]float64, *rand.Rand, [][]float64) {}, func(_ []float64, par [][]float64) float64 { return par[0][0] }},
	"dCRP":            {drawRestaurant, logRestaurant},
	"dnormmix":        {drawNormals, logNormals},
	"dordered.logit":  orderedBy(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	"dordered.probit": orderedBy(func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }),
}

// isWritten tells a relation that the compiler writes in others, so that none of its rows has this one's density.
func (r *Rel) isWritten() bool {
	_, ok := own[r.dist]
	return ok || r.apart != nil
}

// hasFactor tells a relation with a density from which the compiled model does not draw.
func (r *Rel) hasFactor() bool {
	return r.dist == "sum" || r.dist == "target" || r.dist == "dCRP" || r.apart != nil
}

// certain is the log density of what is computed.
func certain(f func([]float64, *rand.Rand, [][]float64), x []float64, par [][]float64) float64 {
	var y [1]float64
	if f(y[:], nil, par); y[0] != x[0] {
		return math.Inf(-1)
	}
	return 0
}

func drawSum(dst []float64, _ *rand.Rand, par [][]float64) {
	dst[0] = 0
	for _, p := range par {
		dst[0] += p[0]
	}
}

// drawRounded rounds to a whole number, half away from zero.
func drawRounded(dst []float64, _ *rand.Rand, par [][]float64) { dst[0] = math.Round(par[0][0]) }

// drawRestaurant seats guests one after the other. A new table has one of the numbers that are left.
func drawRestaurant(dst []float64, r *rand.Rand, par [][]float64) {
	n, conc := len(dst), par[0][0]
	free := r.Perm(n)
	for i := range n {
		if u := r.Float64() * (float64(i) + conc); u < float64(i) {
			dst[i] = dst[int(u)]
			continue
		}
		dst[i], free = float64(free[0]+1), free[1:]
	}
}

func logRestaurant(x []float64, par [][]float64) float64 {
	n, conc, lp := len(x), par[0][0], 0.0
	sizes := map[float64]int{}
	for i, k := range x {
		if m := sizes[k]; m > 0 {
			lp += math.Log(float64(m))
		} else {
			lp += math.Log(conc / float64(n-len(sizes)))
		}
		lp -= math.Log(float64(i) + conc)
		sizes[k]++
	}
	return lp
}

func drawNormals(dst []float64, r *rand.Rand, par [][]float64) {
	k := 0
	if r.Float64()*(par[2][0]+par[2][1]) > par[2][0] {
		k = 1
	}
	dst[0] = par[0][k] + r.NormFloat64()/math.Sqrt(par[1][k])
}

func logNormals(x []float64, par [][]float64) float64 {
	s := 0.0
	for k, p := range par[2] {
		d := x[0] - par[0][k]
		s += p * math.Sqrt(par[1][k]/(2*math.Pi)) * math.Exp(-0.5*par[1][k]*d*d)
	}
	return math.Log(s / (par[2][0] + par[2][1]))
}

// orderedBy is categories between cut points: P(y ≤ k) = F(cut[k] − mu).
func orderedBy(cdf func(float64) float64) struct {
	draw    func(dst []float64, r *rand.Rand, par [][]float64)
	logProb func(x []float64, par [][]float64) float64
} {
	upTo := func(k int, par [][]float64) float64 {
		switch {
		case k < 1:
			return 0
		case k > len(par[1]):
			return 1
		}
		return cdf(par[1][k-1] - par[0][0])
	}
	return struct {
		draw    func(dst []float64, r *rand.Rand, par [][]float64)
		logProb func(x []float64, par [][]float64) float64
	}{
		func(dst []float64, r *rand.Rand, par [][]float64) {
			u, k := r.Float64(), 1
			for u > upTo(k, par) {
				k++
			}
			dst[0] = float64(k)
		},
		func(x []float64, par [][]float64) float64 {
			return math.Log(upTo(int(x[0]), par) - upTo(int(x[0])-1, par))
		},
	}
}

// drawRest draws what is no data of a vector observed in part: given the data where it is normal, and anew until it has these where it is counts.
func (e *evaluator) drawRest(w *row, r *rand.Rand) error {
	was := make([]float64, len(w.cells))
	for k, c := range w.cells {
		was[k] = e.pt.x[c]
	}
	if w.rel.dist == "dmulti" {
		if err := e.drawAll(w, r); err != nil {
			return err
		}
		for k, c := range w.cells {
			if !w.rel.apart[k] && e.pt.x[c] != was[k] {
				e.putBack(w, was)
				return fmt.Errorf("%s are other counts", w.rel.left())
			}
		}
		return nil
	}
	a := slices.Index(w.rel.apart, true)
	mean, cov := e.normalOfTwo(w)
	slope := cov[1] / cov[3*(1-a)]
	e.pt.x[w.cells[a]] = mean[a] + slope*(was[1-a]-mean[1-a]) + math.Sqrt(cov[3*a]-slope*cov[1])*r.NormFloat64()
	return nil
}

// putBack leaves the data of a row as they were.
func (e *evaluator) putBack(w *row, was []float64) {
	for k, c := range w.cells {
		if !w.rel.apart[k] {
			e.pt.x[c] = was[k]
		}
	}
}

// normalOfTwo is the mean and the covariance of a normal vector of two elements.
func (e *evaluator) normalOfTwo(w *row) (mean, cov []float64) {
	e.params(w)
	mean, cov = slices.Clone(w.ptr[0]), slices.Clone(w.ptr[1])
	if w.rel.dist == "dmnorm" {
		cov = evalCall(nil, "inverse", cov, nil)
	}
	return mean, cov
}

// logData is the log density of the data of a vector observed in part, of which the rest was drawn given them.
func (e *evaluator) logData(w *row) float64 {
	if w.rel.dist == "dmulti" {
		return 0
	}
	k := slices.Index(w.rel.apart, false)
	mean, cov := e.normalOfTwo(w)
	d, _ := dist.Lookup("dnorm")
	return d.LogProb(e.pt.x[w.cells[k]], []float64{mean[k], 1 / cov[3*k]})
}
