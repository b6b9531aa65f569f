package rbm

import (
	"cmp"
	"context"

	"github.com/ergodic-mcmc/ergodic/path"
)

// pathSettings are the settings of a method of package path.
type pathSettings struct {
	LogZSettings
	method Estimator
	family *Family
	moves  float64 // default number of sweeps of SMC
	steps  int
}

// Defaults of the methods. Those of AIS are from Salakhutdinov and Murray
// (2008) and common since.
const (
	aisSteps          = 10_000
	sandwichSteps     = 5000
	ladderSteps       = 100
	smcRuns           = 20
	smcSteps          = 500 // more particles help more than more temperatures
	smcParticles      = 20  // at least
	pilotSteps        = 50  // with fewer than twice as many steps there is no pilot
	integrateDraws    = 200
	selfAdjustedMoves = 10 // cost no more than the densities at all temperatures
)

// run calls the method.
func (w *pathSettings) run(ctx context.Context) (*path.Result, error) {
	s, err := w.schedule(ctx)
	if err != nil {
		return nil, err
	}
	switch w.method {
	case AIS:
		return path.AIS(ctx, w.family, s, w.Settings)
	case SMC:
		set := path.SMCSettings{Settings: w.Settings, Particles: w.Particles}
		set.Runs, set.Particles = w.populations()
		return path.SMC(ctx, w.family, s, set)
	case Sandwich:
		b, err := path.Sandwich(ctx, w.family, s, path.SandwichSettings{Settings: w.Settings})
		if b == nil {
			return nil, err
		}
		return b.BAR, err
	case RTS, TS, MBAR:
		return w.tempered(ctx, s)
	case SAMS, SAMC:
		return w.selfAdjusted(ctx, s)
	}
	return w.integrate(ctx, s)
}

func (w *pathSettings) populations() (runs, particles int) {
	runs = cmp.Or(w.Runs, smcRuns)
	return runs, cmp.Or(w.Particles, max(smcParticles, int(w.moves/float64(runs)/float64(w.steps))))
}

func (w *pathSettings) schedule(ctx context.Context) (path.Schedule, error) {
	w.steps = w.Temperatures
	if w.steps == 0 {
		switch w.method {
		case AIS:
			w.steps = aisSteps
		case Sandwich:
			w.steps = sandwichSteps
		case SMC:
			w.steps = smcSteps
		default:
			w.steps = ladderSteps
		}
	}
	switch {
	case w.Schedule != nil:
		return w.Schedule(ctx, w.family, w.steps)
	case (w.method == SMC || w.method == Sandwich) && w.steps >= 2*pilotSteps:
		return path.EqualLength(ctx, w.family, w.steps, path.Pilot{Settings: path.Settings{Seed: w.Seed, Threads: w.Threads}})
	}
	return path.Uniform(w.steps)
}

func (w *pathSettings) tempered(ctx context.Context, s path.Schedule) (*path.Result, error) {
	r, err := path.Tempered(ctx, w.family, s, path.TemperedSettings{Settings: w.Settings, Rounds: w.Rounds, FromPrior: w.FromPrior, MBAR: w.method == MBAR})
	if r == nil {
		return nil, err
	}
	switch w.method {
	case TS:
		return r.TS, err
	case MBAR:
		return r.MBAR, err
	}
	return r.RTS, err
}

func (w *pathSettings) selfAdjusted(ctx context.Context, s path.Schedule) (*path.Result, error) {
	l, err := path.Ladder(w.family, s)
	if err != nil {
		return nil, err
	}
	a, err := runSelfAdjusted(ctx, w, l)
	if a == nil {
		return nil, err
	}
	return a.LogZ(), err
}

// adjust runs SAMS or SAMC.
func runSelfAdjusted[S any](ctx context.Context, w *pathSettings, l path.Labels[S]) (*path.SelfAdjustedResult, error) {
	set := path.SelfAdjustedSettings{Settings: w.Settings, Rounds: w.Rounds, Moves: selfAdjustedMoves}
	if w.method == SAMC {
		return path.SAMC(ctx, l, set)
	}
	return path.SAMS(ctx, l, set)
}

func (w *pathSettings) integrate(ctx context.Context, s path.Schedule) (*path.Result, error) {
	integrate := path.Integrate[*Particle]
	if w.method == PT {
		integrate = path.Replicas[*Particle]
	}
	all, err := integrate(ctx, w.family, s, path.IntegrateSettings{Settings: w.Settings, Draws: cmp.Or(w.Rounds, integrateDraws)})
	if all == nil {
		return nil, err
	}
	switch w.method {
	case Stepping:
		return all.SteppingStone, err
	case Bridge, PT:
		return all.BAR, err
	}
	return all.TI, err
}
