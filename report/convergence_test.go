package report

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

func TestEstimateCurves(t *testing.T) {
	curves := []Curve{
		{Name: "ais", Cost: []float64{0.1, 1, 10}, Value: []float64{226.5, 226.2, 226.11}, Interval: [2]float64{226.05, 226.19}},
		{Name: "tap", Cost: []float64{0.5}, Value: []float64{212.3}, Interval: [2]float64{math.NaN(), math.NaN()}},
		{Name: "nothing"},
		{Name: "odd", Cost: []float64{0, 1, 2}, Value: []float64{1, math.NaN(), 226}},
	}
	p := EstimateCurves("h10", "CPU seconds", "log Z", curves)
	var b bytes.Buffer
	if err := p.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">h10<", ">CPU seconds<", ">log Z<", "ais", "tap (at 212.3)", "odd", ">226.2<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	b.Reset()
	if err := p.Write(&b, "png"); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
	for _, few := range [][]Curve{nil, {{Name: "x"}}, {{Name: "x", Cost: []float64{1}, Value: []float64{math.Inf(-1)}}}} {
		if err := EstimateCurves("", "", "", few).Write(&bytes.Buffer{}, "svg"); err != nil {
			t.Error(err)
		}
	}
}

// The bar at the end of a curve is its interval, which need not be about the
// value, with caps where it ends in the frame.
func TestCurvesShowTheirIntervals(t *testing.T) {
	for _, c := range []struct {
		interval [2]float64
		want     int // lines
	}{
		{[2]float64{1, 4}, 3},
		{[2]float64{-5, 4}, 2}, // leaves the frame
		{[2]float64{2, 2}, 0},
		{[2]float64{}, 0},
		{[2]float64{math.NaN(), math.NaN()}, 0},
	} {
		var r recorder.Canvas
		f := frame{draw.NewCanvas(&r, 100, 50), axis{lo: -1, hi: 1}, axis{lo: 0, hi: 5}} // 10 points a unit of y
		f.estimate(draw.LineStyle{Color: inkColor, Width: 1}, Curve{Cost: []float64{1}, Value: []float64{3}, Interval: c.interval})
		var lines []vg.Path
		for _, a := range r.Actions {
			if s, ok := a.(*recorder.Stroke); ok {
				lines = append(lines, s.Path)
			}
		}
		lines = lines[1:] // the curve itself
		if len(lines) != c.want {
			t.Errorf("%v: %d lines, want %d", c.interval, len(lines), c.want)
			continue
		}
		if c.want == 3 && (lines[0][0].Pos.Y != 10 || lines[0][1].Pos.Y != 40 || lines[1][0].Pos.Y != 10 || lines[2][0].Pos.Y != 40) {
			t.Errorf("%v is drawn as %v", c.interval, lines)
		}
	}
}
