package main

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/markov"
)

func (c *chainCmd) analyse(chain markov.Chain) (*chainResult, error) {
	cl := markov.Classify(chain)
	r := &chainResult{States: chain.Len(), Irreducible: cl.Irreducible(), Classes: len(cl.List), Why: map[string]string{}, Warnings: []string{}, Absorbing: []string{}}
	r.Transitions = markov.AsSparse(chain).Transitions()
	r.Transient = len(cl.Transient())
	for i := range chain.Len() {
		r.Names = append(r.Names, chain.Name(i))
	}
	for _, i := range cl.Absorbing() {
		r.Absorbing = append(r.Absorbing, r.Names[i])
	}
	if err := r.stationary(chain, cl); err != nil {
		return nil, err
	}
	if err := r.balance(chain); err != nil {
		return nil, err
	}
	if err := r.speed(c, chain, cl); err != nil {
		return nil, err
	}
	r.absorb(chain, cl)
	return r, c.follow(r, chain)
}

// manyClasses keeps results readable when a chain has very many classes.
const manyClasses = 1000

// stationary solves for each closed class.
func (r *chainResult) stationary(chain markov.Chain, cl *markov.Classes) error {
	closed := cl.Closed()
	for k, class := range cl.List {
		if k == manyClasses {
			r.Warnings = append(r.Warnings, fmt.Sprintf("of %d classes the first %d are listed", len(cl.List), manyClasses))
			break
		}
		out := chainClass{First: r.Names[class.States[0]], Size: len(class.States), Closed: class.Closed, Period: class.Period}
		if len(cl.List) > 1 {
			for _, i := range class.States {
				out.States = append(out.States, r.Names[i])
			}
		}
		if class.Closed {
			s, err := markov.Solver{}.SolveClass(chain, class)
			if err != nil {
				return err
			}
			r.warnWeak(s, out.First)
			if len(closed) == 1 {
				r.Stationary, r.Method, r.StationaryError = s.Pi, s.Method, &s.Error
				r.Period = &out.Period
			} else {
				for _, i := range class.States {
					out.Stationary = append(out.Stationary, s.Pi[i])
				}
			}
		}
		r.ClassList = append(r.ClassList, out)
	}
	if len(closed) > 1 {
		r.Why["stationary"] = fmt.Sprintf("there are %d closed classes, each with its own", len(closed))
		r.Why["period"] = "each class has its own"
		r.Why["reversible"] = "there is no single stationary distribution"
	} else if r.Stationary == nil { // beyond the classes listed
		s, err := markov.Solver{}.Solve(chain)
		if err != nil {
			return err
		}
		period := cl.List[closed[0]].Period
		r.Stationary, r.Method, r.StationaryError, r.Period = s.Pi, s.Method, &s.Error, &period
	}
	return nil
}

func (r *chainResult) warnWeak(s *markov.Stationary, first string) {
	if s.Weak > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("without transitions below %g the class of state %s is not one class: its stationary distribution is only as accurate as these", s.Weak, wording.Brief(first)))
	}
}

// balanced is how far, relative to the larger, two flows may differ that are taken for equal.
const balanced = 1e-9

func (r *chainResult) balance(chain markov.Chain) error {
	if r.Stationary == nil {
		return nil
	}
	b, err := markov.Balance(chain, r.Stationary)
	if err != nil {
		return err
	}
	r.Imbalance = &b.Total
	// By iteration π has an absolute error only.
	yes := b.Relative <= balanced || r.Method == "multilevel" && b.Total <= 2**r.StationaryError
	r.Reversible = &yes
	return nil
}

// Beyond these the table of absorption is not computed.
const (
	absorbStates = 2000
	absorbCells  = 1_000_000
)

func (r *chainResult) absorb(chain markov.Chain, cl *markov.Classes) {
	closed := cl.Closed()
	switch {
	case r.Transient == 0:
		r.Why["absorption"] = "no state is transient"
		return
	case r.Transient > absorbStates || r.Transient*len(closed) > absorbCells:
		r.Why["absorption"] = fmt.Sprintf("not computed: %s and %s; --from START gives it for one start",
			wording.Count(r.Transient, "transient state", "transient states"), wording.Count(len(closed), "closed class", "closed classes"))
		return
	}
	a, err := markov.Absorb(chain, cl)
	if err != nil {
		r.Why["absorption"] = err.Error()
		return
	}
	r.Absorption = &chainAbsorption{P: a.P, Steps: a.Steps}
	for _, i := range a.Transient {
		r.Absorption.States = append(r.Absorption.States, r.Names[i])
	}
	for _, k := range closed {
		r.Absorption.Classes = append(r.Absorption.Classes, r.Names[cl.List[k].States[0]])
	}
}
