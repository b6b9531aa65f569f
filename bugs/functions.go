package bugs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/model"
)

type fnKind uint8

const (
	fnScalar fnKind = iota // applied element by element
	fnReduce               // any number of arrays to one number
	fnInprod
	fnBlock  // a square matrix or a vector to one of the same shape
	fnLogDet // a square matrix to one number
	fnTranspose
	fnLength
	fnDim
	fnCombine
	fnRep
	fnInterp
	fnInterval
	fnCAR     // of neighbours and weights, from data alone
	fnDensity // logdensity.foo, dfoo, pfoo, qfoo
)

// function is a row of the table of functions.
type function struct {
	name     string
	kind     fnKind
	op       model.Op
	min, max int // number of arguments; max −1: any
	density  byte
	scalar   *dist.Scalar
	multi    *dist.Multi
}

func (f *function) arguments() string {
	switch {
	case f.max < 0:
		return fmt.Sprintf("at least %d arguments", f.min)
	case f.min == 1 && f.max == 1:
		return "one argument"
	case f.min == f.max:
		return fmt.Sprintf("%d arguments", f.min)
	}
	return fmt.Sprintf("%d to %d arguments", f.min, f.max)
}

// byElement tells the functions of distributions of numbers, which go over arrays; dcat has a vector for a parameter.
func (f *function) byElement() bool { return f.scalar != nil && f.scalar.Name != "dcat" }

// ofMatrix tells functions of matrices, which keep the shape.
func (f *function) ofMatrix() bool { return f.op == model.OpInverse || f.op == model.OpMExp }

var functions = functionTable()

func functionTable() map[string]*function {
	t := map[string]*function{}
	add := func(kind fnKind, op model.Op, lo, hi int, names ...string) {
		for _, n := range names {
			t[n] = &function{name: n, kind: kind, op: op, min: lo, max: hi}
		}
	}
	for _, f := range model.Functions() {
		t[f.Name] = functionOf(f)
	}
	for name, as := range map[string]string{"inprod2": "inprod", "expit": "ilogit", "iprobit": "phi", "lgamma": "loggam", "lfactorial": "logfact", "nimStep": "step"} {
		f := *t[as] // OpenBUGS, NIMBLE
		f.name = name
		t[name] = &f
	}
	add(fnTranspose, 0, 1, 1, "t")
	add(fnLength, 0, 1, 1, "length")
	add(fnDim, 0, 1, 1, "dim")
	add(fnCombine, 0, 1, -1, "c")
	add(fnRep, 0, 2, 2, "rep")
	add(fnInterp, model.OpInterp, 3, 3, "interp.lin")
	add(fnInterval, model.OpInterval, 2, 2, "dinterval")
	add(fnCAR, 0, 4, 4, "car.eigenvalues", "min.bound", "max.bound", "carMinBound", "carMaxBound") // GeoBUGS, NIMBLE
	addDensities(t)
	return t
}

// functionOf is the row of a function that is one operation.
func functionOf(f model.Function) *function {
	row := &function{name: f.Name, op: f.Op, min: 1, max: 1}
	switch f.Takes {
	case model.ByElement:
		row.kind, row.min, row.max = fnScalar, f.Op.Arity(), f.Op.Arity()
	case model.OfArrays:
		row.kind, row.max = fnReduce, -1
	case model.OfVectors:
		row.kind, row.min, row.max = fnInprod, 2, 2
	case model.OfMatrix:
		row.kind = fnLogDet
	case model.OfArray:
		row.kind = fnReduce
	}
	if f.Op.Block() {
		row.kind = fnBlock
	}
	return row
}

func addDensities(t map[string]*function) {
	put := func(name string, kind byte, n int, s *dist.Scalar, m *dist.Multi) {
		t[name] = &function{name: name, kind: fnDensity, op: model.OpDist, min: n, max: n, density: kind, scalar: s, multi: m}
	}
	for _, d := range dist.Scalars() {
		n := len(d.Params) + 1
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			stem := strings.TrimPrefix(name, "d")
			put("logdensity."+stem, 'l', n, d, nil)
			if d.CDF == nil {
				continue
			}
			put(name, 'd', n, d, nil)
			put("p"+stem, 'p', n, d, nil)
			if d.Quantile != nil {
				put("q"+stem, 'q', n, d, nil)
			}
		}
	}
	for _, d := range dist.Multis() {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			put("logdensity."+strings.TrimPrefix(name, "d"), 'l', len(d.Params)+1, nil, d)
		}
	}
}

func lookupFunction(name string) *function { return functions[name] }

func functionNames() []string { return slices.Collect(maps.Keys(functions)) }

func distributionNames() []string {
	names := []string{"dinterval"}
	for _, d := range dist.Scalars() {
		names = append(names, d.Name)
	}
	for _, d := range dist.Multis() {
		names = append(names, d.Name)
	}
	return names
}
