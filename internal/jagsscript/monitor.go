package jagsscript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/dic"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
)

// monitor is a quantity that a script follows.
type monitor struct {
	name  string // as the script has it
	kind  string // trace, mean or variance
	thin  int
	start int // the first iteration

	of       model.Monitor   // of values of the chains
	elements []int           // of these, those that the model defines
	names    []string        // theirs
	values   [][][]float64   // by chain and element: a trace
	moments  [][]dic.Moments // by chain and element: mean or variance
	nodes    nodeKind        // of the observed nodes, from all chains together
	pooled   []float64       // a trace of these
	weighted []dic.Weighted  // by node
	offset   int             // of its elements in a draw
}

// due tells whether an iteration is one of those that are kept.
func (m *monitor) due(iteration int) bool {
	return iteration >= m.start && (iteration-m.start)%m.thin == 0
}

// count is how many iterations are kept of those after one, up to another.
func (m *monitor) count(after, upTo int) int {
	kept := func(to int) int {
		if to < m.start {
			return 0
		}
		return (to-m.start)/m.thin + 1
	}
	return kept(upTo) - kept(after)
}

// kinds of monitors
const (
	trace    = "trace"
	mean     = "mean"
	variance = "variance"
)

func (s *Session) monitorSet(name string, options map[string]string) error {
	if err := s.need("Can't set monitor", false); err != nil {
		return err
	}
	kind := options["type"]
	if kind == "" {
		kind = trace
	}
	thin, err := positive("Thinning interval", options["thin"], 1)
	if err == nil {
		err = s.newMonitor(name, kind, thin)
	}
	if err != nil { // JAGS goes on without
		s.Note(fmt.Sprintf("Failed to set %s monitor for %s\n%v", wording.Brief(kind), wording.Brief(name), err))
	}
	return nil
}

func (s *Session) newMonitor(name, kind string, thin int) error {
	if slices.ContainsFunc(s.monitors, func(m *monitor) bool { return m.name == name && m.kind == kind }) {
		return words("Monitor already exists and cannot be duplicated")
	}
	m := &monitor{name: name, kind: kind, thin: thin, start: s.iteration + 1}
	if m.nodes = kindOf(name, kind); m.nodes != noNodes && !s.has(name) {
		if m.nodes.pairs() && len(s.given) < 2 {
			return fmt.Errorf("at least two chains are required for %s: say compile, nchains(2)", name)
		}
		s.monitors = append(s.monitors, m)
		return nil
	}
	m.nodes = noNodes
	if kind != trace && kind != mean && kind != variance {
		return fmt.Errorf("there is no monitor of type %s for it; there are mean, trace, variance", wording.Quote(kind))
	}
	all, err := s.compiled.Monitors([]string{name})
	switch {
	case err != nil:
		return words(fmt.Sprintf("Variable %s not found\n%s", wording.Brief(name), strings.TrimPrefix(err.Error(), "Job.Monitors ")))
	case len(all) != 1:
		return words(fmt.Sprintf("Variable %s not found: name one", wording.Brief(name)))
	}
	m.of = all[0]
	elements := m.of.ElementNames()
	if len(elements) == 1 && !strings.Contains(name, "[") { // an array of one element has no subscripts in JAGS
		elements[0] = name
	}
	for k, element := range elements {
		if _, absent := slices.BinarySearch(m.of.Absent, k); !absent {
			m.elements, m.names = append(m.elements, k), append(m.names, element)
		}
	}
	m.values, m.moments = make([][][]float64, len(s.given)), make([][]dic.Moments, len(s.given))
	for c := range s.given {
		m.values[c], m.moments[c] = make([][]float64, len(m.names)), make([]dic.Moments, len(m.names))
	}
	s.monitors = append(s.monitors, m)
	return nil
}

// has tells whether the model has a variable of the name.
func (s *Session) has(name string) bool {
	_, ok := s.compiled.Model.Array(name)
	return ok
}

func (s *Session) monitorClear(name string, options map[string]string) error {
	if err := s.need("Can't clear monitor", false); err != nil {
		return err
	}
	kind := options["type"]
	if kind == "" {
		kind = trace
	}
	k := slices.IndexFunc(s.monitors, func(m *monitor) bool { return m.name == name && m.kind == kind })
	if k < 0 {
		s.Note(fmt.Sprintf("Failed to clear %s monitor for node %s", wording.Brief(kind), wording.Brief(name)))
		return nil
	}
	s.monitors = slices.Delete(s.monitors, k, k+1)
	return nil
}

// room makes place for what an update adds to the traces, if there is memory.
func (s *Session) room(after, upTo int) error {
	bytes := 0.0
	for _, m := range s.monitors {
		n := float64(m.count(after, upTo))
		switch {
		case m.kind != trace:
		case m.nodes != noNodes:
			bytes += float64(8 * n)
		default:
			bytes += float64(8 * n * float64(len(m.names)*len(s.given)))
		}
	}
	if err := memory.Room(bytes); err != nil {
		return fmt.Errorf("the traces of %s more: %w; thin them, as in monitor NAME, thin(10)", wording.Count(upTo-after, "iteration", "iterations"), err)
	}
	for _, m := range s.monitors {
		if m.kind != trace || m.nodes != noNodes {
			continue
		}
		for _, chain := range m.values {
			for e := range chain {
				chain[e] = slices.Grow(chain[e], m.count(after, upTo))
			}
		}
	}
	return nil
}

// keep takes a draw of a chain at an iteration.
func (m *monitor) keep(chain, iteration int, draw []float64) {
	if m.nodes != noNodes || !m.due(iteration) {
		return
	}
	for e, k := range m.elements {
		x := draw[m.offset+k]
		if m.kind == trace {
			m.values[chain][e] = append(m.values[chain][e], x)
		} else {
			m.moments[chain][e].Add(x)
		}
	}
}

// traces are a trace monitor's, of all chains or of the chains pooled.
func (m *monitor) traces() (all []draws.Trace) {
	if m.nodes != noNodes {
		return []draws.Trace{{Name: m.name, Start: m.start, Thin: m.thin, Chains: [][]float64{m.pooled}}}
	}
	for e, name := range m.names {
		one := draws.Trace{Name: name, Start: m.start, Thin: m.thin}
		for _, chain := range m.values {
			one.Chains = append(one.Chains, chain[e])
		}
		all = append(all, one)
	}
	return all
}
