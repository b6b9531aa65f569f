package model

// operation is a row of the table: all that the house knows of an operation.
// Exactly one of unary, binary, ternary, fold and list evaluates it, but for the
// gather, which the interpreters know themselves.
type operation struct {
	name  string
	words []string // functions of the language that it is, the first its name where name is empty
	takes Takes
	link  string // log(x) <- …: the link whose inverse it is

	unary   func(a float64) float64
	binary  func(a, b float64) float64
	ternary func(a, b, c float64) float64
	fold    func(reg []float64, args []int32) float64       // of a list, in its order
	list    func(out, x []float64, fn *DistFn, sc *scratch) // of a list, side by side
	block   bool                                            // list writes as much as it reads
	column1 func(d, a []float64)                            // unary over the rows of a block, where faster than one by one
	column2 func(d, a, b []float64)                         // the same of binary
	columns func(d []float64, args []int32, blk []float64)  // of fold; blk holds the registers' columns

	form     func(reg []Form, in *Instr, args []int32) Form // nil: curved in whatever is not free
	values   func(x []Values) Values                        // of sets of values; nil: any number
	compares *comparison

	// Derivatives at x where the operation gives y; constant: 0 wherever there is one.
	constant bool
	slope    func(x, y float64) float64                                // of unary
	slopes   func(dx, x []float64, y float64, fn *DistFn, sc *scratch) // of any other to one number
	push     func(dy, dx, x, y []float64, sc *scratch)                 // of a block: its change along dx
	pull     func(dx, dy, x, y []float64, sc *scratch)                 // and the gradient by x of Σ dy·y
	adjoints func(in *Instr, args []int32, c rowColumns)               // over the rows of a block, where faster than one by one
	// tangent and adjoint of the linear ones, whose bits reach draws.
	tangent func(reg, d []float64, in *Instr, args []int32) float64
}

// of evaluates an operation that is no list; order are the numbers from 0 on.
func (row *operation) of(x []float64, order []int32) float64 {
	switch {
	case row.unary != nil:
		return row.unary(x[0])
	case row.binary != nil:
		return row.binary(x[0], x[1])
	case row.ternary != nil:
		return row.ternary(x[0], x[1], x[2])
	}
	return row.fold(x, order[:len(x)])
}

// comparison is what is known of numbers that an operation compares.
type comparison struct {
	surely          func(a, b Values) (yes, no bool)
	not, mirrored   Op   // where it does not hold; with its sides exchanged
	atMost, atLeast bool // where it holds a is at most, at least b
	strict          bool
}

// Takes tells what a function of the language may be given.
type Takes uint8

const (
	OfNothing Takes = iota // no function of the language, or one with rules of its own
	ByElement              // numbers, or arrays element by element
	OfArrays               // any number of arrays and numbers, as one list
	OfArray                // one array, as a list
	OfVectors              // two arrays of one length
	OfMatrix               // a square matrix
)

// Function is an operation as the language calls it.
type Function struct {
	Name  string
	Op    Op
	Takes Takes
}

// Functions lists the functions of the language that are one operation.
func Functions() []Function {
	var all []Function
	for o := range operations {
		row := &operations[o]
		for _, w := range row.words {
			all = append(all, Function{w, Op(o), row.takes})
		}
	}
	return all
}

// InverseLink is the operation that a link on the left of <- asks for.
func InverseLink(link string) (Op, bool) {
	for o := range operations {
		if link != "" && operations[o].link == link {
			return Op(o), true
		}
	}
	return 0, false
}
