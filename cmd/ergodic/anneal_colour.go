package main

import (
	"context"
	"fmt"
	"time"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/colouring"
	"github.com/ergodic-mcmc/ergodic/anneal/partition"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

var (
	annealColour    = &annealProblem{"colour", "conflicts", "colours.txt", readColouring}
	annealPartition = &annealProblem{"partition", "difference", "parts.txt", readPartition}
)

// readColouring reads a graph. Where it is not said how many colours there are, the instance has as many as a greedy colouring takes, and
// begins with that.
func readColouring(name string, text []byte, s *annealSpec) (*annealInstance, error) {
	g, err := colouring.Read(name, text)
	if err != nil {
		return nil, err
	}
	if s.Colours != nil {
		p, err := g.Colours(*s.Colours)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return &annealInstance{Instance: p, write: annealreport.WriteValues, read: annealreport.ReadValues, least: new(float64)}, nil
	}
	colours, greedy := g.Greedy()
	clique := len(g.Clique())
	in, err := countedColours(g, greedy, clique)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in.begin = colours
	in.notes = []string{fmt.Sprintf("a greedy colouring takes %s, and a clique needs %d", wording.Count(greedy, "colour", "colours"), clique)}
	return in, nil
}

// countedColours is a colouring with k colours as a problem of few colours.
func countedColours(g *colouring.Graph, k, clique int) (*annealInstance, error) {
	p, err := g.Colours(k)
	if err != nil {
		return nil, err
	}
	in := &annealInstance{Instance: repaired{p}, write: annealreport.WriteValues, read: annealreport.ReadValues, least: new(float64), value: "colours"}
	in.fewer = func(colours int) (*annealInstance, error) {
		if colours < max(clique, 1) {
			return nil, nil
		}
		return countedColours(g, colours, clique)
	}
	return in, nil
}

// repaired counts the colours that are enough once a node of each conflict has a colour of its own.
type repaired struct{ *colouring.Problem }

func (r repaired) Objective(energy float64) float64 { return float64(r.Colours()) + energy }

// descend looks for colourings with fewer and fewer colours, until a run ends with conflicts. The result is that of the last run without.
func (w *annealWork) descend(ctx context.Context, set anneal.Settings) (*anneal.Result, error) {
	found, err := w.firstColouring(ctx, set)
	if err != nil {
		return nil, err
	}
	for {
		k := coloursOf(found.Solution)
		if t := w.spec.Flags.Target; t != nil && float64(k) <= *t {
			found.Stopped = "target"
			return found, nil
		}
		next, err := w.instance.fewer(k - 1)
		if err != nil {
			return nil, err
		}
		if next == nil {
			w.optimal, found.Stopped = true, "optimum"
			return found, nil
		}
		now := set
		now.Initial = nil
		now.Checkpoint = fmt.Sprintf("%s-%d", set.Checkpoint, k-1)
		if set.Time > 0 {
			if now.Time = set.Time - found.Took; now.Time <= 0 {
				found.Stopped = "time"
				return found, nil
			}
		}
		w.label = wording.Count(k-1, "colour", "colours") + ": "
		res, err := anneal.Run(ctx, next, now)
		if job.WasInterrupted(err) {
			return found, err
		}
		if err != nil {
			return nil, err
		}
		w.tried = append(w.tried, annealreport.Attempt{Colours: k - 1, Conflicts: int(res.Best)})
		if res.Best > 0 {
			found.Stopped = res.Stopped
			return found, nil
		}
		res.Took += found.Took
		found, w.instance = res, next
	}
}

// firstColouring is the greedy one, or the one that the user gave.
func (w *annealWork) firstColouring(ctx context.Context, set anneal.Settings) (*anneal.Result, error) {
	if set.Initial == nil {
		set.Initial = w.instance.begin
	}
	k := coloursOf(set.Initial)
	in, err := w.instance.fewer(k)
	if err != nil {
		return nil, err
	}
	if in == nil { // fewer than a clique needs: there are conflicts, whatever the instance's number of colours
		in = w.instance
	}
	w.instance = in
	conflicts, err := in.Evaluate(set.Initial)
	if err != nil {
		return nil, err
	}
	if conflicts > 0 {
		return nil, usage("%s: the colouring to start from has %s; say with --colours how many there are", w.Name, wording.Count(int(conflicts), "conflict", "conflicts"))
	}
	set.Checkpoint, set.Reads, set.Sweeps, set.Time = "", 1, 1, 0
	began := time.Now()
	res, err := anneal.Run(ctx, in, set)
	if err == nil {
		res.Took = time.Since(began)
	}
	return res, err
}

// coloursOf is the number of colours up to the last that is used.
func coloursOf(solution []float64) int {
	k := 0
	for _, c := range solution {
		k = max(k, int(c)+1)
	}
	return k
}

func readPartition(name string, text []byte, _ *annealSpec) (*annealInstance, error) {
	p, err := partition.Read(name, text)
	if err != nil {
		return nil, err
	}
	least := p.Parity()
	return &annealInstance{Instance: p, write: annealreport.WriteValues, read: annealreport.ReadValues, least: &least}, nil
}
