package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/latticereport"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/report"
)

const (
	curvePoints     = 101 // of a curve between the temperatures of a scan
	leastReweighted = 32  // measurements of a chain
)

// reweight says what the measurements say between the temperatures, and at those of --reweight.
func (s *simulating) reweight(bySystem [][]*lattice.Series, points []*latticereport.Point) (*latticereport.Extras, error) {
	x := &latticereport.Extras{}
	scan := len(s.sim.Betas) > 1
	if !scan && len(s.asked) == 0 || s.spec.Sweeps/s.spec.Thin < leastReweighted {
		return x, nil
	}
	var all []*lattice.Reweighting
	for k, series := range bySystem {
		if math.IsInf(series[len(series)-1].Beta, 1) { // which says nothing about other temperatures
			series = series[:len(series)-1]
		}
		if len(series) == 0 {
			return x, nil
		}
		w, err := lattice.NewReweighting(series...)
		if err != nil { // the points stand without it
			if len(s.asked) > 0 {
				s.Say.Note(fmt.Sprintf("size %s: %v", s.names[k], err))
			}
			continue
		}
		all = append(all, w)
		if err := s.askedFor(x, w, k, points); err != nil {
			return nil, err
		}
		if scan && len(series) > 1 {
			s.curve(x, w, k, series[0].Beta, series[len(series)-1].Beta)
		}
	}
	if scan && len(all) == len(bySystem) {
		s.crossings(x, all)
	}
	return x, nil
}

// askedFor adds the temperatures of --reweight.
func (s *simulating) askedFor(x *latticereport.Extras, w *lattice.Reweighting, system int, points []*latticereport.Point) error {
	for _, beta := range s.asked {
		r, err := w.At(beta)
		if errors.Is(err, lattice.ErrSupport) {
			s.Say.Note(fmt.Sprintf("size %s: %v", s.names[system], err))
			continue
		}
		if err != nil {
			return err
		}
		one := latticereport.NewReweighted(s.names[system], r, s.field())
		x.Asked = append(x.Asked, one)
		var near *latticereport.Point
		for _, p := range points[system*len(s.sim.Betas) : (system+1)*len(s.sim.Betas)] {
			if near == nil || math.Abs(float64(p.Beta)-beta) < math.Abs(float64(near.Beta)-beta) {
				near = p
			}
		}
		near.Reweighted = append(near.Reweighted, one)
	}
	return nil
}

// curve adds the quantities between two temperatures, where the measurements reach, and their peaks.
func (s *simulating) curve(x *latticereport.Extras, w *lattice.Reweighting, system int, from, to float64) {
	for i := range curvePoints {
		t := float64(i) / (curvePoints - 1)
		r, err := w.At(float64(from*(1-t)) + float64(to*t))
		if err == nil {
			x.Curves = append(x.Curves, latticereport.NewReweighted(s.names[system], r, s.field()))
		}
	}
	chi := lattice.Susceptibility
	if s.field() {
		chi = lattice.ConnectedSusceptibility
	}
	for _, q := range []lattice.Quantity{lattice.SpecificHeat, chi} {
		if p, err := w.Peak(q); err == nil {
			x.Found = append(x.Found, latticereport.Found{What: "peak of " + q.String(), Size: s.names[system], Temperature: report.Number(p.Temperature),
				TemperatureSE: report.Number(p.TemperatureSE), Value: report.Number(p.Value), SE: report.Number(p.SE)})
		}
	}
}

// crossings adds where Binder's cumulants of successive sizes are equal.
func (s *simulating) crossings(x *latticereport.Extras, all []*lattice.Reweighting) {
	for k := 1; k < len(all); k++ {
		beta, se, err := lattice.Crossing(all[k-1], all[k], lattice.Binder)
		if err != nil {
			continue
		}
		none := report.Number(math.NaN())
		x.Found = append(x.Found, latticereport.Found{What: "crossing of binder", Size: s.names[k-1] + ", " + s.names[k], Temperature: report.Number(1 / beta),
			TemperatureSE: report.Number(se / (beta * beta)), Value: none, SE: none})
	}
}

// field says whether a field acts on the spins.
func (s *simulating) field() bool { return given(s.spec.Flags.Field, 0) != 0 }
