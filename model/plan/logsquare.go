package plan

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// logSquare is a normal or Student child of a block whose log precision is a + b e in its predictor e, and whose mean the members do not change. Then
// x = log (y − μ)² + a + b e is the logarithm of a χ² variable with one degree of freedom, as a stochastic volatility model's data are.
type logSquare struct {
	y, mu, tau int32
	df         int32 // degrees of freedom of a Student child, which is normal given its own scale of the precision; −1 of a normal one
	log        bool  // lognormal: y stands for its logarithm
	a, b       float64
}

// logSquares are the children of a block where all are such.
type logSquares struct {
	kids  []logSquare
	first []int32 // of each predictor, and the end
	segs  []model.Seg
	rows  map[int32]bool
}

// spreads tells whether the members change nothing but the precisions of normal children.
func (b *block) spreads(forms *model.Forms) bool {
	for i := range b.preds {
		for k := range b.preds[i].kids {
			kid := &b.preds[i].kids[k]
			n := kid.t.Stoch.Name
			if n == "dt" && forms.At(kid.in[2]).Kind != model.Free {
				return false
			}
			if n != "dnorm" && n != "dlnorm" && n != "dt" || kid.t.Stoch.Truncated() || forms.At(kid.in[0]).Kind != model.Free || forms.At(kid.out[0]).Kind != model.Free {
				return false
			}
		}
	}
	return len(b.preds) > 0
}

// logSquares finds a and b of the children; nil where a precision is no such function of its predictor and of constants.
func (b *block) logSquares() *logSquares {
	if !b.spread {
		return nil
	}
	q := &logSquares{rows: map[int32]bool{}}
	s := b.m.NewState()
	for i := range b.preds {
		p := &b.preds[i]
		q.first = append(q.first, int32(len(q.kids)))
		for k := range p.kids {
			kid := &p.kids[k]
			if !onlyThrough(b.m, kid.in[1], p.eta) {
				return nil
			}
			at, slope, ok := logLinear(s, p, kid.in[1])
			if !ok {
				return nil
			}
			square := logSquare{y: kid.out[0], mu: kid.in[0], tau: kid.in[1], df: -1, log: kid.t.Stoch.Name == "dlnorm", a: at, b: slope}
			if kid.t.Stoch.Name == "dt" {
				square.df = kid.in[2]
			}
			q.kids = append(q.kids, square)
			q.rows[kid.row()] = true
		}
	}
	q.first = append(q.first, int32(len(q.kids)))
	q.segs = only(b.m, b.m.Blanket(b.cells).Stoch, q.rows)
	return q
}

// only are the runs of some rows.
func only(m *model.Model, segs []model.Seg, in map[int32]bool) (out []model.Seg) {
	for k := range rowsOf(m, segs) {
		if in[k.row()] {
			out = extend(out, m.Seg(k.row()))
		}
	}
	return out
}

// onlyThrough tells whether a cell depends on constants and on another cell alone.
func onlyThrough(m *model.Model, cell, eta int32) bool {
	ok := true
	ancestors(m, []int32{cell}, func(c int32) bool {
		if c == eta {
			return false
		}
		ok = ok && (m.Kinds[c] == model.Constant || m.Kinds[c] == model.Logical)
		return ok && m.Kinds[c] == model.Logical
	})
	return ok
}

// logLinear finds a + b e, the logarithm of a cell as a function of its predictor, by values. It guides proposals only: what the density
// is, the model says.
func logLinear(s *model.State, p *predictor, tau int32) (a, b float64, ok bool) {
	at := func(e float64) float64 {
		s.V[p.eta] = e
		s.Run(p.path)
		return vec.Log(s.V[tau])
	}
	a = at(0)
	b = at(1) - a
	for _, e := range []float64{-6, -0.7, 2.5, 5} {
		if d := at(e) - a - float64(b*e); !(math.Abs(d) <= 1e-9*(1+math.Abs(a)+math.Abs(b))) {
			return a, b, false
		}
	}
	return a, b, vec.Finite(a) && math.Abs(b) > 1e-6
}

// byComponents finds the squares of a block that is to have a mixture: where that is asked for, or nothing is, the block is large and its nodes are a random walk's or the like. Where nuts has coordinates for it, it takes the block over ([trajectories]).
func (p *planner) byComponents(b *block) *logSquares {
	for _, r := range b.rows {
		if o := p.asked[r]; o != nil {
			if o.Kernel == blockVolatility {
				return b.logSquares()
			}
			return nil
		}
	}
	if len(b.rows) < largeGLM || !p.stuck(b.rows) {
		return nil
	}
	return b.logSquares()
}
