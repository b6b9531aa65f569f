package lattice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Scan is the order in which a step visits the sites.
type Scan uint8

// Scans.
const (
	Systematic   Scan = iota // each once, in the order of their numbers
	Random                   // as many as there are, each picked at random; reversible
	Checkerboard             // each once, colour by colour of a colouring in which no bond joins equal colours, in parallel within a colour
)

var scanNames = [...]string{"systematic", "random", "checkerboard"}

func (s Scan) String() string {
	if int(s) < len(scanNames) {
		return scanNames[s]
	}
	return fmt.Sprintf("Scan(%d)", uint8(s))
}

// ScanSettings say how a kernel goes through the sites. The zero value works.
type ScanSettings struct {
	Scan    Scan
	Threads int // of Checkerboard; 0: all cores. Draws do not depend on it
}

// SingleSite moves one spin at a time by a rule that leaves the distribution of the model invariant: NewMetropolis and NewHeatBath
// make them. A step visits as many sites as there are. It has nothing to tune; a chain needs one of its own.
type SingleSite struct {
	rule  rule
	scan  Scan
	sites int

	strider strider    // the rule, if it moves stretches of this graph; else nil
	strides *strides   // of the graph; nil: it has none
	all     siteList   // of Systematic
	colours []siteList // of Checkerboard
	buffer  []int32    // of sites, in scans that do not keep a list
	team    *fanout.Team
	threads int

	// Of the step under way.
	spins []uint8
	name  streams.Name
	now   *siteList
	run   int // blocks a task
}

// rule is what a spin becomes given its neighbours.
type rule interface {
	// at makes the tables of an inverse temperature.
	at(beta float64)
	// draw moves the spins of some sites, in order, and returns the stream as it is then. It is called by several goroutines at a time.
	draw(spins []uint8, sites []int32, s streams.Stream) streams.Stream
}

// strider is a rule that needs to know no more of sites than where their neighbours lie.
type strider interface {
	rule
	// stride moves the spins of a stretch of sites, in order.
	stride(spins []uint8, x stretch, s streams.Stream) streams.Stream
	// scatter moves the spins of sites anywhere, in order.
	scatter(spins []uint8, sites []int32, x *strides, s streams.Stream) streams.Stream
}

// blockSize is the number of sites that share a stream. It is part of what determines the draws.
const blockSize = 1024

func newSingleSite(m *Model, r rule, beta float64, set ScanSettings) (*SingleSite, error) {
	if err := checkBeta(beta); err != nil {
		return nil, err
	}
	if set.Threads < 0 {
		return nil, fmt.Errorf("lattice: threads = %d must be 0 (all cores) or more", set.Threads)
	}
	k := &SingleSite{rule: r, scan: set.Scan, sites: m.Graph.Sites(), strides: m.Graph.patterns()}
	if k.strides != nil {
		k.strider, _ = r.(strider)
	}
	switch set.Scan {
	case Systematic:
		k.all = m.Graph.inOrder()
		k.buffer = make([]int32, min(blockSize, k.sites))
	case Random:
		k.buffer = make([]int32, min(blockSize, k.sites))
	case Checkerboard:
		colours, err := m.Graph.byColour()
		if err != nil {
			return nil, err
		}
		k.colours = colours
		if k.threads = set.Threads; k.threads == 0 {
			k.threads = runtime.GOMAXPROCS(0)
		}
		k.team = fanout.New(k.threads, k.task)
	default:
		return nil, fmt.Errorf("lattice: there is no scan of number %d; choose one of the constants of type Scan", set.Scan)
	}
	r.at(beta)
	return k, nil
}

// SetBeta changes the inverse temperature: 0 or more, and +Inf for a temperature of zero.
func (k *SingleSite) SetBeta(beta float64) error {
	if err := checkBeta(beta); err != nil {
		return err
	}
	k.rule.at(beta)
	return nil
}

func checkBeta(beta float64) error {
	if !(beta >= 0) {
		return fmt.Errorf("lattice: the inverse temperature is %v; it must be 0 or more, and may be +Inf", beta)
	}
	return nil
}

// times is beta·e, and 0 where e is 0 even at a temperature of zero.
func times(beta, e float64) float64 {
	if e == 0 {
		return 0
	}
	return beta * e
}

// Step visits as many sites as there are.
func (k *SingleSite) Step(s *State, r *rand.Rand) mcmc.Info {
	k.spins, k.name = s.Spins, streams.From(r)
	switch k.scan {
	case Systematic:
		k.systematic()
	case Random:
		k.random()
	case Checkerboard:
		for c := range k.colours {
			k.now = &k.colours[c]
			k.run = max(1, k.now.blocks()/(tasksPerThread*k.threads))
			k.team.Run((k.now.blocks() + k.run - 1) / k.run)
		}
	}
	k.spins = nil
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// tasksPerThread cuts a colour so that the thread which ends last is late by little.
const tasksPerThread = 32

// task moves some blocks of the colour.
func (k *SingleSite) task(t int) {
	for b := t * k.run; b < min((t+1)*k.run, k.now.blocks()); b++ {
		s := k.name.Stream(k.now.first + uint64(b))
		if runs := k.now.blockRuns(b); k.strider != nil && runs != nil {
			k.stride(runs, s)
		} else {
			k.rule.draw(k.spins, k.now.block(b), s)
		}
	}
}

// stride moves the spins of runs.
func (k *SingleSite) stride(runs []run, s streams.Stream) streams.Stream {
	for _, r := range runs {
		s = k.strider.stride(k.spins, k.strides.stretch(r), s)
	}
	return s
}

func (k *SingleSite) systematic() {
	s := k.name.Stream(0)
	if k.strider != nil && k.all.runs != nil {
		k.stride(k.all.runs, s)
		return
	}
	for from := 0; from < k.sites; from += len(k.buffer) {
		sites := k.buffer[:min(len(k.buffer), k.sites-from)]
		for j := range sites {
			sites[j] = int32(from + j)
		}
		s = k.rule.draw(k.spins, sites, s)
	}
}

func (k *SingleSite) random() {
	s := k.name.Stream(0)
	for from := 0; from < k.sites; from += len(k.buffer) {
		sites := k.buffer[:min(len(k.buffer), k.sites-from)]
		for j := range sites {
			var u uint64
			u, s = s.Next()
			sites[j] = int32(streams.Below(u, k.sites))
		}
		if k.strider != nil {
			s = k.strider.scatter(k.spins, sites, k.strides, s)
		} else {
			s = k.rule.draw(k.spins, sites, s)
		}
	}
}

// threshold is what 63 random bits are below with probability p, to within 2⁻⁶³; exactly for 0 and 1.
func threshold(p float64) uint64 { return uint64(math.Ldexp(p, 63)) }
