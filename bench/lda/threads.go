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
	fmt.Printf("\none thread and two, in turns, %d times %d sweeps: wall seconds of one by those of two, the median and the best; CPU seconds of two by those of one\n", 3*b.repeat, b.sweeps)
	for _, c := range b.collections {
		topics, _, err := b.warmed(c)
		if err != nil {
			return err
		}
		var samplers [2]lda.Sampler
		for i := range samplers {
			m, err := c.model(1)
			if err == nil {
				err = m.SetTopics(topics)
			}
			if err == nil {
				samplers[i], err = lda.NewSampler("warp", m, lda.Options{Threads: i + 1})
			}
			if err != nil {
				return err
			}
			samplers[i].Sweep()
		}
		var gain, more []float64
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
		fmt.Printf("%-14s %-10s %6.2f %6.2f %6.2f\n", c.name, "warp", run.Median(gain), slices.Max(gain), run.Median(more))
	}
	return nil
}
