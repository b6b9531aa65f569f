package path

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// SelfAdjustedSettings are the settings of SAMS and SAMC. Zeros stand for defaults.
type SelfAdjustedSettings struct {
	Settings           // Runs: independent chains, each with a ζ of its own, 8 unless set
	Rounds   int       // updates of ζ by each chain; 0: 10000
	Moves    int       // transitions before each update; 0: 1
	Target   []float64 // π_k, the intended share of each label; nil: equal
	Burn     int       // t₀ of the gain; 0: half of the rounds for SAMS, 20 K for SAMC
	Decay    float64   // β of SAMS's gain t^−β up to t₀, between ½ and 1; 0: 0.6
}

// SelfAdjustedResult is the result of self-adjusted mixture sampling, by SAMS or SAMC.
type SelfAdjustedResult struct {
	Method    string
	Occupancy []float64 // share of the rounds that all chains together spent at each label

	RoundTrips int // from the first label to the last and back in the second half of the rounds, all chains together

	zeta   [][]float64 // chains × labels: log Z up to a constant
	visits [][]float64
	trace  [][]float64 // chains × points × labels
	rounds []int64     // of the points
	outcome
	target    []float64
	reference func(int) (float64, bool)
}

func (s SelfAdjustedSettings) withDefaults(k int) SelfAdjustedSettings {
	s.Settings = s.Settings.withDefaults(defaultChains)
	s.Rounds = cmp.Or(s.Rounds, 10_000)
	s.Moves = cmp.Or(s.Moves, 1)
	s.Decay = cmp.Or(s.Decay, 0.6)
	s.Target = equalUnless(s.Target, k)
	return s
}

func (s SelfAdjustedSettings) check(k int) error {
	switch {
	case s.Rounds < tracePoints || s.Moves < 1 || s.Burn < 1:
		return fmt.Errorf("path: %d rounds (%d or more) of %d moves (1 or more) with t₀ = %d (1 or more)", s.Rounds, tracePoints, s.Moves, s.Burn)
	case !(s.Decay > 0.5 && s.Decay <= 1):
		return fmt.Errorf("path: the gain t^−%v does not converge; its exponent lies above ½ and is at most 1", s.Decay)
	case k < 2:
		return errors.New("path: one label has nothing to be compared with; give two or more")
	}
	return checkShares(s.Target, k)
}

// SAMS is self-adjusted mixture sampling (Tan 2017, "Optimally adjusted mixture sampling and locally weighted histogram
// analysis"): after some moves at its label a chain draws a new label from w_j ∝ π_j f_j(x) exp(−ζ_j), adds g_t w_j/π_j to
// each ζ_j and then subtracts ζ_1 (equation 12). The gain g_t is min(π, t^−β) up to t₀ and min(π, 1/(t − t₀ + t₀^β)) after,
// where π is the smallest π_j. ζ converges to log Z. Chains are independent, and the standard error is from their spread;
// chains that make few round trips over the labels or differ by more than a nat cause a warning and a wider interval.
func SAMS[S any](ctx context.Context, l Labels[S], set SelfAdjustedSettings) (*SelfAdjustedResult, error) {
	set = set.withDefaults(l.Len())
	set.Burn = cmp.Or(set.Burn, max(set.Rounds/2, 1))
	if err := set.check(l.Len()); err != nil {
		return nil, err
	}
	least := slices.Min(set.Target)
	head := vec.Pow(float64(set.Burn), set.Decay)
	return runSelfAdjusted(ctx, l, set, "SAMS", func(c *selfAdjustedChain, t int) {
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
// ζ_j += γ_t (1{L = j} − π_j) with the gain γ_t = t₀/max(t₀, t). ζ_j + log π_j converges to log Z_j.
func SAMC[S any](ctx context.Context, l Labels[S], set SelfAdjustedSettings) (*SelfAdjustedResult, error) {
	set = set.withDefaults(l.Len())
	set.Burn = cmp.Or(set.Burn, 20*l.Len())
	if err := set.check(l.Len()); err != nil {
		return nil, err
	}
	return runSelfAdjusted(ctx, l, set, "SAMC", func(c *selfAdjustedChain, t int) {
		g := float64(set.Burn) / float64(max(set.Burn, t))
		for j, v := range set.Target {
			c.zeta[j] -= float64(g * v)
		}
		c.zeta[c.label] += g
	})
}
