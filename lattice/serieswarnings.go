package lattice

import (
	"fmt"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Warning says where measurements do not reach, and what to do about it.
type Warning struct {
	Code     string // one of the codes
	Quantity string // as Quantity.String has it; "" where it concerns all
	Value    float64
	Message  string
}

// Codes of warnings.
const (
	CodeShort    = "short_series"    // of fewer than 50 autocorrelation times
	CodePlateau  = "no_plateau"      // errors by blocks still grow with the block size
	CodeErrors   = "errors_disagree" // the two standard errors
	CodeRhat     = "rhat"            // chains disagree
	CodeSign     = "sign"            // the sign of the magnetisation hardly changes
	CodePhases   = "two_phases"      // with few passages between them
	CodeConstant = "constant"        // the energy never changes
)

const (
	rhatMax    = 1.01 // Vehtari et al. 2021
	enoughTaus = 50   // autocorrelation times that a chain takes for its errors to be trusted (Sokal 1989; as diag.AutocorrTime)
	enoughPass = 20   // changes of sign, or passages between phases, below which shares are known to worse than a fifth or so
)

func (a *Analysis) add(code, quantity string, value float64, format string, args ...any) {
	a.Warnings = append(a.Warnings, Warning{code, quantity, value, fmt.Sprintf(format, args...)})
}

func (a *Analysis) warn(s *Series) {
	every := float64(max(s.Every, 1))
	e := a.Of(Energy)
	if a.Measurements > 1 && e.Binning == 0 && !math.IsInf(s.Beta, 1) {
		a.add(CodeConstant, Energy.String(), e.Value, "the energy is %v in all measurements: nothing moves, or too seldom to be seen; run longer, or take another algorithm or a higher temperature", e.Value)
	}
	if t := a.Levels; t != nil && 2*t.RoundTrips < enoughPass {
		a.add(CodePhases, Energy.String(), float64(t.RoundTrips), "two phases with energies of %.4g and %.4g a site, and %s between them in all chains: what share each has is not known, nor are means over both; "+
			"run longer, or take parallel tempering or Wang–Landau, which pass between phases", t.Low, t.High, wording.Count(t.RoundTrips, "round trip", "round trips"))
	}
	if m := a.Of(Magnetisation); s.Symmetric && m.SE() > 0 && a.SignChanges < enoughPass {
		a.add(CodeSign, Magnetisation.String(), float64(a.SignChanges), "the magnetisation changes sign %s in all chains: its mean is that of the phases they are in, and not the 0 that symmetry asks for; "+
			"read the mean of |m|, or take an algorithm that turns clusters", wording.Count(a.SignChanges, "time", "times"))
	}
	for _, r := range []struct {
		of    Quantity
		value float64
	}{{Energy, a.RhatEnergy}, {AbsMagnetisation, a.RhatMagnetisation}} {
		if r.value > rhatMax {
			a.add(CodeRhat, r.of.String(), r.value, "R-hat of the %s is %s, above %v: chains, or their halves, disagree; warm up longer, run longer, or take an algorithm that moves further", r.of.words(), strings.TrimPrefix(strings.ToLower(fmt.Sprintf("%.3f", r.value)), "+"), rhatMax)
		}
	}
	for _, q := range []Quantity{Energy, AbsMagnetisation} {
		x := a.Of(q)
		if n := float64(a.Measurements) * every; x.Tau*enoughTaus > n {
			a.add(CodeShort, q.String(), x.Tau, "chains of %.0f sweeps are shorter than %d times the autocorrelation time of the %s, %.3g, which may well be longer than that: run on, to %.0f sweeps or more",
				n, enoughTaus, q.words(), x.Tau, math.Ceil(enoughTaus*x.Tau))
		}
	}
	a.warnErrors()
}

// warnErrors warns of the first quantity whose errors are in doubt: the same measurements lie behind all.
func (a *Analysis) warnErrors() {
	plateau, agree := false, false
	for q, e := range a.Estimates {
		name, words := Quantity(q).String(), Quantity(q).words()
		if Quantity(q) == Magnetisation { // of which the sign tells more
			continue
		}
		if !plateau && !e.Plateau && !math.IsNaN(e.Value) {
			plateau = true
			a.add(CodePlateau, name, float64(e.Blocks), "%s too few for blocks that are longer than the correlations of the %s: its error by blocks is too low; run longer",
				wording.Count(a.Chains*a.Measurements, "measurement is", "measurements are"), words)
		}
		ratio := e.Binning / e.Autocorrelation
		if !agree && e.Plateau && math.Max(ratio, 1/ratio) > doubtful(e.Blocks) {
			agree = true
			a.add(CodeErrors, name, ratio, "the standard error of the %s is %.2g by blocks and %.2g by autocorrelations: the larger is reported; run longer", words, e.Binning, e.Autocorrelation)
		}
	}
}

// doubtful is a ratio of two standard errors that chance hardly explains: that of one by n blocks scatters by 1/√(2(n − 1)).
func doubtful(blocks int) float64 { return 1.4 + 4/math.Sqrt(2*float64(max(blocks, 2)-1)) }

// words name the quantity in a sentence.
func (q Quantity) words() string {
	return [...]string{"energy", "specific heat", "magnetisation", "magnitude |m| of the magnetisation", "squared magnetisation", "susceptibility",
		"susceptibility β N ⟨m²⟩", "susceptibility β N (⟨m²⟩ − ⟨m⟩²)", "Binder cumulant", "correlation length"}[q]
}
