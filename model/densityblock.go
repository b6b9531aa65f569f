package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// blockMin is how many rows' functions are quicker in a block than one by one.
const blockMin = 6

// addBlocks adds up the log densities of rows lo…hi−1, their elementary functions over blocks of rows; terms and their order, and so the bits, are
// those of the rows one by one. It tells whether it can.
func (s *State) addBlocks(t *Template, lo, hi int) (sum float64, done bool) {
	if hi-lo < blockMin {
		return 0, false
	}
	var block func(s *State, t *Template, lo, hi int, sum float64) float64
	switch t.Stoch.fast {
	case fastBernLogit:
		block = (*State).addBernLogit
	case fastBinLogit:
		block = (*State).addBinLogit
	case fastPoisLog:
		block = (*State).addPoisLog
	case fastCat:
		block = (*State).addCat
	default:
		return 0, false
	}
	for ; lo < hi; lo += batchRows {
		sum = block(s, t, lo, min(lo+batchRows, hi), sum)
	}
	return sum, true
}

func (s *State) addBernLogit(t *Template, lo, hi int, sum float64) float64 {
	x := s.row[0][:hi-lo]
	eta, out := t.Stoch.eta[lo:hi], t.Out[lo:hi]
	for j, c := range eta {
		switch s.V[out[j]] {
		case 1:
			x[j] = -s.V[c]
		case 0:
			x[j] = s.V[c]
		default:
			x[j] = math.Inf(1)
		}
	}
	columns.Log1pExp(x, x)
	for _, l := range x {
		sum -= l
	}
	return sum
}

func (s *State) addBinLogit(t *Template, lo, hi int, sum float64) float64 {
	v := s.V
	low, high := s.row[0][:hi-lo], s.row[1][:hi-lo]
	for j := range low {
		high[j] = v[t.Stoch.eta[lo+j]]
	}
	columns.Neg(low, high)
	columns.Log1pExp(low, low)
	columns.Log1pExp(high, high)
	for j := range low {
		y, n := v[t.Out[lo+j]], v[t.In[2*(lo+j)+1]]
		if y < 0 || y > n || y != math.Floor(y) || n != math.Floor(n) {
			sum += math.Inf(-1)
			continue
		}
		sum += vec.LogChoose(n, y) - times(y, low[j]) - times(n-y, high[j])
	}
	return sum
}

func (s *State) addPoisLog(t *Template, lo, hi int, sum float64) float64 {
	v := s.V
	l := s.row[0][:hi-lo]
	for j := range l {
		l[j] = v[t.Out[lo+j]] + 1
	}
	columns.Lgamma(l, l)
	for j := range l {
		y := v[t.Out[lo+j]]
		if y < 0 || y != math.Floor(y) {
			sum += math.Inf(-1)
			continue
		}
		sum += times(y, v[t.Stoch.eta[lo+j]]) - v[t.In[lo+j]] - l[j]
	}
	return sum
}

func (s *State) addCat(t *Template, lo, hi int, sum float64) float64 {
	x := s.row[0][:hi-lo]
	for j := range x {
		x[j] = s.catShare(t, lo+j)
	}
	columns.Log(x, x)
	for _, l := range x {
		sum += l
	}
	return sum
}
