package jagsscript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// warmup is how many iterations tune the kernels of a script that follows the chains from the first on.
const warmup = 1000

// fewest is how many iterations of adapt may tune kernels well.
const fewest = 100

func (s *Session) adapt(count string, options map[string]string) error {
	n, by, err := s.lengths("adapt", count, options)
	if err != nil {
		return err
	}
	s.printf("Adapting %d\n", n)
	if err := s.need("Can't adapt", true); err != nil {
		return err
	}
	if !s.adapting {
		s.Note("Adaptation skipped: model is not in adaptive mode.")
		return nil
	}
	if err := s.tune(n, s.newBar("+", n, by)); err != nil {
		return err
	}
	if s.tuned < fewest {
		s.Note("Adaptation incomplete")
	} else {
		s.Note("Adaptation successful")
	}
	return nil
}

// update moves the chains. As long as nothing is monitored that is warm-up, in which the kernels are tuned.
func (s *Session) update(count string, options map[string]string) error {
	n, by, err := s.lengths("update", count, options)
	if err != nil {
		return err
	}
	s.printf("Updating %d\n", n)
	if err := s.need("Can't update", true); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	bar := s.newBar("*", n, by)
	if len(s.monitors) == 0 && !s.recorded && n > s.tuned {
		return s.tune(n, bar)
	}
	if s.tuned == 0 {
		extra := min(n, warmup)
		s.Note(fmt.Sprintf("%d iterations of warm-up, which are not counted, come first: there was neither adapt nor an update before the monitors", extra))
		if err := s.unseen(extra); err != nil {
			return err
		}
	}
	s.adapting = false
	return s.monitored(n, bar)
}

// lengths reads how many iterations are asked for, and after how many the bar grows.
func (s *Session) lengths(what, count string, options map[string]string) (n, by int, err error) {
	if count == "0" {
		return 0, 0, nil
	}
	if n, err = positive(what, count, 0); err != nil {
		return 0, 0, err
	}
	by, err = positive("by", options["by"], 0)
	return n, by, err
}

// tune moves the chains by kernels that are tuned meanwhile, from the beginning.
func (s *Session) tune(n int, bar *bar) error {
	if n == 0 {
		return nil
	}
	fresh := s.fresh()
	if err := s.phase(fresh, n, 0, bar); err != nil {
		return err
	}
	s.settle(fresh)
	s.tuned = n
	return nil
}

// unseen is tune without monitors and iterations that count.
func (s *Session) unseen(n int) error {
	at, all := s.iteration, s.monitors
	s.monitors = nil
	err := s.tune(n, nil)
	s.iteration, s.monitors = at, all
	return err
}

func (s *Session) fresh() (all []mcmc.Kernel[*model.State]) {
	for range s.states {
		all = append(all, s.plan.Sweep())
	}
	return all
}

// settle keeps the kernels as they are tuned.
func (s *Session) settle(all []mcmc.Kernel[*model.State]) {
	for c, k := range all {
		s.kernels[c] = settled{k}
	}
}

// settled is a kernel that is not tuned any more.
type settled struct{ mcmc.Kernel[*model.State] }

// monitored moves the chains by their kernels, in blocks where observed nodes are compared between chains.
func (s *Session) monitored(n int, bar *bar) error {
	s.recorded = s.recorded || len(s.monitors) > 0
	if err := s.room(s.iteration, s.iteration+n); err != nil {
		return err
	}
	nodes := s.newNodes()
	if nodes == nil {
		return s.phase(s.kernels, 0, n, bar)
	}
	for done := 0; done < n; {
		some := min(nodes.block, n-done)
		nodes.begin(some)
		s.nodes = nodes
		err := s.phase(s.kernels, 0, some, nil)
		s.nodes = nil
		if err != nil {
			return err
		}
		nodes.compare(s.iteration-some, rng.New(s.seed, "compare", s.phases).Rand)
		done += some
		bar.show(done)
	}
	return nil
}

// phase runs the chains for some iterations, of which the first tune the kernels.
func (s *Session) phase(kernels []mcmc.Kernel[*model.State], tune, n int, bar *bar) error {
	p := &phase{Job: &plan.Job{Plan: s.plan}, session: s, kernels: kernels, at: make([]counter, len(s.states))}
	offset := 0
	for _, m := range s.monitors {
		if m.nodes == noNodes {
			m.offset = offset
			offset += m.of.Size()
			p.Job.Monitors = append(p.Job.Monitors, m.of)
		}
	}
	for c := range p.at {
		p.at[c].iteration = s.iteration
	}
	s.phases++
	set := mcmc.Settings{Seed: rng.New(s.seed, "phase", s.phases).Uint64(), Chains: len(s.states), Threads: s.Threads,
		Warmup: tune, Draws: n, SaveWarmup: len(s.monitors) > 0}
	if tune == 0 {
		set.Warmup = -1
	}
	if n == 0 {
		set.Draws = -1
	}
	ctx, stop := context.Background(), func() {}
	if s.Interruptible != nil {
		ctx, stop = s.Interruptible()
	}
	defer stop()
	var watch mcmc.Observer
	if bar != nil {
		watch = bar
	}
	_, err := mcmc.Run(ctx, p, set, p, watch)
	if err != nil {
		if !errors.Is(err, mcmc.ErrInterrupted) {
			err = s.runtimeError(s.compiled.Explain(err))
		}
		s.clearModel() // its chains are half moved
		return err
	}
	s.iteration += tune + n
	return nil
}

// phase is a job whose chains go on from where they are, and its recorder.
type phase struct {
	*plan.Job
	session *Session
	kernels []mcmc.Kernel[*model.State]
	at      []counter
}

// counter is the iteration of a chain, on a cache line of its own.
type counter struct {
	iteration int
	_         [56]byte
}

// Start gives a chain the state that it has.
func (p *phase) Start(_ context.Context, chain int, _ *rand.Rand) (*model.State, error) {
	return p.session.states[chain], nil
}

// StartApart is Start.
func (p *phase) StartApart(_ context.Context, at mcmc.Place, _ *rand.Rand) (*model.State, error) {
	return p.session.states[at.Chain], nil
}

// Kernel gives a chain its kernel.
func (p *phase) Kernel(chain int) mcmc.Kernel[*model.State] { return p.kernels[chain] }

// Record writes the iterations that a monitor keeps.
func (p *phase) Record(s *model.State, r *rand.Rand, dst []float64) {
	chain := 0
	for p.session.states[chain] != s {
		chain++
	}
	p.at[chain].iteration++
	iteration := p.at[chain].iteration
	for _, m := range p.session.monitors {
		if m.nodes == noNodes && m.due(iteration) {
			p.Job.Record(s, r, dst)
			break
		}
	}
	if p.session.nodes != nil {
		p.session.nodes.keep(chain, iteration, s)
	}
}

// Append hands a draw to the monitors.
func (p *phase) Append(chain int, _ bool, draw []float64, _ mcmc.Stat) error {
	for _, m := range p.session.monitors {
		m.keep(chain, p.at[chain].iteration, draw)
	}
	return nil
}

// Sync has nothing to do: draws are in memory.
func (p *phase) Sync(int) ([]byte, error) { return nil, nil }

// Truncate is never asked for: phases are not resumed.
func (p *phase) Truncate(int, int, int, []byte) error {
	return errors.New("the draws of a script are in memory alone")
}

// Close has nothing to do.
func (p *phase) Close() error { return nil }

// barWidth is how many marks JAGS's bar has.
const barWidth = 50

// bar shows the progress of an update as JAGS does: a line of dashes, and a mark for each part that is done.
type bar struct {
	to          io.Writer
	mark        string
	most, total int // marks, and the iterations that they stand for
	shown       int // marks
}

// newBar begins a bar for n iterations; nil where none is shown.
func (s *Session) newBar(mark string, n, by int) *bar {
	if !s.Bars && by == 0 || n == 0 {
		return nil
	}
	b := &bar{to: s.Out, mark: mark, most: barWidth, total: n}
	dashes := barWidth - 1
	if by > 0 {
		dashes = min(n/by, 2*barWidth)
		b.most = min((n+by-1)/by, 2*barWidth)
	}
	s.printf("%s| %d\n", strings.Repeat("-", dashes), n)
	return b
}

// Progress shows that of the chain that is furthest behind.
func (b *bar) Progress(p mcmc.Progress) {
	done := b.total
	for _, c := range p.Chains {
		done = min(done, c.Iterations)
	}
	b.show(done)
}

// show is told how many iterations are done.
func (b *bar) show(done int) {
	if b == nil || b.shown == b.most {
		return
	}
	n := int(float64(b.most) * float64(done) / float64(b.total))
	fmt.Fprint(b.to, strings.Repeat(b.mark, max(n-b.shown, 0)))
	if b.shown = max(b.shown, n); b.shown == b.most {
		fmt.Fprintln(b.to, " 100%")
	}
}
