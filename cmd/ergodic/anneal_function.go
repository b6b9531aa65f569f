package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/anneal/function"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
)

var annealFunction = &annealProblem{"function", "value", "point.txt", readFunction}

func readFunction(name string, text []byte, _ *annealSpec) (*annealInstance, error) {
	p, err := function.Read(name, text)
	if err != nil {
		return nil, err
	}
	in := &annealInstance{Instance: p, read: annealreport.ReadValues, names: p.Names()}
	in.write = func(w io.Writer, solution []float64) error {
		var b bytes.Buffer
		for i, v := range solution {
			fmt.Fprintf(&b, "%s\t%s\n", in.names[i], strconv.FormatFloat(v, 'g', -1, 64))
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	return in, nil
}
