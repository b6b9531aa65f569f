package plan

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// family says how a predictor's children depend on it, so that the log density
// and its first two derivatives come by formula rather than by differences.
type family uint8

const (
	general    family = iota // by differences through the interpreter
	binomLogit               // dbern and dbin with logit link
	poissonLog               // dpois with log link
	student                  // dt with the predictor as location
)

func familyOf(m *model.Model, p *predictor, forms *model.Forms) family {
	f := kidFamily(m, p.eta, &p.kids[0], forms)
	for k := range p.kids {
		if kidFamily(m, p.eta, &p.kids[k], forms) != f {
			return general
		}
	}
	return f
}

func kidFamily(m *model.Model, eta int32, k *child, forms *model.Forms) family {
	st := k.t.Stoch
	if st.Truncated() {
		return general
	}
	for _, c := range k.in[1:] { // a precision, degrees of freedom, a number of trials
		if forms.At(c).Kind != model.Free {
			return general
		}
	}
	switch {
	case st.Name == "dt" && k.in[0] == eta:
		return student
	case (st.Name == "dbern" || st.Name == "dbin") && m.IsUnary(k.in[0], model.OpIlogit, eta):
		return binomLogit
	case st.Name == "dpois" && m.IsUnary(k.in[0], model.OpExp, eta):
		return poissonLog
	}
	return general
}

// eval gives the log density of the predictor's children at e up to a
// constant, its derivative and minus its second derivative, the latter for a
// Student child that of the majorising normal, which is never negative.
func (p *predictor) eval(s *model.State, e float64) (f, g, w float64) {
	v := s.V
	switch p.family {
	case binomLogit:
		pr, l := vec.Ilogit(e), vec.Log1pExp(e)
		for k := range p.kids {
			y, n := v[p.kids[k].out[0]], 1.0
			if len(p.kids[k].in) > 1 {
				n = v[p.kids[k].in[1]]
			}
			f += float64(y*e) - float64(n*l)
			g += y - float64(n*pr)
			w += float64(n * pr * (1 - pr))
		}
	case poissonLog:
		m := vec.Exp(e)
		for k := range p.kids {
			y := v[p.kids[k].out[0]]
			f += float64(y*e) - m
			g += y - m
			w += m
		}
	case student:
		for k := range p.kids {
			in := p.kids[k].in
			tau, df := v[in[1]], v[in[2]]
			r := v[p.kids[k].out[0]] - e
			q := float64(float64(tau*r) * r)
			c := tau * (df + 1) / (df + q)
			f -= float64(0.5 * (df + 1) * vec.Log1p(q/df))
			g += float64(c * r)
			w += c
		}
	default:
		return p.differences(s, e)
	}
	return f, g, w
}

// value is the log density alone.
func (p *predictor) value(s *model.State, e float64) float64 {
	if p.family != general {
		f, _, _ := p.eval(s, e)
		return f
	}
	return p.at(s, e)
}

func (p *predictor) at(s *model.State, e float64) float64 {
	s.V[p.eta] = e
	s.Run(p.path)
	sum := 0.0
	for k := range p.kids {
		sum += s.LogProbRow(p.kids[k].t, p.kids[k].i)
	}
	return sum
}

func (p *predictor) differences(s *model.State, e float64) (f, g, w float64) {
	h := float64(1e-3 * max(1, 0.1*math.Abs(e)))
	up, down := p.at(s, e+h), p.at(s, e-h)
	f = p.at(s, e)
	g = (up - down) / float64(2*h)
	w = (float64(2*f) - up - down) / (h * h)
	if math.IsNaN(g) || math.IsInf(g, 0) {
		g = 0
	}
	if !(w > 0) || math.IsInf(w, 0) {
		w = 0
	}
	return f, g, w
}
