package report

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Charted is the kind of the pages of [Charts].
const Charted Kind = "charts"

// Chart is a panel of points with error bars and of lines, as of quantities against temperature.
type Chart struct {
	Title string
	X     string // name of the axis below
	LogY  bool
	Sets  []Points
	Marks []Mark
}

// Points are points, a line, or both, in one colour. Those that are not finite are left out.
type Points struct {
	X, Y  []float64
	SE    []float64 // half the lengths of the bars; nil: none
	Joins bool      // a thin line joins the points
	Bars  float64   // the width of bars from 0 that are drawn instead of points; 0: none

	LineX, LineY []float64
}

// Mark is a vertical line where something is expected.
type Mark struct {
	X    float64
	Name string
}

// Charts draws panels of points on one page, so many beside one another. The sets of the same number have the same colour in all
// panels, and the key says their names after the word for all of them.
func Charts(title, word string, names []string, columns int, charts []Chart) Page {
	var panels []panel
	for _, k := range charts {
		panels = append(panels, k.draw)
	}
	if len(panels) == 0 {
		panels = []panel{Chart{}.draw}
	}
	s := sheet{Charted, title, columns, (len(panels) + columns - 1) / columns, 200}
	switch {
	case columns == 1 && len(panels) == 1:
		s.height = 330
	case columns == 1:
		s.height = 240
	}
	p := s.pages(panels, 0)[0]
	p.key = legend{names: names, word: word}
	return p
}

func (k Chart) draw(c draw.Canvas, t typist) {
	x, y := k.axes()
	f := framed(draw.Crop(c, 0, 0, nameHeight, 0), t, k.Title, remark{}, x, y)
	f.FillText(t.style(titleSize, inkColor, draw.XCenter, draw.YBottom), vg.Point{X: f.Center().X, Y: c.Min.Y}, k.X)
	for _, m := range k.Marks {
		if m.X < x.lo || m.X > x.hi {
			continue
		}
		at := f.at(m.X, y.lo).X
		f.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 0.8, Dashes: []vg.Length{3, 2}}, at, f.Min.Y, at, f.Max.Y)
		f.FillText(t.style(tickSize, faintColor, draw.XCenter, draw.YBottom), vg.Point{X: at, Y: f.Max.Y + 1}, m.Name)
	}
	drawn := false
	for i, s := range k.Sets {
		drawn = k.set(f, i, s) || drawn
	}
	if !drawn {
		f.say(t, "nothing to draw")
	}
}

// set draws one set of points and says whether there was anything to draw.
func (k Chart) set(f frame, i int, s Points) bool {
	color := chainColor(i)
	if s.Bars > 0 {
		return k.bars(f, color, s)
	}
	var line, points []vg.Point
	for j, v := range s.LineX {
		if y := k.scaled(s.LineY[j]); drawable(y) && drawable(v) {
			line = append(line, f.at(v, y))
		}
	}
	if len(line) > 1 {
		f.line(draw.LineStyle{Color: veiled(color, 0.75), Width: 1.1}, line)
	}
	for j, v := range s.X {
		y := k.scaled(s.Y[j])
		if !drawable(y) || !drawable(v) {
			continue
		}
		points = append(points, f.at(v, y))
		if s.SE != nil && s.SE[j] > 0 && drawable(s.SE[j]) {
			low := k.scaled(s.Y[j] - s.SE[j])
			if !drawable(low) { // below 0 on a logarithmic axis
				low = f.y.lo
			}
			f.interval(draw.LineStyle{Color: color, Width: 0.9}, f.at(v, y).X, [2]float64{low, k.scaled(s.Y[j] + s.SE[j])})
		}
	}
	if s.Joins && len(points) > 1 {
		f.line(draw.LineStyle{Color: veiled(color, 0.45), Width: 0.8}, points)
	}
	for _, p := range points {
		f.DrawGlyph(draw.GlyphStyle{Color: color, Radius: 2.1, Shape: draw.CircleGlyph{}}, p)
	}
	return len(line) > 1 || len(points) > 0
}

// bars draws a set as bars, with lines beside them where they are wide enough.
func (k Chart) bars(f frame, color color.NRGBA, s Points) (drawn bool) {
	for j, v := range s.X {
		if !drawable(v) || !drawable(s.Y[j]) || k.LogY {
			continue
		}
		from, to := f.at(v-s.Bars/2, 0), f.at(v+s.Bars/2, s.Y[j])
		if to.X-from.X > 3 {
			from.X, to.X = from.X+0.4, to.X-0.4
		}
		fill(f.Canvas, vg.Rectangle{Min: from, Max: to}, veiled(color, 0.8))
		drawn = true
	}
	return drawn
}

func (k Chart) scaled(y float64) float64 {
	if k.LogY {
		return math.Log10(y)
	}
	return y
}

// axes cover all points, lines and bars.
func (k Chart) axes() (x, y axis) {
	xlo, xhi, ylo, yhi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	cover := func(x, y float64) {
		if y = k.scaled(y); drawable(x) && drawable(y) {
			xlo, xhi, ylo, yhi = min(xlo, x), max(xhi, x), min(ylo, y), max(yhi, y)
		}
	}
	for _, s := range k.Sets {
		for j, v := range s.LineX {
			cover(v, s.LineY[j])
		}
		for j, v := range s.X {
			cover(v, s.Y[j])
			if s.Bars > 0 {
				cover(v-s.Bars/2, 0)
				cover(v+s.Bars/2, 0)
			}
			if s.SE != nil && drawable(s.SE[j]) {
				cover(v, s.Y[j]-s.SE[j])
				cover(v, s.Y[j]+s.SE[j])
			}
		}
	}
	xlo, xhi = spread(xlo, xhi, 0.03)
	ylo, yhi = spread(ylo, yhi, 0.06)
	if !k.LogY || !drawable(ylo) || !drawable(yhi) {
		return newAxis(xlo, xhi, 6), newAxis(ylo, yhi, 5)
	}
	return newAxis(xlo, xhi, 6), decades(ylo, yhi)
}

// decades is logAxis between logarithms: with powers of ten alone where there are many, and with all multiples of one where there are few.
func decades(lo, hi float64) axis {
	a := logAxis(math.Pow(10, lo), math.Pow(10, hi))
	every := 10.0 // step between multiples of a power that have ticks
	switch {
	case hi-lo < 0.4 || hi-lo >= 1 && hi-lo < 2.5: // a range too narrow was widened
		return a
	case hi-lo < 1:
		every = 1
	}
	a.ticks = nil
	for e := math.Floor(a.lo); e <= a.hi; e++ {
		for m := 1.0; m < 10; m += every {
			if v := e + math.Log10(m); v >= a.lo && v <= a.hi {
				a.ticks = append(a.ticks, tick{v, strconv.FormatFloat(m*math.Pow(10, e), 'g', 3, 64)})
			}
		}
	}
	return a
}
