package bugs

import (
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// What to write instead, where several errors have it in common. Every error of a program and of data has such a line.
const (
	oneLengthHint    = "Take parts of one length, or one number: x[1:3] + y[1:3]."
	nameFirst        = "Name the expression with <- first, then ask for its size."
	matmulHint       = "The columns of the left must be as many as the rows of the right: t(x) has them exchanged."
	vectorBoundsHint = "Bound its elements: in[k] ~ dinterval(x[k], c(lo, hi)), with 1 for in[k] in the data."
	truncHint        = "Leave T(,) out; dnorm, dgamma, dpois and the other distributions of one number take it, but for dbern, dcat, dhyper and dunif."
	fractionHint     = "Correct the data, or take round() or trunc() of it."
	belowHint        = "Subscripts count from 1: begin the loop later, or code the groups in the data as 1, 2, …."
	jsonForm         = "Data in JSON are one object: {\"N\": 3, \"y\": [1, 2.5, null]}."
	unclosedHint     = "Close the parenthesis: c(1, 2), structure(c(1, 2), .Dim = c(1, 2))."
	relationForm     = "A relation is: variable ~ distribution, or: variable <- expression."
)

// calledHint shows how a distribution is called.
func calledHint(name string) string {
	own := ownParams(name)
	if own == nil {
		own = map[string][]string{"dinterval": {"t", "cut[]"}}[name]
	}
	if own == nil {
		return "Correct the parameters: commas stand between them, and decimals have a point."
	}
	return "It is " + name + "(" + strings.Join(own, ", ") + "); decimals have a point."
}

// vectorsHint is for a distribution of vectors whose elements are given one by one.
func vectorsHint(name, hint string, want int, args []Expr) string {
	if want != 1 || len(args) < 2 {
		return hint
	}
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = a.String()
	}
	return "Its parameter is one vector: " + name + "(c(" + wording.Few(list, 4) + "))."
}

// operatorHint is what to write instead of an operator of R.
func operatorHint(op string) string {
	switch op {
	case "%%":
		return "A remainder is a - b * trunc(a / b)."
	case "%/%":
		return "Write trunc(a / b)."
	case "%in%":
		return "Write sum(v[] == x) > 0."
	}
	return "Known is %*%, the matrix product."
}

// multiHint shows the shapes of the parameters of a distribution of several numbers.
func multiHint(m *dist.Multi) string {
	shape := map[string]string{
		"dmnorm": "dmnorm(mu[1:K], Omega[1:K,1:K]), Omega being the precision matrix", "dmnorm.vcov": "dmnorm.vcov(mu[1:K], Sigma[1:K,1:K])",
		"dmt": "dmt(mu[1:K], Omega[1:K,1:K], k), Omega being the precision matrix", "dwish": "dwish(R[1:K,1:K], k)",
		"dscaled.wishart": "dscaled.wishart(s[1:K], df)", "ddirch": "ddirch(alpha[1:K])", "dmulti": "dmulti(p[1:K], n)",
	}[m.Name]
	if shape == "" {
		return "Give the parameters the shapes that belong together."
	}
	return "Write " + shape + "."
}

// extentHint is for the subscript v of n's k-th dimension, which there is not.
func (c *compiler) extentHint(n *node, k int, v float64) string {
	a, arg := n.arr, n.args[k]
	switch {
	case v < 1 && negated(arg):
		return "A negative subscript leaves nothing out in BUGS: write sum(x[]) - x[i], or two ranges."
	case v < 1 && len(c.prog.doubtful) > 0:
		return fmt.Sprintf("The range in line %d is (a:b) - c, as in JAGS: write a:(b - c).", c.prog.doubtful[0].Line)
	case v < 1:
		return belowHint
	case a.data != nil && len(a.dims) == 2 && v <= float64(a.dims[1-k]):
		return fmt.Sprintf("%s is %s, rows by columns, in %s: are its dimensions exchanged? .Dim = c(rows, columns) with the values by columns.", a.name, timesText(a.dims), a.data.File)
	case a.data != nil:
		return fmt.Sprintf("%s has %s in %s: correct the index or the data.", a.name, timesText(a.dims)+" elements", a.data.File)
	case len(a.rels) > 0:
		return fmt.Sprintf("Define the element as line %d does the others, or correct the index.", a.rels[0].ast.Pos.Line)
	}
	return "Correct the index."
}

func negated(n *node) bool {
	u, ok := n.src.(*Unary)
	return ok && u.Op == "-"
}

// onceHintOf is for an element that one relation defines several times.
func onceHintOf(r *relation) string {
	if len(r.loops) == 0 {
		return onceHint
	}
	counter := r.loops[len(r.loops)-1].name
	for i := range r.loops {
		if r.lhs.counters&(1<<i) == 0 {
			counter = r.loops[i].name
			break
		}
	}
	element := r.lhs.arr.name + "[" + counter + "]"
	if r.lhs.hasIndex {
		return onceHint + " Give the left side a subscript for the loop over " + wording.Brief(counter) + ", or move the relation out of it."
	}
	return onceHint + " Move the relation out of the loop over " + wording.Brief(counter) + ", or write " + wording.Brief(element) + "."
}

// counterHint is for the counter of a loop outside of it; "" for another name.
func (c *compiler) counterHint(name string) (hint string) {
	eachLoop(c.stmts, func(f *For) {
		if f.Var == name {
			hint = fmt.Sprintf("%s is the counter of the loop in line %d, which does not reach to here: move the relation into it.", wording.Brief(name), f.Pos.Line)
		}
	})
	return hint
}

// warnLoops remarks on for (i in N), which has one turn, at i = N.
func (c *compiler) warnLoops() {
	seen := map[*loopVar]bool{}
	for _, r := range c.rels {
		for _, l := range r.loops {
			if seen[l] || l.cond != nil || l.rng.kind != varNode || l.rng.hasIndex || len(l.rng.arr.dims) > 0 || l.rng.arr.data == nil || l.rng.arr.data.Data[0] <= 1 {
				continue
			}
			seen[l] = true
			c.warnings = append(c.warnings, fmt.Sprintf("the loop in line %d has one turn, %s = %v: write 1:%s for all up to it", l.rng.pos.Line, wording.Brief(l.name), l.rng.arr.data.Data[0], wording.Brief(l.rng.arr.name)))
		}
	}
}

// declarations are words with which other languages declare variables.
var declarations = []string{"int", "real", "vector", "row_vector", "matrix", "simplex", "array", "double", "float", "cov_matrix", "corr_matrix", "ordered"}

// declarationHint is for a name that neither ~ nor <- follows.
func (p *parser) declarationHint(name string) string {
	for _, word := range declarations {
		if name == word {
			return "Declarations as Stan has them are not needed: shapes come from the data and from subscripts, or from var beta[3], mu; before the model."
		}
	}
	switch {
	case p.isOp("-") && p.nextIsOp(">"):
		return "The arrow points to the left: variable <- expression."
	case p.isOp("<") && p.nextIsOp("-"):
		return "The arrow is <-, without a blank in it."
	case p.isOp("-"):
		return "A name has no hyphen: write a dot or an underscore."
	case p.isOp("<") || p.isOp(">") || p.isOp("<=") || p.isOp(">=") || p.isOp("==") || p.isOp("!="):
		return "Bounds of a node stand behind its distribution, T(lo,hi); what must be true of several is one ~ dconstraint(a < b), with 1 for one in the data."
	}
	if p.isOp("+") && p.nextIsOp("=") {
		return "Every element is defined once: a sum is total <- sum(x[1:N]). Only target += adds, to the log density."
	}
	return relationForm
}

// expressionHint is for a token that cannot begin an expression.
func (p *parser) expressionHint() string {
	switch {
	case p.isOp("["):
		return "One pair of brackets: y[i], y[i,j]."
	case p.isOp("+"):
		return "There is no sign + in BUGS: leave it out."
	case p.isOp(",") || p.isOp(")"):
		return "An argument is missing, or there is a comma too many."
	case p.isOp("{"):
		return "Braces stand around blocks and bodies of loops only: write ( )."
	}
	return "Write a number, a variable, an element such as x[i], or a function such as exp(x), and something on both sides of an operator."
}

// nameHint is for what stands where a name should in an object of JSON.
func (r *jsonReader) nameHint() string {
	switch r.byte() {
	case '\'':
		return "JSON has double quotation marks: {\"y\": [1, 2]}."
	case '}':
		return "Remove the comma before }."
	}
	return jsonForm
}

// valueHint is for what stands where a value should in JSON.
func (r *jsonReader) valueHint() string {
	switch c := r.byte(); {
	case c == ']' || c == '}':
		return "Remove the comma before " + string(c) + "."
	case c == '.':
		return "JSON writes a digit before the point: 0.5."
	case c == '\'':
		return "Numbers stand without quotation marks."
	}
	return "A value is a number, null for what is missing, or an array of such: [1, 2.5, null]."
}
