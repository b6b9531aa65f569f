package latticereport

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Reweighted is what measurements at other temperatures say about one of them, with the jackknife's standard errors.
type Reweighted struct {
	Size             string        `json:"size"`
	Beta             report.Number `json:"beta"`
	Temperature      report.Number `json:"temperature"`
	Energy           report.Number `json:"energy"`
	EnergySE         report.Number `json:"energy_se"`
	SpecificHeat     report.Number `json:"specific_heat"`
	SpecificHeatSE   report.Number `json:"specific_heat_se"`
	AbsMagnetisation report.Number `json:"abs_magnetisation"`
	AbsSE            report.Number `json:"abs_magnetisation_se"`
	Susceptibility   report.Number `json:"susceptibility"`
	SusceptibilitySE report.Number `json:"susceptibility_se"`
	Binder           report.Number `json:"binder"`
	BinderSE         report.Number `json:"binder_se"`
	Effective        report.Number `json:"effective"` // independent measurements that it is worth
}

// NewReweighted is the quantities of a size, and the susceptibility as in [Point.Fill].
func NewReweighted(size string, r lattice.Reweighted, field bool) Reweighted {
	n := func(q lattice.Quantity) (value, se report.Number) {
		return report.Number(r.Value[q]), report.Number(r.SE[q])
	}
	w := Reweighted{Size: size, Beta: report.Number(r.Beta), Temperature: report.Number(1 / r.Beta), Effective: report.Number(r.Effective)}
	w.Energy, w.EnergySE = n(lattice.Energy)
	w.SpecificHeat, w.SpecificHeatSE = n(lattice.SpecificHeat)
	w.AbsMagnetisation, w.AbsSE = n(lattice.AbsMagnetisation)
	w.Susceptibility, w.SusceptibilitySE = n(susceptibility(field))
	w.Binder, w.BinderSE = n(lattice.Binder)
	return w
}

func susceptibility(field bool) lattice.Quantity {
	if field {
		return lattice.ConnectedSusceptibility
	}
	return lattice.Susceptibility
}

// WriteReweightedCSV writes a line for each temperature.
func WriteReweightedCSV(w io.Writer, all []Reweighted) error {
	out := csv.NewWriter(w)
	err := out.Write(strings.Split("size,beta,temperature,energy,energy_se,specific_heat,specific_heat_se,abs_magnetisation,abs_magnetisation_se,susceptibility,susceptibility_se,binder,binder_se,effective", ","))
	for _, r := range all {
		line := []string{r.Size}
		for _, x := range []report.Number{r.Beta, r.Temperature, r.Energy, r.EnergySE, r.SpecificHeat, r.SpecificHeatSE, r.AbsMagnetisation, r.AbsSE, r.Susceptibility, r.SusceptibilitySE, r.Binder, r.BinderSE, r.Effective} {
			line = append(line, decimal(float64(x)))
		}
		err = errors.Join(err, out.Write(line))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// Found is where a quantity of a size has its peak, or where those of two sizes cross.
type Found struct {
	What          string        `json:"what"` // "peak of specific_heat", "crossing of binder"
	Size          string        `json:"size"` // or two
	Temperature   report.Number `json:"temperature"`
	TemperatureSE report.Number `json:"temperature_se"`
	Value         report.Number `json:"value"` // of a peak
	SE            report.Number `json:"se"`
}

// WriteFoundCSV writes a line for each.
func WriteFoundCSV(w io.Writer, all []Found) error {
	out := csv.NewWriter(w)
	err := out.Write([]string{"what", "size", "temperature", "temperature_se", "value", "se"})
	for _, f := range all {
		line := []string{f.What, f.Size}
		for _, x := range []report.Number{f.Temperature, f.TemperatureSE, f.Value, f.SE} {
			line = append(line, decimal(float64(x)))
		}
		err = errors.Join(err, out.Write(line))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// Extras are what reweighting adds to the points.
type Extras struct {
	Curves []Reweighted // between the points
	Asked  []Reweighted
	Found  []Found
}

// CurvesOf are the curves in the form that [ScanPlots] takes.
func (x *Extras) CurvesOf() (all []Curve) {
	for _, r := range x.Curves {
		if n := len(all); n == 0 || all[n-1].Size != r.Size {
			all = append(all, Curve{Size: r.Size})
		}
		c := &all[len(all)-1]
		c.Temperature = append(c.Temperature, float64(r.Temperature))
		for k, v := range []report.Number{r.Energy, r.SpecificHeat, r.AbsMagnetisation, r.Susceptibility, r.Binder} {
			c.Values[k] = append(c.Values[k], float64(v))
		}
	}
	return all
}

// Write writes what was asked for and found, for people.
func (x *Extras) Write(w io.Writer, on report.Screen) error {
	var b strings.Builder
	if len(x.Asked) > 0 {
		b.WriteString("reweighted\n\nsize\tbeta\tT\tenergy\tse\tc\tse\t|m|\tse\tchi\tse\tBinder\tse\n")
		for _, r := range x.Asked {
			fmt.Fprintf(&b, "%s\t%s\t%s", r.Size, short(r.Beta), short(r.Temperature))
			for _, q := range [][2]report.Number{{r.Energy, r.EnergySE}, {r.SpecificHeat, r.SpecificHeatSE}, {r.AbsMagnetisation, r.AbsSE}, {r.Susceptibility, r.SusceptibilitySE}, {r.Binder, r.BinderSE}} {
				fmt.Fprintf(&b, "\t%s\t%s", rounded(q[0], q[1]), short2(q[1]))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	if len(x.Found) > 0 {
		b.WriteString("by reweighting\tsize\tT\tse\tvalue\tse\n")
		for _, f := range x.Found {
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%s\n", f.What, f.Size, rounded(f.Temperature, f.TemperatureSE), short2(f.TemperatureSE), rounded(f.Value, f.SE), short2(f.SE))
		}
		b.WriteString("\n")
	}
	if b.Len() == 0 {
		return nil
	}
	return report.WriteTables(w, b.String(), on)
}
