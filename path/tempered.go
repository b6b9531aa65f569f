package path

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// TemperedSettings are the settings of Tempered. Zeros stand for defaults.
type TemperedSettings struct {
	Settings            // Runs: chains, 8 unless set
	Rounds    int       // draws of the temperature by each chain once log Z is known roughly; 0: 1000
	Moves     int       // before each draw of the temperature; 0: 10
	Learn     int       // rounds that learn log Z the first time; 0: 100
	Passes    int       // times that it is learnt, at most; 0: 30
	Prior     []float64 // r_k, the intended share of each temperature; nil: equal
	FromPrior bool      // Deprecated: draw β from the prior, see Tempered. It is biased, and kept to reproduce a paper's numbers.
	MBAR      bool      // also solve MBAR, for which all densities at all draws are kept
}

// TemperedResult is what chains over a ladder of temperatures say.
type TemperedResult struct {
	RTS  *Result   // Rao-Blackwellised: temperatures counted by their probabilities
	TS   *Result   // tempered sampling: temperatures counted as visited
	MBAR *Result   // nil unless asked for
	LogZ []float64 // by RTS, at each temperature

	Passes     int     // times that log Z was learnt before the draws that count
	Imbalance  float64 // greatest |c_k − r_k| in the last of these
	RoundTrips int     // from β = 0 to 1 and back, all chains together
}

const (
	defaultChains = 8
	tracePoints   = 50
)

func (s TemperedSettings) withDefaults(k int) TemperedSettings {
	s.Settings = s.Settings.withDefaults(defaultChains)
	for _, d := range []struct {
		v   *int
		def int
	}{{&s.Rounds, 1000}, {&s.Moves, 10}, {&s.Learn, 100}, {&s.Passes, 30}} {
		if *d.v == 0 {
			*d.v = d.def
		}
	}
	if s.Prior == nil {
		s.Prior = make([]float64, k)
		for i := range s.Prior {
			s.Prior[i] = 1 / float64(k)
		}
	}
	return s
}

func (s TemperedSettings) check(k int) error {
	if err := s.Settings.check(); err != nil {
		return err
	}
	if s.Checkpoint != "" {
		return errors.New("path: chains over temperatures keep no checkpoints (Settings.Checkpoint); leave it empty")
	}
	if s.Rounds < 4 || s.Moves < 1 || s.Learn < 1 || s.Passes < 1 {
		return fmt.Errorf("path: %d rounds (4 or more) of %d moves (1 or more) after %d passes (1 or more) of %d rounds (1 or more)",
			s.Rounds, s.Moves, s.Passes, s.Learn)
	}
	if len(s.Prior) != k {
		return fmt.Errorf("path: %d prior probabilities for %d temperatures; give one each", len(s.Prior), k)
	}
	sum := 0.0
	for i, r := range s.Prior {
		if !(r > 0) || math.IsInf(r, 1) {
			return fmt.Errorf("path: the prior probability %d is %v; all must be positive", i+1, r)
		}
		sum += r
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("path: the prior probabilities sum to %v instead of 1", sum)
	}
	if s.MBAR && float64(s.Runs)*float64(s.Rounds)*float64(k) > 1<<28 {
		return fmt.Errorf("path: MBAR would keep %d × %d × %d densities, more than 2 GB; take fewer rounds or temperatures", s.Runs, s.Rounds, k)
	}
	return nil
}

// Tempered runs chains over the temperatures of a ladder: each moves some times at its temperature, then draws a new one
// from q(β_k | x) ∝ r_k f_k(x)/Ẑ_k. RTS (Carlson, Stinson, Pakman and Paninski 2016, "Partition functions from
// Rao-Blackwellized tempered sampling", equations 7–10 and algorithm 1) averages these probabilities to ĉ_k and has
// log Z_k = log Ẑ_k + log(ĉ_k/r_k) − log(ĉ_1/r_1). TS counts visits instead. Before, Ẑ is set by annealing each chain once up the
// ladder, and learnt in passes, each half as long again as the one before, until max |ĉ_k − r_k| < 0.1/K.
//
// Errors come from the chains (a jackknife) and from the autocorrelation within them; the greater one counts.
//
// FromPrior draws β from r instead of q, as a course paper did. That leaves no distribution over (x, β)
// invariant that q describes: the estimate is biased, however long the chains, and says so in its warnings.
//
// Interrupted, it returns what the chains that have finished say, nil for none, and an error that wraps
// mcmc.ErrInterrupted.
func Tempered[S any](ctx context.Context, f Family[S], ladder Schedule, set TemperedSettings) (*TemperedResult, error) {
	if err := ladder.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(len(ladder))
	if err := set.check(len(ladder)); err != nil {
		return nil, err
	}
	w := newTemperedChains(ctx, f, ladder, set)
	if err := w.phase(w.annealUp); err != nil {
		return nil, err
	}
	w.pool()
	passes, imbalance, err := w.learn()
	if err != nil {
		return nil, err
	}
	w.begin(set.Rounds, true)
	interrupted := w.phase(w.rounds)
	if interrupted != nil && !w.keepFinished(interrupted) {
		return nil, interrupted
	}
	out, err := w.result(passes, imbalance)
	if err != nil {
		return nil, err
	}
	return out, interrupted
}

// keepFinished drops the chains that were stopped on their way, and says whether others are left.
func (w *temperedChains[S]) keepFinished(err error) bool {
	if !errors.Is(err, mcmc.ErrInterrupted) {
		return false
	}
	w.chains = slices.DeleteFunc(w.chains, func(c *tempChain[S]) bool { return len(c.series[0]) < w.set.Rounds })
	return len(w.chains) > 0
}
