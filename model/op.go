package model

import "github.com/ergodic-mcmc/ergodic/dist"

// Op is one operation of a template's program. The list is closed: whoever
// compiles templates to machine code has to cover these and no more.
type Op uint8

// Scalar operations read registers A, B, C and write Dst. Operations from
// OpSum on read the registers Args[A:A+B]; those from OpInverse on write a
// block of registers that starts at Dst.
const (
	OpAdd Op = iota // A + B
	OpSub           // A − B
	OpMul           // A · B, 0 where one is 0 and the other infinite
	OpDiv           // A / B
	OpPow           // A ^ B
	OpSqr           // A²
	OpEq            // A = B, 0 or 1, as all comparisons
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpEquals // |A − B| below equalTo, 0 or 1
	OpAnd    // A ≠ 0 and B ≠ 0
	OpOr     // A ≠ 0 or B ≠ 0
	OpRoundD // A rounded to B decimal digits, halves to even
	OpIfElse // B if A ≠ 0, else C
	OpNeg
	OpNot
	OpAbs
	OpExp
	OpLog
	OpSqrt
	OpIlogit
	OpLogit
	OpPhi
	OpProbit
	OpIcloglog
	OpCloglog
	OpSin
	OpCos
	OpTan
	OpAsin
	OpAcos
	OpAtan
	OpSinh
	OpCosh
	OpTanh
	OpAsinh
	OpAcosh
	OpAtanh
	OpLogGam
	OpLogFact
	OpRound // to the nearest, halves up
	OpTrunc
	OpStep   // 1 if A ≥ 0
	OpGather // V[addr + Σ (index−1)·stride], the mixture node of BUGS
	OpSum    // n-ary
	OpProd
	OpMax
	OpMin
	OpMean
	OpSD
	OpDot      // first half of the arguments times the second half
	OpLogDet   // of an n×n matrix, column-major
	OpInterval // dinterval(t, c…): how many cut points lie below t
	OpInterp   // interp.lin(x, xs…, ys…)
	OpDist     // a density, distribution or quantile function: Fns[C]
	OpInverse  // of a symmetric positive-definite matrix
	OpMExp     // matrix exponential
	OpSort
	OpRank
	OpOrder
	numOps
)

var opNames = [numOps]string{"add", "sub", "mul", "div", "pow", "sqr", "eq", "ne", "lt", "le", "gt", "ge", "equals", "and", "or",
	"round.digits", "ifelse", "neg", "not", "abs", "exp", "log", "sqrt", "ilogit", "logit", "phi", "probit", "icloglog", "cloglog",
	"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "loggam", "logfact",
	"round", "trunc", "step", "gather", "sum", "prod", "max", "min", "mean", "sd", "dot", "logdet", "interval", "interp.lin",
	"dist", "inverse", "mexp", "sort", "rank", "order"}

func (o Op) String() string { return opNames[o] }

// Nary tells whether the operation reads an argument list.
func (o Op) Nary() bool { return o >= OpSum }

// Block tells whether the operation writes as many registers as it reads.
func (o Op) Block() bool { return o >= OpInverse }

// Arity is the number of registers a scalar operation reads.
func (o Op) Arity() int {
	switch {
	case o == OpIfElse:
		return 3
	case o < OpIfElse && o != OpSqr:
		return 2
	case o == OpGather || o.Nary():
		return 0
	}
	return 1
}

// Instr is one operation of a program.
type Instr struct {
	Op      Op
	Dst     int32
	A, B, C int32
}

// Gather addresses an element whose indices are known only while sampling:
// the address slot Slot of the row gives the first element, and index register
// Idx[k], from 1 to Extent[k], moves by Stride[k].
type Gather struct {
	Slot                int32
	Idx, Extent, Stride []int32
	Place               Place    // of the element in the program
	Subs                []string // texts of its changing subscripts
}

// DistFn is a call of a distribution's function inside an expression.
type DistFn struct {
	Kind   byte // 'l' log density, 'd' density, 'p' CDF, 'q' quantile
	Name   string
	PDims  [][]int // shapes of the value and then of the parameters
	Scalar *dist.Scalar
	Multi  *dist.Multi
}

// Program is the straight-line code of a template. Registers 0…NIn−1 hold the
// row's operands.
type Program struct {
	NIn, NReg, NAddr int
	Code             []Instr
	Args             []int32
	Gathers          []Gather
	Fns              []DistFn
	Out              []int32 // registers written to the row's cells
	batchable        bool
}
