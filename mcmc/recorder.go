package mcmc

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// RecordTo hands draws to a recorder of package draws, such as its Zarr store. The log
// density of a draw, which an [Info] does not hold, is given as NaN.
func RecordTo(rec draws.Recorder) Recorder { return drawsRecorder{rec} }

type drawsRecorder struct{ rec draws.Recorder }

func (d drawsRecorder) Append(chain int, warmup bool, draw []float64, stat Info) error {
	return d.rec.Append(chain, warmup, draw, draws.Stat{
		AcceptanceRate: stat.AcceptProb,
		Diverging:      stat.Divergent,
		NSteps:         stat.Evals,
		LP:             math.NaN(),
	})
}

func (d drawsRecorder) Sync(chain int) ([]byte, error) { return d.rec.Sync(chain) }

func (d drawsRecorder) Truncate(chain int, warmup, kept int, seal []byte) error {
	return d.rec.Truncate(chain, warmup, kept, seal)
}

func (d drawsRecorder) Close() error { return d.rec.Close() }

// Memory is a [Recorder] that keeps draws in memory, without the warm-up: the simplest
// one for a program that uses the library.
type Memory struct {
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
	return &Memory{set: s, infos: make([][]Info, set.Chains)}, nil
}

// reserved is the number of values for which a [Memory] makes room beforehand, 1 GiB of them:
// a run of more may well be stopped early.
const reserved = 1 << 27

// Append keeps a copy of the draw.
func (m *Memory) Append(chain int, warmup bool, draw []float64, stat Info) error {
	if warmup {
		return nil
	}
	if err := m.set.Append(chain, draw); err != nil {
		return err
	}
	m.infos[chain] = append(m.infos[chain], stat)
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
