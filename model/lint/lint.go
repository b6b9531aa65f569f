// Package lint looks for what models are known to suffer from: priors that decide what data should, sums of which data see no part, likelihoods without
// a maximum under a flat prior, and nodes that nothing depends on.
package lint

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Finding is one warning.
type Finding struct {
	Code    string // prior, separable, unidentified or unused
	Place   model.Place
	Node    string
	Message string
	Advice  string // what to write instead
}

// Codes of findings.
const (
	Prior        = "prior"
	Separable    = "separable"
	Unidentified = "unidentified"
	Unused       = "unused"
)

// Check looks at a model, around a state of positive density, which it changes. The findings come in the order of the program.
func Check(s *model.State) []Finding {
	c := &checker{m: s.M, s: s, work: maxWork}
	c.priors()
	c.unused()
	for k := range s.V { // near 0, where links are not saturated
		if t, _ := c.root(int32(k)); t != nil && unbounded(t) {
			s.V[k] = 0.01 * float64(k%7)
		}
	}
	s.RunAllLive()
	c.separable()
	c.sums()
	slices.SortStableFunc(c.found, func(a, b Finding) int {
		if a.Place.Line != b.Place.Line {
			return a.Place.Line - b.Place.Line
		}
		return a.Place.Col - b.Place.Col
	})
	return c.found
}

// maxWork is how many rows are evaluated before the rest is left unlooked at.
const maxWork = 30_000_000

type checker struct {
	m     *model.Model
	s     *model.State
	work  int
	found []Finding
}

func (c *checker) add(code string, t *model.Template, node, advice, format string, args ...any) {
	for _, f := range c.found {
		if f.Code == code && f.Place == t.Place {
			return // another element of the same relation
		}
	}
	c.found = append(c.found, Finding{code, t.Place, node, fmt.Sprintf(format, args...), advice})
}

// sampled is the relation of a scalar node that is sampled; nil for other cells.
func (c *checker) sampled(cell int32) (*model.Template, int) {
	if c.m.Kinds[cell] != model.Unobserved {
		return nil, 0
	}
	t, i := c.m.TemplateOf(c.m.DefRow(cell))
	if t.Stoch.Scalar == nil || !c.m.Informed(t.First+int32(i)) {
		return nil, 0
	}
	return t, i
}

// root is that of a continuous one whose prior is given by numbers.
func (c *checker) root(cell int32) (*model.Template, int) {
	t, i := c.sampled(cell)
	if t == nil || t.Stoch.Scalar.Discrete || !c.fixed(t, i) {
		return nil, 0
	}
	return t, i
}

func (c *checker) fixed(t *model.Template, i int) bool {
	return !slices.ContainsFunc(t.Operands(i), func(o int32) bool { return c.m.Kinds[o] != model.Constant })
}

// unbounded priors are on all numbers.
func unbounded(t *model.Template) bool {
	switch t.Stoch.Name {
	case "dnorm", "dt", "ddexp", "dlogis", "dflat":
		return !t.Stoch.Truncated()
	}
	return false
}

// vague tells priors whose standard deviation is above 30, or that have none.
func (c *checker) vague(t *model.Template, i int) bool {
	p := c.s.ScalarParams(t, i)
	switch t.Stoch.Name {
	case "dnorm", "dt":
		return p[1] < 1.2e-3
	case "dflat":
		return true
	case "dunif":
		return p[1]-p[0] > 100 && p[0] < 0
	}
	return false
}

// few are so few effects that their precision's prior matters (Gelman 2006).
const few = 20

// priors finds gamma priors with a spike at 0 on precisions of few effects.
func (c *checker) priors() {
	for cell := range int32(len(c.m.Kinds)) {
		t, i := c.root(cell)
		if t == nil || t.Stoch.Name != "dgamma" {
			continue
		}
		if p := c.s.ScalarParams(t, i); p[0] > 0.05 || p[1] > 0.05 {
			continue
		}
		effects := 0
		for _, g := range c.m.Children(cell) {
			of := c.m.Templates[g.T]
			if of.Stoch == nil || of.Stoch.Name != "dnorm" {
				continue
			}
			for k := int(g.Lo); k < int(g.Hi); k++ {
				if of.Operands(k)[1] == cell && c.m.Kinds[of.Cells(k)[0]] == model.Unobserved {
					effects++
				}
			}
		}
		if name := c.m.CellName(cell); effects > 0 && effects <= few {
			c.add(Prior, t, name, fmt.Sprintf("Give the standard deviation a prior on the scale of the effects: sd ~ dt(0, 1 / s^2, 1) T(0,); %s <- pow(sd, -2)", name),
				"this prior of %s is nearly all next to 0, and with %s it, not the data, decides how large they may be", name, wording.Count(effects, "effect", "effects"))
		}
	}
}

// unused finds priors of which nothing is made.
func (c *checker) unused() {
	for _, row := range c.m.Unobserved() {
		t, i := c.m.TemplateOf(row)
		if c.m.Informed(row) || !c.fixed(t, i) || slices.ContainsFunc(t.Cells(i), func(cell int32) bool { return len(c.m.Children(cell)) > 0 }) {
			continue
		}
		name := c.m.CellName(t.Cells(i)[0])
		c.add(Unused, t, name, "Delete it, or use it where it was meant to stand; if it is a prediction from the prior, let it be.",
			"nothing depends on %s: its draws are those of its prior", name)
	}
}

// separable finds nodes with flat priors along which the likelihood of counts only rises: its maximum is at infinity, and the prior alone holds the node.
func (c *checker) separable() {
	for cell := range int32(len(c.m.Kinds)) {
		t, i := c.root(cell)
		if t == nil || !c.vague(t, i) {
			continue
		}
		b := c.m.Blanket([]int32{cell})
		rows, ok := c.counts(cell, b.Stoch)
		if !ok {
			continue
		}
		if up, monotone := c.rises(cell, b.Det, rows); monotone {
			name, where := c.m.CellName(cell), "∞"
			if !up {
				where = "−∞"
			}
			c.add(Separable, t, name, fmt.Sprintf("Give it a prior that says what is possible, such as %s ~ dnorm(0, 0.16) on the logit scale (Gelman and others 2008: dt(0, 0.16, 1)).", name),
				"the likelihood rises as %s goes to %s: the data are separated by it, and only its flat prior, which says little, holds it", name, where)
		}
	}
}

// counts are the rows below a node, of those around it, if all are observed counts.
func (c *checker) counts(cell int32, around []model.Seg) (rows []int32, ok bool) {
	own := c.m.DefRow(cell)
	for _, g := range around {
		t := c.m.Templates[g.T]
		for i := int(g.Lo); i < int(g.Hi); i++ {
			row := t.First + int32(i)
			if row == own {
				continue
			}
			switch t.Stoch.Name {
			case "dbern", "dbin", "dpois", "dnegbin":
			default:
				return nil, false
			}
			if c.m.Kinds[t.Cells(i)[0]] != model.Observed {
				return nil, false
			}
			rows = append(rows, row)
		}
	}
	return rows, len(rows) > 0
}

// rises tells whether the densities of all rows go one way with a node's value.
func (c *checker) rises(cell int32, det []model.Seg, rows []int32) (up, monotone bool) {
	was := c.s.V[cell]
	defer func() {
		c.s.V[cell] = was
		c.s.Run(det)
	}()
	var last []float64
	rose, fell := false, false
	for _, x := range [...]float64{-1e5, -3000, -400, -60, -12, -4, -1, 0, 1, 4, 12, 60, 400, 3000, 1e5} {
		if c.work -= len(rows); c.work < 0 {
			return false, false
		}
		c.s.V[cell] = x
		c.s.Run(det)
		now := c.densities(rows)
		for k := range last {
			d := now[k] - last[k]
			if now[k] == last[k] { // −Inf, too
				d = 0
			}
			const rounding = 1e-9
			rose, fell = rose || d > rounding, fell || d < -rounding
			if rose && fell || math.IsNaN(d) {
				return false, false
			}
		}
		last = now
	}
	return rose, rose != fell
}

func (c *checker) densities(rows []int32) (all []float64) {
	for _, row := range rows {
		t, i := c.m.TemplateOf(row)
		all = append(all, c.s.LogProbRow(t, i))
	}
	return all
}
