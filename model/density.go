package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// fastDist names the distributions whose rows are summed by a loop of their
// own, without the detour over a parameter slice.
type fastDist uint8

const (
	slow fastDist = iota
	fastNorm
	fastGamma
	fastBeta
	fastBern
	fastBin
	fastPois
	fastCat
	fastUnif
	fastExp
	fastT
	fastInterval
	// The same with the linear predictor at hand: a probability that rounds to
	// 0 or 1 keeps its logarithm.
	fastBernLogit
	fastBinLogit
	fastPoisLog
)

func fastOf(s *Stoch) fastDist {
	if s.Interval {
		return fastInterval
	}
	if s.Truncated() || s.Scalar == nil {
		return slow
	}
	switch s.Scalar.Name {
	case "dnorm":
		return fastNorm
	case "dgamma":
		return fastGamma
	case "dbeta":
		return fastBeta
	case "dbern":
		return fastBern
	case "dbin":
		return fastBin
	case "dpois":
		return fastPois
	case "dcat":
		return fastCat
	case "dunif":
		return fastUnif
	case "dexp":
		return fastExp
	case "dt":
		return fastT
	}
	return slow
}

func (s *State) logProbSeg(t *Template, lo, hi int) float64 {
	sum, done := s.addBlocks(t, lo, hi)
	if done {
		return sum
	}
	v, n := s.V, t.NIn
	switch t.Stoch.fast {
	case fastNorm:
		return s.normSeg(t, lo, hi)
	case fastPois:
		for i := lo; i < hi; i++ {
			y, l := v[t.Out[i]], v[t.In[i*n]]
			if y == 0 && l >= 0 && l <= math.MaxFloat64 {
				sum -= l
				continue
			}
			sum += dist.PoisLogProb(y, l)
		}
	case fastBin:
		for i := lo; i < hi; i++ {
			sum += dist.BinLogProb(v[t.Out[i]], v[t.In[i*n]], v[t.In[i*n+1]])
		}
	case fastBern:
		return s.bernSeg(t, lo, hi)
	case fastBernLogit, fastBinLogit, fastPoisLog:
		for i := lo; i < hi; i++ {
			sum += s.linkedRow(t, i)
		}
	case fastGamma:
		for i := lo; i < hi; i++ {
			sum += dist.GammaLogProb(v[t.Out[i]], v[t.In[i*n]], v[t.In[i*n+1]])
		}
	case fastBeta:
		for i := lo; i < hi; i++ {
			sum += dist.BetaLogProb(v[t.Out[i]], v[t.In[i*n]], v[t.In[i*n+1]])
		}
	case fastUnif:
		for i := lo; i < hi; i++ {
			sum += dist.UnifLogProb(v[t.Out[i]], v[t.In[i*n]], v[t.In[i*n+1]])
		}
	case fastExp:
		for i := lo; i < hi; i++ {
			sum += dist.ExpLogProb(v[t.Out[i]], v[t.In[i*n]])
		}
	case fastT:
		for i := lo; i < hi; i++ {
			sum += dist.TLogProb(v[t.Out[i]], v[t.In[i*n]], v[t.In[i*n+1]], v[t.In[i*n+2]])
		}
	case fastCat:
		p := vec.NewLogProduct()
		for i := lo; i < hi; i++ {
			p.Times(s.catShare(t, i))
		}
		return p.Log()
	default:
		for i := lo; i < hi; i++ {
			sum += s.slowRow(t, i)
			if sum == math.Inf(-1) {
				return sum
			}
		}
	}
	return sum
}

// bernSeg takes the logarithm of the product of the probabilities of what the rows are.
func (s *State) bernSeg(t *Template, lo, hi int) float64 {
	v, n := s.V, t.NIn
	all := vec.NewLogProduct()
	for i := lo; i < hi; i++ {
		all.Times(dist.BernProb(v[t.Out[i]], v[t.In[i*n]]))
	}
	return all.Log()
}

// normSeg groups rows that share a precision so that its logarithm is taken
// once.
func (s *State) normSeg(t *Template, lo, hi int) float64 {
	v := s.V
	sum := 0.0
	for i := lo; i < hi; {
		tc := t.In[i*2+1]
		tau := v[tc]
		if !(tau > 0) {
			return math.Inf(-1)
		}
		ss, j := 0.0, i
		for ; j < hi && t.In[j*2+1] == tc; j++ {
			d := v[t.Out[j]] - v[t.In[j*2]]
			ss += float64(d * d)
		}
		k := float64(j - i)
		sum += float64(k*(float64(0.5*vec.Log(tau))-halfLog2Pi)) - float64(0.5*tau*ss)
		i = j
	}
	return sum
}

// catShare is the probability of a row's category, 0 where it is none or a weight is negative.
func (s *State) catShare(t *Template, i int) float64 {
	v, in := s.V, t.in(i)
	x := v[t.Out[i]]
	k := int(x)
	if float64(k) != x || k < 1 || k > len(in) {
		return 0
	}
	sum := 0.0
	for _, c := range in {
		w := v[c]
		if !(w >= 0) {
			return 0
		}
		sum += w
	}
	return v[in[k-1]] / sum
}

// CategoryLogProbs writes the log probability of each category of a dcat row,
// all from one sum of the weights; false where dst does not have as many places.
func (s *State) CategoryLogProbs(t *Template, i int, dst []float64) bool {
	in := t.in(i)
	if len(dst) != len(in) {
		return false
	}
	sum, bad := 0.0, false
	for k, c := range in {
		dst[k] = s.V[c]
		bad = bad || !(dst[k] >= 0)
		sum += dst[k]
	}
	for k, w := range dst {
		if dst[k] = vec.Log(w / sum); bad || math.IsNaN(dst[k]) {
			dst[k] = math.Inf(-1)
		}
	}
	return true
}

func (s *State) slowRow(t *Template, i int) float64 {
	st := t.Stoch
	if st.Interval {
		in := t.in(i)
		c := s.par[:len(in)-1]
		for k := range c {
			c[k] = s.V[in[k+1]]
		}
		if dist.Interval(s.V[in[0]], c) == s.V[t.Out[i]] {
			return 0
		}
		return math.Inf(-1)
	}
	if st.Scalar != nil {
		p, lo, hi := s.params(t, i)
		x := s.V[t.Out[i]]
		if st.Truncated() {
			return st.Scalar.LogProbT(x, p, lo, hi)
		}
		return st.Scalar.LogProb(x, p)
	}
	p := s.multiParams(t, i)
	return st.Multi.LogProb(s.value(t, i), p, st.PDims, &s.sc.work)
}

// CheckRow says what is wrong with a stochastic row's parameters, or "".
func (s *State) CheckRow(t *Template, i int) string {
	st := t.Stoch
	switch {
	case st.Interval:
		return ""
	case st.Scalar != nil:
		p, lo, hi := s.params(t, i)
		if msg := st.Scalar.Check(p); msg != "" {
			return msg
		}
		if lo > hi {
			return "the lower bound of T(,) is above the upper"
		}
		return ""
	}
	p := s.multiParams(t, i)
	return st.Multi.Check(p, st.PDims)
}

// linkedRow is the log density of a Bernoulli or binomial row with logit link,
// or of a Poisson row with log link, from its linear predictor.
func (s *State) linkedRow(t *Template, i int) float64 {
	e, y := s.V[t.Stoch.eta[i]], s.V[t.Out[i]]
	switch t.Stoch.fast {
	case fastPoisLog:
		if y < 0 || y != math.Floor(y) {
			return math.Inf(-1)
		}
		return times(y, e) - s.V[t.In[i]] - vec.Lgamma(y+1)
	case fastBernLogit:
		switch y {
		case 1:
			return -vec.Log1pExp(-e)
		case 0:
			return -vec.Log1pExp(e)
		}
		return math.Inf(-1)
	}
	n := s.V[t.In[2*i+1]]
	if y < 0 || y > n || y != math.Floor(y) || n != math.Floor(n) {
		return math.Inf(-1)
	}
	return vec.LogChoose(n, y) - times(y, vec.Log1pExp(-e)) - times(n-y, vec.Log1pExp(e))
}

// linkPredictors finds templates whose rows all have a linear predictor behind
// an inverse link, and lets them use it.
func (m *Model) linkPredictors() {
	for _, t := range m.Templates {
		if t.Stoch == nil || t.Rows == 0 {
			continue
		}
		op, to := OpIlogit, slow
		switch t.Stoch.fast {
		case fastBern:
			to = fastBernLogit
		case fastBin:
			to = fastBinLogit
		case fastPois:
			op, to = OpExp, fastPoisLog
		default:
			continue
		}
		if eta := m.predictors(t, op); eta != nil {
			t.Stoch.eta, t.Stoch.fast = eta, to
		} else if t.Stoch.fast == fastBern {
			t.Stoch.probit = m.predictors(t, OpPhi)
		}
	}
}

// predictors are the cells that op makes the first operands of all rows of; nil if there is another among these.
func (m *Model) predictors(t *Template, op Op) []int32 {
	eta := make([]int32, 0, t.Rows)
	for i := range t.Rows {
		c := m.unaryArg(t.In[i*t.NIn], op)
		if c < 0 {
			return nil
		}
		eta = append(eta, c)
	}
	return eta
}
