package rbm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/path"
)

// Estimator names a way to log Z.
type Estimator string

// The methods. Auto is Exact where the smaller layer has at most 24 units, and
// SMC otherwise.
const (
	Auto     Estimator = "auto"
	Exact    Estimator = "exact"
	SMC      Estimator = "smc"      // sequential Monte Carlo: annealing with resampling
	AIS      Estimator = "ais"      // annealed importance sampling
	Sandwich Estimator = "sandwich" // bidirectional AIS, by Bennett's acceptance ratio
	RTS      Estimator = "rts"      // Rao-Blackwellised tempered sampling
	TS       Estimator = "ts"       // tempered sampling, by visits
	MBAR     Estimator = "mbar"     // of the draws of RTS
	SAMS     Estimator = "sams"
	SAMC     Estimator = "samc"
	TI       Estimator = "ti"       // thermodynamic integration
	Stepping Estimator = "stepping" // stepping stones
	Bridge   Estimator = "bridge"   // Bennett's acceptance ratio between neighbours
	PT       Estimator = "pt"       // parallel tempering, by Bennett's acceptance ratio
	MeanTAP  Estimator = "tap"      // mean field: no error bar
)

// Estimators are all methods that have a name.
func Estimators() []Estimator {
	return []Estimator{Auto, Exact, SMC, AIS, Sandwich, RTS, TS, MBAR, SAMS, SAMC, TI, Stepping, Bridge, PT, MeanTAP}
}

// LogZSettings say how to find log Z. The zero value works.
type LogZSettings struct {
	path.Settings           // Runs: of AIS, populations of SMC, chains of the others
	Method        Estimator // "" is Auto

	// Base is the visible bias of the base; nil: Model.MarginalBiases.
	Base []float64
	// Geometric takes the geometric path of NewFamily instead of the
	// moment-averaged one.
	Geometric bool
	// Temperatures is the number of steps between base and machine, of equal
	// size unless Schedule is set; for SMC and Sandwich with 100 or more, of
	// equal thermodynamic length as measured by a pilot.
	Temperatures int
	Schedule     func(ctx context.Context, f *Family, steps int) (path.Schedule, error)
	// Particles in each population of SMC.
	Particles int
	// Rounds of each chain of RTS, TS, MBAR, SAMS and SAMC, or draws at each
	// temperature for TI, Stepping, Bridge and PT; 0: 1000, for SAMS and SAMC
	// 10 000, and 200 draws.
	Rounds int
	// FromPrior makes RTS draw β from its prior, which is biased: see
	// path.Tempered.
	FromPrior bool
	TAP       TAP
}

// Estimate is log Z by one method. Numbers that do not exist are NaN, or 0
// where a count is meant.
type Estimate struct {
	Method        Estimator
	LogZ, SE      float64
	CI95          [2]float64
	Runs          int
	Temperatures  int
	EffectiveRuns float64
	Converged     bool // exact sums always; TAP where a start did; others without warnings
	Moves         int64
	Warnings      []string
	Trace         []path.Point
	TAP           *TAPResult // of MeanTAP
}

// autoExact is the largest layer that Auto sums over, some 10 s of one core
// for images of MNIST.
const autoExact = 24

// Summable reports whether Auto sums over all states of the smaller layer.
func (m *Model) Summable() bool { return min(m.Visible, m.Hidden) <= autoExact }

// LogZ estimates log Z. Interrupted, it returns the estimate so far, or nil, and an error.
func (m *Model) LogZ(ctx context.Context, set LogZSettings) (*Estimate, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	method := set.Method
	if method == "" || method == Auto {
		method = SMC
		if m.Summable() {
			method = Exact
		}
	}
	switch method {
	case Exact:
		return m.estimateExact(ctx, set)
	case MeanTAP:
		return m.estimateTAP(ctx, set)
	}
	if !slices.Contains(Estimators(), method) {
		return nil, fmt.Errorf("there is no method %s; there are %s", wording.Quote(string(method)), strings.Join(names(Estimators()), ", "))
	}
	f, err := m.family(ctx, set)
	if err != nil {
		return nil, err
	}
	w := pathSettings{LogZSettings: set, method: method, family: f, moves: m.defaultMoves()}
	res, err := w.run(ctx)
	if res == nil {
		return nil, err
	}
	return w.estimate(res), err
}

// estimate is a result of package path.
func (w *pathSettings) estimate(res *path.Result) *Estimate {
	return &Estimate{Method: w.method, LogZ: res.LogZ, SE: res.SE, CI95: res.CI95, Runs: res.Runs, Temperatures: w.steps,
		EffectiveRuns: res.EffectiveRuns, Converged: len(res.Warnings) == 0, Moves: res.Moves, Warnings: res.Warnings, Trace: res.Trace}
}

func names(all []Estimator) []string {
	var s []string
	for _, m := range all {
		s = append(s, string(m))
	}
	return s
}

func (m *Model) estimateExact(ctx context.Context, set LogZSettings) (*Estimate, error) {
	z, err := m.Exact(ctx, set.Threads, func(done, total int64) {
		if set.Progress != nil {
			const percent = 100 // counts of states do not fit an int everywhere
			set.Progress(path.Progress{Done: int(done * percent / total), Total: percent, Moves: done})
		}
	})
	if err != nil {
		return nil, err
	}
	return &Estimate{Method: Exact, LogZ: z, CI95: [2]float64{z, z}, EffectiveRuns: math.NaN(), Converged: true}, nil
}

func (m *Model) estimateTAP(ctx context.Context, set LogZSettings) (*Estimate, error) {
	o := set.TAP
	o.Seed, o.Threads = set.Seed, set.Threads
	if set.Runs > 0 {
		o.Starts = set.Runs
	}
	res, err := m.TAP(ctx, o)
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	e := &Estimate{Method: MeanTAP, LogZ: res.LogZ, SE: nan, CI95: [2]float64{nan, nan}, EffectiveRuns: nan, Runs: len(res.Starts),
		Converged: res.Converged > 0, TAP: res}
	if res.Converged == 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("none of %d starts converged to a fixed point: the highest value is not an approximation of log Z", e.Runs))
	}
	if spread := res.LogZ - res.Lowest; spread > 0.01 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("there are several fixed points, up to %.4g nats apart, and which is best is not known", spread))
	}
	return e, nil
}

// family is the path that is asked for.
func (m *Model) family(ctx context.Context, set LogZSettings) (*Family, error) {
	base, biases := set.Base, []float64(nil)
	if base == nil || !set.Geometric {
		var err error
		if biases, err = m.MarginalBiases(ctx, set.Seed); err != nil {
			return nil, err
		}
	}
	if base == nil {
		base = biases
	}
	f, err := NewFamily(m, base)
	if err != nil || set.Geometric {
		return f, err
	}
	return f.MomentAveraged(ctx, biases, set.Seed)
}

// defaultMoves is the default number of sweeps of SMC: some 25 s of one core for large machines, up to a minute for small ones.
func (m *Model) defaultMoves() float64 {
	const nanoseconds = 25e9
	units, weights := float64(m.Visible+m.Hidden), float64(m.Visible)*float64(m.Hidden)
	return nanoseconds / (float64(2*units) + float64(0.025*weights))
}
