package latticereport

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Point is what a run found at one size and temperature, all per site, in units of the coupling 1. Of each quantity there are two standard
// errors, by binning and by the autocorrelation time; that without a name is the larger.
type Point struct {
	Model       string        `json:"model"`
	Lattice     string        `json:"lattice"`
	Size        string        `json:"size"`
	Sites       int           `json:"sites"`
	Q           int           `json:"q"`
	Beta        report.Number `json:"beta"` // null: infinite
	Temperature report.Number `json:"temperature"`
	Algorithm   string        `json:"algorithm"`
	Spins       string        `json:"spins"` // how they are kept: "bits", 64 of a checkerboard's colour in a word, or "bytes"
	Chains      int           `json:"chains"`
	Warmup      int           `json:"warmup"`
	Sweeps      int           `json:"sweeps"`

	Energy              report.Number `json:"energy"`
	EnergySE            report.Number `json:"energy_se"`
	EnergySEBinning     report.Number `json:"energy_se_binning"`
	EnergySETau         report.Number `json:"energy_se_tau"`
	Magnetisation       report.Number `json:"magnetisation"`
	MagnetisationSE     report.Number `json:"magnetisation_se"`
	MagnetisationSEBin  report.Number `json:"magnetisation_se_binning"`
	MagnetisationSETau  report.Number `json:"magnetisation_se_tau"`
	AbsMagnetisation    report.Number `json:"abs_magnetisation"`
	AbsMagnetisationSE  report.Number `json:"abs_magnetisation_se"`
	AbsMagnetisationBin report.Number `json:"abs_magnetisation_se_binning"`
	AbsMagnetisationTau report.Number `json:"abs_magnetisation_se_tau"`
	SpecificHeat        report.Number `json:"specific_heat"`
	SpecificHeatSE      report.Number `json:"specific_heat_se"`
	SpecificHeatBin     report.Number `json:"specific_heat_se_binning"`
	SpecificHeatTau     report.Number `json:"specific_heat_se_tau"`
	Susceptibility      report.Number `json:"susceptibility"`
	SusceptibilitySE    report.Number `json:"susceptibility_se"`
	SusceptibilityBin   report.Number `json:"susceptibility_se_binning"`
	SusceptibilityTau   report.Number `json:"susceptibility_se_tau"`
	Binder              report.Number `json:"binder"`
	BinderSE            report.Number `json:"binder_se"`
	BinderBin           report.Number `json:"binder_se_binning"`
	BinderTau           report.Number `json:"binder_se_tau"`
	TauEnergy           report.Number `json:"tau_energy"`        // sweeps
	TauMagnetisation    report.Number `json:"tau_magnetisation"` // of |m|
	RhatEnergy          report.Number `json:"rhat_energy"`
	RhatMagnetisation   report.Number `json:"rhat_magnetisation"` // of |m|

	// CorrelationLength is there where structure factors were measured.
	CorrelationLength   *report.Number `json:"correlation_length,omitempty"`
	CorrelationLengthSE *report.Number `json:"correlation_length_se,omitempty"`
	Correlation         []AtDistance   `json:"correlation,omitempty"`
	// ClusterSize is the mean number of sites of clusters as Wolff's algorithm meets them, in proportion to their size.
	ClusterSize   *report.Number `json:"cluster_size,omitempty"`
	ClusterSizeSE *report.Number `json:"cluster_size_se,omitempty"`
	// Swaps is the acceptance of swaps with the replica at the next temperature, under tempering.
	Swaps      *report.Number `json:"swap_acceptance,omitempty"`
	RoundTrips *int           `json:"round_trips,omitempty"` // of all chains, from the first temperature to the last and back

	// LogZ and the entropy per site are there where the density of states is known.
	LogZ      *report.Number `json:"log_z,omitempty"`
	LogZSE    *report.Number `json:"log_z_se,omitempty"`
	Entropy   *report.Number `json:"entropy,omitempty"`
	EntropySE *report.Number `json:"entropy_se,omitempty"`
	// Reweighted is what was asked for at temperatures to which this one is the nearest.
	Reweighted []Reweighted `json:"reweighted,omitempty"`

	// Of the run, with all its points.
	FlipsPerNs report.Number `json:"flips_per_ns"` // spins that were offered a move, for each nanosecond of processor time after warm-up
	WallS      float64       `json:"wall_s"`
	CPUS       float64       `json:"cpu_s"`
}

// Fill takes over what an analysis says.
func (p *Point) Fill(a *lattice.Analysis, field bool) {
	chi := susceptibility(field)
	for _, f := range []struct {
		of                  lattice.Quantity
		value, se, bin, tau *report.Number
	}{
		{lattice.Energy, &p.Energy, &p.EnergySE, &p.EnergySEBinning, &p.EnergySETau},
		{lattice.Magnetisation, &p.Magnetisation, &p.MagnetisationSE, &p.MagnetisationSEBin, &p.MagnetisationSETau},
		{lattice.AbsMagnetisation, &p.AbsMagnetisation, &p.AbsMagnetisationSE, &p.AbsMagnetisationBin, &p.AbsMagnetisationTau},
		{lattice.SpecificHeat, &p.SpecificHeat, &p.SpecificHeatSE, &p.SpecificHeatBin, &p.SpecificHeatTau},
		{chi, &p.Susceptibility, &p.SusceptibilitySE, &p.SusceptibilityBin, &p.SusceptibilityTau},
		{lattice.Binder, &p.Binder, &p.BinderSE, &p.BinderBin, &p.BinderTau},
	} {
		e := a.Of(f.of)
		*f.value, *f.se, *f.bin, *f.tau = report.Number(e.Value), report.Number(e.SE()), report.Number(e.Binning), report.Number(e.Autocorrelation)
	}
	p.TauEnergy, p.TauMagnetisation = report.Number(a.Of(lattice.Energy).Tau), report.Number(a.Of(lattice.AbsMagnetisation).Tau)
	p.RhatEnergy, p.RhatMagnetisation = report.Number(a.RhatEnergy), report.Number(a.RhatMagnetisation)
	if x := a.Of(lattice.CorrelationLength); !math.IsNaN(x.Value) {
		value, se := report.Number(x.Value), report.Number(x.SE())
		p.CorrelationLength, p.CorrelationLengthSE = &value, &se
	}
}

// AtDistance is the correlation at a distance along the axes: see lattice.Correlation.
type AtDistance struct {
	Distance int           `json:"r"`
	Value    report.Number `json:"value"`
	SE       report.Number `json:"se"`
}

// Correlations adds those at each distance, of which the measurements are chains × draws.
func (p *Point) Correlations(distances []int, of [][][]float64) {
	for k, r := range distances {
		mean, se := meanOf(of[k])
		p.Correlation = append(p.Correlation, AtDistance{r, mean, se})
	}
}

// correlated is the correlations as [CorrelationPlots] takes them.
func (p *Point) correlated() Correlated {
	c := Correlated{Beta: float64(p.Beta)}
	for _, x := range p.Correlation {
		c.Distance = append(c.Distance, x.Distance)
		c.G = append(c.G, lattice.Estimate{Value: float64(x.Value), Binning: math.NaN(), Autocorrelation: float64(x.SE)})
	}
	return c
}

// PointCorrelations draws the correlations of the points of one size.
func PointCorrelations(title string, all []*Point) report.Page {
	var list []Correlated
	for _, p := range all {
		list = append(list, p.correlated())
	}
	return CorrelationPlots(title, list)
}

// Clusters adds the mean size of clusters.
func (p *Point) Clusters(of [][]float64) {
	mean, se := meanOf(of)
	p.ClusterSize, p.ClusterSizeSE = &mean, &se
}

func meanOf(chains [][]float64) (mean, se report.Number) {
	sum, n := 0.0, 0
	for _, chain := range chains {
		for _, x := range chain {
			sum += x
		}
		n += len(chain)
	}
	return report.Number(sum / float64(n)), report.Number(diag.MCSEMean(chains))
}

// Warnings are those of an analysis, with the place that they are about.
func (p *Point) Warnings(a *lattice.Analysis) (all []report.Warning) {
	for _, w := range a.Warnings {
		all = append(all, report.Warning{Code: "lattice_" + w.Code, Parameter: w.Quantity, Value: report.Number(w.Value),
			Message: fmt.Sprintf("size %s, β = %s: %s", p.Size, short(p.Beta), w.Message)})
	}
	return all
}

// Few leaves of warnings that differ in their place alone the gravest, which says how many there are, unless all are asked for. They are
// sorted by code.
func Few(all []report.Warning, every bool) []report.Warning {
	if every {
		return all
	}
	var few []report.Warning
	for from := 0; from < len(all); {
		worst, n := all[from], 0
		for _, w := range all[from:] {
			if w.Code != worst.Code {
				break
			}
			if n++; gravity(w) > gravity(worst) {
				worst = w
			}
		}
		if from += n; n > 1 {
			worst.Message += fmt.Sprintf(" (the gravest of %d warnings of this kind)", n)
		}
		few = append(few, worst)
	}
	return few
}

// gravity rises with what is wrong: passages are the worse the fewer they are.
func gravity(w report.Warning) float64 {
	switch w.Code {
	case "lattice_" + lattice.CodeSign, "lattice_" + lattice.CodePhases:
		return -float64(w.Value)
	}
	return float64(w.Value)
}

// WritePoints writes a table for people: of one point a line for each quantity, of several a line for each point.
func WritePoints(w io.Writer, all []*Point, on report.Screen) error {
	if len(all) == 0 {
		return nil
	}
	p := all[0]
	var b strings.Builder
	what := p.Model
	if p.Model == "potts" {
		what = fmt.Sprintf("potts, %d colours", p.Q)
	}
	fmt.Fprintf(&b, "%s, %s, %s, spins as %s: %s of %d sweeps\n", what, p.Lattice, p.Algorithm, p.Spins, wording.Count(p.Chains, "chain", "chains"), p.Sweeps)
	switch {
	case p.LogZ != nil:
		writeDensity(&b, all)
		return report.WriteTables(w, b.String(), on)
	case len(all) == 1:
		p.writeOne(&b)
	default:
		writeScan(&b, all)
	}
	fmt.Fprintf(&b, "%.3g flips/ns of processor time\n", float64(p.FlipsPerNs))
	return report.WriteTables(w, b.String(), on)
}

func (p *Point) writeOne(b *strings.Builder) {
	fmt.Fprintf(b, "size %s, β = %s, T = %s\n\n", p.Size, short(p.Beta), short(p.Temperature))
	b.WriteString("quantity\tvalue\tse (binning)\tse (tau)\ttau\n")
	row := func(name string, value, bin, tau report.Number, time report.Number) {
		fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\n", name, rounded(value, larger(bin, tau)), short2(bin), short2(tau), digits(time, 3))
	}
	none := report.Number(math.NaN())
	row("energy", p.Energy, p.EnergySEBinning, p.EnergySETau, p.TauEnergy)
	row("specific heat", p.SpecificHeat, p.SpecificHeatBin, p.SpecificHeatTau, none)
	row("magnetisation", p.Magnetisation, p.MagnetisationSEBin, p.MagnetisationSETau, none)
	row("|magnetisation|", p.AbsMagnetisation, p.AbsMagnetisationBin, p.AbsMagnetisationTau, p.TauMagnetisation)
	row("susceptibility", p.Susceptibility, p.SusceptibilityBin, p.SusceptibilityTau, none)
	row("Binder", p.Binder, p.BinderBin, p.BinderTau, none)
	if p.CorrelationLength != nil {
		row("correlation length", *p.CorrelationLength, none, *p.CorrelationLengthSE, none)
	}
	if p.ClusterSize != nil {
		row("cluster size", *p.ClusterSize, none, *p.ClusterSizeSE, none)
	}
	b.WriteString("\n")
	if len(p.Correlation) > 0 {
		b.WriteString("r\tG(r)\tse\n")
		for _, c := range p.Correlation {
			fmt.Fprintf(b, "%d\t%s\t%s\n", c.Distance, rounded(c.Value, c.SE), short2(c.SE))
		}
		b.WriteString("\n")
	}
}

func writeScan(b *strings.Builder, all []*Point) {
	b.WriteString("\nsize\tbeta\tT\tenergy\tse\tse (tau)\tc\tse\t|m|\tse\tchi\tse\tBinder\tse\ttau e\ttau |m|\n")
	for _, p := range all {
		fmt.Fprintf(b, "%s\t%s\t%s", p.Size, short(p.Beta), short(p.Temperature))
		fmt.Fprintf(b, "\t%s\t%s\t%s", rounded(p.Energy, p.EnergySE), short2(p.EnergySEBinning), short2(p.EnergySETau))
		for _, q := range [][2]report.Number{{p.SpecificHeat, p.SpecificHeatSE}, {p.AbsMagnetisation, p.AbsMagnetisationSE}, {p.Susceptibility, p.SusceptibilitySE}, {p.Binder, p.BinderSE}} {
			fmt.Fprintf(b, "\t%s\t%s", rounded(q[0], q[1]), short2(q[1]))
		}
		fmt.Fprintf(b, "\t%s\t%s\n", digits(p.TauEnergy, 3), digits(p.TauMagnetisation, 3))
	}
	b.WriteString("\n")
}

// larger is the larger one that exists.
func larger(a, b report.Number) report.Number {
	if a > b || math.IsNaN(float64(b)) {
		return a
	}
	return b
}

// rounded shows two digits of the standard error.
func rounded(x, se report.Number) string {
	if math.IsNaN(float64(x)) {
		return "-"
	}
	if !(se > 0) {
		return strconv.FormatFloat(float64(x), 'g', 6, 64)
	}
	return strconv.FormatFloat(float64(x), 'f', min(max(0, 1-int(math.Floor(math.Log10(float64(se))))), 12), 64)
}

// Beta is an inverse temperature as text.
func Beta(x float64) string { return short(report.Number(x)) }

func short(x report.Number) string { return digits(x, 5) }

func short2(x report.Number) string { return digits(x, 2) }

func digits(x report.Number, n int) string {
	switch {
	case math.IsNaN(float64(x)):
		return "-"
	case math.IsInf(float64(x), 1):
		return "inf"
	}
	return strconv.FormatFloat(float64(x), 'g', n, 64)
}
