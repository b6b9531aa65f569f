package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
)

func nodeError(s *model.State, t *model.Template, i int) *model.NodeError {
	return &model.NodeError{Place: t.Place, Left: s.M.CellName(t.Cells(i)[0]), Dist: t.Stoch.Name,
		Params: params(s, t, i), Lo: t.Stoch.HasLo, Hi: t.Stoch.HasHi}
}

// params describes a stochastic row's operands by parameter.
func params(s *model.State, t *model.Template, i int) []model.Param {
	in := t.Operands(i)
	off := t.Stoch.POff
	var out []model.Param
	for k := 1; k < len(off); k++ {
		out = append(out, param(s, in[off[k-1]:off[k]]))
	}
	for _, c := range in[off[len(off)-1]:] {
		out = append(out, param(s, []int32{c}))
	}
	return out
}

// shown is how many elements of a vector a message shows.
const shown = 12

func param(s *model.State, cells []int32) model.Param {
	if len(cells) == 1 {
		return scalarParam(s, cells[0])
	}
	var parts []string
	for k, c := range cells {
		if k == shown {
			parts = append(parts, fmt.Sprintf("… %d more", len(cells)-shown))
			break
		}
		p := scalarParam(s, c)
		parts = append(parts, p.String())
	}
	return model.Param{Value: strings.Join(parts, ", "), Vector: true}
}

func scalarParam(s *model.State, c int32) model.Param {
	p := model.Param{Name: s.M.CellName(c), Value: fmt.Sprintf("%.6g", s.At(c))}
	if _, err := strconv.ParseFloat(p.Name, 64); err == nil && s.M.Kinds[c] == model.Constant {
		p.Name = "" // a constant without a name
	}
	if !given(s.M, c) && math.IsNaN(s.At(c)) {
		p.Value = "" // not known yet
	}
	return p
}

// values writes the values of a node, at most a dozen.
func values(s *model.State, cells []int32) string {
	var parts []string
	for k, c := range cells {
		if k == shown {
			parts = append(parts, fmt.Sprintf("… %d more", len(cells)-shown))
			break
		}
		parts = append(parts, fmt.Sprintf("%.6g", s.At(c)))
	}
	if len(cells) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// parameterFault is a row whose parameters are outside their domain, as msg of
// the distribution's check says.
func parameterFault(s *model.State, t *model.Template, i int, msg string) *model.NodeError {
	e := nodeError(s, t, i)
	if processFault(s, t, i, e) {
		return e
	}
	e.Msg = fmt.Sprintf("%s cannot have the distribution %s: %s", e.Left, e.Dist, msg)
	e.Hint = precisionHint(e.Dist, msg) + domainHint(msg, givenParam(s.M, t, i, msg))
	return e
}

// processFault rewrites the fault of a Chinese restaurant process, which is a factor of the density, where its concentration is not positive.
func processFault(s *model.State, t *model.Template, i int, e *model.NodeError) bool {
	row := s.M.DefRow(t.Operands(i)[0])
	if t.Stoch.Name != "dloglik" || row < 0 {
		return false
	}
	p, j := s.M.TemplateOf(row)
	labels, conc, _, ok := p.Restaurant(j)
	if !ok || s.At(conc) > 0 {
		return false
	}
	e.Left, _, _ = strings.Cut(s.M.CellName(labels[0]), "[")
	e.Dist, e.Params = "", nil
	msg := fmt.Sprintf("conc = %.6g must be positive", s.At(conc))
	e.Msg = fmt.Sprintf("%s cannot have the distribution dCRP: %s", e.Left, msg)
	e.Hint = domainHint(msg, given(s.M, conc))
	return true
}

// precisionHint is for those who give a standard deviation or covariances where precisions stand.
func precisionHint(name, msg string) string {
	switch {
	case strings.HasPrefix(msg, "tau") && (name == "dnorm" || name == "dlnorm" || name == "dt" || name == "dnt"):
		return "tau is a precision, 1 / sd^2. "
	case strings.HasPrefix(msg, "Omega"):
		return "Omega is a precision matrix; dmnorm.vcov takes the covariances. "
	}
	return ""
}

// domainHint is for a parameter outside its domain.
func domainHint(msg string, given bool) string {
	link, name := "a link function", msg[:max(0, strings.IndexAny(msg, " ["))]
	switch {
	case strings.Contains(msg, "Inf") || strings.Contains(msg, "NaN"):
		if given {
			return "A division by 0, a logarithm of 0 or an overflow gives it: correct the data that it is computed from."
		}
		return "A division by 0, a logarithm of 0 or an overflow gives it: correct the data that it is computed from, or start elsewhere with Job.Inits."
	case strings.Contains(msg, "bound of T(,) is above") || strings.Contains(msg, "must be below"):
		if given {
			return "Exchange the two: the lower bound comes first."
		}
		return "Exchange the two, for the lower bound comes first; or give their nodes priors that keep them in order, such as T(,)."
	case given:
		return "Correct the number: it comes from the program or the data."
	case strings.Contains(msg, "between 0 and 1"):
		link += " such as logit(" + name + ") <- …"
	case strings.Contains(msg, "must be positive"):
		link += " such as log(" + name + ") <- …"
	}
	return "Keep it in its domain by " + link + ", T(,) or another prior for its parents, or start elsewhere with Job.Inits."
}

// givenParam tells whether the parameter that msg begins with, or where it
// names none all of them, are given.
func givenParam(m *model.Model, t *model.Template, i int, msg string) bool {
	var names []string
	if t.Stoch.Scalar != nil {
		names = t.Stoch.Scalar.Params
	} else if t.Stoch.Multi != nil {
		names = t.Stoch.Multi.Params
	}
	name := msg[:max(0, strings.IndexAny(msg, " ["))]
	off := t.Stoch.POff
	for k, n := range names {
		if n != name || k+1 >= len(off) {
			continue
		}
		for _, c := range t.Operands(i)[off[k]:off[k+1]] {
			if !given(m, c) {
				return false
			}
		}
		return true
	}
	return known(m, t, i)
}

// valueFault is a row whose value has no finite density.
func valueFault(s *model.State, t *model.Template, i int, lp float64) *model.NodeError {
	e := nodeError(s, t, i)
	cells := t.Cells(i)
	node := e.Left
	if len(cells) > 1 {
		node += ", …"
	}
	e.Msg = fmt.Sprintf("%s = %s %s", node, values(s, cells), unlikely(s, t, i, lp))
	e.Hint = "Give initial values with Job.Inits that are possible under the model and the data, or a narrower prior."
	if s.M.Kinds[cells[0]] == model.Observed {
		e.Hint = "Correct the datum or the distribution; or give initial values with Job.Inits under which it is possible."
		if known(s.M, t, i) {
			e.Hint = "Correct the datum, or give it a distribution that allows it."
		}
	}
	return e
}

// known tells whether all that the row depends on is data.
func known(m *model.Model, t *model.Template, i int) bool {
	for _, c := range t.Operands(i) {
		if !given(m, c) {
			return false
		}
	}
	return true
}

// given tells whether a cell is data or a constant.
func given(m *model.Model, c int32) bool {
	return m.Kinds[c] == model.Constant || m.Kinds[c] == model.Observed
}

// unlikely says why a value has no finite density.
func unlikely(s *model.State, t *model.Template, i int, lp float64) string {
	if d := t.Stoch.Scalar; d != nil {
		x := s.At(t.Cells(i)[0])
		if d.Discrete && x != math.Trunc(x) {
			return "is not a whole number, as " + d.Name + " wants"
		}
		if lo, hi := s.Bounds(t, i); x < lo || x > hi {
			text := "is outside " + support(lo, hi, d.Discrete) + ", the support of " + d.Name
			if t.Stoch.Truncated() {
				text += " with T(,)"
			}
			return text
		}
	}
	if t.Stoch.Name == "dmulti" {
		sum := 0.0
		for _, c := range t.Cells(i) {
			sum += s.At(c)
		}
		in := t.Operands(i)
		if n := s.At(in[len(in)-1]); sum != n {
			return fmt.Sprintf("sums to %.6g, not to N = %.6g", sum, n)
		}
	}
	if t.Stoch.Interval {
		if text := otherInterval(s, t, i); text != "" {
			return text
		}
	}
	switch {
	case math.IsNaN(lp):
		return "has no density"
	case lp > 0:
		return "has infinite density"
	}
	return "has density 0"
}

// otherInterval says in which interval the argument of dinterval lies; "" where its cut points are out of order.
func otherInterval(s *model.State, t *model.Template, i int) string {
	in := t.Operands(i)
	x, below := s.At(in[0]), 0
	for k, c := range in[1:] {
		if s.At(c) < x {
			below++
		}
		if k > 0 && !(s.At(c) >= s.At(in[k])) {
			return ""
		}
	}
	return fmt.Sprintf("says that %s is in another interval: %.6g is in interval %d of its cut points", s.M.CellName(in[0]), x, below)
}

// support writes a support: "0:6", "0, 1, 2, …" or "[0, 1]".
func support(lo, hi float64, discrete bool) string {
	switch {
	case discrete && math.IsInf(hi, 1):
		return fmt.Sprintf("%g, %g, %g, …", lo, lo+1, lo+2)
	case discrete:
		return fmt.Sprintf("%g:%g", lo, hi)
	}
	left, right := "[", "]"
	if math.IsInf(lo, -1) {
		left = "("
	}
	if math.IsInf(hi, 1) {
		right = ")"
	}
	return fmt.Sprintf("%s%.6g, %.6g%s", left, lo, hi, right)
}

// fault completes an error of a start with what the user's initial values have
// to do with it.
func (st *starter) fault(e *model.NodeError, row int32) error {
	if above := st.givenAbove(row); len(above) > 0 {
		texts := make([]string, len(above))
		for k, c := range above {
			texts[k] = fmt.Sprintf("%s = %.6g", st.m.CellName(c), st.given[c])
		}
		e.Hint = "The initial values give " + wording.Few(texts, 4) + ": choose others with Job.Inits under which it is possible, or leave them to be drawn."
	}
	a, ok := st.m.Array(strings.SplitN(e.Left, "[", 2)[0])
	if !ok {
		return e
	}
	for k := range int32(a.Size) {
		if _, given := st.given[a.Base+k]; given && a.ElementName(int(k)) == e.Left {
			e.Hint = "The initial values give it: choose others with Job.Inits, or leave them to be drawn."
		}
	}
	return e
}

// givenAbove are the nearest nodes with initial values on which a row depends, through logical nodes.
func (st *starter) givenAbove(row int32) []int32 {
	const most = 1000
	var found []int32
	todo := []int32{row}
	for k := 0; k < len(todo) && k < most && len(found) == 0; k++ {
		st.m.Parents(todo[k], func(c int32) {
			if _, given := st.given[c]; given && !slices.Contains(found, c) {
				found = append(found, c)
			} else if st.m.Kinds[c] == model.Logical && st.m.DefRow(c) >= 0 {
				todo = append(todo, st.m.DefRow(c))
			}
		})
	}
	return found
}

// sameFault tells two failures that say the same.
func sameFault(a, b error) bool {
	var x, y *model.NodeError
	return errors.As(a, &x) && errors.As(b, &y) && x.Left == y.Left && x.Msg == y.Msg
}

// verify looks for faults that no initial values can cure: impossible
// constants and data.
func verify(m *model.Model) error {
	s := m.NewState() // what is not known yet is NaN
	for _, t := range m.Templates {
		if t.Stoch == nil {
			continue
		}
		for i := range t.Rows {
			if err := verifyRow(s, t, i); err != nil {
				return err
			}
		}
	}
	return nil
}

func verifyRow(s *model.State, t *model.Template, i int) error {
	observed := s.M.Kinds[t.Cells(i)[0]] == model.Observed
	if known(s.M, t, i) && !t.Stoch.Interval {
		if msg := s.CheckRow(t, i); msg != "" {
			return parameterFault(s, t, i, msg)
		}
		if !observed {
			return nil
		}
		if lp := s.LogProbRow(t, i); math.IsInf(lp, 0) || math.IsNaN(lp) {
			return valueFault(s, t, i, lp)
		}
		return nil
	}
	if !observed {
		return nil
	}
	if t.Stoch.Interval {
		return verifyInterval(s, t, i)
	}
	d := t.Stoch.Scalar
	if d == nil {
		return nil
	}
	x := s.At(t.Cells(i)[0])
	lo, hi := s.Bounds(t, i) // NaN where they depend on what is not known
	if x < lo || x > hi || d.Discrete && x != math.Trunc(x) {
		e := valueFault(s, t, i, math.Inf(-1))
		e.Hint = "Correct the datum, or give it a distribution that allows it."
		return e
	}
	return nil
}

// verifyInterval holds an observed dinterval to the number of its cut points.
func verifyInterval(s *model.State, t *model.Template, i int) error {
	x, cuts := s.At(t.Cells(i)[0]), len(t.Operands(i))-1
	if x >= 0 && x <= float64(cuts) && x == math.Trunc(x) {
		if lp := s.LogProbRow(t, i); known(s.M, t, i) && math.IsInf(lp, -1) {
			return valueFault(s, t, i, lp)
		}
		return nil
	}
	e := nodeError(s, t, i)
	e.Msg = fmt.Sprintf("%s = %.6g is none of the %d intervals that %d cut points make, 0:%d", e.Left, x, cuts+1, cuts, cuts)
	e.Hint = "Correct the datum, or give more cut points."
	return e
}
