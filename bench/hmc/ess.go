package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/diag"
)

const (
	chains = 4
	length = 1000 // of warm-up, and of what is kept of a chain
)

// estimate is of one element.
type estimate struct{ mean, meanSE, sd, sdSE float64 }

// outcome is one run of a program.
type outcome struct {
	cpu       float64 // of the process, seconds
	sampling  float64 // of warm-up and sampling
	gradients float64
	ess, rhat float64 // the least bulk ESS, the largest R-hat
	divergent float64
	warnings  int
	estimates map[string]estimate
}

func newOutcome(cpu float64) outcome {
	return outcome{cpu: cpu, ess: math.Inf(1), estimates: map[string]estimate{}}
}

func failed() outcome { return outcome{ess: math.NaN(), rhat: math.NaN(), gradients: math.NaN()} }

func (o *outcome) see(name string, e estimate, ess, rhat float64) {
	o.ess, o.rhat = min(o.ess, ess), max(o.rhat, rhat)
	o.estimates[name] = e
}

// monitored tells whether the element is one of the variables.
func (p program) monitored(element string) bool {
	name, _, _ := strings.Cut(element, "[")
	return slices.Contains(p.monitor, name)
}

// ergodic runs one job: by the default plan, or with NUTS asked for.
func (b *bench) ergodic(ctx context.Context, p program, f files, seed uint64, forced bool) (outcome, error) {
	j := run.Job{Model: f.bug, Data: []string{f.data}, Monitor: p.monitor, Seed: seed, Chains: chains, Warmup: length, Draws: length,
		Threads: b.threads, Out: filepath.Join(b.dir, "run")}
	if forced {
		j.Model, j.SaveWarmup = f.forced, true
		for _, n := range p.nodes {
			j.Samplers = append(j.Samplers, n+"=nuts")
		}
	}
	s, usage, err := run.Sample(ctx, b.program, j)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", p.name, err)
	}
	o := newOutcome(usage.CPU.Seconds())
	o.sampling, o.warnings = s.Run.CPU.Warmup+s.Run.CPU.Sampling, len(s.Warnings)
	for name, q := range s.Parameters {
		if p.monitored(name) && q.Mean != nil && q.ESSBulk != nil {
			o.see(name, estimate{value(q.Mean), value(q.MCSEMean), value(q.SD), value(q.MCSESD)}, *q.ESSBulk, value(q.Rhat))
		}
	}
	if forced {
		o.gradients, o.divergent, err = run.Trajectories(j.Out)
	}
	return o, err
}

func value(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// stanli runs the Stan program.
func (b *bench) stanli(ctx context.Context, p program, f files, seed uint64) (outcome, error) {
	out := filepath.Join(b.dir, "stanli.bin")
	usage, text, err := run.Command(ctx, b.dir, run.Python(), b.driver("sample", f.stan, f.data, strconv.FormatUint(seed, 10), out)...)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", p.name, err)
	}
	var said struct {
		Names                     []string
		CPU, Gradients, Divergent float64
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		return outcome{}, fmt.Errorf("stanli's answer %q: %w", text, err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		return outcome{}, err
	}
	o := newOutcome(usage.CPU.Seconds())
	o.sampling, o.gradients, o.divergent = said.CPU, said.Gradients, said.Divergent
	for k, name := range said.Names {
		if !p.monitored(name) {
			continue
		}
		x := column(raw, k, len(said.Names))
		mean, sd := stat.MeanStdDev(slices.Concat(x...), nil)
		o.see(name, estimate{mean, diag.MCSEMean(x), sd, diag.MCSESD(x)}, diag.ESSBulk(x), diag.Rhat(x))
	}
	return o, nil
}

// column reads one of the elements of a file of doubles: chain, draw, element.
func column(raw []byte, k, width int) [][]float64 {
	x := make([][]float64, chains)
	for c := range x {
		for d := range length {
			x[c] = append(x[c], math.Float64frombits(binary.LittleEndian.Uint64(raw[8*((c*length+d)*width+k):])))
		}
	}
	return x
}

// apart is the largest difference of means and standard deviations, in combined standard errors, over the elements that both
// have; and how many there are.
func apart(x, y outcome) (worst float64, name string, compared int) {
	for n, a := range x.estimates {
		b, ok := y.estimates[n]
		if !ok {
			continue
		}
		compared++
		for _, d := range []struct {
			stat string
			z    float64
		}{{"mean of ", math.Abs(a.mean-b.mean) / math.Hypot(a.meanSE, b.meanSE)}, {"sd of ", math.Abs(a.sd-b.sd) / math.Hypot(a.sdSE, b.sdSE)}} {
			if d.z > worst {
				worst, name = d.z, d.stat+n
			}
		}
	}
	return worst, name, compared
}

// round is what the runs of a round say of a model.
type round struct{ plain, forced, peer outcome }

// ess prints a line a model.
func (b *bench) ess(ctx context.Context) error {
	fmt.Printf("\nleast bulk ESS per CPU second from the shell, 4 chains of 1000 + 1000; medians of %d rounds; z: the worst difference from stanli's means and sds\n", b.rounds)
	fmt.Printf("%-22s %8s %8s %7s %7s %6s %6s | %8s %7s %7s %6s %5s %5s %5s\n", "", "stanli", "default", "ratio", "range", "R-hat", "z", "NUTS", "ratio", "range", "R-hat", "z", "div", "peer's")
	var all [][]round
	var ratios []float64
	var seen []program
	for _, p := range programs() {
		if !b.only.MatchString(p.name) || ctx.Err() != nil {
			continue
		}
		rounds, err := b.turns(ctx, p)
		if err != nil {
			fmt.Printf("%-22s stops: %v\n", p.name, err)
			continue
		}
		all, seen = append(all, rounds), append(seen, p)
		ratios = append(ratios, b.line(p, rounds))
	}
	fmt.Printf("median ratio of the defaults: %.2f (bars: 2 on each, 4 in the median)\n", run.Median(ratios))
	fmt.Printf("\nNUTS, warm-up included: CPU µs a gradient with the sampler (bar: ratio 0.5), and least ESS a gradient in thousandths\n(bar: 1.2 times the better of stanli and nutpie, whose figures are those of ../shared/hmc/REFERENCE.md)\n")
	fmt.Printf("%-22s %8s %8s %7s | %9s %9s %8s %8s %7s %7s\n", "", "stanli", "ergodic", "ratio", "gradients", "stanli's", "stanli", "ergodic", "nutpie", "ratio")
	for i, p := range seen {
		gradientLine(p, all[i])
	}
	return ctx.Err()
}

// turns runs the programs in turns.
func (b *bench) turns(ctx context.Context, p program) (rounds []round, err error) {
	f, err := b.files(p)
	if err != nil {
		return nil, err
	}
	for k := range b.rounds {
		var r round
		seed := b.seed + uint64(k)
		for _, turn := range []struct {
			name string
			to   *outcome
			run  func(ctx context.Context) (outcome, error)
		}{
			{"default", &r.plain, func(ctx context.Context) (outcome, error) { return b.ergodic(ctx, p, f, seed, false) }},
			{"stanli", &r.peer, func(ctx context.Context) (outcome, error) { return b.stanli(ctx, p, f, seed) }},
			{"NUTS", &r.forced, func(ctx context.Context) (outcome, error) { return b.ergodic(ctx, p, f, seed, true) }},
		} {
			if turn.name == b.without {
				*turn.to = failed()
				continue
			}
			limited, cancel := context.WithTimeout(ctx, b.limit)
			*turn.to, err = turn.run(limited)
			cancel()
			if failure := (*run.Failure)(nil); errors.As(err, &failure) && ctx.Err() == nil {
				fmt.Printf("    %s, %s: %v\n", p.name, turn.name, err)
				*turn.to = failed()
			} else if err != nil {
				return nil, err
			}
		}
		rounds = append(rounds, r)
	}
	return rounds, nil
}

// of gathers a number of each round.
func of(rounds []round, f func(r round) float64) (x []float64) {
	for _, r := range rounds {
		x = append(x, f(r))
	}
	return x
}

func rate(o outcome) float64 { return o.ess / o.cpu }

func (b *bench) line(p program, rounds []round) float64 {
	plain := of(rounds, func(r round) float64 { return rate(r.plain) / rate(r.peer) })
	forced := of(rounds, func(r round) float64 { return rate(r.forced) / rate(r.peer) })
	span := func(x []float64) string { return fmt.Sprintf("%.2g-%.2g", slices.Min(x), slices.Max(x)) }
	z := func(o func(r round) outcome) float64 {
		return slices.Max(of(rounds, func(r round) float64 { z, _, _ := apart(o(r), r.peer); return z }))
	}
	ours := func(r round) outcome { return r.plain }
	nuts := func(r round) outcome { return r.forced }
	fmt.Printf("%-22s %8.1f %8.1f %7.2f %7s %6.3f %6.2f | %8.1f %7.2f %7s %6.3f %5.2f %5.0f %5.0f\n", p.name,
		run.Median(of(rounds, func(r round) float64 { return rate(r.peer) })),
		run.Median(of(rounds, func(r round) float64 { return rate(r.plain) })), run.Median(plain), span(plain),
		slices.Max(of(rounds, func(r round) float64 { return r.plain.rhat })), z(ours),
		run.Median(of(rounds, func(r round) float64 { return rate(r.forced) })), run.Median(forced), span(forced),
		slices.Max(of(rounds, func(r round) float64 { return r.forced.rhat })), z(nuts),
		run.Median(of(rounds, func(r round) float64 { return r.forced.divergent })), run.Median(of(rounds, func(r round) float64 { return r.peer.divergent })))
	if b.verbose {
		for k, r := range rounds {
			for _, o := range []outcome{r.plain, r.forced} {
				worst, name, compared := apart(o, r.peer)
				fmt.Printf("    round %d: ESS %.0f, CPU %.3f s (sampling %.3f), worst of %d: %.2f, %s; stanli ESS %.0f, CPU %.3f s (sampling %.3f)\n",
					k+1, o.ess, o.cpu, o.sampling, 2*compared, worst, name, r.peer.ess, r.peer.cpu, r.peer.sampling)
			}
		}
	}
	return run.Median(plain)
}

func gradientLine(p program, rounds []round) {
	cost := func(o outcome) float64 { return 1e6 * o.sampling / o.gradients }
	per := func(o outcome) float64 { return 1e3 * o.ess / o.gradients }
	theirs := run.Median(of(rounds, func(r round) float64 { return per(r.peer) }))
	ours := run.Median(of(rounds, func(r round) float64 { return per(r.forced) }))
	ratio := run.Median(of(rounds, func(r round) float64 { return per(r.forced) / max(per(r.peer), 1e3*p.nutpie) }))
	nutpie := ""
	if p.nutpie > 0 {
		nutpie = fmt.Sprintf("%.2f", 1e3*p.nutpie)
	}
	fmt.Printf("%-22s %8.2f %8.2f %7.2f | %9.0f %9.0f %8.2f %8.2f %7s %7.2f\n", p.name,
		run.Median(of(rounds, func(r round) float64 { return cost(r.peer) })), run.Median(of(rounds, func(r round) float64 { return cost(r.forced) })),
		run.Median(of(rounds, func(r round) float64 { return cost(r.forced) / cost(r.peer) })),
		run.Median(of(rounds, func(r round) float64 { return r.forced.gradients })), run.Median(of(rounds, func(r round) float64 { return r.peer.gradients })),
		theirs, ours, nutpie, ratio)
}
