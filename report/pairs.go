package report

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/draws"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// PairsMax is how many elements a picture of pairs holds.
const PairsMax = 6

// pairPoints is how many points a scatter plot holds at most.
const pairPoints = 1000

// PairPlots draws the first six elements against each other: scatter plots by chain
// below the diagonal, densities on it, correlations above. Draws after which
// stats, the sample statistics, note a divergence are red; stats may be nil.
func PairPlots(set, stats *draws.Set) []Page {
	all := allSeries(set)
	if len(all) < 2 {
		return nil
	}
	all = all[:min(len(all), PairsMax)]
	cells := pairCells{all, divergent(stats, set)}
	n := vg.Length(len(all))
	side := (pageWidth - 2*pageMargin - (n-1)*panelGap) / n
	side = min(side, 190)
	width := n*side + (n-1)*panelGap
	return []Page{{
		Kind: Pairs, Number: 1, Of: 1, title: "Pairs", key: legend{chains: set.Chains()},
		width: width + 2*pageMargin, height: width + 2*pageMargin + headerHeight,
		paint: func(c draw.Canvas, t typist) { cells.paint(c, t, side) },
	}}
}

// divergent says which draws diverged, chain by chain; nil when unknown.
func divergent(stats, set *draws.Set) [][]float64 {
	if stats == nil {
		return nil
	}
	e, ok := stats.Lookup("diverging")
	if !ok || stats.Chains() != set.Chains() || stats.Draws() < set.Draws() {
		return nil
	}
	return stats.Element(e)
}

type pairCells struct {
	series    []series
	divergent [][]float64
}

func (p pairCells) paint(c draw.Canvas, t typist, side vg.Length) {
	for row, v := range p.series {
		for column, h := range p.series {
			left := c.Min.X + vg.Length(column)*(side+panelGap)
			top := c.Max.Y - vg.Length(row)*(side+panelGap)
			cell := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - side}, Max: vg.Point{X: left + side, Y: top},
			}}
			switch {
			case row == column:
				v.densityPanel(draw.Crop(cell, tickWidth, 0, 0, 0), t, true)
			case row > column:
				p.scatter(cell, t, h, v)
			default:
				sayCorrelation(cell, t, h, v)
			}
		}
	}
}

func (p pairCells) scatter(c draw.Canvas, t typist, h, v series) {
	f := frame{draw.Crop(c, tickWidth, 0, tickHeight, -2), h.view().axis(3), v.view().axis(3)}
	f.grid(t)
	if h.empty() || v.empty() {
		f.say(t, "no finite draws")
		return
	}
	every := max(1, (h.draws*len(h.chains)+pairPoints-1)/pairPoints)
	var alarms []vg.Point
	for k := range h.draws {
		for i := range h.chains {
			x, y := h.chains[i][k], v.chains[i][k]
			if !f.contains(x, y) {
				continue
			}
			if p.divergent != nil && p.divergent[i][k] != 0 {
				alarms = append(alarms, f.at(x, y))
			} else if k%every == 0 {
				f.DrawGlyphNoClip(draw.GlyphStyle{Color: veiled(chainColor(i), 0.4), Radius: 1.1, Shape: draw.CircleGlyph{}}, f.at(x, y))
			}
		}
	}
	for _, at := range alarms {
		f.DrawGlyphNoClip(draw.GlyphStyle{Color: alarmColor, Radius: 1.5, Shape: draw.CircleGlyph{}}, at)
	}
}

func (f frame) contains(x, y float64) bool {
	return x >= f.x.lo && x <= f.x.hi && y >= f.y.lo && y <= f.y.hi
}

func sayCorrelation(c draw.Canvas, t typist, h, v series) {
	r := correlation(h.chains, v.chains)
	text := "–"
	size := vg.Length(9)
	if !math.IsNaN(r) {
		text = fmt.Sprintf("%.2f", math.Round(100*r)/100+0) // + 0 makes -0 a 0
		size += vg.Length(9 * math.Abs(r))
	}
	at := c.Center()
	at.X += tickWidth / 2
	c.FillText(t.style(size, faintColor, draw.XCenter, draw.YCenter), at, text)
}

// correlation is Pearson's over the draws in which both are drawable.
func correlation(h, v [][]float64) float64 {
	n, mx, my := 0.0, 0.0, 0.0
	each := func(visit func(x, y float64)) {
		for i := range h {
			for k, x := range h[i] {
				if y := v[i][k]; drawable(x) && drawable(y) {
					visit(x, y)
				}
			}
		}
	}
	sx, sy := 0.0, 0.0
	each(func(x, y float64) { n++; sx, sy = max(sx, math.Abs(x)), max(sy, math.Abs(y)) })
	if n < 2 || sx == 0 || sy == 0 {
		return math.NaN()
	}
	each(func(x, y float64) { mx += x / sx / n; my += y / sy / n })
	var xx, yy, xy float64
	each(func(x, y float64) {
		dx, dy := x/sx-mx, y/sy-my
		xx += dx * dx
		yy += dy * dy
		xy += dx * dy
	})
	if xx <= 1e-24*n || yy <= 1e-24*n {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}
