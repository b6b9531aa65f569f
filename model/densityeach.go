package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// LogProbEach writes the log densities of rows one by one, −Inf where one cannot be evaluated: those of [State.LogProbRow] to the bit, with their elementary functions over blocks of rows.
func (s *State) LogProbEach(segs []Seg, dst []float64) {
	for _, g := range segs {
		t := s.M.Templates[g.T]
		lo, hi := int(g.Lo), int(g.Hi)
		each := s.eachOf(t, hi-lo)
		for ; lo < hi; lo += batchRows {
			n := min(lo+batchRows, hi) - lo
			each(t, lo, dst[:n])
			for j, lp := range dst[:n] {
				if math.IsNaN(lp) {
					dst[j] = math.Inf(-1)
				}
			}
			dst = dst[n:]
		}
	}
}

// eachOf is what writes the log densities of rows from lo on.
func (s *State) eachOf(t *Template, rows int) func(t *Template, lo int, dst []float64) {
	if rows < blockMin {
		return s.eachRowByRow
	}
	switch t.Stoch.fast {
	case fastNorm:
		return s.eachNorm
	case fastBernLogit:
		return s.eachBernLogit
	case fastCat:
		return s.eachCat
	}
	return s.eachRowByRow
}

func (s *State) eachRowByRow(t *Template, lo int, dst []float64) {
	for j := range dst {
		dst[j] = s.logProbSeg(t, lo+j, lo+j+1)
	}
}

func (s *State) eachNorm(t *Template, lo int, dst []float64) {
	v, logs := s.V, s.row[0][:len(dst)]
	in := t.In[2*lo:]
	for j := range dst {
		logs[j] = v[in[2*j+1]]
	}
	columns.Log(logs, logs)
	for j, l := range logs {
		tau := v[in[2*j+1]]
		if !(tau > 0) {
			dst[j] = math.Inf(-1)
			continue
		}
		d := v[t.Out[lo+j]] - v[in[2*j]]
		dst[j] = float64(float64(0.5*l)-halfLog2Pi) - float64(0.5*tau*float64(d*d))
	}
}

func (s *State) eachBernLogit(t *Template, lo int, dst []float64) {
	for j := range dst {
		switch e := s.V[t.Stoch.eta[lo+j]]; s.V[t.Out[lo+j]] {
		case 1:
			dst[j] = -e
		case 0:
			dst[j] = e
		default:
			dst[j] = math.Inf(1)
		}
	}
	columns.Log1pExp(dst, dst)
	columns.Neg(dst, dst)
}

func (s *State) eachCat(t *Template, lo int, dst []float64) {
	for j := range dst {
		dst[j] = s.catShare(t, lo+j)
	}
	columns.Log(dst, dst)
}
