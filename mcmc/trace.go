package mcmc

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// Trace is a [Recorder] that keeps draws in memory, and nothing else, in room that is made
// before the run: the one that costs a fast chain least. Where the infos of the draws are
// wanted too, or the run may turn out shorter, [Memory] is the one to take.
type Trace struct {
	vars  []draws.Variable
	width int
	rows  [][]float64 // by chain, draw after draw
}

const traceLimit = 1 << 34 // bytes

// NewTrace makes room for all draws of a run with these settings. It fails if that is more
// than 16 GiB.
func NewTrace(vars []draws.Variable, set Settings) (*Trace, error) {
	set = set.WithDefaults()
	if err := set.check(); err != nil {
		return nil, err
	}
	if _, err := draws.NewSet(vars, set.Chains); err != nil {
		return nil, err
	}
	t := &Trace{vars: vars, width: draws.Width(vars), rows: make([][]float64, set.Chains)}
	if bytes := 8 * float64(t.width) * float64(set.Draws) * float64(set.Chains); bytes > traceLimit {
		return nil, fmt.Errorf("mcmc: %d chains of %d draws of %d numbers take %.0f GiB; record to disk", set.Chains, set.Draws, t.width, bytes/(1<<30))
	}
	for c := range t.rows {
		row := make([]float64, t.width*set.Draws)
		for i := 0; i < len(row); i += 512 { // so that the system hands the pages over now
			row[i] = 1
		}
		t.rows[c] = row[:0]
	}
	return t, nil
}

// Fits compares the run with what the trace was made for. A new run needs an empty one.
func (t *Trace) Fits(vars []draws.Variable, set Settings) error {
	return fitsMemory(t.vars, vars, len(t.rows), set, func(c int) int { return len(t.rows[c]) / max(t.width, 1) })
}

// Append keeps a copy of the draw.
func (t *Trace) Append(chain int, warmup bool, draw []float64, _ Stat) error {
	if !warmup {
		t.rows[chain] = append(t.rows[chain], draw...)
	}
	return nil
}

// room is where the next draws of the chain go, n of them or as many as there is room for.
func (t *Trace) room(chain, n int) []float64 {
	if t.width == 0 {
		return nil
	}
	row := t.rows[chain]
	n = min(n, (cap(row)-len(row))/t.width)
	return row[len(row) : len(row)+n*t.width]
}

// keep says that n draws have been written there.
func (t *Trace) keep(chain, n int) {
	row := t.rows[chain]
	t.rows[chain] = row[:len(row)+n*t.width]
}

// Sync does nothing: memory does not outlive the process.
func (t *Trace) Sync(int) ([]byte, error) { return nil, nil }

// Truncate drops draws after the first kept ones.
func (t *Trace) Truncate(chain int, _, kept int, _ []byte) error {
	if chain < 0 || chain >= len(t.rows) || kept*t.width > len(t.rows[chain]) {
		return fmt.Errorf("draws in memory cannot be brought back to %d of chain %d; resume with a recorder on disk", kept, chain+1)
	}
	t.rows[chain] = t.rows[chain][:kept*t.width]
	return nil
}

// Close does nothing.
func (t *Trace) Close() error { return nil }

// Draws copies the draws so far to a set, as package diag and the writers take it. It must
// not be called while the run is under way.
func (t *Trace) Draws() (*draws.Set, error) {
	s, err := draws.NewSet(t.vars, len(t.rows))
	if err != nil {
		return nil, err
	}
	for c, row := range t.rows {
		for ; len(row) > 0; row = row[t.width:] {
			if err := s.Append(c, row[:t.width]); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}
