package lattice

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/path"
)

// Reweighting tells what measurements at some inverse temperatures say about others near them: by one histogram of energies (Ferrenberg
// and Swendsen 1988) or several together (1989, there with 1 + 2τ as here). The density of states is to a constant
//
//	g(E) = Σ_k n_k(E)/τ_k / Σ_k N_k/τ_k exp(−β_k E)/Z_k
//
// for n_k(E) of N_k measurements at β_k with the autocorrelation time τ_k of the energy.
type Reweighting struct {
	of     system
	betas  []float64
	series []*Series
	levels *levels
	energy []float64 // of each level, its mean, in all less the shift, not per site

	all     density
	without []density // each of the jackknife's groups in turn
	lo, hi  float64   // the range of support
}

// density is what a part of the measurements says.
type density struct {
	count []float64 // of each level, effective
	sums  []moments // over them
	logZ  []float64 // at each series' β
	logG  []float64 // of each level
}

const (
	reweightLevels = 4096
	reweightGroups = 32 // that the jackknife leaves out
	// enoughEffective is how many independent measurements must lie where a β is reweighted to.
	enoughEffective = 50
)

// ErrSupport says that measurements do not reach a temperature.
var ErrSupport = errors.New("lattice: the measurements do not reach that temperature")

// NewReweighting combines series of one system at different inverse temperatures, each of which has been checked by Analyse. It takes time
// and memory in proportion to the measurements, and to 4096 levels for each of 32 groups at most.
func NewReweighting(series ...*Series) (*Reweighting, error) {
	if len(series) == 0 {
		return nil, errors.New("lattice: nothing to reweight")
	}
	w := &Reweighting{series: slices.Clone(series)}
	slices.SortFunc(w.series, func(a, b *Series) int {
		if a.Beta < b.Beta {
			return -1
		}
		return 1
	})
	total := 0
	for i, s := range w.series {
		n, err := s.check()
		switch first := w.series[0]; {
		case err != nil:
			return nil, err
		case math.IsInf(s.Beta, 0):
			return nil, fmt.Errorf("lattice: measurements at β = %v say nothing about other temperatures", s.Beta)
		case n < reweightGroups:
			return nil, fmt.Errorf("lattice: %d measurements at β = %v: reweighting takes %d or more of each chain", n, s.Beta, reweightGroups)
		case s.Sites != first.Sites || (s.Magnetisation == nil) != (first.Magnetisation == nil) || (s.Zero == nil) != (first.Zero == nil):
			return nil, errors.New("lattice: series of different systems, or with other things measured, cannot be combined")
		case i > 0 && s.Beta == w.series[i-1].Beta:
			return nil, fmt.Errorf("lattice: two series at β = %v: join their chains", s.Beta)
		}
		w.betas = append(w.betas, s.Beta)
		total += n * len(s.Energy)
	}
	if err := memory.Room(memory.Product(8, total) + memory.Product(reweightLevels, reweightGroups+1, 8*(len(moments{})+2))); err != nil {
		return nil, err
	}
	w.of = w.series[0].system()
	w.levels = newLevels(reweightLevels, w.series...)
	return w, w.combine()
}

// tally is effective numbers of measurements by level.
type tally struct {
	counts [][]float64 // series × levels
	sums   []moments
}

func newTally(series, levels int) *tally {
	t := &tally{sums: make([]moments, levels)}
	for range series {
		t.counts = append(t.counts, make([]float64, levels))
	}
	return t
}

// combine solves for the constants, with all measurements and without each group of them: the g-th piece of every series.
func (w *Reweighting) combine() error {
	levels := len(w.levels.energy)
	all := newTally(len(w.series), levels)
	groups := make([]*tally, reweightGroups)
	for g := range groups {
		groups[g] = newTally(len(w.series), levels)
	}
	for k, s := range w.series {
		n := len(s.Energy[0])
		chains := len(s.Energy)
		share := diag.ESSMean(s.Energy) / float64(n*chains)
		if !(share > 0) {
			share = 1 / float64(n*chains) // nothing moved
		}
		for c := range chains {
			for t := range n {
				g := groups[(c*n+t)*reweightGroups/(chains*n)]
				e := w.levels.of(s.Energy[c][t])
				g.counts[k][e] += share
				g.sums[e].add(s.at(&w.of, c, t), share)
			}
		}
	}
	for _, g := range groups {
		all.add(g, 1)
	}
	w.energy = make([]float64, levels)
	for e := range w.energy {
		if n := all.number(e); n > 0 {
			w.energy[e] = all.sums[e][meanE] / n * w.of.sites
		}
	}
	var err error
	if w.all, err = w.solve(all, w.guess()); err != nil {
		return err
	}
	for _, g := range groups {
		all.add(g, -1)
		d, err := w.solve(all, w.all.logZ)
		if err != nil {
			return err
		}
		w.without = append(w.without, d)
		all.add(g, 1)
	}
	w.lo, w.hi = w.reach(-1), w.reach(1)
	return nil
}

func (t *tally) add(g *tally, times float64) {
	for k := range t.counts {
		for e, n := range g.counts[k] {
			t.counts[k][e] += float64(times * n)
		}
	}
	for e := range t.sums {
		t.sums[e].add(g.sums[e], times)
	}
}

func (t *tally) number(e int) float64 {
	n := 0.0
	for _, counts := range t.counts {
		n += counts[e]
	}
	return n
}

// guess integrates the mean energy over β.
func (w *Reweighting) guess() []float64 {
	logZ := make([]float64, len(w.series))
	last := 0.0
	for k, s := range w.series {
		of := s.system()
		mean := float64((of.shift - w.of.shift) * w.of.sites)
		if k > 0 {
			logZ[k] = logZ[k-1] - float64((w.betas[k]-w.betas[k-1])*((mean+last)/2))
		}
		last = mean
	}
	return logZ
}

const noCount = 1e-9 // what sums of differences leave of nothing

func (w *Reweighting) solve(t *tally, start []float64) (density, error) {
	d := density{count: make([]float64, len(w.energy)), logG: make([]float64, len(w.energy)), sums: slices.Clone(t.sums)}
	m := path.NewMultistate(len(w.betas))
	u := make([]float64, len(w.betas))
	total := make([]float64, len(w.betas))
	for e, energy := range w.energy {
		for k, b := range w.betas {
			u[k] = -b * energy
		}
		for k := range w.betas {
			if n := t.counts[k][e]; n > noCount {
				m.Add(u, k, n)
				d.count[e] += n
				total[k] += n
			}
		}
	}
	var err error
	if d.logZ, err = m.Solve(start); err != nil {
		return d, fmt.Errorf("lattice: histograms at different temperatures hardly overlap; take more temperatures, or reweight each by itself: %w", err)
	}
	for e, energy := range w.energy {
		for k, b := range w.betas {
			u[k] = vec.Log(total[k]) - float64(b*energy) - d.logZ[k]
		}
		if d.logG[e] = math.Inf(-1); d.count[e] > noCount {
			d.logG[e] = vec.Log(d.count[e]) - vec.LogSumExp(u)
		}
	}
	return d, nil
}

// at is the mean moments at β, and how many independent measurements they are worth: (Σ w)²/Σ w² of weights w.
func (w *Reweighting) at(d *density, beta float64) (mean moments, effective float64) {
	top := math.Inf(-1)
	for e, g := range d.logG {
		top = max(top, g-float64(beta*w.energy[e]))
	}
	sum, squares := 0.0, 0.0
	for e, g := range d.logG {
		x := g - float64(beta*w.energy[e]) - top
		if x < -50 || d.count[e] <= noCount {
			continue
		}
		p := vec.Exp(x) // of the level
		each := p / d.count[e]
		mean.add(d.sums[e], each)
		sum += p
		squares += float64(p * each)
	}
	mean.divide(sum)
	return mean, sum * sum / squares
}

// Reweighted is the quantities at an inverse temperature with the jackknife's standard errors over 32 groups of measurements.
type Reweighted struct {
	Beta      float64
	Value, SE [quantities]float64
	Effective float64 // independent measurements that it is worth
}

// At is the quantities at β; [ErrSupport] where fewer than 50 independent measurements lie there.
func (w *Reweighting) At(beta float64) (Reweighted, error) {
	r := Reweighted{Beta: beta}
	of := w.of
	of.beta = beta
	mean, _ := w.at(&w.all, beta)
	effective := w.support(beta)
	r.Effective = effective
	if !(effective >= enoughEffective) {
		return r, fmt.Errorf("%w: β = %v has the weight of %.1f independent measurements, and %d are needed; they reach from %.6g to %.6g, perhaps with gaps",
			ErrSupport, beta, effective, enoughEffective, w.lo, w.hi)
	}
	var parts [quantities][]float64
	for g := range w.without {
		m, _ := w.at(&w.without[g], beta)
		for q := range quantities {
			parts[q] = append(parts[q], of.value(q, &m))
		}
	}
	for q := range quantities {
		r.Value[q], r.SE[q] = math.NaN(), math.NaN()
		if w.series[0].measured(q) {
			r.Value[q], r.SE[q] = of.value(q, &mean), jackknifeSE(parts[q])
		}
	}
	return r, nil
}

// support is how many independent measurements lie at β; 0 where that is so far out that it is the last energy seen that counts, beyond
// which there may be others.
func (w *Reweighting) support(beta float64) float64 {
	first, last := w.betas[0], w.betas[len(w.betas)-1]
	if beta < first && w.share(len(w.energy)-1, beta) > max(lastShare, 3*w.share(len(w.energy)-1, first)) ||
		beta > last && w.share(0, beta) > max(lastShare, 3*w.share(0, last)) {
		return 0
	}
	_, effective := w.at(&w.all, beta)
	return effective
}

const lastShare = 0.05

// share is the probability of a level at β.
func (w *Reweighting) share(level int, beta float64) float64 {
	sum := 0.0
	for e, g := range w.all.logG {
		sum += vec.Exp(g - w.all.logG[level] - float64(beta*(w.energy[e]-w.energy[level])))
	}
	return 1 / sum
}

// Range is the inverse temperatures that measurements reach. Between those of series that hardly overlap, At may still refuse.
func (w *Reweighting) Range() (lo, hi float64) { return w.lo, w.hi }

// reach goes from the outermost series outwards as far as measurements support.
func (w *Reweighting) reach(direction float64) float64 {
	from := w.betas[0]
	if direction > 0 {
		from = w.betas[len(w.betas)-1]
	}
	good := func(beta float64) bool { return w.support(beta) >= enoughEffective }
	spread := 0.0 // of the energy: a step of 1/spread is well within
	for e, n := range w.all.count {
		spread += float64(n * math.Abs(w.energy[e]))
	}
	if !(spread > 0) || !good(from) {
		return from
	}
	step := direction * w.weight() / spread
	inside, outside := from, from+step
	for range 60 {
		if math.Abs(outside-from) > 1e3*math.Abs(step) || !good(outside) {
			break
		}
		inside, outside = outside, from+2*(outside-from)
	}
	for range 40 {
		middle := (inside + outside) / 2
		if good(middle) {
			inside = middle
		} else {
			outside = middle
		}
	}
	return inside
}

// weight is the number of effective measurements.
func (w *Reweighting) weight() float64 {
	n := 0.0
	for _, c := range w.all.count {
		n += c
	}
	return n
}

// LogDensity is the logarithm of the density of states at each energy (per site) that was seen, up to a constant.
func (w *Reweighting) LogDensity() (energy, logG []float64) {
	for e, g := range w.all.logG {
		if !math.IsInf(g, -1) {
			energy, logG = append(energy, w.energy[e]/w.of.sites+w.of.shift), append(logG, g)
		}
	}
	return energy, logG
}
