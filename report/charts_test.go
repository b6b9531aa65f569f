package report

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
)

func TestCharts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	charts := []Chart{
		{Title: "bars", X: "temperature", Sets: []Points{{X: []float64{1, 2, 3}, Y: []float64{5, 6, 7}, SE: []float64{0.1, nan, 0}}}, Marks: []Mark{{2, "Tc"}, {9, "beyond"}}},
		{Title: "logarithms", LogY: true, Sets: []Points{{X: []float64{1, 2, 3, 4}, Y: []float64{1e-3, 10, 0, 1e6}, SE: []float64{1, 1, 1, 1}, Joins: true},
			{LineX: []float64{1, 2}, LineY: []float64{3, 4}}}},
		{Title: "odd", Sets: []Points{{X: []float64{nan, inf, 1}, Y: []float64{1, 2, nan}}}},
	}
	p := Charts("a title", "size", []string{"small", "large"}, 2, charts)
	var b bytes.Buffer
	if err := p.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	checkXML(t, b.Bytes())
	for _, want := range []string{">a title<", ">bars<", ">Tc<", ">small<", ">large<", ">size<", ">temperature<", ">1e6<", ">nothing to draw<"} {
		if !strings.Contains(strings.ReplaceAll(b.String(), ">1e+06<", ">1e6<"), want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	for _, not := range []string{"beyond", "NaN", "Inf"} {
		if strings.Contains(b.String(), not) {
			t.Errorf("%q in the picture", not)
		}
	}
	b.Reset()
	if err := p.Write(&b, "png"); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
	for _, columns := range []int{1, 2} {
		if err := Charts("", "", nil, columns, nil).Write(&bytes.Buffer{}, "svg"); err != nil {
			t.Error(err)
		}
	}
}

func TestDecades(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0.055, 0.37, "0.06 0.07 0.08 0.09 0.1 0.2 0.3"},
		{0.9, 55, "1 2 5 10 20 50"},
		{0.5, 2e4, "1 10 100 1e+03 1e+04"},
		{1, 2, "1 2"},
	} {
		var labels []string
		for _, k := range decades(math.Log10(c.lo), math.Log10(c.hi)).ticks {
			labels = append(labels, k.label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("from %v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}
