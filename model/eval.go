package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// run evaluates the program for one row: reg holds the operands, v the values
// of all cells, addr the row's table addresses.
func (p *Program) run(reg, v []float64, addr []int32, sc *scratch) {
	for i := range p.Code {
		in := &p.Code[i]
		switch in.Op {
		case OpAdd:
			reg[in.Dst] = reg[in.A] + reg[in.B]
		case OpSub:
			reg[in.Dst] = reg[in.A] - reg[in.B]
		case OpMul:
			reg[in.Dst] = times(reg[in.A], reg[in.B])
		case OpDiv:
			reg[in.Dst] = reg[in.A] / reg[in.B]
		case OpSqr:
			reg[in.Dst] = reg[in.A] * reg[in.A]
		case OpGather:
			reg[in.Dst] = p.Gathers[in.A].load(reg, v, addr)
		default:
			if in.Op.Nary() {
				p.runNary(in, reg, sc)
				continue
			}
			if in.Op.Arity() == 1 {
				reg[in.Dst] = Apply(in.Op, reg[in.A], 0, 0)
				continue
			}
			reg[in.Dst] = Apply(in.Op, reg[in.A], reg[in.B], reg[in.C])
		}
	}
}

// cell is the address the gather reads now, or −1 when an index is out of range.
func (g *Gather) cell(reg []float64, addr []int32) int32 {
	a := addr[g.Slot]
	for k, r := range g.Idx {
		x := reg[r]
		j := int32(x)
		if float64(j) != x || j < 1 || j > g.Extent[k] {
			return -1
		}
		a += (j - 1) * g.Stride[k]
	}
	return a
}

func (g *Gather) load(reg, v []float64, addr []int32) float64 {
	if a := g.cell(reg, addr); a >= 0 {
		return v[a]
	}
	return math.NaN()
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Apply evaluates a scalar operation.
func Apply(op Op, a, b, c float64) float64 {
	switch op {
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return times(a, b)
	case OpDiv:
		return a / b
	case OpPow:
		return power(a, b)
	case OpSqr:
		return a * a
	case OpEq:
		return truth(a == b)
	case OpNe:
		return truth(a != b)
	case OpLt:
		return truth(a < b)
	case OpLe:
		return truth(a <= b)
	case OpGt:
		return truth(a > b)
	case OpGe:
		return truth(a >= b)
	case OpEquals:
		return truth(a == b || math.Abs(a-b) < equalTo)
	case OpAnd:
		return truth(a != 0 && b != 0)
	case OpOr:
		return truth(a != 0 || b != 0)
	case OpRoundD:
		s := vec.Pow(10, b)
		return math.RoundToEven(a*s) / s
	case OpIfElse:
		if a != 0 {
			return b
		}
		return c
	}
	return applyUnary(op, a)
}

// times is BUGS's product: 0 times anything but NaN is 0, also 0 times ∞, so that
// 0·log 0 drops out of a sum of deviances as JAGS has it.
func times(a, b float64) float64 {
	p := a * b
	if p != p && (a == 0 && b == b || b == 0 && a == a) {
		return 0
	}
	return p
}

// equalTo is the difference, measured with JAGS 4.3.1, from which its equals()
// tells numbers apart; == has no tolerance.
const equalTo = 16 * 0x1p-52

// power is x^y with the small whole exponents that models are full of done by
// multiplication.
func power(x, y float64) float64 {
	switch y {
	case 0:
		return 1
	case 1:
		return x
	case 2:
		return x * x
	case 3:
		return x * x * x
	case -1:
		return 1 / x
	case -2:
		return 1 / (x * x)
	case 0.5:
		return math.Sqrt(x)
	}
	return vec.Pow(x, y)
}

func applyUnary(op Op, a float64) float64 {
	switch op {
	case OpNeg:
		return -a
	case OpNot:
		return truth(a == 0)
	case OpAbs:
		return math.Abs(a)
	case OpExp:
		return vec.Exp(a)
	case OpLog:
		return vec.Log(a)
	case OpSqrt:
		return math.Sqrt(a)
	case OpIlogit:
		return vec.Ilogit(a)
	case OpLogit:
		return vec.Logit(a)
	case OpPhi:
		return vec.NormCDF(a)
	case OpProbit:
		return vec.NormQuantile(a)
	case OpIcloglog:
		return -vec.Expm1(-vec.Exp(a))
	case OpCloglog:
		return vec.Log(-vec.Log1p(-a))
	case OpLogGam:
		return vec.Lgamma(a)
	case OpLogFact:
		return vec.Lgamma(a + 1)
	case OpRound:
		return math.Floor(a + 0.5)
	case OpTrunc:
		return math.Trunc(a)
	case OpStep:
		return truth(a >= 0)
	}
	return applyTrig(op, a)
}

func applyTrig(op Op, a float64) float64 {
	switch op {
	case OpSin:
		return vec.Sin(a)
	case OpCos:
		return vec.Cos(a)
	case OpTan:
		return vec.Tan(a)
	case OpAsin:
		return vec.Asin(a)
	case OpAcos:
		return vec.Acos(a)
	case OpAtan:
		return vec.Atan(a)
	case OpSinh:
		return vec.Sinh(a)
	case OpCosh:
		return vec.Cosh(a)
	case OpTanh:
		return vec.Tanh(a)
	case OpAsinh:
		return vec.Asinh(a)
	case OpAcosh:
		return vec.Acosh(a)
	case OpAtanh:
		return vec.Atanh(a)
	}
	return math.NaN()
}

// scratch is the working memory of one chain's evaluations.
type scratch struct {
	x, y []float64
	p    [][]float64
	idx  []int
	work dist.Work
}

func (sc *scratch) floats(n int) []float64 {
	if cap(sc.x) < n {
		sc.x = make([]float64, n)
	}
	return sc.x[:n]
}

func (sc *scratch) more(n int) []float64 {
	if cap(sc.y) < n {
		sc.y = make([]float64, n)
	}
	return sc.y[:n]
}

func (p *Program) runNary(in *Instr, reg []float64, sc *scratch) {
	args := p.Args[in.A : in.A+in.B]
	switch in.Op {
	case OpSum, OpMean:
		s := 0.0
		for _, a := range args {
			s += reg[a]
		}
		if in.Op == OpMean {
			s /= float64(len(args))
		}
		reg[in.Dst] = s
	case OpProd:
		s := 1.0
		for _, a := range args {
			s *= reg[a]
		}
		reg[in.Dst] = s
	case OpMax:
		s := math.Inf(-1)
		for _, a := range args {
			s = max(s, reg[a])
		}
		reg[in.Dst] = s
	case OpMin:
		s := math.Inf(1)
		for _, a := range args {
			s = min(s, reg[a])
		}
		reg[in.Dst] = s
	case OpDot:
		h := len(args) / 2
		s := 0.0
		for k, a := range args[:h] {
			s += float64(reg[a] * reg[args[h+k]])
		}
		reg[in.Dst] = s
	default:
		x := sc.floats(len(args))
		for k, a := range args {
			x[k] = reg[a]
		}
		p.runGathered(in, reg, x, sc)
	}
}

// runGathered does the operations that want their arguments side by side.
func (p *Program) runGathered(in *Instr, reg, x []float64, sc *scratch) {
	switch in.Op {
	case OpSD:
		reg[in.Dst] = stdDev(x)
	case OpLogDet:
		reg[in.Dst] = logDet(x, sc)
	case OpInterval:
		reg[in.Dst] = dist.Interval(x[0], x[1:])
	case OpInterp:
		reg[in.Dst] = interpolate(x)
	case OpDist:
		reg[in.Dst] = p.Fns[in.C].eval(x, sc)
	case OpInverse:
		inverse(reg[in.Dst:int(in.Dst)+len(x)], x, sc)
	case OpMExp:
		matrixExp(reg[in.Dst:int(in.Dst)+len(x)], x, sc)
	case OpSort:
		sortInto(reg[in.Dst:int(in.Dst)+len(x)], x)
	case OpRank, OpOrder:
		rankInto(reg[in.Dst:int(in.Dst)+len(x)], x, in.Op == OpRank, sc)
	}
}

// EvalOp applies an operation of the n-ary or block kind to numbers.
func EvalOp(op Op, x []float64, fn *DistFn) []float64 {
	n := int32(len(x))
	p := Program{Args: make([]int32, n), Code: []Instr{{Op: op, Dst: n, A: 0, B: n}}}
	for i := range p.Args {
		p.Args[i] = int32(i)
	}
	if fn != nil {
		p.Fns = []DistFn{*fn}
	}
	out := 1
	if op.Block() {
		out = len(x)
	}
	reg := append(append(make([]float64, 0, len(x)+out), x...), make([]float64, out)...)
	p.run(reg, nil, nil, &scratch{})
	return reg[n:]
}
