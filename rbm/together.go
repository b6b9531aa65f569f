package rbm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/path"
)

// Together finds log Z of several machines that have visible layers of the
// same size by one run of SAMS or SAMC, whose chains walk over the temperatures
// of all, and pass from one machine's path to another's where they meet, at
// the one base that all have. Estimates after the first are relative to the
// first machine, whose log Z is exact where its smaller layer has at most 24
// units; otherwise all are relative to the base.
func Together(ctx context.Context, machines []*Model, set LogZSettings) ([]*Estimate, error) {
	if set.Method != SAMS && set.Method != SAMC {
		return nil, fmt.Errorf("%s is not for several machines at once; %s and %s are", set.Method, SAMS, SAMC)
	}
	if len(machines) == 0 {
		return nil, errors.New("no machines to compare; give two or more")
	}
	families, err := around(ctx, machines, set)
	if err != nil {
		return nil, err
	}
	w := walkSettings{LogZSettings: set, method: set.Method, family: families[0]}
	s, err := w.schedule(ctx)
	if err != nil {
		return nil, err
	}
	var members []path.Family[*common]
	for k := range families {
		members = append(members, member{families[k], families, k})
	}
	labels, err := path.Models(members, s)
	if err != nil {
		return nil, err
	}
	a, err := adjust(ctx, &w, labels)
	if a == nil {
		return nil, err
	}
	known, failure := knownFirst(ctx, machines[0], set)
	if failure != nil {
		return nil, failure
	}
	var all []*Estimate
	for k := range machines {
		top := (k+1)*len(s) - 1
		if known == nil {
			all = append(all, w.estimate(a.Relative(top, 0)))
			continue
		}
		if k == 0 {
			all = append(all, known)
			continue
		}
		r := a.Relative(top, len(s)-1)
		r.LogZ += known.LogZ
		r.CI95[0] += known.LogZ
		r.CI95[1] += known.LogZ
		for i := range r.Trace {
			r.Trace[i].LogZ += known.LogZ
		}
		all = append(all, w.estimate(r))
	}
	return all, err
}

// knownFirst is the exact log Z of the machine that others are relative to;
// nil where it would take long.
func knownFirst(ctx context.Context, m *Model, set LogZSettings) (*Estimate, error) {
	if !m.Summable() {
		return nil, nil
	}
	set.Progress = nil
	return m.estimateExact(context.WithoutCancel(ctx), set)
}

// around are the paths of several machines from one base: that which is given
// or that of the first machine's own rates.
func around(ctx context.Context, machines []*Model, set LogZSettings) ([]*Family, error) {
	var all []*Family
	for k, m := range machines {
		if err := m.Check(); err != nil {
			return nil, fmt.Errorf("machine %d: %w", k+1, err)
		}
		if m.Visible != machines[0].Visible {
			return nil, fmt.Errorf("machine %d has %d visible units and the first %d: chains cannot pass between them", k+1, m.Visible, machines[0].Visible)
		}
		if set.Base == nil {
			own, err := m.OwnRates(ctx, set.Seed)
			if err != nil {
				return nil, err
			}
			set.Base = own
		}
		f, err := m.family(ctx, set)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// common is one visible layer as the particles of several families: the one
// that moved last has it, and others take it over when they are asked.
type common struct {
	particles []*Particle
	last      int
	fresh     []bool
}

// member is one of the families over a shared visible layer.
type member struct {
	*Family
	all []*Family
	k   int
}

// New returns a state that Base or Copy has to fill.
func (m member) New() *common {
	s := &common{fresh: make([]bool, len(m.all))}
	for _, f := range m.all {
		s.particles = append(s.particles, f.New())
	}
	return s
}

// Copy makes dst the visible layer of src, with the generators it has.
func (m member) Copy(dst, src *common) {
	m.all[src.last].Copy(dst.particles[src.last], src.particles[src.last])
	dst.moved(src.last)
}

// moved says that the particle of family k has the visible layer.
func (s *common) moved(k int) {
	clear(s.fresh)
	s.last, s.fresh[k] = k, true
}

// own is the particle of this family, with the visible layer.
func (m member) own(s *common) *Particle {
	p := s.particles[m.k]
	if !s.fresh[m.k] {
		p.on = append(p.on[:0], s.particles[s.last].on...)
		m.follow(p)
		s.fresh[m.k] = true
	}
	return p
}

// Base draws the visible layer and seeds the generators of all particles.
func (m member) Base(s *common, r *rand.Rand) {
	for k, f := range m.all {
		f.Base(s.particles[k], r)
	}
	m.Family.Base(s.particles[m.k], r)
	s.moved(m.k)
}

// LogDensity is that of the family.
func (m member) LogDensity(s *common, beta float64) float64 {
	return m.Family.LogDensity(m.own(s), beta)
}

// LogDensities is LogDensity at several β.
func (m member) LogDensities(dst []float64, s *common, betas []float64) {
	m.Family.LogDensities(dst, m.own(s), betas)
}

// Move is that of the family.
func (m member) Move(s *common, beta float64, r *rand.Rand) {
	m.Family.Move(m.own(s), beta, r)
	s.moved(m.k)
}
