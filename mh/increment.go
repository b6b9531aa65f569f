package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Increment is the law of the increment z of a random walk x' = x + σ L z. Each is symmetric.
type Increment int

const (
	Normal  Increment = iota // z standard normal
	Uniform                  // coordinates uniform on (−1, 1)
	Student                  // multivariate t: a standard normal over √(χ²/df) (heavy tails)
)

func (law Increment) String() string {
	switch law {
	case Normal:
		return "normal"
	case Uniform:
		return "uniform"
	case Student:
		return "Student's t"
	}
	return fmt.Sprintf("mh.Increment(%d)", int(law))
}

// draw fills z.
func (law Increment) draw(z []float64, df float64, r *rand.Rand) {
	if law == Uniform {
		for i := range z {
			// An odd multiple of 2⁻⁵³: symmetric about 0.
			z[i] = (float64(int64(r.Uint64())>>11) + 0.5) * 0x1p-52
		}
		return
	}
	for i := range z {
		z[i] = dist.StdNormal(r)
	}
	if law == Student {
		shrink := 1 / math.Sqrt(dist.Gamma(r, df/2, df/2))
		for i := range z {
			z[i] *= shrink
		}
	}
}

// logDensity is the log density of z.
func (law Increment) logDensity(z []float64, df float64) float64 {
	d := float64(len(z))
	if law == Uniform {
		for _, v := range z {
			if !(math.Abs(v) <= 1) {
				return math.Inf(-1)
			}
		}
		return -d * math.Ln2
	}
	square := 0.0
	for _, v := range z {
		square += float64(v * v)
	}
	if law == Student {
		c := vec.Lgamma((df+d)/2) - vec.Lgamma(df/2) - float64(d/2*vec.Log(df*math.Pi))
		return c - float64((df+d)/2*vec.Log1p(square/df))
	}
	return -float64(square/2) - float64(d*logSqrt2Pi)
}

const logSqrt2Pi = 0.91893853320467274178
