package bugs

import (
	"strconv"
	"strings"
)

// Binding strengths, weakest first (JAGS 4.3 user manual, §"Operators").
const (
	precOr = iota + 1
	precAnd
	precNot
	precCompare
	precAdd
	precMul
	precPercent
	precRange
	precNeg
	precPow
	precPrimary
)

func binaryPrec(op string) int {
	switch op {
	case "||":
		return precOr
	case "&&":
		return precAnd
	case "==", "!=", "<", "<=", ">", ">=":
		return precCompare
	case "+", "-":
		return precAdd
	case "*", "/":
		return precMul
	case ":":
		return precRange
	case "^":
		return precPow
	}
	return precPercent
}

func exprPrec(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return binaryPrec(e.Op)
	case *Unary:
		if e.Op == "!" {
			return precNot
		}
		return precNeg
	}
	return precPrimary
}

// String is the literal's spelling.
func (e *Number) String() string { return render(e) }

// String prints the name with its subscripts.
func (e *VarRef) String() string { return render(e) }

// String prints the call.
func (e *Call) String() string { return render(e) }

// String prints the operation with the parentheses it needs.
func (e *Binary) String() string { return render(e) }

// String prints the operation with the parentheses it needs.
func (e *Unary) String() string { return render(e) }

func render(e Expr) string {
	var b strings.Builder
	printExpr(&b, e)
	return b.String()
}

func printExpr(b *strings.Builder, e Expr) {
	switch e := e.(type) {
	case nil:
	case *Number:
		if e.Text == "" {
			b.WriteString(strconv.FormatFloat(e.Value, 'g', -1, 64))
			return
		}
		b.WriteString(e.Text)
	case *VarRef:
		b.WriteString(e.Name)
		if e.HasIndex {
			b.WriteByte('[')
			printList(b, e.Index)
			b.WriteByte(']')
		}
	case *Call:
		b.WriteString(e.Func)
		b.WriteByte('(')
		printList(b, e.Args)
		b.WriteByte(')')
	case *Unary:
		b.WriteString(e.Op)
		printOperand(b, e.X, exprPrec(e.X) < exprPrec(e))
	case *Binary:
		printBinary(b, e)
	}
}

func printBinary(b *strings.Builder, e *Binary) {
	prec := binaryPrec(e.Op)
	left, right := exprPrec(e.L) < prec, exprPrec(e.R) <= prec
	switch prec {
	case precCompare, precRange: // do not associate
		left = exprPrec(e.L) <= prec
	case precPow: // associates to the right; its exponent may have a sign
		left, right = exprPrec(e.L) <= prec, exprPrec(e.R) < precNeg
	}
	if prec == precAdd || prec == precMul { // plain in every dialect
		left, right = left || isRange(e.L), right || isRange(e.R)
	}
	printOperand(b, e.L, left)
	if e.Op == "^" || e.Op == ":" {
		b.WriteString(e.Op)
	} else {
		b.WriteByte(' ')
		b.WriteString(e.Op)
		b.WriteByte(' ')
	}
	printOperand(b, e.R, right)
}

func isRange(e Expr) bool {
	b, ok := e.(*Binary)
	return ok && b.Op == ":"
}

func printOperand(b *strings.Builder, e Expr, parens bool) {
	if parens {
		b.WriteByte('(')
	}
	printExpr(b, e)
	if parens {
		b.WriteByte(')')
	}
}

func printList(b *strings.Builder, list []Expr) {
	for i, e := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if e != nil {
			printExpr(b, e)
		}
	}
}

// String prints the declaration without the word var.
func (v VarDecl) String() string {
	var b strings.Builder
	b.WriteString(v.Name)
	if len(v.Dims) > 0 {
		b.WriteByte('[')
		printList(&b, v.Dims)
		b.WriteByte(']')
	}
	return b.String()
}

// String prints the relation on one line.
func (r *Relation) String() string {
	var b strings.Builder
	r.print(&b, 0)
	return strings.TrimSuffix(b.String(), "\n")
}

func (r *Relation) print(b *strings.Builder, indent int) {
	writeIndent(b, indent)
	if r.Target {
		b.WriteString("target += ")
		printExpr(b, r.Expr)
		b.WriteByte('\n')
		return
	}
	if r.Link != "" {
		b.WriteString(r.Link)
		b.WriteByte('(')
	}
	printExpr(b, r.LHS)
	if r.Link != "" {
		b.WriteByte(')')
	}
	if r.Stochastic {
		b.WriteString(" ~ ")
		b.WriteString(r.Dist.String())
	} else {
		b.WriteString(" <- ")
		printExpr(b, r.Expr)
	}
	b.WriteByte('\n')
}

// String prints the distribution with its truncation.
func (d *DistCall) String() string {
	var b strings.Builder
	b.WriteString(d.Name)
	b.WriteByte('(')
	for i, e := range d.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		if d.Names != nil && d.Names[i] != "" {
			b.WriteString(d.Names[i] + " = ")
		}
		printExpr(&b, e)
	}
	b.WriteByte(')')
	if t := d.Trunc; t != nil {
		b.WriteByte(' ')
		b.WriteByte(t.Kind)
		b.WriteByte('(')
		if t.Lo != nil {
			printExpr(&b, t.Lo)
		}
		b.WriteByte(',')
		if t.Hi != nil {
			printExpr(&b, t.Hi)
		}
		b.WriteByte(')')
	}
	return b.String()
}

func (f *For) print(b *strings.Builder, indent int) {
	writeIndent(b, indent)
	b.WriteString("for (")
	b.WriteString(f.Var)
	b.WriteString(" in ")
	printExpr(b, f.Range)
	b.WriteString(") {\n")
	printStmts(b, f.Body, indent+1)
	writeIndent(b, indent)
	b.WriteString("}\n")
}

func (f *If) print(b *strings.Builder, indent int) {
	writeIndent(b, indent)
	b.WriteString("if (")
	printExpr(b, f.Cond)
	b.WriteString(") {\n")
	printStmts(b, f.Then, indent+1)
	writeIndent(b, indent)
	b.WriteByte('}')
	if f.Else != nil {
		b.WriteString(" else {\n")
		printStmts(b, f.Else, indent+1)
		writeIndent(b, indent)
		b.WriteByte('}')
	}
	b.WriteByte('\n')
}

func printStmts(b *strings.Builder, stmts []Stmt, indent int) {
	for _, s := range stmts {
		s.print(b, indent)
	}
}

// Deeper loops than this stay at one margin, so that printing is linear.
const maxIndent = 20

func writeIndent(b *strings.Builder, indent int) {
	for range min(indent, maxIndent) {
		b.WriteString("  ")
	}
}

// String prints the program as BUGS text that parses back to the same tree,
// positions apart.
func (p *Program) String() string {
	var b strings.Builder
	for i, v := range p.Vars {
		if i == 0 {
			b.WriteString("var ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(v.String())
	}
	if len(p.Vars) > 0 {
		b.WriteString(";\n")
	}
	printBlock(&b, "data", p.Data)
	printBlock(&b, "model", p.Model)
	return b.String()
}

func printBlock(b *strings.Builder, word string, block *Block) {
	if block == nil {
		return
	}
	b.WriteString(word)
	b.WriteString(" {\n")
	printStmts(b, block.Stmts, 1)
	b.WriteString("}\n")
}
