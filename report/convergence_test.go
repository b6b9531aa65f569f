package report

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
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
