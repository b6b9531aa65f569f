package rbm

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Trainer trains a machine, update by update, in float32. The work is divided
// into pieces of a fixed number of cases, chains and rows, each with a random
// stream of its own, so that results do not depend on the number of threads.
type Trainer struct {
	set     Training
	data    *GreyLevels
	hidden  int
	done    int // updates
	stride  int // of rows of hidden units
	tall    int // stride of rows of visible units
	now     parameters
	fast    *parameters // the fast weights that FastPCD adds in the negative phase; nil without
	change  *parameters // the previous change, for momentum; nil without
	average *parameters // nil without
	cases   []*casePiece
	chains  []*chainPiece
	blocks  []*rowBlock
	meanOn  []float32 // μ: of visible units
	hiddens []float32 // λ: running mean of hidden units
	base    []float32 // visible biases at β = 0 of the ladder
	order   []int32   // of the cases in this epoch
	work
	stage                 stage // under way
	stageTeam, weightTeam *fanout.Team
}

// parameters are weights and biases.
type parameters struct {
	w, a, b []float32
}

func (p *parameters) all() [3][]float32 { return [...][]float32{p.w, p.a, p.b} }

func newParameters(visible, stride int) parameters {
	return parameters{make([]float32, visible*stride), make([]float32, stride), make([]float32, visible)}
}

// work is the scratch of one update.
type work struct {
	down  parameters // of the negative phase: now, plus fast for FastPCD
	up    []float32  // the transpose of down.w
	stats []float32  // a row for each case, σ(x)/batch, then one for each particle, −σ(x)/particles
	on    [][]int32  // visible units that are on, in the same order
	rows  [][]int32  // of each visible unit: the rows in which it is on
	each  []int32    // the rows of cases, then those of particles

	rate           float32
	plus, minus    []float32 // means of hidden units
	dh, dv         []float32 // plus − minus; the same of visible units
	gradA, gradB   []float32
	along          []float64 // of centring: rows of statistics times λ
	dhAlong        float64
	hiddensAlong   float64
	none           []float32 // zeros
	wanted, missed []float32 // sparsity
}

// spread is the standard deviation of weights at the start (Hinton, 2010, "A
// practical guide to training restricted Boltzmann machines", §8).
const spread = 0.01

// NewTrainer starts from small random weights, hidden biases of zero, and
// visible biases that fit the means of the cases.
func NewTrainer(data *GreyLevels, hidden int, set Training) (*Trainer, error) {
	if hidden < 1 {
		return nil, fmt.Errorf("the machine has %d hidden units; it needs one", hidden)
	}
	set = set.withDefaults(data.Cases)
	if err := set.check(data.Cases); err != nil {
		return nil, err
	}
	// Weights, their change, average and gradient, and a machine to write.
	if err := memory.Room(float64(40*memory.Product(f32.Stride(data.Visible), f32.Stride(hidden))) + float64(8*memory.Product(set.Batch+set.Particles, data.Visible+f32.Stride(hidden)))); err != nil {
		return nil, fmt.Errorf("a machine of %d×%d units: %w", data.Visible, hidden, err)
	}
	t := &Trainer{set: set, data: data, hidden: hidden, stride: f32.Stride(hidden), tall: f32.Stride(data.Visible)}
	t.now = newParameters(data.Visible, t.stride)
	r := rng.New(set.Seed, "rbm weights")
	for i := range data.Visible {
		for j := range hidden {
			t.now.w[i*t.stride+j] = float32(spread * normal32(r.Rand))
		}
	}
	mean := data.mean()
	t.meanOn, t.base = make([]float32, data.Visible), make([]float32, data.Visible)
	for i, p := range mean {
		t.meanOn[i] = float32(p)
		// Prior counts, 0.1 on and 0.1 off, keep the biases of constant units finite.
		t.base[i] = float32(vec.Logit((float64(p*float64(data.Cases)) + 0.1) / (float64(data.Cases) + 0.2)))
	}
	copy(t.now.b, t.base)
	t.prepare()
	t.start()
	return t, nil
}

// normal32 is the sum of twelve uniform numbers less their mean: near enough
// to a normal draw for a start, and the same on every machine.
func normal32(r *rand.Rand) float64 {
	s := -6.0
	for range 12 {
		s += r.Float64()
	}
	return s
}

// prepare allocates what the settings need.
func (t *Trainer) prepare() {
	visible := t.data.Visible
	more := func(yes bool) *parameters {
		if !yes {
			return nil
		}
		p := newParameters(visible, t.stride)
		return &p
	}
	t.change = more(t.set.Momentum > 0)
	t.average = more(t.set.Average > 0)
	t.fast = more(t.set.Method == FastPCD)
	t.down = t.now
	if t.fast != nil {
		t.down = newParameters(visible, t.stride)
	}
	t.up = make([]float32, t.stride*t.tall)
	n := t.set.Batch + t.set.Particles
	t.stats = make([]float32, n*t.stride)
	t.on, t.rows, t.along = make([][]int32, n), make([][]int32, visible), make([]float64, n)
	for k := range t.on {
		t.on[k] = make([]int32, 0, visible+drawRoom)
		t.each = append(t.each, int32(k))
	}
	for i := range t.rows {
		t.rows[i] = make([]int32, 0, n)
	}
	for _, x := range []*[]float32{&t.plus, &t.minus, &t.dh, &t.gradA, &t.none, &t.wanted, &t.missed, &t.hiddens} {
		*x = make([]float32, t.stride)
	}
	t.dv, t.gradB = make([]float32, visible), make([]float32, visible)
	t.order = make([]int32, t.data.Cases)
	t.cut()
	t.stageTeam = fanout.New(t.set.Threads, t.piece)
	t.weightTeam = fanout.New(t.set.Threads, t.updateWeights)
}

// Pieces of work.
const (
	pieceCases = 25
	blockRows  = 16
)

// cut divides the work into pieces.
func (t *Trainer) cut() {
	for from := 0; from < t.set.Batch; from += pieceCases {
		t.cases = append(t.cases, newCasePiece(t, from, min(from+pieceCases, t.set.Batch)))
	}
	for from := 0; from < t.set.Particles; from += pieceCases {
		t.chains = append(t.chains, newChainPiece(t, from, min(from+pieceCases, t.set.Particles), t.set.Ladder))
	}
	for from := 0; from < t.data.Visible; from += blockRows {
		t.blocks = append(t.blocks, &rowBlock{from, min(from+blockRows, t.data.Visible), make([]float32, t.stride)})
	}
}

// start draws the initial states of the chains and updates what is derived
// from the parameters.
func (t *Trainer) start() {
	for j := range t.hidden {
		t.hiddens[j] = 0.5
		t.wanted[j] = float32(t.set.Sparsity)
	}
	for k, p := range t.cases {
		p.lanes.Seed(rng.New(t.set.Seed, "rbm training cases", uint64(k)).Rand)
	}
	for k, p := range t.chains {
		p.swaps = rng.New(t.set.Seed, "rbm training chains", uint64(k))
		p.lanes.Seed(p.swaps.Rand)
		for _, r := range p.replicas {
			// Initially hidden units are on with probability ½.
			r.hidden = r.hidden[:f32.Bernoulli(r.hidden, t.none[:t.hidden], 1, &p.lanes)]
		}
	}
	t.updateDerived()
}

// updateDerived computes what is derived from the parameters: the sum with the
// fast weights, and the transpose.
func (t *Trainer) updateDerived() {
	if t.fast != nil {
		now, fast := t.now.all(), t.fast.all()
		for k, sum := range t.down.all() {
			copy(sum, now[k])
			f32.Axpy(sum, 1, fast[k])
		}
	}
	f32.Transpose(t.up, t.tall, t.down.w, t.stride, t.data.Visible, t.hidden)
}

// Updates is the number of updates done, and of all.
func (t *Trainer) Updates() (done, all int) { return t.done, t.set.Epochs * t.Epoch() }

// Epoch is the number of updates in an epoch. Cases that do not fill a batch
// are left out, others in each epoch.
func (t *Trainer) Epoch() int { return t.data.Cases / t.set.Batch }

// Rate is the learning rate of the next update.
func (t *Trainer) Rate() float64 {
	done, all := t.Updates()
	return t.set.rate(done, all)
}

// Update makes one step of gradient ascent. It does not allocate.
func (t *Trainer) Update() {
	if t.done%t.Epoch() == 0 {
		t.shuffleCases()
	}
	t.rate = float32(t.Rate())
	t.statistics()
	t.collect()
	t.weightTeam.Run(len(t.blocks))
	t.finish()
	t.done++
}

// shuffleCases puts the cases into the order of the epoch.
func (t *Trainer) shuffleCases() {
	r := rng.New(t.set.Seed, "rbm order", uint64(t.done/t.Epoch()))
	for k := range t.order {
		t.order[k] = int32(k)
	}
	r.Shuffle(len(t.order), func(i, k int) { t.order[i], t.order[k] = t.order[k], t.order[i] })
}

// batch are the cases of the update.
func (t *Trainer) batch() []int32 {
	from := t.done % t.Epoch() * t.set.Batch
	return t.order[from : from+t.set.Batch]
}

// diverged reports parameters that are not finite.
func (t *Trainer) diverged() bool {
	for _, x := range t.now.all() {
		if slices.ContainsFunc(x, func(v float32) bool { return v-v != 0 }) {
			return true
		}
	}
	return false
}

// Model is the machine as it is now: the average where there is one.
func (t *Trainer) Model() *Model {
	p := &t.now
	if t.average != nil && t.done > 0 {
		p = t.average
	}
	m := New(t.data.Visible, t.hidden)
	for i := range m.Visible {
		for j := range m.Hidden {
			m.W[i*m.Hidden+j] = float64(p.w[i*t.stride+j])
		}
	}
	copy(m.HiddenBias, convert[float64](p.a[:t.hidden]))
	copy(m.VisibleBias, convert[float64](p.b))
	return m
}
