package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/latticereport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/report"
)

// finish analyses the measurements, writes the summary and prints the table.
func (s *simulating) finish(set mcmc.Settings, res *mcmc.Result) error {
	s.spend()
	d, err := draws.Open(s.Dir.File(rundir.DrawsFolder))
	if err != nil {
		return err
	}
	points, measured, warnings, err := s.points(d)
	if err != nil {
		return err
	}
	extras, err := s.reweight(measured, points)
	if err != nil {
		return err
	}
	cpu := rundir.CPU{Warmup: milli(res.CPU.Warmup), Sampling: milli(res.CPU.Sampling)}
	for _, p := range points {
		p.FlipsPerNs = report.Number(s.flips() / (res.CPU.Sampling * 1e9))
		p.WallS, p.CPUS = s.spec.WallS, milli(cpu.Warmup+cpu.Sampling)
	}
	if err := s.pictures(points, measured, extras); err != nil {
		return err
	}
	var result any = points
	if len(points) == 1 {
		result = points[0]
	}
	sum := &rundir.Summary{Ergodic: version, Job: s.Name, Origin: s.spec.Origin, Digests: rundir.Digests(d), Result: result, Warnings: warnings,
		Input: rundir.Input{Data: job.Files(s.spec.Edges)},
		Run: rundir.Run{Seed: s.spec.Seed, Chains: set.Chains, Warmup: s.spec.Warmup, Draws: set.Draws, Thin: set.Thin,
			Threads: set.WithDefaults().Threads, WallS: s.spec.WallS, CPUS: cpu}}
	if err := s.Finish(sum, map[string]any{"wall_s": s.spec.WallS, "cpu_s": sum.Run.CPUS, "warnings": len(warnings)}); err != nil {
		return err
	}
	if s.cmd.JSON {
		err = printJSON(result)
	} else {
		if err = latticereport.WritePoints(os.Stdout, points, s.cmd.screen()); err == nil {
			err = extras.Write(os.Stdout, s.cmd.screen())
		}
	}
	if err != nil {
		return err
	}
	if s.cmd.Film != "" {
		if err := s.film(s.cmd.Film); err != nil {
			return fmt.Errorf("the film: %w", err)
		}
	}
	s.Say.Warn(latticereport.Few(warnings, s.Say.JSON))
	return warned(s.cmd.Strict, len(warnings))
}

// flips is how many spins were offered a move after warm-up.
func (s *simulating) flips() (n float64) {
	for _, y := range s.sim.Systems {
		n += float64(y.Sites())
	}
	return n * float64(s.spec.Chains) * float64(s.spec.Sweeps) * float64(len(s.sim.Betas))
}

// series reads all measurements: element of a draw, chain, draw.
func series(d *draws.Reader) ([][][]float64, error) {
	pieces, err := d.Pieces(draws.Posterior, math.MaxInt)
	if err != nil {
		return nil, err
	}
	all := make([][][]float64, draws.Width(d.Variables(draws.Posterior)))
	for _, p := range pieces {
		values, err := d.ReadPiece(p, nil)
		if err != nil {
			return nil, err
		}
		for k, at := range p.Elements {
			all[at] = values[k]
		}
	}
	return all, nil
}

// points analyses each size and temperature.
func (s *simulating) points(d *draws.Reader) (all []*latticereport.Point, measured [][]*lattice.Series, warnings []report.Warning, err error) {
	values, err := series(d)
	if err != nil {
		return nil, nil, nil, err
	}
	at := map[string]int{} // where the elements of each variable begin
	begin := 0
	for _, v := range s.sim.Variables() {
		at[v.Name] = begin
		begin += v.Size()
	}
	measured = make([][]*lattice.Series, len(s.sim.Systems))
	for k := range s.sim.Systems {
		for i, beta := range s.sim.Ladder(0, k) {
			here := k*len(s.sim.Betas) + i
			p := s.point(k, beta)
			x := &lattice.Series{Beta: beta, Sites: p.Sites, Every: s.spec.Thin, Energy: values[at["energy"]+here], Magnetisation: values[at["magnetisation"]+here],
				Symmetric: s.spec.Q == nil && !s.field() && !s.spec.move().keeps}
			if x.Wave = s.sim.Wave(k); x.Wave > 0 {
				x.Zero, x.First = values[at["structure_zero"]+here], values[at["structure_first"]+here]
			}
			a, err := lattice.Analyse(x)
			if err != nil {
				return nil, nil, nil, err
			}
			measured[k] = append(measured[k], x)
			p.Fill(a, s.field())
			if s.spec.move().exact {
				a.Warnings = slices.DeleteFunc(a.Warnings, ofMoves)
			}
			if from, ok := at["cluster_size"]; ok {
				p.Clusters(values[from+here])
			}
			if lags := s.sim.Lags(k); lags != nil {
				most := (begin - at["correlation"]) / (len(s.sim.Betas) * len(s.sim.Systems))
				p.Correlations(lags, values[at["correlation"]+here*most:])
			}
			s.swaps(p, k, i)
			all = append(all, p)
			warnings = append(warnings, p.Warnings(a)...)
		}
	}
	slices.SortStableFunc(warnings, func(a, b report.Warning) int { return cmp.Compare(a.Code, b.Code) })
	return all, measured, warnings, nil
}

// ofMoves tells warnings that say nothing about draws that are independent.
func ofMoves(w lattice.Warning) bool {
	return w.Code == lattice.CodeRhat || w.Code == lattice.CodeConstant
}

// point is a size and a temperature with what was asked for.
func (s *simulating) point(system int, beta float64) *latticereport.Point {
	_, model, _ := strings.Cut(s.Name, " ")
	f := &s.spec.Flags
	p := &latticereport.Point{Model: model, Lattice: given(f.Lattice, "square"), Size: s.names[system], Sites: s.sim.Systems[system].Sites(), Q: given(s.spec.Q, 2),
		Beta: report.Number(beta), Temperature: report.Number(1 / beta), Algorithm: given(f.Algorithm, "metropolis"),
		Chains: s.spec.Chains, Warmup: s.spec.Warmup, Sweeps: s.spec.Sweeps}
	if len(s.shapes) == 0 {
		p.Lattice = "graph"
	} else if f.Lattice == nil {
		p.Lattice = map[int]string{1: "chain", 2: "square", 3: "cubic"}[len(s.shapes[system].Size)]
		p.Lattice = cmp.Or(p.Lattice, "hypercubic")
	}
	if p.Spins = "bytes"; s.sim.Systems[system].Packed != nil {
		p.Spins = "bits"
	}
	return p
}

// swaps adds what tempering tells of a rung.
func (s *simulating) swaps(p *latticereport.Point, system, rung int) {
	accepted, trips := 0.0, 0
	for c := range s.spec.Chains {
		r, ok := s.sim.Swaps(c, system)
		if !ok {
			return
		}
		trips += r.RoundTrips
		if rung < len(r.Swaps) {
			accepted += r.Swaps[rung] / float64(s.spec.Chains)
		} else {
			accepted = math.NaN()
		}
	}
	mean := report.Number(accepted)
	p.Swaps, p.RoundTrips = &mean, &trips
}
