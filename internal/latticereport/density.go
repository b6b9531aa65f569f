package latticereport

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Density fills a point from a density of states, whose errors are those between walkers. What it does not tell stays absent.
func (p *Point) Density(d *lattice.DensityOfStates, beta float64) {
	t, n := d.At(beta), float64(d.Sites)
	none := report.Number(math.NaN())
	for _, x := range []*report.Number{&p.EnergySEBinning, &p.EnergySETau, &p.Magnetisation, &p.MagnetisationSE, &p.MagnetisationSEBin, &p.MagnetisationSETau,
		&p.AbsMagnetisation, &p.AbsMagnetisationSE, &p.AbsMagnetisationBin, &p.AbsMagnetisationTau, &p.SpecificHeatBin, &p.SpecificHeatTau,
		&p.Susceptibility, &p.SusceptibilitySE, &p.SusceptibilityBin, &p.SusceptibilityTau, &p.Binder, &p.BinderSE, &p.BinderBin, &p.BinderTau,
		&p.TauEnergy, &p.TauMagnetisation, &p.RhatEnergy, &p.RhatMagnetisation, &p.FlipsPerNs} {
		*x = none
	}
	p.Energy, p.EnergySE = report.Number(t.Energy.Mean/n), report.Number(t.Energy.SE/n)
	p.SpecificHeat, p.SpecificHeatSE = report.Number(t.SpecificHeat.Mean/n), report.Number(t.SpecificHeat.SE/n)
	for _, x := range []struct {
		to **report.Number
		v  float64
	}{{&p.LogZ, t.LogZ.Mean}, {&p.LogZSE, t.LogZ.SE}, {&p.Entropy, t.Entropy.Mean / n}, {&p.EntropySE, t.Entropy.SE / n}} {
		v := report.Number(x.v)
		*x.to = &v
	}
}

// writeDensity is the table of points that a density of states fills.
func writeDensity(b *strings.Builder, all []*Point) {
	b.WriteString("\nsize\tbeta\tT\tenergy\tse\tc\tse\tln Z\tse\tentropy\tse\n")
	for _, p := range all {
		fmt.Fprintf(b, "%s\t%s\t%s", p.Size, short(p.Beta), short(p.Temperature))
		for _, q := range [][2]report.Number{{p.Energy, p.EnergySE}, {p.SpecificHeat, p.SpecificHeatSE}, {*p.LogZ, *p.LogZSE}, {*p.Entropy, *p.EntropySE}} {
			fmt.Fprintf(b, "\t%s\t%s", rounded(q[0], q[1]), short2(q[1]))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

// CrossingsLeast is how often walkers should have crossed the range of energies before the differences between them are taken for errors.
const CrossingsLeast = 20

// DensityWarnings are of levels that some walkers did not come to, and of walkers that have seen too little of the range of energies.
func DensityWarnings(d *lattice.DensityOfStates) (all []report.Warning) {
	missed, crossings := 0, 0.0
	for k := range d.Energies {
		if math.IsInf(d.Level(k).SE, 1) {
			missed++
		}
	}
	for _, n := range d.Crossings {
		crossings += float64(n) / float64(len(d.Crossings))
	}
	if missed > 0 {
		all = append(all, report.Warning{Code: "lattice_levels_missed", Parameter: "density", Value: report.Number(missed),
			Message: fmt.Sprintf("of %s, %d were not come to by every walker, and have no ln g: more sweeps are needed", wording.Count(len(d.Energies), "level", "levels"), missed)})
	}
	if crossings < CrossingsLeast {
		all = append(all, report.Warning{Code: "lattice_few_crossings", Parameter: "density", Value: report.Number(crossings),
			Message: fmt.Sprintf("walkers have crossed the range of energies %.3g times in the mean since the factor of their estimates has followed 1/t, below %d: what their start left in them may be as large as "+
				"the standard errors, which are differences between walkers; more sweeps are needed", crossings, CrossingsLeast)})
	}
	return all
}

// DensityPlots draws ln g and its standard error against energy.
func DensityPlots(title string, d *lattice.DensityOfStates) report.Page {
	g, se := report.Points{Joins: true}, report.Points{Joins: true}
	for k, e := range d.Energies {
		l := d.Level(k)
		g.X, g.Y, g.SE = append(g.X, e), append(g.Y, l.Mean), append(g.SE, l.SE)
		se.X, se.Y = append(se.X, e), append(se.Y, l.SE)
	}
	return report.Charts(title, "", nil, 1, []report.Chart{
		{Title: "ln g(E)", X: "energy  E", Sets: []report.Points{g}}, {Title: "standard error of ln g", X: "energy  E", Sets: []report.Points{se}}})
}

// WriteDensityCSV writes a line for each energy: ln g, with the error between walkers.
func WriteDensityCSV(w io.Writer, d *lattice.DensityOfStates) error {
	out := csv.NewWriter(w)
	err := out.Write([]string{"energy", "log_g", "se"})
	for k, e := range d.Energies {
		l := d.Level(k)
		err = errors.Join(err, out.Write([]string{decimal(e), decimal(l.Mean), decimal(l.SE)}))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}
