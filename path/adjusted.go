package path

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// AdjustedSettings are the settings of SAMS and SAMC. Zeros stand for defaults.
type AdjustedSettings struct {
	Settings           // Runs: chains, each of which learns by itself, 8 unless set
	Rounds   int       // updates of ζ by each chain; 0: 10000
	Moves    int       // before each update; 0: 1
	Target   []float64 // π_k, the intended share of each label; nil: equal
	Burn     int       // t₀ of the gain; 0: half of the rounds for SAMS, 20 K for SAMC
	Decay    float64   // β of SAMS's gain t^−β up to t₀, between ½ and 1; 0: 0.6
}

// Adjusted is what self-adjusting chains have learnt.
type Adjusted struct {
	Method    string
	Occupancy []float64 // share of the rounds that the chains, together, spent at each label

	RoundTrips int // from the first label to the last and back in the second half of the rounds, all chains together

	zeta   [][]float64 // chains × labels: log Z up to a constant
	visits [][]float64
	trace  [][]float64 // chains × points × labels
	rounds []int64     // of the points
	outcome
	target    []float64
	reference func(int) (float64, bool)
}

func (s AdjustedSettings) withDefaults(k int) AdjustedSettings {
	s.Settings = s.Settings.withDefaults(defaultChains)
	if s.Rounds == 0 {
		s.Rounds = 10_000
	}
	if s.Moves == 0 {
		s.Moves = 1
	}
	if s.Decay == 0 {
		s.Decay = 0.6
	}
	if s.Target == nil {
		s.Target = make([]float64, k)
		for i := range s.Target {
			s.Target[i] = 1 / float64(k)
		}
	}
	return s
}

func (s AdjustedSettings) check(k int) error {
	switch {
	case s.Rounds < tracePoints || s.Moves < 1 || s.Burn < 1:
		return fmt.Errorf("path: %d rounds (%d or more) of %d moves (1 or more) with t₀ = %d (1 or more)", s.Rounds, tracePoints, s.Moves, s.Burn)
	case !(s.Decay > 0.5 && s.Decay <= 1):
		return fmt.Errorf("path: the gain t^−%v does not converge; its exponent lies above ½ and is at most 1", s.Decay)
	case len(s.Target) != k:
		return fmt.Errorf("path: %d shares for %d labels; give one each", len(s.Target), k)
	case k < 2:
		return errors.New("path: one label has nothing to be compared with; give two or more")
	}
	sum := 0.0
	for i, v := range s.Target {
		if !(v > 0) {
			return fmt.Errorf("path: the share of label %d is %v; all must be positive", i+1, v)
		}
		sum += v
	}
	if !(math.Abs(sum-1) < 1e-9) {
		return fmt.Errorf("path: the shares of the labels sum to %v instead of 1", sum)
	}
	return nil
}

// SAMS is self-adjusted mixture sampling (Tan 2017, "Optimally adjusted mixture sampling and locally weighted histogram
// analysis"): after some moves at its label a chain draws a new one from w_j ∝ π_j f_j(x) exp(−ζ_j) and sets
// ζ_j += g_t w_j/π_j, less that of the first label (equation 12). The gain g_t is min(π, t^−β) up to t₀ and
// min(π, 1/(t − t₀ + t₀^β)) after, with the least π_j. ζ tends to log Z. Chains are independent, and their spread is the
// error; where they make few round trips over the labels or differ by more than a nat, they warn and the interval is widened.
func SAMS[S any](ctx context.Context, l Labels[S], set AdjustedSettings) (*Adjusted, error) {
	set = set.withDefaults(l.Len())
	if set.Burn == 0 {
		set.Burn = max(set.Rounds/2, 1)
	}
	if err := set.check(l.Len()); err != nil {
		return nil, err
	}
	least := set.Target[0]
	for _, v := range set.Target {
		least = min(least, v)
	}
	head := vec.Pow(float64(set.Burn), set.Decay)
	return adjust(ctx, l, set, "SAMS", func(c *adjusting, t int) {
		g := 1 / (float64(t-set.Burn) + head)
		if t <= set.Burn {
			g = vec.Pow(float64(t), -set.Decay)
		}
		g = min(g, least)
		for j, w := range c.w {
			c.zeta[j] += float64(g * (w / set.Target[j]))
		}
	})
}

// SAMC is stochastic approximation Monte Carlo (Liang, Liu and Carroll 2007, "Stochastic approximation in Monte Carlo
// computation", equations 7–8) over labels: a chain draws its label L from w_j ∝ f_j(x) exp(−ζ_j) and sets
// ζ_j += γ_t (1{L = j} − π_j) with γ_t = t₀/max(t₀, t). ζ_j + log π_j tends to log Z_j.
func SAMC[S any](ctx context.Context, l Labels[S], set AdjustedSettings) (*Adjusted, error) {
	set = set.withDefaults(l.Len())
	if set.Burn == 0 {
		set.Burn = 20 * l.Len()
	}
	if err := set.check(l.Len()); err != nil {
		return nil, err
	}
	return adjust(ctx, l, set, "SAMC", func(c *adjusting, t int) {
		g := float64(set.Burn) / float64(max(set.Burn, t))
		for j, v := range set.Target {
			c.zeta[j] -= float64(g * v)
		}
		c.zeta[c.label] += g
	})
}
