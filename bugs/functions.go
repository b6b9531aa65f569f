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
	fnBlock // a square matrix or a vector to one of the same shape
	fnLogDet
	fnTranspose
	fnLength
	fnDim
	fnCombine
	fnRep
	fnInterp
	fnInterval
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

var functions = functionTable()

func functionTable() map[string]*function {
	t := map[string]*function{}
	add := func(kind fnKind, op model.Op, lo, hi int, names ...string) {
		for _, n := range names {
			t[n] = &function{name: n, kind: kind, op: op, min: lo, max: hi}
		}
	}
	one := func(op model.Op, names ...string) { add(fnScalar, op, 1, 1, names...) }
	one(model.OpAbs, "abs")
	one(model.OpAcos, "arccos", "acos")
	one(model.OpAcosh, "arccosh", "acosh")
	one(model.OpAsin, "arcsin", "asin")
	one(model.OpAsinh, "arcsinh", "asinh")
	one(model.OpAtan, "arctan", "atan")
	one(model.OpAtanh, "arctanh", "atanh")
	one(model.OpCos, "cos")
	one(model.OpCosh, "cosh")
	one(model.OpSin, "sin")
	one(model.OpSinh, "sinh")
	one(model.OpTan, "tan")
	one(model.OpTanh, "tanh")
	one(model.OpCloglog, "cloglog")
	one(model.OpIcloglog, "icloglog")
	one(model.OpExp, "exp")
	one(model.OpIlogit, "ilogit")
	one(model.OpLog, "log")
	one(model.OpLogFact, "logfact")
	one(model.OpLogGam, "loggam")
	one(model.OpLogit, "logit")
	one(model.OpPhi, "phi")
	one(model.OpProbit, "probit")
	one(model.OpRound, "round")
	one(model.OpSqrt, "sqrt")
	one(model.OpStep, "step")
	one(model.OpTrunc, "trunc")
	add(fnScalar, model.OpEquals, 2, 2, "equals")
	add(fnScalar, model.OpPow, 2, 2, "pow")
	add(fnScalar, model.OpRoundD, 2, 2, "dround")
	add(fnScalar, model.OpIfElse, 3, 3, "ifelse")
	add(fnReduce, model.OpSum, 1, -1, "sum")
	add(fnReduce, model.OpProd, 1, -1, "prod")
	add(fnReduce, model.OpMax, 1, -1, "max")
	add(fnReduce, model.OpMin, 1, -1, "min")
	add(fnReduce, model.OpMean, 1, 1, "mean")
	add(fnReduce, model.OpSD, 1, 1, "sd")
	add(fnInprod, model.OpDot, 2, 2, "inprod")
	add(fnBlock, model.OpInverse, 1, 1, "inverse")
	add(fnBlock, model.OpMExp, 1, 1, "mexp")
	add(fnBlock, model.OpSort, 1, 1, "sort")
	add(fnBlock, model.OpRank, 1, 1, "rank")
	add(fnBlock, model.OpOrder, 1, 1, "order")
	add(fnLogDet, model.OpLogDet, 1, 1, "logdet")
	add(fnTranspose, 0, 1, 1, "t")
	add(fnLength, 0, 1, 1, "length")
	add(fnDim, 0, 1, 1, "dim")
	add(fnCombine, 0, 1, -1, "c")
	add(fnRep, 0, 2, 2, "rep")
	add(fnInterp, model.OpInterp, 3, 3, "interp.lin")
	add(fnInterval, model.OpInterval, 2, 2, "dinterval")
	addDensities(t)
	return t
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

// inverseLink is the function that a link on the left of <- asks for.
var inverseLink = map[string]model.Op{"log": model.OpExp, "logit": model.OpIlogit, "probit": model.OpPhi, "cloglog": model.OpIcloglog}
