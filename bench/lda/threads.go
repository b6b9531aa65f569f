package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/lda"
)

// threads compares wall time. Where others use the processors too, two threads have less of them than one has: the CPU
// seconds tell how much of the loss is ours.
func (b *bench) threads(context.Context) error {
	fmt.Printf("\none thread and two, sparse in two parts, in turns, %d times %d sweeps: wall seconds of one by those of two, the median and the best; CPU seconds of two by those of one\n", 3*b.repeat, b.sweeps)
	for _, c := range b.collections {
		topics, _, err := b.warmed(c)
		if err != nil {
			return err
		}
		for _, s := range []struct {
			method string
			lda.Options
		}{{"warp", lda.Options{}}, {"sparse", lda.Options{Parts: 2}}} {
			gain, more, err := b.second(c, topics, s.method, s.Options)
			if err != nil {
				return err
			}
			fmt.Printf("%-14s %-10s %6.2f %6.2f %6.2f\n", c.name, s.method, run.Median(gain), slices.Max(gain), run.Median(more))
		}
	}
	return nil
}

// second is wall and CPU ratios of one thread and two.
func (b *bench) second(c *collection, topics []uint16, method string, o lda.Options) (gain, more []float64, err error) {
	var samplers [2]lda.Sampler
	for i := range samplers {
		m, err := c.model(1)
		if err == nil {
			err = m.SetTopics(topics)
		}
		if err == nil {
			o.Threads = i + 1
			samplers[i], err = lda.NewSampler(method, m, o)
		}
		if err != nil {
			return nil, nil, err
		}
		samplers[i].Sweep()
	}
	for range 3 * b.repeat {
		var wall, cpu [2]float64
		for i, s := range samplers {
			start, from := time.Now(), cputime.Process()
			for range b.sweeps {
				s.Sweep()
			}
			wall[i], cpu[i] = time.Since(start).Seconds(), cputime.Process()-from
		}
		gain, more = append(gain, wall[0]/wall[1]), append(more, cpu[1]/cpu[0])
	}
	return gain, more, nil
}
