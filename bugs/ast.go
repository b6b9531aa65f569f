package bugs

import "strings"

// Program is a parsed model file. Data and Model are nil where the file has no
// such block.
type Program struct {
	File   string
	Source string
	Vars   []VarDecl
	Data   *Block
	Model  *Block
	Given  *Data    // data behind the model, in a compound document; nil without
	Starts []*Data  // initial values there
	Notes  []string // what there is to say of how the text was read

	openBUGS bool  // whose dialect it is: said so, or no other has its names
	doubtful []Pos // of operators beside ranges without parentheses, read as JAGS does
	document int   // where in the source, without a byte order mark, the lists and tables behind the model begin; 0 without
	title    int   // where the model begins behind words of no program, likewise; 0 without
}

// VarDecl declares a variable and its dimensions: var x[N, 2].
type VarDecl struct {
	Name string
	Dims []Expr // nil for a scalar
	Pos  Pos
}

// Block is the body of data { } or model { }.
type Block struct {
	Stmts []Stmt
	Pos   Pos // of the word that opens it
}

// Stmt is a *For, an *If or a *Relation.
type Stmt interface {
	stmt()
	print(b *strings.Builder, indent int)
}

// For repeats Body for each element of the integer vector Range.
type For struct {
	Var   string
	Range Expr
	Body  []Stmt
	Pos   Pos
}

// If takes the relations of Then where Cond, which data and loop counters decide,
// is not 0, and those of Else where it is.
type If struct {
	Cond       Expr
	Then, Else []Stmt
	Pos        Pos
}

// Relation defines LHS: LHS ~ Dist when Stochastic, else Link(LHS) <- Expr.
type Relation struct {
	LHS        *VarRef
	Link       string // "", log, logit, probit or cloglog
	Stochastic bool
	Target     bool      // target += Expr: Expr is added to the log density; LHS is target
	Expr       Expr      // nil when Stochastic
	Dist       *DistCall // nil when not Stochastic
	Pos        Pos
}

// DistCall is the right side of ~.
type DistCall struct {
	Name  string
	Args  []Expr
	Names []string // what is written before the = of each argument, "" for none; nil where none has a name
	Trunc *Trunc   // nil when not truncated
	Pos   Pos
}

// Trunc is T(Lo, Hi), I(Lo, Hi) or C(Lo, Hi) after a distribution.
type Trunc struct {
	Kind   byte // 'T', 'I' or 'C'
	Lo, Hi Expr // nil where open
	Pos    Pos
}

func (*For) stmt()      {}
func (*If) stmt()       {}
func (*Relation) stmt() {}

// Expr is a *Number, *VarRef, *Call, *Binary or *Unary. String prints BUGS
// text that parses back to the same tree.
type Expr interface {
	Position() Pos
	String() string
}

// Number is a literal; Text is its spelling.
type Number struct {
	Value float64
	Text  string
	Pos   Pos
}

// VarRef names a variable or a part of it.
type VarRef struct {
	Name     string
	Index    []Expr // nil without brackets; an element is nil for an empty subscript
	HasIndex bool
	Pos      Pos
}

// Call is Func(Args), also length(v) and dim(v).
type Call struct {
	Func string
	Args []Expr
	Pos  Pos
}

// Binary is L Op R with Op one of + - * / ^ : == != < <= > >= && || or a
// %…% operator; ** is read as ^. Pos is the operator's.
type Binary struct {
	Op   string
	L, R Expr
	Pos  Pos
}

// Unary is Op X with Op - or !.
type Unary struct {
	Op  string
	X   Expr
	Pos Pos
}

// Position is where the literal stands.
func (e *Number) Position() Pos { return e.Pos }

// Position is where the name stands.
func (e *VarRef) Position() Pos { return e.Pos }

// Position is where the function's name stands.
func (e *Call) Position() Pos { return e.Pos }

// Position is where the operator stands.
func (e *Binary) Position() Pos { return e.Pos }

// Position is where the operator stands.
func (e *Unary) Position() Pos { return e.Pos }
