// Package denoise restores images: pixels have one of a few grey levels, neighbours have the same one more often than not (the
// Ising prior for two levels, the Potts prior for more), and what is seen is the image with noise (Geman and Geman, 1984). It finds the marginals of
// the posterior by Gibbs sampling and its mode by minimum cuts.
package denoise

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// Posterior is the distribution of the levels x of an image's pixels,
//
//	p(x) ∝ exp(Σ_i Log(i, x_i) + Coupling · Σ_{i,j neighbours} [x_i = x_j]),
//
// where a pixel inside has four neighbours. Pixels are numbered row by row.
type Posterior struct {
	Width, Height int
	Levels        int
	Coupling      float64   // from 0 to MaxCoupling
	Log           []float64 // log likelihood of level k at pixel i at i·Levels + k, up to a constant of the pixel
}

// Limits.
const (
	MaxCoupling = 50
	MaxLevels   = 254
	maxSide     = 1 << 20
)

// Check says what is wrong with a posterior.
func (p *Posterior) Check() error {
	switch {
	case p.Width < 1 || p.Height < 1 || p.Width > maxSide || p.Height > maxSide:
		return fmt.Errorf("denoise: an image of %d × %d pixels", p.Width, p.Height)
	case p.Levels < 2 || p.Levels > MaxLevels:
		return fmt.Errorf("denoise: %d levels, and there must be from 2 to %d", p.Levels, MaxLevels)
	case !(p.Coupling >= 0 && p.Coupling <= MaxCoupling):
		return fmt.Errorf("denoise: a coupling of %v, and it must be from 0 to %d", p.Coupling, MaxCoupling)
	case len(p.Log) != p.Width*p.Height*p.Levels:
		return fmt.Errorf("denoise: %d log likelihoods for %d pixels of %d levels", len(p.Log), p.Width*p.Height, p.Levels)
	}
	for i, x := range p.Log {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("denoise: the log likelihood of level %d at pixel %d is %v", i%p.Levels, i/p.Levels, x)
		}
	}
	return nil
}

// LogDensity is the logarithm of the density, up to a constant.
func (p *Posterior) LogDensity(x []uint8) float64 {
	sum, equal := 0.0, 0
	for i, v := range x {
		sum += p.Log[i*p.Levels+int(v)]
		if i%p.Width > 0 && x[i-1] == v {
			equal++
		}
		if i >= p.Width && x[i-p.Width] == v {
			equal++
		}
	}
	return sum + float64(p.Coupling*float64(equal))
}

// Room asks for the memory of a run of so many chains on an image.
func Room(width, height, levels, chains int) error {
	return memory.Room(memory.Product(width, height) * (float64(16*(levels+1)*(1+chains)) + 100))
}
