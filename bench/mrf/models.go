package main

import (
	"fmt"
	"math"
	"os"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/mrf"
)

// instance is a model with its evidence, and what is known of it.
type instance struct {
	path  string
	model *mrf.Model
	given *mrf.Conditional
	mar   [][]float64
	logZ  float64 // to base 10
	mode  []int
}

// read reads a model of ../shared/mrf and the files beside it.
func read(name string) (*instance, error) {
	path, err := run.Shared("mrf", name+".uai")
	if err != nil {
		return nil, err
	}
	in := &instance{path: path}
	if in.model, err = of(path, mrf.ReadUAI); err != nil {
		return nil, err
	}
	evidence, err := of(path+".evid", func(name string, text []byte) ([]mrf.Evidence, error) { return mrf.ReadEvidence(name, text, in.model) })
	if err != nil {
		return nil, err
	}
	if len(evidence) != 1 {
		return nil, fmt.Errorf("%s.evid has %d samples", path, len(evidence))
	}
	if in.given, err = in.model.Given(evidence[0]); err != nil {
		return nil, err
	}
	mar, err := of(path+".MAR", func(name string, text []byte) ([][][]float64, error) { return mrf.ReadMAR(name, text, in.model) })
	if err != nil {
		return nil, err
	}
	pr, err := of(path+".PR", mrf.ReadPR)
	if err != nil {
		return nil, err
	}
	mode, err := of(path+".MAP", func(name string, text []byte) ([][]int, error) { return mrf.ReadMAP(name, text, in.model) })
	if err != nil {
		return nil, err
	}
	in.mar, in.logZ, in.mode = mar[0], pr[0], mode[0]
	return in, nil
}

// of reads a file.
func of[T any](path string, parse func(name string, text []byte) (T, error)) (T, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		var none T
		return none, err
	}
	return parse(path, text)
}

// errors are the largest of the marginals that have converged, and of the others.
func (in *instance) errors(s *mrf.Sample) (converged, others float64) {
	for k, i := range in.given.Free {
		for v, p := range in.mar[i] {
			e := math.Abs(s.Marginals[k].Values[v].P - p)
			if s.Marginals[k].Converged {
				converged = max(converged, e)
			} else {
				others = max(others, e)
			}
		}
	}
	return converged, others
}
