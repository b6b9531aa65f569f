package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// Summary is the table of a run and what is wrong with it.
type Summary struct {
	Parameters  Parameters
	Warnings    []Warning
	Least, Most []float64 // the ends of the draws of each parameter
}

// Summarize summarises the posterior draws of a run on disk, in memory that does
// not grow with their number. threads 0 means all cores; the result does not
// depend on it.
func Summarize(r *draws.Reader, threads int) (Summary, error) {
	return SummarizeSelected(r, "*", threads)
}

// SummarizeSelected is [Summarize] for the elements that patterns name, as
// draws.Select reads them.
func SummarizeSelected(r *draws.Reader, patterns string, threads int) (Summary, error) {
	if !r.Has(draws.Posterior) {
		return Summary{}, fmt.Errorf("there are no posterior draws to summarise")
	}
	parts, elements, err := draws.Select(r.Variables(draws.Posterior), patterns)
	if err != nil {
		return Summary{}, err
	}
	s := source{chains: r.Chains(draws.Posterior), draws: r.Draws(draws.Posterior), place: make(map[int]int, len(elements))}
	for _, v := range parts {
		s.names = append(s.names, v.ElementNames()...)
	}
	for k, e := range elements {
		s.place[e] = k
	}
	wanted := func(element int) bool { _, ok := s.place[element]; return ok }
	if s.scan, err = scanElements(r, draws.Posterior, threads, wanted); err != nil {
		return Summary{}, err
	}
	var t trajectories
	if r.Has(draws.SampleStats) {
		err := t.read(func(name string) ([][]float64, error) {
			x, err := r.ReadVariable(draws.SampleStats, name)
			if err != nil || len(x) == 0 {
				return nil, err
			}
			return x[0], nil
		})
		if err != nil {
			return Summary{}, err
		}
	}
	return s.summarize(&t, threads)
}

// SummarizeSet summarises draws in memory; stats, the sample statistics, may be
// nil.
func SummarizeSet(set, stats *draws.Set, threads int) (Summary, error) {
	s := source{names: set.Names(), chains: set.Chains(), draws: set.Draws(), place: map[int]int{}, scan: scanSet(set)}
	for e := range s.names {
		s.place[e] = e
	}
	var t trajectories
	if stats != nil {
		err := t.read(func(name string) ([][]float64, error) {
			if e, ok := stats.Lookup(name); ok {
				return stats.Element(e), nil
			}
			return nil, nil
		})
		if err != nil {
			return Summary{}, err
		}
	}
	return s.summarize(&t, threads)
}

// source is draws to summarise.
type source struct {
	names         []string
	chains, draws int
	scan          scan
	place         map[int]int // row of each element that is asked for
}

func (s source) summarize(t *trajectories, threads int) (Summary, error) {
	rows := make(Parameters, len(s.names))
	seen := make([]oddity, len(s.names))
	least, most := make([]float64, len(s.names)), make([]float64, len(s.names))
	err := s.scan.each(threads, func(work *diag.Work, element int, chains [][]float64) error {
		if k, ok := s.place[element]; ok {
			r := diag.Tabulate(chains, work)
			rows[k] = row(s.names[k], r)
			least[k], most[k] = ends(chains)
			seen[k] = inspect(chains, math.IsNaN(r.Mean) || math.IsInf(r.Mean, 0))
			seen[k].whole = r.MCSESD > SDError*r.SD && whole(chains)
		}
		return nil
	})
	if err != nil {
		return Summary{}, err
	}
	j := Summary{Parameters: rows, Least: least, Most: most}
	j.Warnings = warnings(rows, seen, s.chains, s.draws)
	j.Warnings = append(j.Warnings, t.warnings()...)
	return j, nil
}

func row(name string, s diag.Row) Parameter {
	return Parameter{
		Name: name, Mean: Number(s.Mean), SD: Number(s.SD), MCSEMean: Number(s.MCSEMean), MCSESD: Number(s.MCSESD),
		Q5: Number(s.Q5), Median: Number(s.Median), Q95: Number(s.Q95),
		ESSBulk: Number(s.ESSBulk), ESSTail: Number(s.ESSTail), Rhat: Number(s.Rhat), Khat: Number(s.ParetoK),
	}
}

// whole tells draws that are all whole numbers.
func whole(chains [][]float64) bool {
	return !slices.ContainsFunc(chains, func(chain []float64) bool {
		return slices.ContainsFunc(chain, func(x float64) bool { return x != math.Trunc(x) })
	})
}

// ends are the least and the greatest draw.
func ends(chains [][]float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, chain := range chains {
		for _, x := range chain {
			least, most = min(least, x), max(most, x)
		}
	}
	return least, most
}

// oddity is what stands out in the draws of an element.
type oddity struct {
	nan, inf int
	still    []int   // chains, from 1, that kept one value
	constant bool    // all chains kept the same value
	whole    bool    // the values are whole numbers, looked at where the sd is uncertain: an event is rare where a tail would be heavy
	chance   float64 // if not, the probability of still chains where none is stuck, at most
}

// inspect looks for values that are not finite only where odd says that there
// may be some.
func inspect(chains [][]float64, odd bool) oddity {
	o := oddity{constant: true}
	var first float64
	for c, chain := range chains {
		if len(chain) == 0 {
			continue
		}
		if c == 0 {
			first = chain[0]
		}
		still := !slices.ContainsFunc(chain, func(x float64) bool { return x != chain[0] })
		if still {
			o.still = append(o.still, c+1)
		}
		o.constant = o.constant && still && chain[0] == first
		for i := 0; odd && i < len(chain); i++ {
			if math.IsNaN(chain[i]) {
				o.nan++
			} else if math.IsInf(chain[i], 0) {
				o.inf++
			}
		}
	}
	if !o.constant && len(o.still) > 0 {
		o.chance = byChance(chains, o.still)
	}
	return o
}
