package report

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// Judgement is the table of a run and what is wrong with it.
type Judgement struct {
	Parameters Parameters
	Warnings   []Warning
}

// blockValues is how many values of draws are in memory at a time: 32 MB.
const blockValues = 1 << 22

// Summarize judges the posterior draws of a run on disk, in memory that does
// not grow with their number. threads 0 means all cores; the result does not
// depend on it.
func Summarize(r *draws.Reader, threads int) (Judgement, error) {
	return SummarizeSelected(r, "*", threads)
}

// SummarizeSelected is [Summarize] for the elements that patterns name, as
// draws.Select reads them.
func SummarizeSelected(r *draws.Reader, patterns string, threads int) (Judgement, error) {
	if !r.Has(draws.Posterior) {
		return Judgement{}, fmt.Errorf("there are no posterior draws to summarise")
	}
	parts, elements, err := draws.Select(r.Variables(draws.Posterior), patterns)
	if err != nil {
		return Judgement{}, err
	}
	s := source{
		chains: r.Chains(draws.Posterior), draws: r.Draws(draws.Posterior),
		blocks: r.Blocks(draws.Posterior, blockValues), place: make(map[int]int, len(elements)),
	}
	for _, v := range parts {
		s.names = append(s.names, v.ElementNames()...)
	}
	for k, e := range elements {
		s.place[e] = k
	}
	var stats *draws.Set
	if r.Has(draws.SampleStats) {
		if stats, err = r.ReadGroup(draws.SampleStats); err != nil {
			return Judgement{}, err
		}
	}
	return s.judge(stats, threads)
}

// SummarizeSet judges draws in memory; stats, the sample statistics, may be
// nil.
func SummarizeSet(set, stats *draws.Set, threads int) (Judgement, error) {
	all := draws.Block{}
	for e := range set.Names() {
		all.Elements = append(all.Elements, e)
		chains := make([][]float64, set.Chains())
		for c := range chains {
			chains[c] = set.Chain(c, e)[:set.Draws()]
		}
		all.Columns = append(all.Columns, chains)
	}
	s := source{names: set.Names(), chains: set.Chains(), draws: set.Draws(), place: map[int]int{}}
	for _, e := range all.Elements {
		s.place[e] = e
	}
	s.blocks = func(yield func(draws.Block, error) bool) { yield(all, nil) }
	return s.judge(stats, threads)
}

// source is draws to judge, a block at a time.
type source struct {
	names         []string
	chains, draws int
	blocks        iter.Seq2[draws.Block, error]
	place         map[int]int // row of each element that is asked for
}

func (s source) judge(stats *draws.Set, threads int) (Judgement, error) {
	rows := make(Parameters, len(s.names))
	seen := make([]oddity, len(s.names))
	for b, err := range s.blocks {
		if err != nil {
			return Judgement{}, err
		}
		parallel(len(b.Elements), threads, func(work *diag.Work, i int) {
			k, ok := s.place[b.Elements[i]]
			if !ok {
				return
			}
			rows[k] = row(s.names[k], diag.Summarize(b.Columns[i], work))
			seen[k] = inspect(b.Columns[i])
		})
	}
	j := Judgement{Parameters: rows}
	j.Warnings = warnings(rows, seen, s.chains, s.draws)
	j.Warnings = append(j.Warnings, divergences(stats)...)
	return j, nil
}

func row(name string, s diag.Summary) Parameter {
	return Parameter{
		Name: name, Mean: Number(s.Mean), SD: Number(s.SD), MCSEMean: Number(s.MCSEMean), MCSESD: Number(s.MCSESD),
		Q5: Number(s.Q5), Median: Number(s.Median), Q95: Number(s.Q95),
		ESSBulk: Number(s.ESSBulk), ESSTail: Number(s.ESSTail), Rhat: Number(s.Rhat),
	}
}

// parallel calls f for 0, …, n-1, each on one of several goroutines with
// work space of its own.
func parallel(n, threads int, f func(work *diag.Work, i int)) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(threads, n) {
		wg.Go(func() {
			work := new(diag.Work)
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(work, i)
			}
		})
	}
	wg.Wait()
}

// oddity is what stands out in the draws of an element.
type oddity struct {
	nan, inf int
	still    []int // chains, from 1, that kept one value
	constant bool  // all chains kept the same value
}

func inspect(chains [][]float64) oddity {
	o := oddity{constant: true}
	var first float64
	for c, chain := range chains {
		if len(chain) == 0 {
			continue
		}
		if c == 0 {
			first = chain[0]
		}
		still := true
		for _, x := range chain {
			still = still && x == chain[0]
			if math.IsNaN(x) {
				o.nan++
			} else if math.IsInf(x, 0) {
				o.inf++
			}
		}
		if still {
			o.still = append(o.still, c+1)
		}
		o.constant = o.constant && still && chain[0] == first
	}
	return o
}
