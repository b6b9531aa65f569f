package lda

import (
	"context"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// leftToRight is the workspace of the method.
type leftToRight struct {
	keys      []streams.Name // of the runs
	particles []*documentChain
	words     []int32
	shares    []float64 // p(w_n | z) of the particles
	offspring []int
	logp      []float64 // of the runs
}

func newLeftToRight(e *Evaluation, t *fixedTopics) evaluator {
	l := &leftToRight{shares: make([]float64, e.Particles), offspring: make([]int, e.Particles), logp: make([]float64, e.Runs)}
	for run := range e.Runs {
		l.keys = append(l.keys, streams.New(e.Seed, "lda left to right", uint64(run)))
	}
	for range e.Particles {
		l.particles = append(l.particles, newDocumentChain(t))
	}
	return l
}

func (l *leftToRight) score(ctx context.Context, words []int32, d uint64, part portion) DocumentScore {
	for run, k := range l.keys {
		l.logp[run] = l.run(ctx, words, k.Stream(d), part.piece(run, len(l.keys)))
	}
	_, se := meanSE(l.logp)
	logp := logMeanExp(l.logp)
	return DocumentScore{Tokens: len(words), LogP: logp, SE: se}
}

// between is how many tokens a move of a particle takes one of. Ten times as many particles with a tenth of the moves cost as
// much, and their estimates vary less.
const between = 10

// run is the logarithm of one estimate. The work of a token grows with the number of those before.
func (l *leftToRight) run(ctx context.Context, document []int32, r streams.Stream, part portion) (logp float64) {
	l.words = append(l.words[:0], document...)
	words := l.words
	r = shuffle(words, r)
	for _, p := range l.particles {
		p.clear()
	}
	for n, w := range words {
		if ctx.Err() != nil {
			break
		}
		var u uint64
		sum := 0.0
		for i, p := range l.particles {
			u, r = r.Next()
			r = p.sweep(words, streams.Below(u, between), between, r)
			l.shares[i] = p.share(w)
			sum += l.shares[i]
		}
		logp += vec.Log(sum / float64(len(l.particles)))
		done := float64(n+1) / float64(len(words))
		part.tell(done * done)
		if n == len(words)-1 {
			break
		}
		r = l.selectParticles(sum, r)
		for _, p := range l.particles {
			r = p.extend(w, r)
		}
	}
	return logp
}

// selectParticles draws the particles anew in proportion to their shares, by systematic resampling: particle i stays as
// often as there are numbers (j + u) / R in its part of the unit interval.
func (l *leftToRight) selectParticles(sum float64, r streams.Stream) streams.Stream {
	bits, r := r.Next()
	at, upTo, scale := streams.Unit(bits), 0.0, float64(len(l.particles))/sum
	left := len(l.particles)
	for i, share := range l.shares {
		upTo += float64(share * scale)
		l.offspring[i] = 0
		for ; at < upTo && left > 0; at++ {
			l.offspring[i]++
			left--
		}
	}
	l.offspring[len(l.offspring)-1] += left // rounding
	from := 0
	for i, n := range l.offspring {
		if n > 0 {
			continue
		}
		for l.offspring[from] < 2 {
			from++
		}
		l.offspring[from]--
		l.particles[i].become(l.particles[from])
	}
	return r
}
