package rbm

import (
	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// stage is a part of the positive or negative phase of an update that reads one
// matrix of weights, so that it stays in the cache.
type stage int

const (
	positiveStage        stage = iota
	negativeVisibleStage       // from hidden layers to visible ones
	bothStage
	negativeHiddenStage
)

// statistics runs the stages of an update.
func (t *Trainer) statistics() {
	cd := t.set.Method == CD
	if cd { // whose chains start from the cases
		t.run(positiveStage, len(t.cases))
	}
	for sweep := range t.set.Sweeps {
		t.run(negativeVisibleStage, len(t.chains))
		if cd || sweep < t.set.Sweeps-1 {
			t.run(negativeHiddenStage, len(t.chains))
		} else {
			t.run(bothStage, len(t.chains)+len(t.cases))
		}
	}
}

func (t *Trainer) run(s stage, pieces int) {
	t.stage = s
	t.stageTeam.Run(pieces)
}

// piece does one piece of a stage.
func (t *Trainer) piece(k int) {
	switch n := len(t.chains); {
	case t.stage == positiveStage:
		t.cases[k].positivePhase(t)
	case t.stage == negativeVisibleStage:
		t.chains[k].drawVisible(t)
	case k < n:
		t.chains[k].drawHidden(t)
	default:
		t.cases[k-n].positivePhase(t)
	}
}

// hiddenInput computes the input of the hidden units.
func hiddenInput(dst []float32, p *parameters, stride int, visible []int32) {
	copy(dst, p.a[:len(dst)])
	f32.AddRows(dst, p.w, stride, visible)
}

// row writes scale·σ(x) to row k of the statistics.
func (t *Trainer) row(k int, x []float32, scale float32) {
	r := t.stats[k*t.stride : k*t.stride+t.hidden]
	f32.Sigmoid(r, x)
	f32.Blend(r, scale, t.none[:t.hidden], 0)
}

// casePiece is some cases of every batch.
type casePiece struct {
	lanes    f32.Lanes
	from, to int
	input    []float32 // of hidden units
	scratch  []int32
}

func newCasePiece(t *Trainer, from, to int) *casePiece {
	return &casePiece{from: from, to: to, input: make([]float32, t.hidden), scratch: make([]int32, 0, t.data.Visible+drawRoom)}
}

// positivePhase draws the cases and computes their statistics; with CD it starts
// a chain from each.
func (p *casePiece) positivePhase(t *Trainer) {
	batch := t.batch()
	for k := p.from; k < p.to; k++ {
		t.on[k] = t.data.draw(t.on[k], p.scratch, int(batch[k]), &p.lanes)
		hiddenInput(p.input, &t.now, t.stride, t.on[k])
		t.row(k, p.input, 1/float32(t.set.Batch))
		if t.set.Method == CD {
			r := t.chains[k/pieceCases].replicas[k%pieceCases]
			r.hidden = r.hidden[:f32.Bernoulli(r.hidden, p.input, 1, &p.lanes)]
		}
	}
}

// chainPiece is some chains, each with its replicas at the temperatures of
// the ladder: those of the first chain, then of the next.
type chainPiece struct {
	lanes    f32.Lanes
	from, to int
	replicas []*replica
	swaps    *rng.Stream
	above    []float32   // Σⱼ Wᵢⱼhⱼ of each replica
	ones     []float32   // hidden layers as numbers
	lines    [][]float32 // the visible biases at each temperature
}

// replica is a state at one temperature. Between updates only its hidden layer
// is kept.
type replica struct {
	hidden, on []int32
	input      []float32
}

func newChainPiece(t *Trainer, from, to int, ladder []float64) *chainPiece {
	n := (to - from) * len(ladder)
	p := &chainPiece{from: from, to: to, above: make([]float32, n*t.tall), ones: make([]float32, n*t.stride)}
	for range ladder {
		p.lines = append(p.lines, make([]float32, t.data.Visible))
	}
	for range n {
		p.replicas = append(p.replicas, &replica{make([]int32, 0, t.hidden+drawRoom), make([]int32, 0, t.data.Visible+drawRoom), make([]float32, t.hidden)})
	}
	return p
}

// drawVisible draws visible layers given hidden ones.
func (p *chainPiece) drawVisible(t *Trainer) {
	p.visibleInput(t)
	for l, beta := range t.set.Ladder {
		f32.Line(p.lines[l], 1-beta, t.base, beta, t.down.b)
	}
	for k, r := range p.replicas {
		l := k % len(t.set.Ladder)
		r.on = r.on[:f32.BernoulliAlong(r.on, p.above[k*t.tall:][:t.data.Visible], t.set.Ladder[l], p.lines[l], &p.lanes)]
	}
}

// denseShare is the share of hidden units that are on above which sums over all
// units are faster than sums over those that are on.
const denseShare = 0.36

// visibleInput computes the input of the visible units. Sparse and dense sums
// have the same bits.
func (p *chainPiece) visibleInput(t *Trainer) {
	on := 0
	for _, r := range p.replicas {
		on += len(r.hidden)
	}
	if !f32.Dense(t.tall) || float64(on) < denseShare*float64(t.hidden*len(p.replicas)) {
		for k, r := range p.replicas {
			f32.SumRows(p.above[k*t.tall:][:t.tall], t.up, t.tall, r.hidden)
		}
		return
	}
	clear(p.ones)
	for k, r := range p.replicas {
		for _, j := range r.hidden {
			p.ones[k*t.stride+int(j)] = 1
		}
	}
	f32.SumDense(p.above, t.tall, p.ones, t.stride, len(p.replicas), t.up, t.tall, t.hidden, t.tall)
}

// drawHidden draws hidden layers given visible ones and computes the statistics
// of the negative phase.
func (p *chainPiece) drawHidden(t *Trainer) {
	n := len(t.set.Ladder)
	for k := p.from; k < p.to; k++ {
		all := p.replicas[(k-p.from)*n : (k-p.from+1)*n]
		for _, r := range all {
			hiddenInput(r.input, &t.down, t.stride, r.on)
		}
		p.exchange(t, all)
		for l, r := range all {
			r.hidden = r.hidden[:f32.Bernoulli(r.hidden, r.input, t.set.Ladder[l], &p.lanes)]
		}
		coldest, at := all[n-1], t.set.Batch+k
		t.on[at] = append(t.on[at][:0], coldest.on...)
		t.row(at, coldest.input, -1/float32(t.set.Particles))
	}
}

// exchange proposes to exchange the visible layers of neighbours, from the
// hottest pair to the coldest.
func (p *chainPiece) exchange(t *Trainer, all []*replica) {
	for l := 1; l < len(all); l++ {
		hot, cold := t.set.Ladder[l-1], t.set.Ladder[l]
		a, b := all[l-1], all[l]
		d := float64((cold - hot) * (t.biasDifference(a.on) - t.biasDifference(b.on)))
		d += f32.SumSoftplusStep(a.input, hot, cold) - f32.SumSoftplusStep(b.input, hot, cold)
		if d >= 0 || vec.Log(p.swaps.Float64()) < d {
			a.on, b.on, a.input, b.input = b.on, a.on, b.input, a.input
		}
	}
}

// biasDifference is Σ vᵢ(bᵢ − bᴬᵢ), with bᴬ the biases at β = 0 of the ladder.
func (t *Trainer) biasDifference(on []int32) float64 {
	s := 0.0
	for _, i := range on {
		s += float64(t.down.b[i]) - float64(t.base[i])
	}
	return s
}
