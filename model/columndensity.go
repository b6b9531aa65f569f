package model

import "slices"

// densityKind is how a group's log density is found.
type densityKind uint8

const (
	noDensity      densityKind = iota
	formulaDensity             // from the formula of package dist, as nodes
	normalDensity              // and from passes of package columns
	bernoulliLogit
	bernoulliProbit
	binomialLogit
	poissonLog
	negBinLog
	orderedLogit
	orderedProbit
)

// density is the log density of a group of stochastic rows.
type density struct {
	kind                         densityKind
	root                         int32    // of a formula, for columns; −1: none
	roots                        []int32  // of formulas of single rows
	y                            int32    // the value
	weight                       int32    // how often a row counts, in negBinLog
	p                            [2]int32 // mean and precision; linear predictor, and number of trials; log odds of failure and size; lower and upper end
	checks                       []check
	within                       []interval
	numbers, columns             []check // of checks, those of nodes that move
	numbersWithin, columnsWithin []interval
	cut                          []cutRow
	squeezed                     *squeezed // rows of a normal density by their least squares
	merged                       *merged   // rows of a discrete density that are alike
}

// cutRow is a truncated row, whose mass stands still.
type cutRow struct {
	t *Template
	i int32
}

// check asks of a node what a formula takes for granted: positive, not negative, within (0, 1), 0 or 1, whole and not negative, or at most another that is so.
type check struct {
	node int32
	what byte
	most int32
}

// interval asks of a node to be between two others; −1 is no bound.
type interval struct{ x, lo, hi int32 }

// domain says what the formulas of a distribution hold for: the value, then the parameters. p is positive, u between 0 and 1, r any number, b 0 or 1,
// c a count, n a count of at most the last parameter, which is one too, k the number of a weight. Distributions without a line go row by row.
func domain(name string) string {
	switch name {
	case "dnorm":
		return "rrp"
	case "dt":
		return "rrpp"
	case "dlogis", "ddexp":
		return "rrp"
	case "dlnorm":
		return "prp"
	case "dgamma", "dweib":
		return "ppp"
	case "dexp", "dchisqr":
		return "pp"
	case "dbeta":
		return "upp"
	case "dunif":
		return "irr"
	case "dbern":
		return "bu"
	case "dbin":
		return "nur"
	case "dpois":
		return "cp"
	case "dnegbin":
		return "cup"
	case "dcat":
		return "k"
	}
	return ""
}

// mostCategories is how many weights a categorical density has that goes by columns.
const mostCategories = 32

// compiles tells whether rows have a density that goes by columns.
func (c *blockBuilder) compiles(t *Template, lo, hi int) bool {
	st := t.Stoch
	if st.Scalar == nil || st.Interval {
		return false
	}
	dom := domain(st.Scalar.Name)
	if dom == "" || dom != "k" && st.NPar() != len(dom)-1 || st.NPar() > mostCategories {
		return false
	}
	if st.Scalar.Discrete && slices.ContainsFunc(t.Out[lo:hi], c.moves) {
		return false
	}
	if dom[0] == 'n' { // trials may follow a node by steps
		for i := lo; i < hi; i++ {
			if c.moves(t.in(i)[1]) {
				return false
			}
		}
	}
	return !st.Truncated() || !slices.ContainsFunc(t.In[lo*t.NIn:hi*t.NIn], c.moves) && !st.Scalar.Discrete
}

// reads calls f with the cells that a stochastic row's density needs.
func (c *blockBuilder) reads(t *Template, i int, f func(c int32)) {
	in := t.in(i)
	switch t.Stoch.fast {
	case fastBernLogit, fastPoisLog:
		f(t.Stoch.eta[i])
		return
	case fastBinLogit:
		f(t.Stoch.eta[i])
		in = in[1:]
	}
	if t.Stoch.probit != nil {
		f(t.Stoch.probit[i])
		return
	}
	for _, c := range in {
		f(c)
	}
}

// operandCells are the columns that reads goes through, for rows.
func (c *blockBuilder) operandCells(t *Template, rows []int32) [][]int32 {
	var all [][]int32
	for i, r := range rows {
		k := 0
		c.reads(t, int(r), func(cell int32) {
			if i == 0 {
				all = append(all, make([]int32, 0, len(rows)))
			}
			all[k] = append(all[k], cell)
			k++
		})
	}
	return all
}

// stochGroup makes the group of stochastic rows, which compile.
func (c *blockBuilder) stochGroup(t *Template, rows []int32, inline bool) *groupBuilder {
	b := c.newGroup(len(rows))
	st, d := t.Stoch, &b.g.den
	d.y = b.column(outColumn(t, rows), false)
	if inline && st.Scalar.Name == "dcat" {
		b.enclose(c.operandCells(t, rows))
	}
	p := b.operands(t, rows, inline)
	d.root = -1
	copy(d.p[:], p)
	switch st.fast {
	case fastBernLogit:
		d.kind, d.checks = bernoulliLogit, []check{{d.y, 'b', 0}}
	case fastBinLogit:
		d.kind, d.checks = binomialLogit, []check{{d.y, 'n', p[1]}}
	case fastPoisLog:
		d.kind, d.checks = poissonLog, []check{{d.y, 'c', 0}}
	default:
		if st.probit != nil && b.repeats(p) {
			p[0] = b.op(OpPhi, nil, nil, p[0])
		} else if st.probit != nil {
			d.kind, d.checks = bernoulliProbit, []check{{d.y, 'b', 0}}
			break
		}
		if st.Name == "dnorm" && !st.Truncated() && b.node(d.y).wide {
			d.kind, d.checks = normalDensity, []check{{p[1], 'p', 0}}
			break
		}
		if st.Scalar.Name == "dnegbin" && !st.Truncated() && b.failures(d.y, p) || st.Scalar.Name == "dcat" && !b.repeats(p) && b.ordered(d.y, p) {
			break
		}
		d.root = b.formula(t, rows, d.y, p)
	}
	b.merge(t, rows)
	return b
}

func outColumn(t *Template, rows []int32) []int32 {
	out := make([]int32, len(rows))
	for i, r := range rows {
		out[i] = t.Out[r]
	}
	return out
}

// operands are the nodes that the density of rows reads.
func (b *groupBuilder) operands(t *Template, rows []int32, inline bool) (p []int32) {
	for _, cells := range b.c.operandCells(t, rows) {
		p = append(p, b.column(cells, inline))
	}
	return p
}

// alone adds a row that has its formula to the group of single rows, if it is such a one.
func (c *blockBuilder) alone(t *Template, row int32) bool {
	switch t.Stoch.fast {
	case fastBernLogit, fastBinLogit, fastPoisLog:
		return false
	}
	b := c.scalars
	if t.Stoch.probit != nil || len(b.g.nodes) > mostNodes {
		return false
	}
	rows := []int32{row}
	b.g.den.roots = append(b.g.den.roots, b.formula(t, rows, b.column(outColumn(t, rows), false), b.operands(t, rows, true)))
	return true
}

// formula writes the log density of rows as nodes and returns the last.
func (b *groupBuilder) formula(t *Template, rows []int32, y int32, p []int32) (root int32) {
	d := &b.g.den
	st := t.Stoch
	n := st.NPar()
	if st.Scalar.Name == "dcat" {
		return b.categories(y, p)
	}
	shapes := make([][]int, n)
	for k := range shapes {
		shapes[k] = []int{1}
	}
	f, err := NewDensity(st.Name, []int{1}, shapes)
	if err != nil {
		panic(err) // a row of the table of distributions is wrong
	}
	operands := append([]int32{y}, p[:n]...)
	for _, x := range f.Const {
		operands = append(operands, b.number(x))
	}
	d.kind = formulaDensity
	root = b.code(f.Prog, func(k int32) int32 { return operands[k] }, nil)
	for k, what := range []byte(domain(st.Scalar.Name)) {
		switch what {
		case 'r':
		case 'i':
			d.within = append(d.within, interval{operands[0], operands[1], operands[2]})
		case 'n':
			d.checks = append(d.checks, check{operands[k], what, operands[2]})
		default:
			d.checks = append(d.checks, check{operands[k], what, 0})
		}
	}
	if st.Truncated() {
		w := interval{y, -1, -1}
		if st.HasLo {
			w.lo, n = p[n], n+1
		}
		if st.HasHi {
			w.hi = p[n]
		}
		d.within = append(d.within, w)
		for _, i := range rows {
			d.cut = append(d.cut, cutRow{t, i})
		}
	}
	return root
}

// opCalled is the operation that the language calls so.
func opCalled(word string) Op {
	for _, f := range Functions() {
		if f.Name == word {
			return f.Op
		}
	}
	panic("model: there is no function " + word)
}

// sortChecks tells those of numbers that move from those of columns.
func (d *density) sortChecks(g *colGroup) {
	for _, c := range d.checks {
		switch n := &g.nodes[c.node]; {
		case !n.moves:
		case n.wide:
			d.columns = append(d.columns, c)
		default:
			d.numbers = append(d.numbers, c)
		}
	}
	for _, w := range d.within {
		wide := false
		for _, id := range []int32{w.x, w.lo, w.hi} {
			wide = wide || id >= 0 && g.nodes[id].wide
		}
		if wide {
			d.columnsWithin = append(d.columnsWithin, w)
		} else {
			d.numbersWithin = append(d.numbersWithin, w)
		}
	}
}
