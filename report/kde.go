package report

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// kdeCells is the resolution of a density.
const kdeCells = 400

// kde estimates a density on the centres of equal cells from lo to hi: a
// Gaussian kernel of Silverman's bandwidth (1986, equation 3.31) on binned
// values. At an edge that is also a bound of the values, what the kernel would
// put beyond it is reflected, so that bounded densities keep their height
// (Silverman 1986, section 2.10). Values outside lo to hi count for the
// density's scale. It returns nil where values do not vary.
func kde(values []float64, lo, hi float64, bounds [2]bool) []float64 {
	width := bandwidth(values)
	cell := (hi - lo) / kdeCells
	if !(width > 0) || !(cell > 0) {
		return nil
	}
	counts := make([]float64, kdeCells)
	n := 0.0
	for _, x := range values {
		if !drawable(x) {
			continue
		}
		n++
		if x >= lo && x <= hi {
			counts[min(int((x-lo)/cell), kdeCells-1)]++
		}
	}
	const most = 2 * kdeCells
	reach := int(min(math.Ceil(4*width/cell), most)) // the quotient may overflow an int
	kernel := make([]float64, reach+1)
	sum := 0.0
	for k := range kernel {
		z := float64(k) * cell / width
		kernel[k] = math.Exp(-z * z / 2)
		sum += kernel[k]
		if k > 0 {
			sum += kernel[k]
		}
	}
	if reach == most { // wider than the picture: its tails count too
		sum = max(sum, math.Sqrt(2*math.Pi)*width/cell)
	}
	density := make([]float64, kdeCells)
	for i, count := range counts {
		if count == 0 {
			continue
		}
		for k := -reach; k <= reach; k++ {
			j := i + k
			if j < 0 && bounds[0] {
				j = -1 - j
			} else if j >= kdeCells && bounds[1] {
				j = 2*kdeCells - 1 - j
			}
			if j >= 0 && j < kdeCells {
				density[j] += count * kernel[max(k, -k)] / (sum * n * cell)
			}
		}
	}
	return density
}

// bandwidth is 0.9 min(sd, IQR/1.34) n^(-1/5).
func bandwidth(values []float64) float64 {
	sorted := make([]float64, 0, len(values))
	for _, x := range values {
		if drawable(x) {
			sorted = append(sorted, x)
		}
	}
	n := float64(len(sorted))
	if n < 2 {
		return 0
	}
	slices.Sort(sorted)
	scale := sorted[len(sorted)-1]/2 - sorted[0]/2
	if scale == 0 {
		return 0
	}
	mean, ss := 0.0, 0.0
	for _, x := range sorted {
		mean += x / scale / n
	}
	for _, x := range sorted {
		ss += (x/scale - mean) * (x/scale - mean)
	}
	sd := math.Sqrt(ss/(n-1)) * scale
	width := sd
	if iqr := diag.QuantileSorted(sorted, 0.75) - diag.QuantileSorted(sorted, 0.25); iqr > 0 {
		width = min(sd, iqr/1.34)
	}
	return 0.9 * width * math.Pow(n, -0.2)
}
