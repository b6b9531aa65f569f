package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// eval calls the distribution's function; x holds its arguments side by side.
func (f *DistFn) eval(x []float64, sc *scratch) float64 {
	if f.Multi != nil {
		return f.evalMulti(f.Multi, x, sc)
	}
	d := f.Scalar
	arg, p := x[0], x[1:]
	if d.Check(p) != "" {
		return math.NaN()
	}
	switch f.Kind {
	case 'l':
		return d.LogProb(arg, p)
	case 'd':
		return vec.Exp(d.LogProb(arg, p))
	case 'p':
		return d.CDF(arg, p)
	}
	return d.Quantile(arg, p)
}

func (f *DistFn) evalMulti(m *dist.Multi, x []float64, sc *scratch) float64 {
	n := size(f.PDims[0])
	sc.p = sc.p[:0]
	at := n
	for _, d := range f.PDims[1:] {
		sc.p = append(sc.p, x[at:at+size(d)])
		at += size(d)
	}
	if m.Check(sc.p, f.PDims[1:]) != "" {
		return math.NaN()
	}
	lp := m.LogProb(x[:n], sc.p, f.PDims[1:], &sc.work)
	if f.Kind == 'd' {
		return vec.Exp(lp)
	}
	return lp
}

func size(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}
