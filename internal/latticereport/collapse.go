package latticereport

import (
	"math"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/report"
)

// Exponents are what finite-size scaling takes (Fisher and Barber 1972): near Tc, of lattices of L sites a side,
//
//	|m| L^{β/ν},  χ L^{−γ/ν}  and  U  are functions of  t = (T − Tc)/Tc L^{1/ν}  alone.
type Exponents struct {
	Tc, Nu, BetaNu, GammaNu float64
}

// KnownExponents are those of the ferromagnet with J = 1 on a square lattice, exact for up to four colours (Onsager 1944, Baxter 1973,
// Wu 1982, table II), and of the Ising model on a cubic one (Ferrenberg, Xu and Landau 2018; Kos et al. 2016); ok tells whether there are any. Two
// colours are Ising's model when ising says so: its critical temperature is twice that of Potts's.
func KnownExponents(dimensions, colours int, ising bool) (e Exponents, ok bool) {
	switch {
	case dimensions == 3 && ising:
		return Exponents{1 / 0.221654626, 0.629971, 0.518149, 1.963702}, true
	case dimensions != 2:
		return e, false
	}
	switch colours {
	case 2:
		e = Exponents{0, 1, 1.0 / 8, 7.0 / 4}
	case 3:
		e = Exponents{0, 5.0 / 6, 2.0 / 15, 26.0 / 15}
	case 4:
		e = Exponents{0, 2.0 / 3, 1.0 / 8, 7.0 / 4}
	default:
		return e, false
	}
	e.Tc = 1 / math.Log(1+math.Sqrt(float64(colours)))
	if ising {
		e.Tc *= 2
	}
	return e, true
}

// CollapsePlots draws |m|, χ and U of several sizes so scaled that they fall on one curve each if the exponents hold.
func CollapsePlots(all []*Point, e Exponents) report.Page {
	sizes := bySize(all)
	var names []string
	for _, s := range sizes {
		names = append(names, s.name)
	}
	title := scanTitle(all) + ":  Tc = " + brief(e.Tc) + ",  ν = " + brief(e.Nu) + ",  β/ν = " + brief(e.BetaNu) + ",  γ/ν = " + brief(e.GammaNu)
	return report.Charts(title, "size", names, 1, e.collapsed(sizes))
}

func (e Exponents) collapsed(sizes []sized) []report.Chart {
	charts := []report.Chart{{Title: "|m| L^(β/ν)", LogY: true}, {Title: "χ L^(−γ/ν)", LogY: true}, {Title: "Binder cumulant  U"}}
	power := [...]float64{e.BetaNu, -e.GammaNu, 0}
	for k := range charts {
		charts[k].X = "t = (T − Tc)/Tc · L^(1/ν)"
		for _, s := range sizes {
			side := sideOf(s.name)
			f := math.Pow(side, power[k])
			var set report.Points
			for _, p := range s.points {
				v, se := [...]report.Number{p.AbsMagnetisation, p.Susceptibility, p.Binder}[k], [...]report.Number{p.AbsMagnetisationSE, p.SusceptibilitySE, p.BinderSE}[k]
				set.X = append(set.X, (float64(p.Temperature)-e.Tc)/e.Tc*math.Pow(side, 1/e.Nu))
				set.Y, set.SE = append(set.Y, float64(v)*f), append(set.SE, float64(se)*f)
			}
			charts[k].Sets = append(charts[k].Sets, set)
		}
	}
	return charts
}

func brief(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// sideOf is the length L of a size such as 64x64: the geometric mean of its lengths.
func sideOf(size string) float64 {
	logs, n := 0.0, 0.0
	for part := range strings.SplitSeq(size, "x") {
		if v, err := strconv.ParseFloat(part, 64); err == nil && v > 0 {
			logs += math.Log(v)
			n++
		}
	}
	return math.Exp(logs / n)
}
