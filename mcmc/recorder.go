package mcmc

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// RecordTo hands draws to a recorder of package draws, such as its Zarr store, with the statistics of its layout: see
// [StatKeeper].
func RecordTo(rec draws.Recorder) Recorder {
	d := &drawsRecorder{Recorder: rec}
	named := d.Statistics()
	d.lp = len(named) > 0 && named[0] == draws.LP
	d.depth = slices.Contains(named[:min(len(named), 2)], draws.TreeDepth)
	return d
}

type drawsRecorder struct {
	draws.Recorder
	lp, depth bool // whether Statistics begins with these
}

// layout is that of the recorder, if it tells.
func (d *drawsRecorder) layout() (draws.Layout, bool) {
	l, ok := d.Recorder.(interface{ Layout() draws.Layout })
	if !ok {
		return draws.Layout{}, false
	}
	return l.Layout(), true
}

// Fits compares the run with the layout.
func (d *drawsRecorder) Fits(vars []draws.Variable, set Settings) error {
	l, ok := d.layout()
	if !ok {
		return nil
	}
	if set = set.WithDefaults(); set.SaveWarmup && !l.SaveWarmup {
		return errors.New("Settings.SaveWarmup asks for the warm-up, and the recorder's Layout.SaveWarmup does not")
	}
	return fits(l.Variables(), vars, l.Chains, set)
}

// Statistics are those of the layout that no Info holds: the first ones in a draw's Stat have fields of their own there.
func (d *drawsRecorder) Statistics() []string {
	l, ok := d.layout()
	if !ok {
		return nil
	}
	var names []string
	for _, name := range [...]string{draws.LP, draws.TreeDepth} {
		if l.Stats == nil || slices.Contains(l.Stats, name) {
			names = append(names, name)
		}
	}
	return append(names, l.OtherStats()...)
}

// fits says in what the variables and chains of a recorder differ from those of a run.
func fits(kept, vars []draws.Variable, chains int, set Settings) error {
	if chains != set.Chains {
		return fmt.Errorf("the recorder is for %d chains, and the run has %d: make both with the same settings", chains, set.Chains)
	}
	if slices.EqualFunc(kept, vars, draws.Variable.Equal) {
		return nil
	}
	return fmt.Errorf("the recorder keeps the variables %s, and the job records %s: give it those of the job's Variables()", wording.Brief(fmt.Sprint(kept)), wording.Brief(fmt.Sprint(vars)))
}

func (d *drawsRecorder) Append(chain int, warmup bool, draw []float64, stat Stat) error {
	to := draws.Stat{AcceptanceRate: stat.AcceptProb, Diverging: stat.Divergent, NSteps: stat.Evals, LP: math.NaN()}
	to.Others = stat.Named
	if d.lp && len(to.Others) > 0 {
		to.LP, to.Others = to.Others[0], to.Others[1:]
	}
	if d.depth && len(to.Others) > 0 {
		to.TreeDepth, to.Others = int(to.Others[0]), to.Others[1:]
	}
	return d.Recorder.Append(chain, warmup, draw, to)
}

// fitsMemory is fits for draws in memory, of which a new run must find none.
func fitsMemory(kept, vars []draws.Variable, chains int, set Settings, draws func(chain int) int) error {
	set = set.WithDefaults()
	for c := range chains {
		if n := draws(c); n > 0 && !set.Resume {
			return fmt.Errorf("the recorder holds %d draws of chain %d of another run: make a new one", n, c+1)
		}
	}
	return fits(kept, vars, chains, set)
}

// Memory is a [Recorder] that keeps draws in memory, without the warm-up: the simplest
// one for a program that uses the library.
type Memory struct {
	vars  []draws.Variable
	set   *draws.Set
	infos [][]Info
}

// NewMemory returns an empty memory for the variables that a [Job] records and the
// number of chains in the settings. It fails on a variable of impossible shape.
func NewMemory(vars []draws.Variable, set Settings) (*Memory, error) {
	set = set.WithDefaults()
	if err := set.check(); err != nil {
		return nil, err
	}
	s, err := draws.NewSet(vars, set.Chains)
	if err != nil {
		return nil, err
	}
	if n := len(s.Names()); n > 0 && set.Draws < reserved/(n*set.Chains) {
		s.Reserve(set.Draws)
	}
	return &Memory{vars: vars, set: s, infos: make([][]Info, set.Chains)}, nil
}

// reserved is the number of values for which a [Memory] makes room beforehand, 1 GiB of them:
// a run of more may well be stopped early.
const reserved = 1 << 27

// Fits compares the run with what the memory was made for. A new run needs an empty one.
func (m *Memory) Fits(vars []draws.Variable, set Settings) error {
	return fitsMemory(m.vars, vars, len(m.infos), set, func(c int) int { return len(m.infos[c]) })
}

// Append keeps a copy of the draw.
func (m *Memory) Append(chain int, warmup bool, draw []float64, stat Stat) error {
	if warmup {
		return nil
	}
	if err := m.set.Append(chain, draw); err != nil {
		return err
	}
	m.infos[chain] = append(m.infos[chain], stat.Info)
	return nil
}

// Sync does nothing: memory does not outlive the process.
func (m *Memory) Sync(int) ([]byte, error) { return nil, nil }

// Truncate is asked for by a resumed run, which needs the draws of the process before;
// memory has them only in the same process.
func (m *Memory) Truncate(chain int, _, kept int, _ []byte) error {
	if chain < 0 || chain >= len(m.infos) || kept != len(m.infos[chain]) {
		return fmt.Errorf("draws in memory cannot be brought back to %d of chain %d; resume with a recorder on disk", kept, chain+1)
	}
	return nil
}

// Close does nothing.
func (m *Memory) Close() error { return nil }

// Draws are the draws so far, not to be used while the run is under way.
func (m *Memory) Draws() *draws.Set { return m.set }

// Infos is what the kernel said of each draw of a chain.
func (m *Memory) Infos(chain int) []Info { return m.infos[chain] }
