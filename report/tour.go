package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// tourMost is how many places of a tour are drawn as points.
const tourMost = 5000

// Tour draws a closed tour of the places with these coordinates, to scale, in colours that go round with it. What is not finite is left out.
func Tour(title string, x, y []float64) Page {
	var at []vg.Point
	xlo, xhi, ylo, yhi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range x {
		if drawable(x[i]) && drawable(y[i]) {
			at = append(at, vg.Point{X: vg.Length(x[i]), Y: vg.Length(y[i])})
			xlo, xhi, ylo, yhi = min(xlo, x[i]), max(xhi, x[i]), min(ylo, y[i]), max(yhi, y[i])
		}
	}
	room := pageWidth - 2*pageMargin
	wide, high := vg.Length(xhi-xlo), vg.Length(yhi-ylo)
	side := max(wide, high)
	if len(at) == 0 || !(side > 0) {
		side, wide, high = 1, 1, 1
	}
	scale := room / side
	height := max(scale*high, 40)
	place := func(c draw.Canvas, p vg.Point) vg.Point {
		return vg.Point{X: c.Min.X + (room-scale*wide)/2 + (p.X-vg.Length(xlo))*scale, Y: c.Min.Y + (p.Y-vg.Length(ylo))*scale}
	}
	paint := func(c draw.Canvas, _ typist) {
		thickness := min(max(40/vg.Length(math.Sqrt(float64(len(at)+1))), 0.5), 1.8)
		for i, p := range at {
			q := at[(i+1)%len(at)]
			c.StrokeLines(draw.LineStyle{Color: around(float64(i) / float64(len(at))), Width: thickness}, []vg.Point{place(c, p), place(c, q)})
		}
		for _, p := range at[:min(len(at), tourMost)] {
			c.DrawGlyph(draw.GlyphStyle{Color: inkColor, Radius: thickness, Shape: draw.CircleGlyph{}}, place(c, p))
		}
	}
	return Page{Kind: Charted, Number: 1, Of: 1, title: title, width: pageWidth, height: height + 2*pageMargin + headerHeight + 6, paint: paint}
}

// around is a colour of a circle of them, at x from 0 to 1.
func around(x float64) color.NRGBA {
	ring := [...]color.NRGBA{chainColors[0], chainColors[2], chainColors[4], chainColors[1], chainColors[3]}
	k, part := math.Modf(x * float64(len(ring)))
	a, b := ring[int(k)%len(ring)], ring[(int(k)+1)%len(ring)]
	mix := func(p, q uint8) uint8 { return uint8(math.Round(float64(p) + part*(float64(q)-float64(p)))) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xFF}
}
