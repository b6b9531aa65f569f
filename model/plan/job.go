package plan

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Job samples a planned model. Its fields must not change once a method has been called.
type Job struct {
	Plan     *Plan
	Inits    []model.Inits // one for each chain, or one for all, or none
	Monitors []model.Monitor
	// LogLik adds the log density of every observed node to the record.
	LogLik bool
	// Sampled adds the values of the nodes that are sampled, see [Job.SampledNodes].
	Sampled bool

	once     sync.Once
	rows     []int32        // recomputed for each draw, parents first
	reads    map[int32]bool // logical rows that sampling keeps up to date and that recording reads; nil: all
	observed []model.Seg    // rows of the data
	density  []model.Seg    // and of the nodes that are sampled
	reach    []span         // cells of density that change
	logLik   []observedArray
	sampled  []int32

	monitored []spans // by monitor; nil where a state does not hold all cells
}

// observedArray gathers the observed rows of one array.
type observedArray struct {
	draws.Variable
	rows []int32 // row of each element, −1 where it is not observed
}

// ready finds what a draw has to compute beyond what sampling keeps up to date.
func (j *Job) ready() { j.once.Do(j.prepare) }

func (j *Job) prepare() {
	m := j.Plan.Model
	need := map[int32]bool{}
	var stack []int32
	push := func(c int32) {
		if r := m.DefRow(c); r >= 0 && !need[r] && !j.Plan.relevant(r) && m.Kinds[c] != model.Observed {
			need[r] = true
			stack = append(stack, r)
		}
	}
	for _, mon := range j.Monitors {
		for _, c := range mon.Cells {
			push(c)
		}
		var at spans
		if !slices.ContainsFunc(mon.Cells, func(c int32) bool { return int(c) >= m.Held() }) {
			at = spansOf(mon.Cells)
		}
		j.monitored = append(j.monitored, at)
	}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		m.Parents(r, push)
	}
	if len(need) > 0 {
		for _, r := range m.Topological() {
			if need[r] {
				j.rows = append(j.rows, r)
			}
		}
	}
	j.findReads()
	j.observed, j.density = m.DataRows(), m.DensityRows()
	j.reach = changing(m, j.density)
	if j.LogLik {
		j.findObserved()
	}
	if j.Sampled {
		j.sampled = m.SampledCells()
	}
}

// findReads finds the logical rows that recording needs, of those that sampling keeps up to date.
func (j *Job) findReads() {
	if j.LogLik || j.Sampled || slices.ContainsFunc(j.Monitors, func(m model.Monitor) bool { return m.Cells == nil }) {
		return
	}
	m := j.Plan.Model
	j.reads = map[int32]bool{}
	var stack []int32
	push := func(c int32) {
		if r := m.DefRow(c); r >= 0 && !j.reads[r] && m.Kinds[c] == model.Logical {
			j.reads[r] = true
			stack = append(stack, r)
		}
	}
	for _, mon := range j.Monitors {
		for _, c := range mon.Cells {
			push(c)
		}
	}
	for _, r := range j.rows {
		m.Parents(r, push)
	}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		m.Parents(r, push)
	}
}

func (j *Job) findObserved() {
	m := j.Plan.Model
	for _, a := range m.Arrays {
		if a.Prior {
			continue
		}
		rows := make([]int32, a.Size)
		found := false
		for k := range rows {
			rows[k] = -1
			c := a.Base + int32(k)
			if m.Kinds[c] == model.Observed {
				if t, i := m.TemplateOf(m.DefRow(c)); t.Stoch != nil && t.Cells(i)[0] == c {
					rows[k], found = m.DefRow(c), true
				}
			}
		}
		if found {
			j.logLik = append(j.logLik, observedArray{draws.Variable{Name: a.Name, Dims: a.Dims}, rows})
		}
	}
}

// Start gives a chain its initial state, without regard to other chains.
func (j *Job) Start(ctx context.Context, chain int, r *rand.Rand) (*model.State, error) {
	return j.StartApart(ctx, mcmc.Place{Chain: chain}, r)
}

// StartApart gives a chain its initial state, away from those of the other
// chains as [Plan.StartApart] has it, or after a climb from there ([climbs]).
func (j *Job) StartApart(ctx context.Context, at mcmc.Place, r *rand.Rand) (*model.State, error) {
	var given model.Inits
	switch len(j.Inits) {
	case 0:
	case 1:
		given = j.Inits[0]
	default:
		given = j.Inits[at.Chain%len(j.Inits)]
	}
	s, err := j.Plan.climbs.start(j.Plan, given, at, r)
	if err != nil {
		return nil, fmt.Errorf("chain %d: %w", at.Chain+1, err)
	}
	return s, ctx.Err()
}

// Kernel makes the chain's sweep. It may put off logical rows that recording does not read: see [model.State.Settle].
func (j *Job) Kernel(int) mcmc.Kernel[*model.State] {
	j.ready()
	w := j.Plan.Sweep()
	if len(w.kernels) == 1 && j.reads != nil {
		if k, ok := w.kernels[0].(*nuts); ok {
			k.record(j.Plan.Model, j.reads)
		}
	}
	return w
}

// Variables are the monitored ones, then the pointwise log likelihood, then the nodes that are sampled.
func (j *Job) Variables() []draws.Variable {
	var v []draws.Variable
	for _, m := range j.Monitors {
		v = append(v, m.Variable)
	}
	return slices.Concat(v, j.LogLikelihood(), j.SampledNodes())
}

// LogLikelihood are the variables of the pointwise log likelihood.
func (j *Job) LogLikelihood() []draws.Variable {
	j.ready()
	var v []draws.Variable
	for _, o := range j.logLik {
		v = append(v, o.Variable)
	}
	return v
}

// SampledNodes is the variable that holds the nodes that are sampled: the cells of [model.Model.SampledCells].
func (j *Job) SampledNodes() []draws.Variable {
	if j.ready(); len(j.sampled) == 0 {
		return nil
	}
	return []draws.Variable{{Name: "nodes", Dims: []int{len(j.sampled)}}}
}

// Record writes one draw. Nodes that no data reach are drawn here, from their
// distribution given the draw.
func (j *Job) Record(s *model.State, r *rand.Rand, dst []float64) {
	j.ready()
	m := j.Plan.Model
	for _, row := range j.rows {
		t, i := m.TemplateOf(row)
		if t.Stoch == nil {
			s.RunRow(t, i)
			continue
		}
		if s.SampleRow(t, i, r) != "" {
			for _, c := range t.Cells(i) {
				s.V[c] = math.NaN()
			}
		}
	}
	at := 0
	for k := range j.Monitors {
		mon := &j.Monitors[k]
		if mon.Cells == nil {
			dst[at] = -2 * s.LogProb(j.observed)
			at++
			continue
		}
		if cells := j.monitored[k]; cells != nil {
			cells.gather(dst[at:], s.V)
			at += len(mon.Cells)
			continue
		}
		for _, c := range mon.Cells {
			dst[at] = s.At(c)
			at++
		}
	}
	for k := range j.logLik {
		for _, row := range j.logLik[k].rows {
			dst[at] = math.NaN()
			if row >= 0 {
				t, i := m.TemplateOf(row)
				dst[at] = s.LogProbRow(t, i)
			}
			at++
		}
	}
	for k, c := range j.sampled {
		dst[at+k] = s.V[c]
	}
}

// LogDensity is that of the nodes that are sampled and the data together.
func (j *Job) LogDensity(s *model.State) float64 {
	j.ready()
	s.Settle()
	return s.LogProb(j.density)
}

// MarshalState writes the value of every cell that changes, and what s.Far has counted.
func (j *Job) MarshalState(s *model.State) ([]byte, error) {
	s.Settle()
	var b []byte
	for c, k := range s.M.Kinds {
		if k == model.Unobserved || k == model.Logical {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.V[c]))
		}
	}
	return marshalFar(b, s.Far), nil
}

// UnmarshalState is the inverse of MarshalState.
func (j *Job) UnmarshalState(_ int, b []byte) (*model.State, error) {
	s := j.Plan.Model.NewState()
	for c, k := range s.M.Kinds {
		if k != model.Unobserved && k != model.Logical {
			continue
		}
		if len(b) < 8 {
			return nil, errTuning
		}
		s.V[c] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var err error
	s.Far, err = unmarshalFar(b)
	return s, err
}
