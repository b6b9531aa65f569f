package report

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a forest in points.
const (
	forestRow    = vg.Length(14)
	forestHead   = titleHeight + 4
	forestGap    = vg.Length(8)
	forestHeight = vg.Length(680) // of the rows and heads on one page
	forestNames  = vg.Length(130)
	forestNumber = vg.Length(150)
)

// Forests draws the median and the central 50 % and 90 % intervals of every
// element, a block with its own scale for each variable. Elements that
// diagnostics warn of are red.
func Forests(set *draws.Set) []Page {
	blocks := forestBlocks(set)
	var pages []Page
	for len(blocks) > 0 {
		height, n := vg.Length(0), 0
		for n < len(blocks) && (n == 0 || height+blocks[n].height() <= forestHeight) {
			height += blocks[n].height()
			n++
		}
		group := blocks[:n]
		blocks = blocks[n:]
		pages = append(pages, Page{
			Kind: Forest, Number: len(pages) + 1, title: "Medians, 50 % and 90 % intervals",
			width: pageWidth, height: 2*pageMargin + headerHeight + forestHead + height,
			paint: func(c draw.Canvas, t typist) { paintForest(c, t, group) },
		})
	}
	for i := range pages {
		pages[i].Of = len(pages)
	}
	return pages
}

// forestBlock is rows of one variable that share a scale.
type forestBlock struct {
	name string
	rows []series
	x    axis
}

func (b forestBlock) height() vg.Length {
	return b.head() + vg.Length(len(b.rows))*forestRow + tickHeight + forestGap
}

// head is the room for the variable's name, which a scalar has in its row.
func (b forestBlock) head() vg.Length {
	if b.name == "" {
		return 0
	}
	return forestHead
}

// forestBlocks cuts variables into blocks that fit on a page. All blocks of
// a variable have one scale.
func forestBlocks(set *draws.Set) []forestBlock {
	all := allSeries(set)
	const rows = 45 // (forestHeight - forestHead - tickHeight - forestGap) / forestRow
	var blocks []forestBlock
	start := 0
	for _, v := range set.Variables() {
		group := all[start : start+v.Size()]
		start += v.Size()
		x := forestAxis(group)
		for from := 0; from < len(group); from += rows {
			b := forestBlock{v.Name, group[from:min(from+rows, len(group))], x}
			switch {
			case len(v.Dims) == 0:
				b.name = ""
			case from > 0:
				b.name = fmt.Sprintf("%s, continued", v.Name)
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

func forestAxis(rows []series) axis {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range rows {
		if !s.empty() {
			lo = min(lo, diag.QuantileSorted(s.sorted, 0.05))
			hi = max(hi, diag.QuantileSorted(s.sorted, 0.95))
		}
	}
	lo, hi = spread(lo, hi, 0.03)
	return newAxis(lo, hi, 6)
}

func paintForest(c draw.Canvas, t typist, blocks []forestBlock) {
	head := t.style(tickSize, faintColor, draw.XLeft, draw.YTop)
	right := c.Max.X - forestNumber
	c.FillText(head, vg.Point{X: right + 12, Y: c.Max.Y}, "median")
	c.FillText(head, vg.Point{X: right + 62, Y: c.Max.Y}, "R-hat")
	c.FillText(head, vg.Point{X: right + 98, Y: c.Max.Y}, "bulk ESS")
	top := c.Max.Y - forestHead
	for _, b := range blocks {
		bottom := top - b.height() + forestGap
		b.paint(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: c.Min.X, Y: bottom}, Max: vg.Point{X: c.Max.X, Y: top},
		}}, t)
		top -= b.height()
	}
}

func (b forestBlock) paint(c draw.Canvas, t typist) {
	inner := draw.Crop(c, forestNames, -forestNumber, tickHeight, -b.head())
	f := frame{inner, b.x, axis{lo: 0, hi: float64(len(b.rows))}}
	f.grid(t)
	c.FillText(t.bold(titleSize, inkColor, draw.XLeft, draw.YTop), vg.Point{X: c.Min.X, Y: c.Max.Y}, b.name)
	if b.x.lo < 0 && b.x.hi > 0 {
		zero := f.at(0, 0).X
		f.StrokeLine2(draw.LineStyle{Color: axisColor, Width: 0.8}, zero, f.Min.Y, zero, f.Max.Y)
	}
	for i, s := range b.rows {
		s.forestRow(f, t, float64(len(b.rows)-i)-0.5, c.Min.X)
	}
}

func (s series) forestRow(f frame, t typist, y float64, left vg.Length) {
	col := chainColors[0]
	if s.remark().color == alarmColor {
		col = alarmColor
	}
	at := f.at(f.x.lo, y)
	name := t.style(tickSize+0.5, inkColor, draw.XLeft, draw.YCenter)
	f.FillText(name, vg.Point{X: left, Y: at.Y}, shorten(s.name, forestNames-8, name))
	number := t.style(tickSize, faintColor, draw.XLeft, draw.YCenter)
	if s.empty() {
		f.FillText(number, vg.Point{X: f.Max.X + 12, Y: at.Y}, s.why())
		return
	}
	q := func(p float64) vg.Point { return f.at(diag.QuantileSorted(s.sorted, p), y) }
	f.StrokeLine2(draw.LineStyle{Color: col, Width: 0.9}, q(0.05).X, at.Y, q(0.95).X, at.Y)
	f.StrokeLine2(draw.LineStyle{Color: col, Width: 3}, q(0.25).X, at.Y, q(0.75).X, at.Y)
	f.DrawGlyphNoClip(draw.GlyphStyle{Color: white, Radius: 2.9, Shape: draw.CircleGlyph{}}, q(0.5))
	f.DrawGlyphNoClip(draw.GlyphStyle{Color: col, Radius: 2.2, Shape: draw.CircleGlyph{}}, q(0.5))

	f.FillText(number, vg.Point{X: f.Max.X + 12, Y: at.Y}, short(diag.QuantileSorted(s.sorted, 0.5)))
	if col == alarmColor {
		number.Color = alarmColor
	}
	if s.odd > 0 || s.constant() {
		f.FillText(number, vg.Point{X: f.Max.X + 62, Y: at.Y}, s.remark().text)
		return
	}
	if !math.IsNaN(s.summary.Rhat) {
		f.FillText(number, vg.Point{X: f.Max.X + 62, Y: at.Y}, rhatShort(s.summary.Rhat))
		f.FillText(number, vg.Point{X: f.Max.X + 98, Y: at.Y}, essShort(s.summary.ESSBulk))
	}
}
