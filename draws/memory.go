package draws

import "fmt"

// Groups is all that a run left behind, by the names of ArviZ's schema.
// A group that was not kept is nil.
type Groups struct {
	Posterior     *Set // draws after warm-up
	SampleStats   *Set // scalars: those that the layout names
	LogLikelihood *Set // pointwise log likelihood
	Sampled       *Set // the nodes that the kernels move
	Warmup        *Set // draws of warm-up
	WarmupStats   *Set
	Observed      []Array
}

// Memory is a [Recorder] that keeps every draw in memory.
type Memory struct {
	layout Layout
	groups Groups
}

// NewMemory returns an empty in-memory recorder.
func NewMemory(l Layout) (*Memory, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	m := &Memory{layout: l, groups: Groups{Observed: l.Observed}}
	sets := []struct {
		dst  **Set
		vars []Variable
		want bool
	}{
		{&m.groups.Posterior, l.Posterior, true},
		{&m.groups.SampleStats, l.statistics(), true},
		{&m.groups.LogLikelihood, l.LogLikelihood, len(l.LogLikelihood) > 0},
		{&m.groups.Sampled, l.Sampled, len(l.Sampled) > 0},
		{&m.groups.Warmup, l.Posterior, l.SaveWarmup},
		{&m.groups.WarmupStats, l.statistics(), l.SaveWarmup},
	}
	for _, s := range sets {
		if !s.want {
			continue
		}
		set, err := NewSet(s.vars, l.Chains)
		if err != nil {
			return nil, err
		}
		*s.dst = set
	}
	return m, nil
}

// Layout is what is recorded.
func (m *Memory) Layout() Layout { return m.layout }

// Append adds a draw; one of warm-up is dropped unless the layout keeps it.
func (m *Memory) Append(chain int, warmup bool, draw []float64, stat Stat) error {
	if len(draw) != m.layout.Width() {
		return fmt.Errorf("a draw of %d values for a layout of %d", len(draw), m.layout.Width())
	}
	if warmup && !m.layout.SaveWarmup {
		return nil
	}
	if err := stat.fits(len(m.layout.OtherStats())); err != nil {
		return err
	}
	n := Width(m.layout.Posterior)
	posterior, stats := m.groups.Posterior, m.groups.SampleStats
	if warmup {
		posterior, stats = m.groups.Warmup, m.groups.WarmupStats
	}
	if err := posterior.Append(chain, draw[:n]); err != nil {
		return err
	}
	names := stats.Names()
	row := make([]float64, 0, len(names))
	for _, name := range names[:len(names)-len(stat.Others)] {
		row = append(row, stat.value(statisticOf(name)))
	}
	if err := stats.Append(chain, append(row, stat.Others...)); err != nil {
		return err
	}
	if warmup {
		return nil
	}
	for _, s := range []*Set{m.groups.LogLikelihood, m.groups.Sampled} {
		if s == nil {
			continue
		}
		if err := s.Append(chain, draw[n:n+len(s.Names())]); err != nil {
			return err
		}
		n += len(s.Names())
	}
	return nil
}

// Sync does nothing: memory does not outlive the process.
func (m *Memory) Sync(int) ([]byte, error) { return nil, nil }

// Truncate forgets all draws of a chain but the first warmup and kept ones.
func (m *Memory) Truncate(chain int, warmup, kept int, _ []byte) error {
	if chain < 0 || chain >= m.layout.Chains || kept < 0 || warmup < 0 {
		return fmt.Errorf("cannot keep %d and %d draws of chain %d of %d", warmup, kept, chain, m.layout.Chains)
	}
	for _, s := range []*Set{m.groups.Posterior, m.groups.SampleStats, m.groups.LogLikelihood, m.groups.Sampled} {
		if s != nil {
			s.truncate(chain, kept)
		}
	}
	for _, s := range []*Set{m.groups.Warmup, m.groups.WarmupStats} {
		if s != nil {
			s.truncate(chain, warmup)
		}
	}
	return nil
}

// Close does nothing.
func (m *Memory) Close() error { return nil }

// Groups are the draws so far. The sets are the recorder's own.
func (m *Memory) Groups() Groups { return m.groups }
