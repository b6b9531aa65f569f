package anneal

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Method is a way to look for low energies. All are walks with the moves of the problem.
type Method int

const (
	// Annealing accepts what adds d to the energy with probability min(1, e^{−d/T}) at a temperature that falls (Kirkpatrick, Gelatt and
	// Vecchi, 1983).
	Annealing Method = iota
	// Threshold accepts what adds no more than a threshold that falls as the temperature would (Dueck and Scheuer, 1990).
	Threshold
	// Tempering is parallel tempering: each read is a ladder of replicas at temperatures between the first and the last, neighbours of which
	// are swapped (Geyer, 1991). The ladder is moved in the first half of the read until neighbours are swapped equally often.
	Tempering
	// Population is population annealing: a read is a population of replicas, which are drawn anew by their weights e^{−(β'−β)E} as the
	// inverse temperature rises (Hukushima and Iba, 2003; Machta, 2010).
	Population
	// Stochastic is hill climbing by random proposals, of which none is accepted that raises the energy, from a new start where nothing has
	// been gained for a while.
	Stochastic
	// Steepest is hill climbing by the best of all changes, from a new start at each local minimum.
	Steepest
	// First is hill climbing by a random one of the changes that lower the energy, from a new start at each local minimum.
	First
)

var methodNames = [...]string{"annealing", "threshold", "tempering", "population", "stochastic", "steepest", "first"}

// String is the name that [ParseMethod] reads.
func (m Method) String() string {
	if m < 0 || int(m) >= len(methodNames) {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return methodNames[m]
}

// Methods are the names of all methods.
func Methods() []string { return methodNames[:] }

// ParseMethod reads the name of a method.
func ParseMethod(name string) (Method, error) {
	for m, is := range methodNames {
		if is == name {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("there is no method %q; there are %s", name, strings.Join(methodNames[:], ", "))
}

// climbs tells hill climbing.
func (m Method) climbs() bool { return m >= Stochastic }

// Settings say how a minimum is looked for. The zero value works.
type Settings struct {
	Seed     uint64
	Threads  int // 0 or less: 1. Results of reads that do not end by the clock or a target do not depend on it
	Method   Method
	Schedule Schedule
	// Sweeps are those of a read; 0: 1000 of walkers of several replicas, 10 000 of others, or where there is a Time, as many as there is
	// time for.
	Sweeps int
	// Reads are the walks that count: whole walkers work, and of the last only as many replicas as are missing are looked at. 0: eight
	// walkers' worth, or where there is a Time, those that fit into it.
	Reads int
	// Time ends the run, so that results depend on the machine; 0: never. Without Sweeps, schedules run by the clock: with Reads, these
	// share the time; without, rounds of reads take 1/32, 1/16, 1/8, 1/4 of it and the rest.
	Time time.Duration
	// Target ends the run at an energy as low; NaN, or 0 with HasTarget false: none.
	Target    float64
	HasTarget bool
	// Floor is an energy that no state is below, where HasFloor says so: reads that have come to it end.
	Floor    float64
	HasFloor bool
	// Stagnation ends a read after so many sweeps without a new best energy; 0: never. Stochastic hill climbing starts anew after as many,
	// or 10, and its reads do not end.
	Stagnation int
	// Initial is a solution that every read starts from; nil: random states.
	Initial []float64
	Rungs   int // temperatures of Tempering; 0: √n, from 8 to 64
	Size    int // replicas of a read of Population, rounded up to whole walkers; 0: 64

	// Checkpoint is a file for the state, written about Every (0: 30 s) and at the end; "": none. Resume goes on from it, if it is
	// there; Fingerprint must then be as it was, as everything but Threads, Time, Reads and Target must.
	Checkpoint  string
	Resume      bool
	Fingerprint string
	Every       time.Duration
	Progress    func(Progress) // about ten times a second, from one goroutine at a time; may be nil
}

// Progress is how far a run is.
type Progress struct {
	Reads, OfReads   int   // that have ended; 0: by the clock
	Sweeps, OfSweeps int64 // of all reads; 0: by the clock
	Elapsed, OfTime  time.Duration
	Moves            int64   // proposals, of this process
	Best             float64 // energy; +Inf before the first
	Temperature      float64 // of one of the reads at work
	Acceptance       float64 // of the last turn of that
}

// Result is what a run found.
type Result struct {
	Best     float64   // the lowest energy
	Solution []float64 // one of that energy
	Reads    []Read    // in order; those that the clock or a target cut short last
	Hot      float64   // the ends of the schedule
	Cold     float64
	Moves    int64         // proposals of all reads
	Took     time.Duration // of this process and of those before
	Rate     float64       // proposals a second of processor time, of this process; NaN where there were none
	Stopped  string        // why: "sweeps", "time", "target", "stagnation"
	Traces   []Trace       // of the first reads

	best []byte // Solution, or another form of it
}

// Read is one walk.
type Read struct {
	Energy float64 // the lowest
	Sweeps int
	Cut    bool // ended before its schedule did
}

// Trace is a read's course: after some of its sweeps.
type Trace struct {
	Sweep       []int
	Temperature []float64
	Energy      []float64 // of the first replica
	Best        []float64 // of the read
}

const (
	// D-Wave's annealer makes 1000 sweeps of spins by default; permutations and real numbers move one at a time, and need more.
	defaultSweeps   = 1000
	lonelySweeps    = 10_000 // of walkers of one replica
	defaultWalkers  = 8
	defaultPatience = 10
	tracedGroups    = 8
)

// check fills in defaults, but for what the problem says.
func (s *Settings) check() error {
	s.Threads = max(s.Threads, 1)
	if s.Method < 0 || int(s.Method) >= len(methodNames) {
		return fmt.Errorf("anneal: there is no method %v", s.Method)
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"sweeps", s.Sweeps}, {"reads", s.Reads}, {"sweeps without gain", s.Stagnation}, {"temperatures", s.Rungs}, {"replicas", s.Size}} {
		if n.value < 0 || n.value > 1<<40 {
			return fmt.Errorf("anneal: %d %s: it must be 0 or more", n.value, n.name)
		}
	}
	if s.Time < 0 {
		return fmt.Errorf("anneal: a time of %v: it must be 0 or more", s.Time)
	}
	if s.Every <= 0 {
		s.Every = 30 * time.Second
	}
	if !s.HasTarget || math.IsNaN(s.Target) {
		s.HasTarget, s.Target = false, math.Inf(-1)
	}
	return nil
}
