package path

import (
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/importance"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// methodCall is the part that each method repeats once its memory is allocated: a call and the moves that it makes.
type methodCall struct {
	name  string
	moves int
	call  func()
}

func methodCalls(tb testing.TB) []methodCall {
	f, s, ladder := Family[[]float64](exactGaussian{newGaussian(10)}), must(Uniform(100)), must(Uniform(10))
	w, x, a := resolve(f), f.New(), newAnnealing(f)
	r := rand.New(rand.NewPCG(1, 2))
	count := tally{turn: &turn{ctx: background, count: new(counter)}}
	check := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}

	a.begin(&group{job: new(running), runs: []int{0}, r: []*rand.Rand{r}, rows: [][]float64{{0}}, t: []*tally{&count}})

	p := newPopulation(f, 10)
	p.start(r)
	set := TemperedSettings{Settings: Settings{Runs: 1}, Rounds: 100, Moves: 3}.withDefaults(len(ladder))
	chains := newTemperedChains(f, ladder, set)
	check(chains.annealUp(0, &count))
	chains.at = temperedPhase{Stage: learning, Length: 20}
	chains.begin()

	labels := must(Ladder(f, ladder))
	adjusted := SelfAdjustedSettings{Rounds: 200}.withDefaults(labels.Len())
	learning := newSelfAdjustedChain(labels.Len(), adjusted.Target, true)
	row := make([]float64, labels.Len()*(2+tracePoints)+1)

	d := rowLayout{temperatures: len(ladder), draws: 20}
	draws := make([]float64, d.width())
	stay := IntegrateSettings{Draws: 20, Thin: 2}.withDefaults(8)
	e := newReplicaSet(f, ladder)
	swaps := must(tempering.New[[]float64](f, func(beta float64) (mcmc.Kernel[[]float64], error) {
		return moveKernel[[]float64]{f, beta}, nil
	}, tempering.Settings{Betas: ladder, Fixed: true, Threads: 1}))
	check(e.start(true, 4, r, &count))

	return []methodCall{
		{"AIS", s.Steps() - 1, func() {
			a.Base(a.all[0], r)
			check(a.up(s, 0))
		}},
		{"reverse", s.Steps() - 1, func() { check(a.down(s, 0)) }},
		{"SMC", 10, func() { check(p.step(0.5, 0.6, 1, importance.Systematic, r, &count)) }},
		{"tempered", 20 * set.Moves, func() {
			chains.chains[0].done = 0
			check(chains.rounds(0, &count))
		}},
		{"SAMS", adjusted.Rounds, func() {
			check(runSelfAdjustedChain(labels, x, learning, adjusted, func(*selfAdjustedChain, int) {}, row, r, &count))
		}},
		{"integrate", stay.Burn + 10*stay.Thin, func() { check(w.sampleAt(x, ladder, 5, stay, d.firstHalf(), d, draws, r, &count)) }},
		{"replicas", len(ladder), func() { check(e.steps(1, swaps, r, &count)) }},
	}
}

func TestMovesDoNotAllocate(t *testing.T) {
	for _, s := range methodCalls(t) {
		if n := testing.AllocsPerRun(10, s.call); n > 0 {
			t.Errorf("%s: %v allocations in %d moves", s.name, n, s.moves)
		}
	}
}

func BenchmarkMoves(b *testing.B) {
	for _, s := range methodCalls(b) {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.call()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.moves), "ns/move")
		})
	}
}
