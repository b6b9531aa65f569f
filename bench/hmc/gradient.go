package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// bars are those of the ratios of microseconds.
var bars = []struct {
	name string
	bar  float64
}{{"logistic 1000x20", 0.35}, {"logistic 10000x50", 0.5}, {"radon", 0.35}, {"nonlinear hierarchy", 0.4}, {"eight schools NC", 1},
	{"Poisson GLMM", 0.5}, {"negative binomial GLMM", 0.5}, {"IRT 2PL", 0.5}, {"ordered probit", 0.5}, {"GP regression", 0.5}}

const gradientTurns = 15

// gradients prints microseconds per value and gradient: ours by model.Evaluator, theirs through log_prob_grad's C function, in turns.
func (b *bench) gradients(ctx context.Context) error {
	fmt.Printf("\nµs per value and gradient, one thread, medians of %d turns (least); stanli's Stan program with its glm functions\n", gradientTurns)
	fmt.Printf("%-22s %18s %18s %7s %5s\n", "", "stanli", "ergodic", "ratio", "bar")
	for _, x := range bars {
		for _, p := range programs() {
			if p.name != x.name || !b.only.MatchString(p.name) || ctx.Err() != nil {
				continue
			}
			f, err := b.files(p)
			if err != nil {
				return err
			}
			ours, theirs, ratios, err := b.alternate(ctx, f)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			cell := func(x []float64) string { return fmt.Sprintf("%.3g (%.3g)", run.Median(x), slices.Min(x)) }
			fmt.Printf("%-22s %18s %18s %7.2f %5.2f\n", p.name, cell(theirs), cell(ours), run.Median(ratios), x.bar)
		}
	}
	return ctx.Err()
}

// alternate times both in turns.
func (b *bench) alternate(ctx context.Context, f files) (ours, theirs, ratios []float64, err error) {
	one, err := valueAndGradient(f)
	if err != nil {
		return nil, nil, nil, err
	}
	args := b.driver("gradient", f.stan, f.data)
	cmd := exec.CommandContext(ctx, run.Python(), args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, nil, err
	}
	answers := bufio.NewScanner(out)
	peer := func(n int) (float64, error) {
		if _, err := fmt.Fprintln(in, n); err != nil {
			return 0, err
		}
		if !answers.Scan() {
			return 0, errors.Join(errors.New("stanli ended before it answered"), answers.Err())
		}
		return strconv.ParseFloat(strings.TrimSpace(answers.Text()), 64)
	}
	us, err := peer(20)
	if err != nil {
		return nil, nil, nil, err
	}
	const turn = 100e3 // µs
	n, m := int(max(20, turn/us)), int(max(20, turn/repeat(one, 20)))
	for range gradientTurns {
		x, err := peer(n)
		if err != nil {
			return nil, nil, nil, err
		}
		y := repeat(one, m)
		theirs, ours, ratios = append(theirs, x), append(ours, y), append(ratios, y/x)
	}
	in.Close()
	return ours, theirs, ratios, cmd.Wait()
}

// repeat gives the CPU microseconds of a call.
func repeat(f func(), n int) float64 {
	start := cputime.Process()
	for range n {
		f()
	}
	return (cputime.Process() - start) / float64(n) * 1e6
}

// valueAndGradient is what a sampler asks for at a place: what is computed from the nodes, the log density and its derivatives.
func valueAndGradient(f files) (func(), error) {
	r := rng.New(1, "bench hmc gradient").Rand
	c, err := run.Compile(f.forced, f.data, r)
	if err != nil {
		return nil, err
	}
	p, err := plan.New(c.Model, nil)
	if err != nil {
		return nil, err
	}
	s, err := p.Start(nil, r)
	if err != nil {
		return nil, err
	}
	e := c.Model.NewBlock(whole(p)).NewEvaluator()
	return func() {
		e.ValueGradient(s)
	}, nil
}

// whole is the posterior density: the plan's nodes, what is computed from them, and the data.
func whole(p *plan.Plan) (cells []int32, det, stoch []model.Seg) {
	var rows []int32
	for _, it := range p.Items {
		for _, row := range it.Rows {
			t, i := p.Model.TemplateOf(row)
			cells, rows = append(cells, t.Cells(i)...), append(rows, row)
		}
	}
	around := p.Model.Blanket(cells)
	for row := range int32(p.Model.Rows()) {
		seg := p.Model.Seg(row)
		if !slices.Contains(rows, row) && !slices.ContainsFunc(around.Stoch, func(s model.Seg) bool { return s.T == seg.T && s.Lo <= seg.Lo && seg.Hi <= s.Hi }) {
			continue
		}
		if n := len(stoch); n > 0 && stoch[n-1].T == seg.T && stoch[n-1].Hi == seg.Lo {
			stoch[n-1].Hi = seg.Hi
			continue
		}
		stoch = append(stoch, seg)
	}
	return cells, around.Det, stoch
}
