package model

import "github.com/ergodic-mcmc/ergodic/dist"

// Op is one operation of a template's program: the number of its row in the
// table of operations. The list is closed: whoever compiles templates to machine
// code has to cover it and no more.
type Op uint8

// The operations that code names. An operation that only the table knows has no
// constant.
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
	OpExp
	OpIlogit
	OpPhi
	OpIcloglog
	OpRound  // to the nearest, halves up
	OpTrunc  // towards 0
	OpStep   // 1 if A ≥ 0
	OpGather // V[addr + Σ (index−1)·stride], the mixture node of BUGS
	OpSum    // of a list, as all that follow
	OpProd
	OpDot      // first half of the arguments times the second half
	OpLogDet   // of an n×n matrix, column-major
	OpInverse  // of a symmetric positive-definite matrix
	OpMExp     // matrix exponential
	OpInterval // dinterval(t, c…): how many cut points lie below t
	OpInterp   // interp.lin(x, xs…, ys…)
	OpDist     // a density, distribution or quantile function: Fns[C]
	numNamed
)

func (o Op) String() string {
	if row := &operations[o]; row.name == "" {
		return row.words[0]
	}
	return operations[o].name
}

// Nary tells whether the operation reads the registers Args[A:A+B], where others
// read A, B and C.
func (o Op) Nary() bool { return operations[o].fold != nil || operations[o].list != nil }

// Block tells whether the operation writes as many registers as it reads, from
// Dst on.
func (o Op) Block() bool { return operations[o].block }

// Arity is the number of registers A, B, C that the operation reads.
func (o Op) Arity() int {
	switch row := &operations[o]; {
	case row.unary != nil:
		return 1
	case row.binary != nil:
		return 2
	case row.ternary != nil:
		return 3
	}
	return 0
}

// InverseLink tells whether log(x) <- and its like ask for the operation.
func (o Op) InverseLink() bool { return operations[o].link != "" }

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
	blocks           bool // it has operations on blocks
	plain            bool // derivatives of its results need no values but its inputs'
}

// reads are the registers an instruction reads; three is memory for them.
func (p *Program) reads(in *Instr, three *[3]int32) []int32 {
	switch {
	case in.Op == OpGather:
		return p.Gathers[in.A].Idx
	case in.Op.Nary():
		return p.Args[in.A : in.A+in.B]
	}
	*three = [3]int32{in.A, in.B, in.C}
	return three[:in.Op.Arity()]
}
