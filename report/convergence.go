package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Convergence is the kind of the pictures of EstimateCurves.
const Convergence Kind = "convergence"

// Curve is an estimate by one method as the work went on.
type Curve struct {
	Name     string
	Cost     []float64  // such as seconds, above 0 and rising
	Value    []float64  // as many
	Interval [2]float64 // of the last value, from low to high; of no width: none is drawn
}

// EstimateCurves draws how estimates of one quantity converge, by method,
// against what they cost on a logarithmic axis. A bar with caps at the end of a
// curve is its interval. What lies far from the other methods' last values is
// drawn at the edge, and its name says where it is.
func EstimateCurves(title, cost, quantity string, curves []Curve) Page {
	p := panel(func(c draw.Canvas, t typist) { drawCurves(c, t, cost, quantity, curves) })
	s := sheet{Convergence, title, 1, 1, 330}
	return s.pages([]panel{p}, 0)[0]
}

// keyWidth is the room for the names of curves.
const keyWidth = vg.Length(150)

func drawCurves(c draw.Canvas, t typist, cost, quantity string, curves []Curve) {
	lo, hi := curveRange(curves)
	first, last := math.Inf(1), math.Inf(-1)
	for _, k := range curves {
		for _, x := range k.Cost {
			if x > 0 && drawable(x) {
				first, last = min(first, x), max(last, x)
			}
		}
	}
	if !(first <= last) {
		first, last = 0.1, 1
	}
	x := logAxis(first, last)
	y := newAxis(lo, hi, 6)
	f := named(draw.Crop(c, 0, -keyWidth, 0, 0), t, cost, quantity, x, y)
	for i, k := range curves {
		style := draw.LineStyle{Color: veiled(chainColor(i), 0.9), Width: 1.1}
		if i >= len(chainColors) { // colours come again, in dashes
			style.Dashes = []vg.Length{4, 2}
		}
		f.estimate(style, k)
		f.estimateKey(t, i, style, k)
	}
}

// curveRange holds the last values that lie together: those within 5 of their
// median, and a little of the way there.
func curveRange(curves []Curve) (lo, hi float64) {
	var ends []float64
	for _, k := range curves {
		if n := len(k.Value); n > 0 && drawable(k.Value[n-1]) {
			ends = append(ends, k.Value[n-1])
		}
	}
	if len(ends) == 0 {
		return 0, 1
	}
	slices.Sort(ends)
	middle := ends[len(ends)/2]
	const near = 5
	reach := 0.2
	for _, k := range curves {
		if n := len(k.Value); n > 0 && math.Abs(k.Value[n-1]-middle) < near {
			reach = max(reach, math.Abs(k.Value[n-1]-middle))
			if k.drawsInterval() && k.Interval[1]-k.Interval[0] < near { // a wider one would leave no room for the others
				reach = max(reach, middle-k.Interval[0], k.Interval[1]-middle)
			}
		}
	}
	return middle - 1.5*reach, middle + 1.5*reach
}

// logAxis is of the logarithm to base 10, with ticks at 1, 2 and 5 times powers of ten.
func logAxis(lo, hi float64) axis {
	a := axis{lo: math.Log10(lo), hi: math.Log10(hi)}
	if a.hi-a.lo < 0.3 {
		a.lo, a.hi = a.lo-0.15, a.hi+0.15
	}
	for e := math.Floor(a.lo); e <= a.hi; e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := e + math.Log10(m); v >= a.lo && v <= a.hi {
				a.ticks = append(a.ticks, tick{v, fmt.Sprintf("%g", m*math.Pow(10, e))})
			}
		}
	}
	return a
}

func (f frame) estimate(style draw.LineStyle, k Curve) {
	var points []vg.Point
	for i, v := range k.Value {
		if drawable(v) && i < len(k.Cost) && k.Cost[i] > 0 {
			points = append(points, f.at(math.Log10(k.Cost[i]), v))
		}
	}
	if len(points) == 0 {
		return
	}
	f.line(style, points)
	end := points[len(points)-1]
	f.DrawGlyph(draw.GlyphStyle{Color: style.Color, Radius: 2.2, Shape: draw.CircleGlyph{}}, end)
	if k.drawsInterval() {
		style.Dashes = nil
		f.interval(style, end.X, k.Interval)
	}
}

func (k *Curve) drawsInterval() bool {
	return drawable(k.Interval[0]) && drawable(k.Interval[1]) && k.Interval[0] < k.Interval[1]
}

// interval draws a bar, with a cap at each end that lies within the frame.
func (f frame) interval(style draw.LineStyle, x vg.Length, ends [2]float64) {
	const half = 3
	f.StrokeLine2(style, x, f.at(0, ends[0]).Y, x, f.at(0, ends[1]).Y)
	for _, v := range ends {
		if v >= f.y.lo && v <= f.y.hi {
			y := f.at(0, v).Y
			f.StrokeLine2(style, x-half, y, x+half, y)
		}
	}
}

// estimateKey writes the name of a curve, and where it ends if that is off the scale.
func (f frame) estimateKey(t typist, i int, style draw.LineStyle, k Curve) {
	y := f.Max.Y - vg.Length(i)*14 - 6
	x := f.Max.X + 14
	f.StrokeLine2(style, x, y, x+16, y)
	name := k.Name
	if n := len(k.Value); n > 0 && (k.Value[n-1] < f.y.lo || k.Value[n-1] > f.y.hi) {
		name += fmt.Sprintf(" (at %s)", short(k.Value[n-1]))
	}
	f.FillText(t.style(titleSize, inkColor, draw.XLeft, draw.YCenter), vg.Point{X: x + 22, Y: y}, name)
}
