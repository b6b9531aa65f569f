package model

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// wholePasses are passes that make up a density with its derivatives and are done at once, row by row: columns between them would cost more than what is computed.
type wholePasses interface{ run(r *groupRun) }

// wholeOf finds such passes where these are all there are.
func (g *colGroup) wholeOf(all []pass) wholePasses {
	if l := g.lineOf(all); l != nil {
		return l
	}
	if p := g.planeOf(all); p != nil {
		return p
	}
	return nil
}

// passReader takes passes one after the other.
type passReader struct {
	left   []pass
	failed bool // one was not the next
}

// need takes a pass, which has to be the next.
func (r *passReader) need(code passCode) pass {
	p, ok := r.may(code)
	r.failed = r.failed || !ok
	return p
}

// may takes a pass if it is the next.
func (r *passReader) may(code passCode) (p pass, ok bool) {
	if len(r.left) == 0 || r.left[0].code != code {
		return pass{}, false
	}
	p, r.left = r.left[0], r.left[1:]
	return p, true
}

func (r *passReader) all() bool { return !r.failed && len(r.left) == 0 }

// normalLine is a density with a precision for each row, whose means are a number and another number times a cell of each row: effects around a mean in units of their standard deviation,
// as in a meta-analysis.
type normalLine struct {
	mean, by      int32 // nodes: the mean, whose numbers are added up, and the number that x is multiplied by
	x, y, tau, to int32 // columns; to has the derivatives by the cells of x
	narrow, moves bool  // whether derivatives by the numbers of the mean and by the factor are asked for
}

func (g *colGroup) lineOf(all []pass) *normalLine {
	r := &passReader{left: all}
	times, numbers, mean, normal := r.need(mulNumberPass), r.need(numbersPass), r.need(addNumbersPass), r.need(normalRowsPass)
	narrow, hasNarrow := r.may(narrowPass)
	back := r.need(copyPass)
	dot, hasDot := r.may(dotPass)
	to := r.need(addTimesPass)
	switch {
	case !r.all(), mean.d != numbers.node, mean.a != times.d, normal.b != mean.d, back.a != normal.d,
		hasNarrow && (narrow.node != numbers.node || narrow.a != normal.d),
		hasDot && (dot.node != times.node || dot.a != back.d || dot.b != times.a),
		to.d != g.byCell(times.a), to.a != back.d, to.node != times.node:
		return nil
	}
	return &normalLine{mean: numbers.node, by: times.node, x: times.a, y: normal.a, tau: normal.node, to: to.d, narrow: hasNarrow, moves: hasDot}
}

func (l *normalLine) run(r *groupRun) {
	v, lin := r.vec, r.g.nodes[l.mean].lin
	slope, product := columns.NormalLine(&r.score.sum, v[l.to], v[l.y], v[l.x], v[l.tau], r.num[l.by], r.numbers(lin))
	if l.narrow {
		r.giveNumbers(lin, slope)
	}
	if l.moves {
		r.dnum[l.by] += product
	}
}

// normalPlane is a density with one precision, whose means are a column times a cell of each row and another column times another: lines of groups, whose rows follow one another in steps.
type normalPlane struct {
	x, z    int32 // nodes: the cells
	y, a, b int32 // columns
	tau     int32 // node
}

func (g *colGroup) planeOf(all []pass) *normalPlane {
	r := &passReader{left: all}
	numbers, first, plus, second, normal := r.need(numbersPass), r.need(mulTherePass), r.need(plusNumbersPass), r.need(addTherePass), r.need(normalPass)
	byX, byZ := r.need(backTherePass), r.need(backTherePass)
	if byX.d != first.b {
		byX, byZ = byZ, byX
	}
	switch {
	case !r.all(), first.d != numbers.node, plus.d != first.d, second.d != first.d, normal.b != first.d,
		byX.d != first.b, byX.a != normal.d, byX.b != first.a, byZ.d != second.b, byZ.a != normal.d, byZ.b != second.a,
		!g.nodes[numbers.node].lin.zero(), !g.inStep(first.b, second.b):
		return nil
	}
	return &normalPlane{x: first.b, z: second.b, y: normal.a, a: first.a, b: second.a, tau: normal.node}
}

// zero tells whether the part of a combination that is one number is nothing.
func (l *linear) zero() bool { return l.number == 0 && l.offset < 0 && len(l.narrow) == 0 }

// inStep tells whether the cells of two nodes follow one another in the same rows, and none is both's.
func (g *colGroup) inStep(a, b int32) bool {
	x, y := &g.nodes[a], &g.nodes[b]
	for k, steps := range x.steps {
		for j, t := range steps {
			if len(steps) != len(y.steps[k]) || t.row != y.steps[k][j].row || t.n != y.steps[k][j].n {
				return false
			}
		}
	}
	of := map[int32]bool{}
	for _, c := range x.cells {
		of[c] = true
	}
	return !slices.ContainsFunc(y.cells, func(c int32) bool { return of[c] })
}

func (p *normalPlane) run(r *groupRun) {
	v, z, tau := r.vec, r.g.nodes[p.z].steps[r.at], r.num[p.tau]
	for k, t := range r.g.nodes[p.x].steps[r.at] {
		c, end := z[k].cell, t.row+t.n
		columns.NormalPlane(&r.score.sum, int(t.row), r.a[t.cell:t.cell+t.n], r.a[c:], v[p.y][t.row:end], v[p.a][t.row:], r.v[t.cell:], v[p.b][t.row:], r.v[c:], tau)
	}
}
