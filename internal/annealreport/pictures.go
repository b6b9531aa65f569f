package annealreport

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Pictures are what is drawn of a run.
type Pictures struct {
	Title  string         `json:"title"`
	Value  string         `json:"value"` // what the values are
	Best   float64        `json:"best"`
	Known  report.Number  `json:"best_known"`
	Reads  []float64      `json:"reads"`
	Traces []anneal.Trace `json:"traces"`
	Tour   [][2]float64   `json:"tour,omitempty"` // places in their order
}

// Picture is a page with the name of its file.
type Picture struct {
	Name string
	Page report.Page
}

// All are the pictures that there is something for.
func (p *Pictures) All() []Picture {
	all := []Picture{{"energy", p.courses()}, {"reads", p.histogram()}}
	if len(p.Tour) == 0 {
		return all
	}
	var x, y []float64
	for _, at := range p.Tour {
		x, y = append(x, at[0]), append(y, at[1])
	}
	return append(all, Picture{"tour", report.Tour(fmt.Sprintf("%s, %s %s", p.Title, p.Value, Value(p.Best)), x, y)})
}

// drawnTraces is how many reads can be told apart in a picture.
const drawnTraces = 5

// courses draws values and temperatures of the first reads against sweeps.
func (p *Pictures) courses() report.Page {
	values := report.Chart{Title: p.Value + " of the state, first replica", X: "sweep"}
	best := report.Chart{Title: "how far the best so far of a read is from the best " + p.Value + " of all", X: "sweep", LogY: true}
	heat := report.Chart{Title: "temperature", X: "sweep", LogY: true}
	var names []string
	for k, t := range p.Traces[:min(len(p.Traces), drawnTraces)] {
		var x []float64
		for _, s := range t.Sweep {
			x = append(x, float64(s))
		}
		values.Sets = append(values.Sets, report.Points{LineX: x, LineY: t.Energy})
		var off []float64
		for _, v := range t.Best {
			off = append(off, math.Abs(v-p.Best))
		}
		best.Sets = append(best.Sets, report.Points{LineX: x, LineY: off})
		heat.Sets = append(heat.Sets, report.Points{LineX: x, LineY: t.Temperature})
		names = append(names, fmt.Sprint(k+1))
	}
	charts := []report.Chart{values, best}
	if slices.ContainsFunc(p.Traces, func(t anneal.Trace) bool {
		return slices.ContainsFunc(t.Temperature, func(x float64) bool { return x > 0 })
	}) {
		charts = append(charts, heat)
	}
	return report.Charts(p.Title, "walker", names, 1, charts)
}

// bins of a histogram, at most.
const bins = 40

// histogram draws how many reads came to which values.
func (p *Pictures) histogram() report.Page {
	chart := report.Chart{Title: "reads", X: p.Value}
	chart.Sets = []report.Points{histogram(p.Reads)}
	if known := float64(p.Known); !math.IsNaN(known) {
		chart.Marks = []report.Mark{{X: known, Name: "best known"}}
	}
	return report.Charts(fmt.Sprintf("%s, %d reads", p.Title, len(p.Reads)), "", []string{}, 1, []report.Chart{chart})
}

// histogram counts values in bins: of width 1, or a whole number of it, where all are whole.
func histogram(values []float64) report.Points {
	if len(values) == 0 {
		return report.Points{}
	}
	lo, hi := max(slices.Min(values), -1e300), min(slices.Max(values), 1e300)
	width := (hi - lo) / bins
	if !slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) }) {
		width = max(math.Ceil((hi-lo+1)/bins), 1)
		lo -= 0.5
	}
	if !(width > 0) || math.IsInf(width, 0) {
		width = max(math.Abs(lo)/100, 1e-3)
		lo -= float64(width / 2)
	}
	n := min(int((hi-lo)/width)+1, 4*bins)
	set := report.Points{X: make([]float64, n), Y: make([]float64, n), Bars: width}
	for i := range n {
		set.X[i] = lo + float64((float64(i)+0.5)*width)
	}
	for _, v := range values {
		set.Y[min(max(int((v-lo)/width), 0), n-1)]++
	}
	return set
}
