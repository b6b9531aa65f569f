package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/latticereport"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/report"
)

const (
	pictureSide   = 1024 // pixels, about
	mostPictures  = 64   // of sizes and temperatures
	filmPerSecond = 20
	filmSide      = 512
)

// pictures writes what the run's folder has beside the summary: the points as CSV, their plots, and the last spins of the first chain.
func (s *simulating) pictures(all []*latticereport.Point, measured [][]*lattice.Series, x *latticereport.Extras) error {
	type file struct {
		name  string
		write func(w io.Writer) error
	}
	files := []file{{"points.csv", func(w io.Writer) error { return latticereport.WriteCSV(w, all) }}}
	if len(s.sim.Betas) > 1 {
		page := latticereport.ScanPlots(all, x.CurvesOf(), s.critical())
		files = append(files, file{"points.png", func(w io.Writer) error { return page.Write(w, "png") }})
	}
	if len(x.Curves) > 0 {
		files = append(files, file{"reweighted.csv", func(w io.Writer) error { return latticereport.WriteReweightedCSV(w, x.Curves) }})
	}
	if len(x.Found) > 0 {
		files = append(files, file{"found.csv", func(w io.Writer) error { return latticereport.WriteFoundCSV(w, x.Found) }})
	}
	plot := func(name string, page report.Page) {
		files = append(files, file{name, func(w io.Writer) error { return page.Write(w, "png") }})
	}
	n := len(s.sim.Betas)
	for k, size := range s.names {
		title, suffix := "Energies, "+size, ""
		if len(s.names) > 1 {
			suffix = "-" + strings.ReplaceAll(size, " ", "-")
		}
		plot("energies"+suffix+".png", latticereport.HistogramPlots(title, measured[k]))
		if s.sim.Correlation {
			plot("correlations"+suffix+".png", latticereport.PointCorrelations("Correlations, "+size, all[k*n:(k+1)*n]))
		}
	}
	if e, ok := s.exponents(); ok && len(s.names) > 1 && n > 1 {
		plot("scaling.png", latticereport.CollapsePlots(all, e))
	}
	for _, f := range files {
		if err := s.Dir.Write(f.name, f.write); err != nil {
			return err
		}
	}
	last := s.sim.Last(0)
	if last == nil {
		return nil
	}
	for k, l := range last.Ladders {
		if y := &s.sim.Systems[k]; y.Packed != nil && memory.Room(float64(y.Sites())) != nil {
			s.Say.Note("no picture of the spins of size " + s.names[k] + ": there is no memory for one byte a spin")
			continue
		}
		canvas, err := s.canvas(k, pictureSide)
		if err != nil {
			return err
		}
		for i, x := range l.Replicas {
			at := k*len(s.sim.Betas) + i
			if at >= mostPictures {
				break
			}
			spins := s.sim.Systems[k].Spins(nil, x)
			if err := s.Dir.Write(spinsFile(all, at), func(w io.Writer) error { return canvas.WritePNG(w, spins) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// spinsFile is the picture of a point.
func spinsFile(all []*latticereport.Point, at int) string {
	if len(all) == 1 {
		return "spins.png"
	}
	beta := "inf"
	if b := float64(all[at].Beta); !math.IsInf(b, 0) {
		beta = fmt.Sprintf("%.5g", b)
	}
	return fmt.Sprintf("spins-%s-beta-%s.png", strings.ReplaceAll(all[at].Size, " ", "-"), beta)
}

// canvas is what a system is drawn on.
func (s *simulating) canvas(system, side int) (*latticereport.Canvas, error) {
	y := &s.sim.Systems[system]
	if len(s.shapes) == 0 {
		return latticereport.GraphCanvas(y.Sites(), given(s.spec.Q, 2), side)
	}
	return latticereport.NewCanvas(s.shapes[system], given(s.spec.Q, 2), side)
}

// critical is the critical temperature where it is known exactly; NaN elsewhere.
func (s *simulating) critical() float64 {
	f := &s.spec.Flags
	square := len(s.shapes) > 0 && s.shapes[0].Kind == lattice.Cubic && len(s.shapes[0].Size) == 2
	if !square || given(f.Coupling, 1) != 1 || given(f.Field, 0) != 0 {
		return math.NaN()
	}
	return lattice.SquareCriticalTemperature(given(s.spec.Q, 0))
}

// exponents are those of the transition, where the couplings are of one sign and size on a lattice of the usual kind.
func (s *simulating) exponents() (e latticereport.Exponents, ok bool) {
	f := &s.spec.Flags
	if len(s.shapes) == 0 || s.shapes[0].Kind != lattice.Cubic || given(f.Coupling, 1) != 1 || s.field() || f.Disorder != nil || s.spec.move().keeps {
		return e, false
	}
	return latticereport.KnownExponents(len(s.shapes[0].Size), given(s.spec.Q, 2), s.spec.Q == nil)
}

// film writes the first sweeps of the first chain, done again, as a GIF.
func (s *simulating) film(path string) error {
	canvas, err := s.canvas(0, filmSide)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	film, err := latticereport.NewFilm(f, canvas, filmPerSecond)
	if err == nil {
		err = s.frames(film)
	}
	if err == nil {
		err = film.Close()
	}
	return errors.Join(err, f.Close())
}

// frames runs the chain again as far as the film goes: it has the same streams, and so the same spins.
func (s *simulating) frames(film *latticereport.Film) error {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	again := &lattice.Simulation{Systems: s.sim.Systems, Betas: s.sim.Betas, Seed: s.sim.Seed, Threads: cores(s.cmd.Threads)}
	every, frames := given(s.cmd.FilmEvery, 1), given(s.cmd.FilmFrames, latticeFrames)
	var spins []uint8
	var failed error
	sweep := 0
	again.Look = func(_ int, x *lattice.Replicas) {
		if sweep%every == 0 && frames > 0 && failed == nil {
			spins = again.Systems[0].Spins(spins, x.Ladders[0].Replicas[0])
			failed = film.Add(spins)
			frames--
		}
		if sweep++; frames == 0 || failed != nil {
			end()
		}
	}
	if err := again.Prepare(1); err != nil {
		return err
	}
	set := s.settings()
	set.Chains, set.Draws = 1, max(set.Draws, every*frames)
	if _, err := mcmc.Run(ctx, again, set, nowhere{}, nil); err != nil && !errors.Is(err, mcmc.ErrInterrupted) {
		return err
	}
	return failed
}

// nowhere is a recorder that keeps nothing.
type nowhere struct{}

func (nowhere) Append(int, bool, []float64, mcmc.Stat) error { return nil }
func (nowhere) Sync(int) ([]byte, error)                     { return nil, nil }
func (nowhere) Truncate(int, int, int, []byte) error         { return nil }
func (nowhere) Close() error                                 { return nil }

// latticeView is a copy of the spins that a person sees, which the first chain makes from time to time.
type latticeView struct {
	mu    sync.Mutex
	spins []uint8
	taken time.Time

	terminal      *latticereport.Terminal
	width, height int // that it fits
}

// viewed is how often the copy is made.
const viewed = 200 * time.Millisecond

// watch lets the live table, where there is one, show the spins of the first chain, of the last size and the temperature in the middle.
func (s *simulating) watch() {
	if !progress.Live(progress.Mode(s.cmd.Progress), os.Stderr) {
		return // the copy takes a byte a spin
	}
	system, rung := len(s.sim.Systems)-1, len(s.sim.Betas)/2
	v := new(latticeView)
	s.sim.Look = func(chain int, x *lattice.Replicas) {
		if chain != 0 || time.Since(v.taken) < viewed {
			return
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.spins = s.sim.Systems[system].Spins(v.spins, x.Ladders[system].Replicas[rung])
		v.taken = time.Now()
	}
	head := fmt.Sprintf("spins of chain 1, %s, β = %s", s.names[system], latticereport.Beta(s.sim.Betas[rung]))
	s.Below = func(width, height int) []string {
		v.mu.Lock()
		defer v.mu.Unlock()
		if len(v.spins) == 0 || height < 4 || width < 4 {
			return nil
		}
		if v.terminal == nil || v.width != width || v.height != height {
			v.terminal, v.width, v.height = s.terminal(system, width, height-1), width, height
		}
		if v.terminal == nil {
			return nil
		}
		return slices.Concat([]string{head}, v.terminal.Lines(v.spins))
	}
}

// terminal is nil where the lattice cannot be drawn.
func (s *simulating) terminal(system, width, height int) *latticereport.Terminal {
	tones := latticereport.Colours
	switch {
	case !progress.UTF8(os.Getenv):
		tones = latticereport.ASCII
	case os.Getenv("NO_COLOR") != "":
		tones = latticereport.Blocks
	}
	var t *latticereport.Terminal
	var err error
	if colours := given(s.spec.Q, 2); len(s.shapes) == 0 {
		t, err = latticereport.GraphTerminal(s.sim.Systems[system].Sites(), colours, width, height, tones)
	} else {
		t, err = latticereport.NewTerminal(s.shapes[system], colours, width, height, tones)
	}
	if err != nil {
		return nil
	}
	return t
}
