package latticereport

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/report"
)

// plotted is a quantity of a panel.
type plotted struct {
	title string
	log   bool // for several sizes, of which it differs by powers
	of    func(p *Point) (value, se report.Number)
}

var panels = [...]plotted{
	{"energy per site  e", false, func(p *Point) (v, se report.Number) { return p.Energy, p.EnergySE }},
	{"specific heat  c", false, func(p *Point) (v, se report.Number) { return p.SpecificHeat, p.SpecificHeatSE }},
	{"magnetisation  |m|", false, func(p *Point) (v, se report.Number) { return p.AbsMagnetisation, p.AbsMagnetisationSE }},
	{"susceptibility  χ", true, func(p *Point) (v, se report.Number) { return p.Susceptibility, p.SusceptibilitySE }},
	{"Binder cumulant  U", false, func(p *Point) (v, se report.Number) { return p.Binder, p.BinderSE }},
	{"autocorrelation time of e, sweeps", true, func(p *Point) (v, se report.Number) { return p.TauEnergy, 0 }},
}

// sized is the points of one size by rising temperature.
type sized struct {
	name   string
	points []*Point
}

// bySize keeps the order in which sizes appear.
func bySize(all []*Point) []sized {
	var list []sized
	for _, p := range all {
		k := slices.IndexFunc(list, func(s sized) bool { return s.name == p.Size })
		if k < 0 {
			k = len(list)
			list = append(list, sized{name: p.Size})
		}
		list[k].points = append(list[k].points, p)
	}
	for _, s := range list {
		slices.SortStableFunc(s.points, func(a, b *Point) int { return cmp.Compare(a.Temperature, b.Temperature) })
	}
	return list
}

// ScanPlots draws e, c, |m|, χ, U and the autocorrelation time against temperature, a colour for each size, with error bars of one
// standard error. Curves between the points are reweighted; without them points are joined. critical is a temperature to mark;
// NaN: none.
func ScanPlots(all []*Point, curves []Curve, critical float64) report.Page {
	sizes := bySize(all)
	var names []string
	for _, s := range sizes {
		names = append(names, s.name)
	}
	var charts []report.Chart
	for k, panel := range panels {
		chart := report.Chart{Title: panel.title, X: "temperature  T", LogY: panel.log && len(sizes) > 1}
		if !math.IsNaN(critical) {
			chart.Marks = []report.Mark{{X: critical, Name: "Tc"}}
		}
		for _, s := range sizes {
			set := report.Points{Joins: true}
			for _, p := range s.points {
				v, se := panel.of(p)
				set.X, set.Y, set.SE = append(set.X, float64(p.Temperature)), append(set.Y, float64(v)), append(set.SE, float64(se))
			}
			for _, c := range curves {
				if c.Size == s.name && k < len(c.Values) && len(c.Values[k]) > 0 {
					set.LineX, set.LineY, set.Joins = c.Temperature, c.Values[k], false
				}
			}
			chart.Sets = append(chart.Sets, set)
		}
		charts = append(charts, chart)
	}
	return report.Charts(scanTitle(all), "size", names, 2, charts)
}

func scanTitle(all []*Point) string {
	if len(all) == 0 {
		return "no points"
	}
	p := all[0]
	model := "Ising model"
	if p.Model == "potts" {
		model = fmt.Sprintf("Potts model of %d colours", p.Q)
	}
	title := fmt.Sprintf("%s, %s lattice", model, p.Lattice)
	if !slices.ContainsFunc(all, func(x *Point) bool { return x.Size != p.Size }) {
		title += ", " + p.Size
	}
	return title + ", " + p.Algorithm
}

// Curve is what reweighting gives between the temperatures of one size: energy, specific heat, |m|, susceptibility and Binder
// cumulant at each temperature; an empty list is not drawn.
type Curve struct {
	Size        string
	Temperature []float64
	Values      [5][]float64
}
