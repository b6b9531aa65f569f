package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/report"
)

// ldaProgress tells how far the chains are, and logs new evaluations.
type ldaProgress struct {
	run  *job.Run
	show *progress.Counter

	mu     sync.Mutex
	chains []ldaChainProgress
	words  time.Time // when the words of topics are looked up again
}

type ldaChainProgress struct{ sweeps, told int }

// tell is called by a chain after a sweep.
func (p *ldaProgress) tell(i int, t *lda.Training) {
	p.mu.Lock()
	defer p.mu.Unlock()
	mine := &p.chains[i]
	mine.sweeps = t.Model.Sweeps()
	trace := t.Trace()
	for ; mine.told < len(trace); mine.told++ {
		s := trace[mine.told]
		fields := map[string]any{"sweep": s.Sweep, "cpu_s": milli(s.CPU), "log_likelihood_per_token": report.Number(s.LogLikelihood)}
		if len(p.chains) > 1 {
			fields["chain"] = i + 1
		}
		// A log that cannot be written is noticed when the run ends.
		_ = p.run.Dir.Log("score", fields)
	}
	if i == 0 {
		p.first(t)
	}
	done := 0
	for _, c := range p.chains {
		done += c.sweeps
	}
	p.show.Show(progress.Count{Done: done, Total: t.Sweeps() * len(p.chains), Moves: int64(done) * int64(len(t.Model.Corpus().Tokens))})
}

const (
	topicsShown = 6
	wordsShown  = 10
)

// first shows the likelihood of the first chain and, for a person, the words of its first topics, in at most a twentieth of the time.
func (p *ldaProgress) first(t *lda.Training) {
	p.show.What = "sweeps"
	if trace := t.Trace(); len(trace) > 0 {
		p.show.What += fmt.Sprintf(", log likelihood per token %.4f", trace[len(trace)-1].LogLikelihood)
	}
	began := time.Now()
	if !p.show.Live() || began.Before(p.words) {
		return
	}
	p.show.Below = p.show.Below[:0]
	all := t.Model.Describe(wordsShown)
	for k, topic := range all[:min(len(all), topicsShown)] {
		words := make([]string, len(topic.Words))
		for i, w := range topic.Words {
			words[i] = t.Model.Word(w.Word)
		}
		p.show.Below = append(p.show.Below, fmt.Sprintf("%6d  %s", k+1, strings.Join(words, " ")))
	}
	p.words = time.Now().Add(max(time.Second, 20*time.Since(began)))
}
