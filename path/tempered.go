package path

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// TemperedSettings are the settings of Tempered. Zeros stand for defaults.
type TemperedSettings struct {
	Settings            // Runs: chains, 8 unless set
	Rounds    int       // draws of the temperature by each chain once Ẑ has been adapted; 0: 1000
	Moves     int       // transitions before each draw of the temperature; 0: 10
	Learn     int       // rounds of the first pass that adapts Ẑ; 0: 100
	Passes    int       // at most so many passes that adapt Ẑ; 0: 30
	Prior     []float64 // r_k, the intended share of each temperature; nil: equal
	FromPrior bool      // Deprecated: draw β from the prior, see Tempered. It is biased, and there to reproduce published numbers.
	MBAR      bool      // also solve MBAR, for which the log densities of all draws at all temperatures are stored
}

// TemperedResult is the result of simulated tempering.
type TemperedResult struct {
	RTS  *Result   // Rao-Blackwellised tempered sampling: averages the probabilities of temperatures
	TS   *Result   // tempered sampling: counts the visits to temperatures
	MBAR *Result   // nil unless asked for
	LogZ []float64 // by RTS, at each temperature

	Passes     int     // passes that adapted Ẑ before the recorded rounds
	Imbalance  float64 // greatest |c_k − r_k| in the last of these
	RoundTrips int     // from β = 0 to 1 and back, all chains together
}

const (
	defaultChains = 8
	tracePoints   = 50
)

func (s TemperedSettings) withDefaults(k int) TemperedSettings {
	s.Settings = s.Settings.withDefaults(defaultChains)
	s.Rounds = cmp.Or(s.Rounds, 1000)
	s.Moves = cmp.Or(s.Moves, 10)
	s.Learn = cmp.Or(s.Learn, 100)
	s.Passes = cmp.Or(s.Passes, 30)
	s.Prior = equalUnless(s.Prior, k)
	return s
}

func (s TemperedSettings) check(k int) error {
	if err := s.Settings.check(); err != nil {
		return err
	}
	if s.Rounds < 4 || s.Moves < 1 || s.Learn < 1 || s.Passes < 1 {
		return fmt.Errorf("path: %d rounds (4 or more) of %d moves (1 or more) after %d passes (1 or more) of %d rounds (1 or more)",
			s.Rounds, s.Moves, s.Passes, s.Learn)
	}
	if err := checkShares(s.Prior, k); err != nil {
		return err
	}
	if s.MBAR && float64(s.Runs)*float64(s.Rounds)*float64(k) > 1<<28 {
		return fmt.Errorf("path: MBAR would store %d × %d × %d densities, more than 2 GB; take fewer rounds or temperatures", s.Runs, s.Rounds, k)
	}
	return nil
}

// Tempered is simulated tempering (Marinari and Parisi 1992): each chain makes some moves at its temperature, then draws a new
// one from q(β_k | x) ∝ r_k f_k(x)/Ẑ_k. RTS (Carlson, Stinson, Pakman and Paninski 2016, "Partition functions from
// Rao-Blackwellized tempered sampling", equations 7–10 and algorithm 1) averages these probabilities to ĉ_k and estimates
// log Z_k = log Ẑ_k + log(ĉ_k/r_k) − log(ĉ_1/r_1). TS counts visits instead. Ẑ starts from annealing each chain once up the
// ladder, and is adapted in passes, each half as long again as the one before, until max |ĉ_k − r_k| < 0.1/K.
//
// The standard error is the larger of a jackknife over chains and one from the autocorrelation within them.
//
// FromPrior draws β from r instead of q, as a course paper did. Then q(β | x) is not the conditional distribution of the
// chain's stationary distribution, and the estimate is biased, however long the chains; a warning says so.
//
// Interrupted, it returns the estimates from the finished chains, nil for none, and an error that wraps
// mcmc.ErrInterrupted.
func Tempered[S any](ctx context.Context, f Family[S], ladder Schedule, set TemperedSettings) (*TemperedResult, error) {
	if err := ladder.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(len(ladder))
	if err := set.check(len(ladder)); err != nil {
		return nil, err
	}
	w := newTemperedChains(f, ladder, set)
	if err := w.open(); err != nil {
		return nil, err
	}
	interrupted := w.run(ctx)
	w.count()
	if interrupted != nil && !w.keepFinished(interrupted) {
		return nil, interrupted
	}
	out, err := w.result()
	if err != nil {
		return nil, err
	}
	return out, interrupted
}

// keepFinished drops the chains that were interrupted, and says whether any are left.
func (w *temperedChains[S]) keepFinished(err error) bool {
	if !errors.Is(err, mcmc.ErrInterrupted) || w.at.Stage != drawing {
		return false
	}
	w.chains = slices.DeleteFunc(w.chains, func(c *tempChain[S]) bool { return c.done < w.at.Length })
	return len(w.chains) > 0
}
