package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/anneal/qap"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
)

var annealQap = &annealProblem{"qap", "cost", "solution.sln", readQAP}

func readQAP(name string, text []byte, _ *annealSpec) (*annealInstance, error) {
	p, err := qap.Read(name, text)
	if err != nil {
		return nil, err
	}
	in := &annealInstance{Instance: p}
	in.write = func(w io.Writer, solution []float64) error {
		value, err := p.Evaluate(solution)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "%d %s\n", len(solution), annealreport.Value(value))
		for i, at := range solution {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(int(at) + 1))
		}
		b.WriteByte('\n')
		_, err = w.Write(b.Bytes())
		return err
	}
	in.read = func(name string, text []byte) ([]float64, error) {
		_, places, err := qap.ReadSolution(name, text)
		if err == nil && len(places) != p.Variables() {
			err = fmt.Errorf("%s: there are %d facilities, and the problem has %d", name, len(places), p.Variables())
		}
		return floats(places), err
	}
	return in, nil
}

func floats(all []int) []float64 {
	out := make([]float64, len(all))
	for i, v := range all {
		out[i] = float64(v)
	}
	return out
}
