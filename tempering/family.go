package tempering

import (
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Family is a path of distributions indexed by an inverse temperature. A path.Family is one, with a base and moves.
type Family[S any] interface {
	// LogDensity is the log density of s at beta, up to a constant that is the same for
	// every beta: log Z is that of these densities. It may be called for different states at
	// the same time.
	LogDensity(s S, beta float64) float64
}

// Caching is a family whose states cache their log density at the β of their kernel. A family
// whose states hold anything that depends on β must implement it.
type Caching[S any] interface {
	Family[S]
	// Cached is the cached log density of s, at the β of its kernel.
	Cached(s S) float64
	// Cache is called when s has been swapped to beta, where it has this log density.
	Cache(s S, beta, logDensity float64)
}

// Ratio is a family without caches that computes log f_to(s) − log f_from(s) directly: for an
// energy, (to − from) U(s), one evaluation where two densities take two.
type Ratio[S any] interface {
	LogRatio(s S, from, to float64) float64
}

// Path is a family over vectors, given by the log density at x and beta. The LogP of a point
// is its log density at the β of its kernel.
type Path func(x []float64, beta float64) float64

// Geometric is the path from q, at β = 0, to p, at β = 1: (1−β) log q + β log p. At the ends
// the other density is not evaluated.
func Geometric(q, p mcmc.Target) Path {
	return func(x []float64, beta float64) float64 {
		switch beta {
		case 0:
			return q.LogDensity(x)
		case 1:
			return p.LogDensity(x)
		}
		return float64((1-beta)*q.LogDensity(x)) + float64(beta*p.LogDensity(x))
	}
}

// LogDensity implements [Family].
func (p Path) LogDensity(s *mcmc.Point, beta float64) float64 { return p(s.X, beta) }

// Cached implements [Caching].
func (p Path) Cached(s *mcmc.Point) float64 { return s.LogP }

// Cache implements [Caching].
func (p Path) Cache(s *mcmc.Point, _, logDensity float64) { s.LogP = logDensity }

// At is the distribution at beta, as a target for kernels over vectors.
func (p Path) At(beta float64) mcmc.Target { return at{p, beta} }

type at struct {
	path Path
	beta float64
}

func (a at) LogDensity(x []float64) float64 { return a.path(x, a.beta) }
