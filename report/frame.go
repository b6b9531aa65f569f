package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// frame is the area of a panel in which data are drawn, with its axes.
type frame struct {
	draw.Canvas // cropped to the data
	x, y        axis
}

var white = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}

func fill(c draw.Canvas, r vg.Rectangle, col color.Color) {
	c.SetColor(col)
	c.Fill(r.Path())
}

// framed writes a panel's title, and beside it a remark, and returns the rest
// of the panel with the ticks and grid of x; y gets them if it has ticks.
func framed(c draw.Canvas, t typist, title string, remark remark, x, y axis) frame {
	top := c.Max.Y
	rightEdge := c.Max.X
	remarkStyle := t.style(tickSize, remark.color, draw.XRight, draw.YTop)
	c.FillText(remarkStyle, vg.Point{X: rightEdge, Y: top - 1}, remark.text)
	titleStyle := t.bold(titleSize, inkColor, draw.XLeft, draw.YTop)
	room := c.Size().X - remarkStyle.Width(remark.text) - 8
	c.FillText(titleStyle, vg.Point{X: c.Min.X, Y: top}, shorten(title, room, titleStyle))

	left := vg.Length(0)
	if len(y.ticks) > 0 {
		left = tickWidth
	}
	f := frame{draw.Crop(c, left, 0, tickHeight, -titleHeight), x, y}
	f.grid(t)
	return f
}

// named writes the names of both axes beside them, and returns the rest of the
// panel with their ticks and grid.
func named(c draw.Canvas, t typist, below, beside string, x, y axis) frame {
	f := frame{draw.Crop(c, tickWidth+nameHeight, 0, tickHeight+nameHeight, 0), x, y}
	f.grid(t)
	style := t.style(titleSize, inkColor, draw.XCenter, draw.YBottom)
	f.FillText(style, vg.Point{X: f.Center().X, Y: c.Min.Y}, below)
	style.Rotation, style.YAlign = math.Pi/2, draw.YTop
	f.FillText(style, vg.Point{X: c.Min.X, Y: f.Center().Y}, beside)
	return f
}

// shorten cuts a text to a width, with an ellipsis in its middle.
func shorten(s string, width vg.Length, style draw.TextStyle) string {
	if style.Width(s) <= width {
		return s
	}
	r := []rune(s)
	for keep := len(r) - 1; keep > 1; keep-- {
		cut := string(r[:keep/2+keep%2]) + "…" + string(r[len(r)-keep/2:])
		if style.Width(cut) <= width {
			return cut
		}
	}
	return "…"
}

// remark is a short text at the right of a panel's title.
type remark struct {
	text  string
	color color.NRGBA
}

func (f frame) grid(t typist) {
	line := draw.LineStyle{Color: gridColor, Width: 0.6}
	below := t.style(tickSize, faintColor, draw.XCenter, draw.YTop)
	end := f.Min.X - 20
	for _, k := range f.x.ticks {
		x := f.at(k.value, f.y.lo).X
		f.StrokeLine2(line, x, f.Min.Y, x, f.Max.Y)
		half := below.Width(k.label) / 2
		x = min(x, f.Max.X+2-half) // the next panel's labels begin there
		if x-half < end+4 {
			continue // it would touch the one before
		}
		f.FillText(below, vg.Point{X: x, Y: f.Min.Y - 2.5}, k.label)
		end = x + half
	}
	beside := t.style(tickSize, faintColor, draw.XRight, draw.YCenter)
	for _, k := range f.y.ticks {
		y := f.at(f.x.lo, k.value).Y
		f.StrokeLine2(line, f.Min.X, y, f.Max.X, y)
		f.FillText(beside, vg.Point{X: f.Min.X - 4, Y: y}, k.label)
	}
	f.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 0.8}, f.Min.X, f.Min.Y, f.Max.X, f.Min.Y)
}

// at is the place of a value, moved to the edge of the frame when outside.
func (f frame) at(x, y float64) vg.Point {
	return vg.Point{
		X: f.Min.X + vg.Length(share(x, f.x))*(f.Max.X-f.Min.X),
		Y: f.Min.Y + vg.Length(share(y, f.y))*(f.Max.Y-f.Min.Y),
	}
}

func share(v float64, a axis) float64 {
	s := (v - a.lo) / (a.hi - a.lo)
	if !(s > 0) {
		return 0
	}
	return min(s, 1)
}

// line draws a line through points; one point is a dot.
func (f frame) line(style draw.LineStyle, points []vg.Point) {
	if len(points) == 1 {
		points = append(points, vg.Point{X: points[0].X + 0.5, Y: points[0].Y})
	}
	// A rasteriser's cost grows faster than a line's length.
	const piece = 64
	for from := 0; from+1 < len(points); from += piece {
		f.StrokeLines(style, points[from:min(from+piece+1, len(points))])
	}
}

// area fills between the points and the bottom of the frame.
func (f frame) area(col color.Color, points []vg.Point) {
	if len(points) < 2 {
		return
	}
	shape := append([]vg.Point{{X: points[0].X, Y: f.Min.Y}}, points...)
	shape = append(shape, vg.Point{X: points[len(points)-1].X, Y: f.Min.Y})
	f.FillPolygon(col, shape)
}

// box fills a rectangle between two corners given in values.
func (f frame) box(col color.Color, x0, y0, x1, y1 float64) {
	fill(f.Canvas, vg.Rectangle{Min: f.at(x0, y0), Max: f.at(x1, y1)}, col)
}

// say writes a text in the middle of the frame, where there is nothing to draw.
func (f frame) say(t typist, text string) {
	f.FillText(t.style(titleSize, faintColor, draw.XCenter, draw.YCenter), f.Center(), text)
}
