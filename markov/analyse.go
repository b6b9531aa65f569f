package markov

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// AnalysisSettings say what [Analyse] computes. The zero value works.
type AnalysisSettings struct {
	Epsilon float64 // total variation that defines the mixing time; 0: 0.25
	// Spectrum asks for all eigenvalues, the mixing time, Kemeny's constant and hitting times of a chain of several classes also beyond
	// 1000 states, in n³ operations and n² numbers.
	Spectrum bool
}

// Analysis is what there is to know of a chain, under the names that it has as JSON. A pointer or slice is nil where a number does
// not exist or was not computed: Why says the reason, under the same name.
type Analysis struct {
	States      int       `json:"states"`
	Irreducible bool      `json:"irreducible"`
	Classes     int       `json:"classes"`
	Period      *int      `json:"period"`
	Stationary  []float64 `json:"stationary"`
	Reversible  *bool     `json:"reversible"`
	SLEM        *float64  `json:"slem"`
	MixingTime  *int      `json:"mixing_time"`
	Kemeny      *float64  `json:"kemeny"`

	SpectralGap     *float64          `json:"spectral_gap"`
	SLEMError       *float64          `json:"slem_error,omitempty"`         // of an eigenvalue found by iteration
	MixingBounds    []float64         `json:"mixing_time_bounds,omitempty"` // of a large reversible chain
	Why             map[string]string `json:"why_null"`
	Names           []string          `json:"names"`
	Transitions     int               `json:"transitions"`
	Transient       int               `json:"transient"`
	Absorbing       []string          `json:"absorbing"`
	Method          string            `json:"method,omitempty"` // of the stationary distribution
	StationaryError *float64          `json:"stationary_error"`
	Imbalance       *float64          `json:"imbalance"`
	ClassList       []ClassSummary    `json:"class_list"`
	Absorption      *AbsorptionTable  `json:"absorption"`

	Warnings []string `json:"-"`

	chain   Chain
	classes *Classes
	set     AnalysisSettings
}

// ClassSummary is a communicating class, by the names of its states.
type ClassSummary struct {
	First      string    `json:"first"`
	Size       int       `json:"size"`
	Closed     bool      `json:"closed"`
	Period     int       `json:"period"`
	States     []string  `json:"states,omitempty"`     // of one class of several
	Stationary []float64 `json:"stationary,omitempty"` // of one closed class of several
}

// Analyse finds classes, periods, stationary distributions, reversibility, how fast they are reached and where the chain is absorbed. What
// takes long or much memory for a large chain is found by iteration, or left out.
func Analyse(c Chain, set AnalysisSettings) (*Analysis, error) {
	if set.Epsilon == 0 {
		set.Epsilon = 0.25
	}
	cl := Classify(c)
	a := &Analysis{States: c.Len(), Irreducible: cl.Irreducible(), Classes: len(cl.List), Why: map[string]string{}, Absorbing: []string{},
		Transitions: AsSparse(c).Transitions(), Transient: len(cl.Transient()), chain: c, classes: cl, set: set}
	for i := range c.Len() {
		a.Names = append(a.Names, c.Name(i))
	}
	for _, i := range cl.Absorbing() {
		a.Absorbing = append(a.Absorbing, a.Names[i])
	}
	for _, find := range []func() error{a.stationary, a.balance, a.speed} {
		if err := find(); err != nil {
			return nil, err
		}
	}
	a.absorb()
	return a, nil
}

// manyClasses keeps results readable when a chain has very many classes.
const manyClasses = 1000

// stationary lists the classes, and solves for each closed one.
func (a *Analysis) stationary() error {
	closed := a.classes.Closed()
	for k, class := range a.classes.List {
		if k == manyClasses {
			a.Warnings = append(a.Warnings, fmt.Sprintf("of %d classes the first %d are listed", a.Classes, manyClasses))
			break
		}
		out, err := a.summary(class, len(closed) == 1)
		if err != nil {
			return err
		}
		a.ClassList = append(a.ClassList, out)
	}
	switch {
	case len(closed) > 1:
		a.Why["stationary"] = fmt.Sprintf("there are %d closed classes, each with its own", len(closed))
		a.Why["period"] = "each class has its own"
		a.Why["reversible"] = "there is no single stationary distribution"
	case a.Stationary == nil: // beyond the classes listed
		class := a.classes.List[closed[0]]
		s, err := Solver{}.SolveClass(a.chain, class)
		if err != nil {
			return err
		}
		a.settle(s, class)
	}
	return nil
}

// summary is what is listed of a class; only tells that no other is closed.
func (a *Analysis) summary(class Class, only bool) (ClassSummary, error) {
	out := ClassSummary{First: a.Names[class.States[0]], Size: len(class.States), Closed: class.Closed, Period: class.Period}
	if a.Classes > 1 {
		for _, i := range class.States {
			out.States = append(out.States, a.Names[i])
		}
	}
	if !class.Closed {
		return out, nil
	}
	s, err := Solver{}.SolveClass(a.chain, class)
	if err != nil {
		return out, err
	}
	if s.Weak > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("without transitions below %g the class of state %s is not one class: its stationary distribution is only as accurate as these",
			s.Weak, wording.Brief(out.First)))
	}
	if only {
		a.settle(s, class)
		return out, nil
	}
	for _, i := range class.States {
		out.Stationary = append(out.Stationary, s.Pi[i])
	}
	return out, nil
}

// settle takes over the chain's only stationary distribution.
func (a *Analysis) settle(s *Stationary, class Class) {
	a.Stationary, a.Method, a.StationaryError, a.Period = s.Pi, s.Method, &s.Error, &class.Period
}

// balanced is how far, relative to the larger, two flows may differ that are taken for equal.
const balanced = 1e-9

func (a *Analysis) balance() error {
	if a.Stationary == nil {
		return nil
	}
	b, err := Balance(a.chain, a.Stationary)
	if err != nil {
		return err
	}
	a.Imbalance = &b.Total
	// By iteration π has an absolute error only.
	yes := b.Relative <= balanced || a.Method == "multilevel" && b.Total <= 2**a.StationaryError
	a.Reversible = &yes
	return nil
}
