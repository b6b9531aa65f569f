package markov

import (
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// AbsorptionTable says where a chain ends from each of some starts, by the names of states.
type AbsorptionTable struct {
	States  []string    `json:"states"`
	Classes []string    `json:"classes"` // closed ones, by their first states
	P       [][]float64 `json:"probability"`
	Steps   []float64   `json:"steps"` // expected number of steps until then
}

// Beyond these no table is computed that needs a dense matrix of the transient states.
const (
	absorbStates = 2000
	absorbCells  = 1_000_000
)

func (a *Analysis) absorb() {
	closed := len(a.classes.Closed())
	switch {
	case a.Transient == 0:
		a.Why["absorption"] = "no state is transient"
		return
	case a.Transient > absorbStates || a.Transient*closed > absorbCells:
		a.Why["absorption"] = fmt.Sprintf("not computed: %s and %s; Analysis.AbsorbFrom gives it for one start",
			wording.Count(a.Transient, "transient state", "transient states"), wording.Count(closed, "closed class", "closed classes"))
		return
	}
	all, err := Absorb(a.chain, a.classes)
	if err != nil {
		a.Why["absorption"] = err.Error()
		return
	}
	var starts []string
	for _, i := range all.Transient {
		starts = append(starts, a.Names[i])
	}
	a.table(starts, all.P, all.Steps)
}

func (a *Analysis) table(starts []string, p [][]float64, steps []float64) {
	a.Absorption = &AbsorptionTable{States: starts, P: p, Steps: steps}
	for _, k := range a.classes.Closed() {
		a.Absorption.Classes = append(a.Absorption.Classes, a.Names[a.classes.List[k].States[0]])
	}
}

// AbsorbFrom makes a table of absorption for one start, under the name given, where there is none for all transient states.
func (a *Analysis) AbsorbFrom(name string, start []float64) error {
	if a.Absorption != nil || a.Transient == 0 {
		return nil
	}
	e, err := Solver{}.AbsorbFrom(a.chain, a.classes, start)
	if err != nil {
		return err
	}
	a.table([]string{name}, [][]float64{e.P}, []float64{e.Steps})
	delete(a.Why, "absorption")
	return nil
}

// HittingTimes are the expected numbers of steps from each state to the first visit to the target, +Inf where the chain may
// never get there: by reduction of a dense matrix, or of a large irreducible chain by iteration.
func (a *Analysis) HittingTimes(target int) ([]float64, error) {
	large := a.States > absorbStates && !a.set.Spectrum
	switch {
	case large && a.Irreducible:
		h, err := Solver{}.HittingLarge(a.chain, a.Stationary, target)
		if err != nil {
			return nil, err
		}
		return h.Steps, nil
	case large && a.States <= DenseStates:
		return nil, fmt.Errorf("hitting times of %d states in several classes need a dense matrix; AnalysisSettings.Spectrum lets it be made", a.States)
	}
	h, err := Hitting(a.chain, target)
	var size *SizeError
	if errors.As(err, &size) {
		size.Advice = "without AnalysisSettings.Spectrum they are found by iteration"
		if !a.Irreducible {
			size.Advice = "cut the file to the states that matter and those on their way to " + a.Names[target]
		}
	}
	return h, err
}
