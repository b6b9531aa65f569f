package bugs

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Compiled is a program bound to its data.
type Compiled struct {
	Model    *model.Model
	Program  *Program
	Warnings []string // unused data and the like
}

// Compile binds a program to data: the data block is simulated once, by r, and
// the relations of the model block become templates and rows. Its cost is
// linear in the number of elements the program names. Every error is an
// [*Error] with its place in the program.
func Compile(p *Program, data *Data, r *rand.Rand) (*Compiled, error) {
	data = p.withGiven(data)
	return compileWithin(limitsFor(data.numbers()), p, data, r)
}

func compileWithin(l limits, p *Program, data *Data, r *rand.Rand) (out *Compiled, err error) {
	if p.Model == nil {
		return nil, p.ErrorAt(Pos{1, 1}, "A program is model { … }, after an optional data { … }.", "there is no model block")
	}
	c := newCompiler(p, data, l)
	defer func() {
		switch e := recover().(type) {
		case nil:
		case bail:
			out, err = nil, e.err
		default:
			out, err = nil, c.internalError(e)
		}
	}()
	used := map[string]bool{}
	if p.Data != nil {
		values := c.simulateData(used, r)
		*c = *newCompiler(p, data, l)
		c.values = values
	}
	m := c.compile(p.Model.Stmts)
	res := &Compiled{Model: m, Program: p, Warnings: append(slices.Clone(p.Notes), c.warnings...)}
	res.Warnings = append(res.Warnings, c.unusedData(data.Names, used)...)
	if len(m.ObservedRows()) == 0 {
		res.Warnings = append(res.Warnings, "nothing is observed: the draws are those of the prior")
	}
	return res, nil
}

// bail carries an error out of the compiler's recursion.
type bail struct{ err error }

type compiler struct {
	prog   *Program
	stmts  []Stmt // of the block being compiled
	values map[string]*Value
	text   map[string]string // where names that hold text are in the data
	limits limits
	work   int       // spent so far of limits.work
	code   int       // and of limits.code
	look   int       // work at which the memory left is looked at again
	turns  int       // of loops in this walk
	at     *relation // being compiled
	arrays map[string]*array
	order  []*array
	rels   []*relation
	b      *model.Builder

	defInst    []int32 // by cell of arrays with relations: 1 + logical instance that defines it
	stochInst  []int32 // by cell: 1 + stochastic instance
	begun      int     // relations that define has come to
	state      []uint8 // by instance: 0 not met, 1 being compiled, 2 done
	nInst      int32
	env        []int32 // values of the loop counters now
	envNames   []string
	eliminated map[int32]elimination // by the instance of an observed sum
	parts      map[int32]shares      // by the instance of a Dirichlet node observed in part
	depth      int                   // definitions being compiled within one another
	nest       int                   // expressions being compiled within one another
	warnings   []string
	asking     bool            // there are queries, see asks
	lookedAt   map[string]bool // data that decide how relations are written
	memo       map[memoKey]val
	memoRel    map[*node]*[]entry
	tables     map[tableKey]bool
	canon      map[int32]int32 // copies to their originals
	copies     map[Pos]int     // templates of copies, by place
	free       []*row
	stack      []item  // see items
	defined    []int32 // memory of the cells that an instance defines, of those of them that have rows, and of a row's results
	out        []int32
	results    []int32
	counting   []int32 // 1, 2, …
}

func newCompiler(p *Program, data *Data, l limits) *compiler {
	return &compiler{prog: p, values: maps.Clone(data.Values), text: data.text, limits: l, arrays: map[string]*array{}, b: model.NewBuilder(),
		memo: map[memoKey]val{}, canon: map[int32]int32{}, memoRel: map[*node]*[]entry{}, tables: map[tableKey]bool{}, lookedAt: map[string]bool{}}
}

// fail ends compiling with an error that shows no more than 80 characters of
// each thing it names.
func (c *compiler) fail(pos Pos, hint, format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case Expr:
			args[i] = wording.Brief(a.String())
		case string:
			args[i] = wording.Brief(a)
		}
	}
	panic(bail{c.prog.ErrorAt(pos, hint, format, args...)})
}

// where tells the values of the loop counters, for errors.
func (c *compiler) where(env []int32) counters {
	names := c.envNames
	if len(env) == 0 || len(names) < len(env) {
		return ""
	}
	var parts []string
	for i, v := range env {
		if !Hidden(names[i]) {
			parts = append(parts, fmt.Sprintf("%s = %d", names[i], v))
		}
	}
	if parts == nil {
		return ""
	}
	return counters(" (at " + strings.Join(parts, ", ") + ")")
}

// counters is a text of loop counters and their values.
type counters string

func (c *compiler) compile(stmts []Stmt) *model.Model {
	dims := make([][]*node, len(c.prog.Vars))
	for i, d := range c.prog.Vars {
		c.array(d.Name, d.Pos)
		for _, e := range d.Dims {
			dims[i] = append(dims[i], c.resolve(e, scope{}))
		}
	}
	c.stmts, c.asking = stmts, asks(stmts)
	c.collect(stmts, nil, scope{})
	c.bindData()
	c.declare(dims)
	c.scan()
	c.allocate()
	c.define()
	c.markUsed(dims)
	c.warnLoops()
	for _, r := range c.rels {
		c.b.Rows = int(r.n)
		c.eachDefined(r, func(k int) {
			c.at = r
			if r.ast.Stochastic {
				c.stochastic(r)
			} else {
				c.logical(r.first + int32(k))
			}
		})
	}
	c.checkCycles()
	m := c.b.Build()
	if cell, ok := m.Cycle(); ok {
		r := c.relationOf(m, cell)
		c.fail(r, "A node cannot depend on itself, directly or through others; index the relation by time, or use a distribution that takes the whole vector.",
			"possible directed cycle involving %s", m.CellName(cell))
	}
	c.checkIndices(m)
	c.checkImproper(m)
	return m
}

func (c *compiler) relationOf(m *model.Model, cell int32) Pos {
	if row := m.DefRow(cell); row >= 0 {
		t, _ := m.TemplateOf(row)
		return Pos{t.Place.Line, t.Place.Col}
	}
	return Pos{1, 1}
}

// bindData gives arrays that occur in the program their data.
func (c *compiler) bindData() {
	for _, a := range c.order {
		v, ok := c.values[a.name]
		if !ok {
			if where, isText := c.text[a.name]; isText {
				c.fail(a.pos, "Code its values as numbers: 1, 2, 3, … for the levels of a factor.", "%s holds text in the data, at %s, where the model needs numbers", a.name, where)
			}
			continue
		}
		a.data = v
		c.setDims(a, v.Dims)
	}
}

func (c *compiler) setDims(a *array, dims []int) {
	a.dims, a.known = dims, true
	a.stride = make([]int32, len(dims))
	s := int32(1)
	for k, d := range dims {
		a.stride[k] = s
		s *= int32(d)
	}
}

// declare gives arrays the shapes of the var line.
func (c *compiler) declare(extents [][]*node) {
	for i, d := range c.prog.Vars {
		a := c.arrays[d.Name]
		dims := make([]int, len(d.Dims))
		for k, e := range d.Dims {
			n, ok := c.fixedInt(extents[i][k], nil, 0)
			if !ok {
				if len(a.rels) == 0 && a.data == nil {
					dims = nil
					break
				}
				c.fail(e.Position(), "Give it in the data.", "the dimension %s of %s has no fixed value", e, d.Name)
			}
			if n < 1 {
				c.fail(e.Position(), "Dimensions are whole numbers from 1 on: var x[3,N].", "%s cannot have the dimension %d", d.Name, n)
			}
			dims[k] = n
		}
		c.checkCells(d.Pos, d.Name, dims)
		if a.data != nil {
			c.checkDeclared(a, dims, d.Pos)
			continue
		}
		if dims != nil || len(d.Dims) == 0 {
			c.setDims(a, dims)
		}
	}
}

func (c *compiler) checkDeclared(a *array, dims []int, pos Pos) {
	if equalInts(dimsOrOne(a.dims), dimsOrOne(dims)) || dims == nil {
		return
	}
	c.fail(pos, "Make the two agree.", "%s is declared as %s, but the data in %s are %s", a.name, timesText(dims), a.data.File, timesText(a.dims))
}

// simulateData runs the data block forward once: all it defines becomes data.
func (c *compiler) simulateData(used map[string]bool, r *rand.Rand) map[string]*Value {
	m := c.compile(c.prog.Data.Stmts)
	s := m.NewState()
	if cell, msg := s.Simulate(r); cell >= 0 {
		c.fail(c.relationOf(m, cell), "Correct the numbers that its distribution gets, or move the relation to the model block.", "the data block cannot be simulated: %s cannot be drawn: %s", m.CellName(cell), msg)
	}
	out := maps.Clone(c.values)
	for _, a := range c.order {
		used[a.name] = used[a.name] || a.used
		if len(a.rels) == 0 {
			continue
		}
		v := &Value{Dims: a.dims, Data: make([]float64, a.size()), File: c.prog.File, Pos: a.pos}
		at, _ := m.Array(a.name)
		for i := range v.Data {
			v.Data[i] = s.At(at.Base + int32(i))
		}
		for i, x := range v.Data {
			if !math.IsNaN(x) {
				continue
			}
			cell := a.base + int32(i)
			if inst := max(c.defInst[cell], c.stochInst[cell]); inst > 0 {
				r, _ := c.instance(inst - 1)
				c.fail(r.ast.Pos, "Correct the data that it is computed from; what is missing is NA in the data.", "%s, which the data block defines, is not a number", m.CellName(at.Base+int32(i)))
			}
			if v.NA == nil {
				v.NA = make([]bool, len(v.Data))
			}
			v.NA[i] = true
		}
		out[a.name] = v
	}
	return out
}
