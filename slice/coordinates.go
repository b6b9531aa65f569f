package slice

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Coordinates moves each coordinate of a vector in turn by a slice sampler of its own
// width. It is not safe for concurrent use: each chain has its own.
type Coordinates struct {
	// Lower and Upper bound the support, coordinate by coordinate; nil means unbounded.
	Lower, Upper []float64

	coords []Univariate
	x      []float64 // of the point under way
	i      int
	logp   func(float64) float64
}

// NewCoordinates returns a sampler of vectors of length dim, each coordinate like proto.
func NewCoordinates(target mcmc.Target, dim int, proto Univariate) (*Coordinates, error) {
	if target == nil || dim < 1 {
		return nil, fmt.Errorf("slice: a target over vectors of length %d cannot be sampled; give one of length 1 or more", dim)
	}
	c := &Coordinates{coords: make([]Univariate, dim)}
	for i := range c.coords {
		c.coords[i] = proto
	}
	// One closure for all steps, so that a step allocates nothing.
	c.logp = func(v float64) float64 {
		c.x[c.i] = v
		return target.LogDensity(c.x)
	}
	return c, nil
}

// Dim is the length of the vectors.
func (c *Coordinates) Dim() int { return len(c.coords) }

// Step moves every coordinate once.
func (c *Coordinates) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	return c.sweep(s, r, (*Univariate).Step1)
}

// Adapt moves every coordinate once and learns its width.
func (c *Coordinates) Adapt(s *mcmc.Point, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	return c.sweep(s, r, (*Univariate).Adapt1)
}

// Freeze has nothing to do: a width changes in Adapt only.
func (c *Coordinates) Freeze() {}

type step1 func(u *Univariate, r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (float64, float64, int)

func (c *Coordinates) sweep(s *mcmc.Point, r *rand.Rand, step step1) mcmc.Info {
	info := mcmc.Info{Accepted: true, AcceptProb: 1}
	for i := range c.coords {
		info.Evals += c.move(i, s, r, step)
	}
	return info
}

// move moves coordinate i and returns the number of evaluations.
func (c *Coordinates) move(i int, s *mcmc.Point, r *rand.Rand, step step1) int {
	c.x, c.i = s.X, i
	x, f, n := step(&c.coords[i], r, s.X[i], s.LogP, c.lower(i), c.upper(i), c.logp)
	s.X[i], s.LogP = x, f
	return n
}

func (c *Coordinates) lower(i int) float64 {
	if c.Lower == nil {
		return math.Inf(-1)
	}
	return c.Lower[i]
}

func (c *Coordinates) upper(i int) float64 {
	if c.Upper == nil {
		return math.Inf(1)
	}
	return c.Upper[i]
}

// Widths are the widths now, one a coordinate.
func (c *Coordinates) Widths() []float64 {
	w := make([]float64, len(c.coords))
	for i := range c.coords {
		w[i] = c.coords[i].width()
	}
	return w
}

// MarshalBinary writes the tuning of every coordinate.
func (c *Coordinates) MarshalBinary() ([]byte, error) {
	var b []byte
	for i := range c.coords {
		b, _ = c.coords[i].AppendBinary(b)
	}
	return b, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (c *Coordinates) UnmarshalBinary(b []byte) error {
	if len(b) != univariateSize*len(c.coords) {
		return errors.New("slice: this tuning is for another number of coordinates")
	}
	for i := range c.coords {
		if err := c.coords[i].UnmarshalBinary(b[i*univariateSize : (i+1)*univariateSize]); err != nil {
			return err
		}
	}
	return nil
}
