package anneal

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// savedGroup is a group of reads that share walkers, in a checkpoint. Fields are exported for gob.
type savedGroup struct {
	Number      int
	From, Until time.Duration // of a schedule by the clock
	Sweeps      int
	Moves       int64
	Accepted    int64
	Stream      []byte
	Walkers     [][]byte
	Spare       []byte
	Thermostat  thermostat
	Ladder      rungs
	Weights     weights
	Trace       *Trace
	Gained      int     // the sweep after which a best energy fell last
	Sum         float64 // of the best energies then
	Landed      bool    // all reads are at the floor
	Kept        bool    // the spare walker has bests of reads

	Done     bool
	Cut      bool // by the clock or the target
	Energies []float64
	Lowest   float64
	Solution []byte // where it was the best of the run as the group ended
}

// group is a group of reads at work.
type group struct {
	savedGroup
	*run
	stream  *rng.Stream
	now     time.Duration // that the run has taken, at the last look
	walkers []Walker
	// spare keeps bests of replicas that are started or drawn anew; or a replica while two are swapped.
	spare Walker
}

// begin starts the reads, or goes on with them.
func (g *group) begin() error {
	g.stream = rng.New(g.set.Seed, "anneal read", uint64(g.Number))
	g.Thermostat.schedule, g.Thermostat.sweeps = &g.set.Schedule, g.set.Sweeps
	if g.Stream != nil {
		return g.restore()
	}
	for _, w := range g.walkers {
		if err := g.start(w); err != nil {
			return err
		}
	}
	g.Sum = math.Inf(1)
	if g.Number < tracedGroups {
		g.Trace = new(Trace)
	}
	if g.set.Method == Tempering {
		g.Ladder.begin(g.set.Schedule, g.set.Rungs)
	}
	return nil
}

// start draws new states, or sets those given.
func (g *group) start(w Walker) error {
	w.Start(g.stream.Rand)
	if g.set.Initial == nil {
		return nil
	}
	for i := range w.Replicas() {
		if err := w.Set(i, g.set.Initial); err != nil {
			return fmt.Errorf("the solution to start from: %w", err)
		}
	}
	return nil
}

// at is the part of the reads that is done.
func (g *group) at() float64 {
	if g.Until > 0 {
		return min(float64(g.now-g.From)/float64(max(g.Until-g.From, 1)), 1)
	}
	if g.set.Sweeps < 2 {
		return 1
	}
	return float64(g.Sweeps) / float64(g.set.Sweeps-1)
}

// over tells whether the reads are, and notes what cut them short.
func (g *group) over() bool {
	switch stagnant := g.set.Stagnation > 0 && !g.set.Method.climbs() && g.Sweeps-g.Gained >= g.set.Stagnation; {
	case !g.byClock() && g.Sweeps >= g.set.Sweeps:
		return true
	case g.Landed:
		return true
	case g.reached.Load():
		g.Cut = true
		return true
	case g.Sweeps == 0: // whatever the clock says, there is something to show
		return false
	case g.byClock() && g.now >= g.Until:
		return true
	case g.set.Time > 0 && g.now >= g.set.Time:
		g.Cut = true
		return true
	case stagnant:
		g.stopped.Store(true)
		return true
	}
	return false
}

// step sweeps all walkers once, and gives the temperature.
func (g *group) step() (temperature float64) {
	x := g.at()
	switch g.set.Method {
	case Annealing, Threshold:
		temperature = g.cool(x)
	case Tempering:
		temperature = g.temper(x)
	case Population:
		temperature = g.populate(x)
	default:
		g.climb()
	}
	g.Sweeps++
	g.watchGain()
	if g.Trace != nil {
		g.Trace.add(g.Sweeps, temperature, g)
	}
	return temperature
}

// cool is a sweep of annealing, or of threshold accepting.
func (g *group) cool(x float64) float64 {
	t := g.Thermostat.temperature(x)
	var proposed, accepted int64
	for _, w := range g.walkers {
		p, a := int64(0), int64(0)
		if g.set.Method == Threshold {
			p, a = w.(Thresholds).SweepThreshold(t, g.stream.Rand)
		} else {
			p, a = w.Sweep(t, g.stream.Rand)
		}
		proposed, accepted = proposed+p, accepted+a
	}
	g.count(proposed, accepted)
	g.Thermostat.observe(x, proposed, accepted, g.walkers)
	return t
}

// Sweeps of a quench: it ends after so many without gain, or so many in all. Walkers of many replicas go through all changes in a sweep;
// others draw them, and meet each by chance.
const (
	idleQuench   = 2
	lonelyQuench = 40
	mostQuench   = 400
)

// quench lets the best states of reads that are over fall to local minima, by sweeps at temperature 0.
func (g *group) quench() error {
	if g.set.Method.climbs() || g.set.Method == Tempering {
		return nil
	}
	most := idleQuench
	if g.lanes == 1 {
		most = lonelyQuench
	}
	for _, w := range g.walkers {
		for i := range w.Replicas() {
			if err := toBest(w, i); err != nil {
				return err
			}
		}
		for k, idle, lowest := 0, 0, math.Inf(1); k < mostQuench && idle < most; k++ {
			g.count(w.Sweep(0, g.stream.Rand))
			sum := 0.0
			for i := range w.Replicas() {
				sum += w.Best(i)
			}
			if idle++; sum < lowest {
				idle, lowest = 0, sum
			}
		}
	}
	return nil
}

// toBest makes a state the best that it was.
func toBest(w Walker, replica int) error {
	if own, ok := w.(interface{ toBest() }); ok {
		own.toBest()
		return nil
	}
	return w.Set(replica, w.Solution(replica))
}

func (g *group) count(proposed, accepted int64) {
	g.Moves += proposed
	g.Accepted += accepted
}

// climb is a sweep of hill climbing, and a new start where it ended.
func (g *group) climb() {
	w := g.walkers[0]
	var looked, made int64
	stuck := false
	if g.set.Method == Stochastic {
		patience := g.set.Stagnation
		if patience == 0 {
			patience = defaultPatience
		}
		looked, made = w.Sweep(0, g.stream.Rand)
		stuck = g.Sweeps-g.Gained >= patience
	} else {
		looked, made = w.(Climbs).Climb(g.set.Method == First, g.stream.Rand)
		stuck = made == 0
	}
	g.count(looked, made)
	if !stuck {
		return
	}
	g.keepBests()
	w.Start(g.stream.Rand) // the solution to start from has served
	g.Sum, g.Gained = math.Inf(1), g.Sweeps
}

// keepBests lets spare have the best state of each read of a walker that is about to forget it.
func (g *group) keepBests() {
	w := g.walkers[0]
	for i := range w.Replicas() {
		if !g.Kept || w.Best(i) < g.spare.Best(i) {
			g.spare.Copy(i, w, i)
		}
	}
	g.Kept = true
}

// watchGain notes when a best energy fell last, and a target that is reached.
func (g *group) watchGain() {
	set := &g.set
	if set.Stagnation == 0 && set.Method != Stochastic && !set.HasTarget && !set.HasFloor {
		return
	}
	sum := 0.0
	for _, w := range g.walkers {
		for i := range w.Replicas() {
			sum += w.Best(i)
		}
	}
	if sum < g.Sum {
		g.Sum, g.Gained = sum, g.Sweeps
		if set.HasTarget && g.hit(set.Target) {
			g.reached.Store(true)
		}
		g.Landed = set.HasFloor && g.highest() <= tolerated(set.Floor)
	}
}

// bestOf is the walker and its replica that have the best state of a read.
func (g *group) bestOf(read int) (from Walker, replica int) {
	from, replica = g.walkers[0], read
	for k, w := range g.walkers {
		switch {
		case g.set.Method == Population:
			for i := range w.Replicas() {
				if w.Best(i) < from.Best(replica) {
					from, replica = w, i
				}
			}
		case k > 0 && w.Best(read) < from.Best(replica):
			from = w
		}
	}
	if g.Kept && g.spare.Best(read) < from.Best(replica) {
		return g.spare, read
	}
	return from, replica
}

// holder has the best state of all reads.
func (g *group) holder() (from Walker, replica int) {
	from, replica = g.bestOf(0)
	for read := 1; read < g.readsOf(g.Number); read++ {
		if w, i := g.bestOf(read); w.Best(i) < from.Best(replica) {
			from, replica = w, i
		}
	}
	return from, replica
}

func (g *group) lowest() float64 {
	w, i := g.holder()
	return w.Best(i)
}

// highest is the energy of the worst read.
func (g *group) highest() float64 {
	most := math.Inf(-1)
	for read := range g.readsOf(g.Number) {
		w, i := g.bestOf(read)
		most = max(most, w.Best(i))
	}
	return most
}

// hit tells whether a read has come to an energy, but for errors of floating point.
func (g *group) hit(target float64) bool {
	target = tolerated(target)
	off := rounding(g.walkers[0])
	if !(g.lowest() <= target+off) {
		return false
	}
	if off == 0 {
		return true
	}
	for read := range g.readsOf(g.Number) {
		if w, i := g.bestOf(read); w.Best(i) <= target+off && exact(w, i) <= target {
			return true
		}
	}
	return false
}

// tolerated is a target with what sums in floating point may be off.
func tolerated(target float64) float64 { return target + float64(1e-9*math.Abs(target)) }

// rounding is the most that a walker's energies may be off.
func rounding(w Walker) float64 {
	if r, ok := w.(Rounds); ok {
		return r.Rounding()
	}
	return 0
}

// exact is the energy of the best state of a replica by the instance.
func exact(w Walker, replica int) float64 {
	if r, ok := w.(Rounds); ok {
		return r.Exact(replica)
	}
	return w.Best(replica)
}

// results is the group as it is kept once it is over, and who has the best state of its reads.
func (g *group) results() (s *savedGroup, from Walker, replica int) {
	s = &savedGroup{Number: g.Number, Sweeps: g.Sweeps, Moves: g.Moves, Accepted: g.Accepted, Trace: g.Trace, Done: true, Cut: g.Cut}
	s.Lowest = math.Inf(1)
	for read := range g.readsOf(g.Number) {
		w, i := g.bestOf(read)
		e := exact(w, i)
		s.Energies = append(s.Energies, e)
		if read == 0 || e < s.Lowest {
			s.Lowest, from, replica = e, w, i
		}
	}
	return s, from, replica
}

// save fills in what is kept as bytes.
func (g *group) save() (err error) {
	if g.Stream, err = g.stream.MarshalBinary(); err != nil {
		return err
	}
	g.Walkers = g.Walkers[:0]
	for _, w := range g.walkers {
		b, err := w.MarshalBinary()
		if err != nil {
			return err
		}
		g.Walkers = append(g.Walkers, b)
	}
	if g.Kept {
		g.Spare, err = g.spare.MarshalBinary()
	}
	return err
}

// restore is the reverse of save.
func (g *group) restore() error {
	if err := g.stream.UnmarshalBinary(g.Stream); err != nil {
		return err
	}
	if len(g.Walkers) != len(g.walkers) || g.set.Method == Tempering && len(g.Ladder.Betas) != len(g.walkers) ||
		g.Weights.Log != nil && len(g.Weights.Log) != len(g.walkers)*g.lanes {
		return errors.New("the state of a group of reads is of another size")
	}
	for k, w := range g.walkers {
		if err := w.UnmarshalBinary(g.Walkers[k]); err != nil {
			return err
		}
	}
	if g.Kept {
		return g.spare.UnmarshalBinary(g.Spare)
	}
	return nil
}

// tracePoints is how many points a trace has at most; it then keeps every second.
const tracePoints = 512

// add notes a sweep, if it is one of those that are kept.
func (t *Trace) add(sweep int, temperature float64, g *group) {
	every := 1
	if n := len(t.Sweep); n > 1 {
		every = t.Sweep[1] - t.Sweep[0]
	}
	if (sweep-1)%every != 0 {
		return
	}
	if len(t.Sweep) == tracePoints {
		t.thin()
		if (sweep-1)%(2*every) != 0 {
			return
		}
	}
	w := g.walkers[len(g.walkers)-1] // the coldest of a ladder
	t.Sweep, t.Temperature = append(t.Sweep, sweep), append(t.Temperature, temperature)
	t.Energy, t.Best = append(t.Energy, w.Energy(0)), append(t.Best, g.lowestOfFirst())
}

func (t *Trace) thin() {
	n := 0
	for i := 0; i < len(t.Sweep); i += 2 {
		t.Sweep[n], t.Temperature[n], t.Energy[n], t.Best[n] = t.Sweep[i], t.Temperature[i], t.Energy[i], t.Best[i]
		n++
	}
	t.Sweep, t.Temperature, t.Energy, t.Best = t.Sweep[:n], t.Temperature[:n], t.Energy[:n], t.Best[:n]
}

func (g *group) lowestOfFirst() float64 {
	w, i := g.bestOf(0)
	return w.Best(i)
}
