package report

import (
	"github.com/ergodic-mcmc/ergodic/draws"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Traces draws every element against the number of the draw, a line for
// each chain. Long chains are drawn as the range that each short stretch of
// them covers, so nothing that a full line shows is missing.
func Traces(set *draws.Set) []Page {
	var panels []panel
	for _, s := range allSeries(set) {
		panels = append(panels, s.trace)
	}
	return sheet{Trace, "Traces", 2, 5, 112}.pages(panels, set.Chains())
}

// traceStretches is into how many stretches a long chain is cut.
const traceStretches = 500

func (s series) trace(c draw.Canvas, t typist) {
	lo, hi := spread(s.lo, s.hi, 0.03)
	f := framed(c, t, s.name, s.remark(), newAxis(1, float64(max(s.draws, 2)), 5), newAxis(lo, hi, 4))
	if s.empty() {
		f.say(t, s.why())
		return
	}
	for i, chain := range s.chains {
		style := draw.LineStyle{Color: veiled(chainColor(i), 0.75), Width: 0.55}
		for _, piece := range f.stretch(chain) {
			f.line(style, piece)
		}
	}
}

// stretch is the line of a chain in pieces, broken where a draw is not
// finite. Of each of many stretches it keeps the extremes in their order.
func (f frame) stretch(chain []float64) [][]vg.Point {
	var pieces [][]vg.Point
	var piece []vg.Point
	size := 1
	if len(chain) > 2*traceStretches {
		size = (len(chain) + traceStretches - 1) / traceStretches
	}
	for from := 0; from < len(chain); from += size {
		low, high := -1, -1
		broken := false
		for i := from; i < min(from+size, len(chain)); i++ {
			switch {
			case !drawable(chain[i]):
				broken = true
				continue
			case low < 0:
				low, high = i, i
			case chain[i] < chain[low]:
				low = i
			case chain[i] > chain[high]:
				high = i
			}
		}
		if low >= 0 {
			first, last := min(low, high), max(low, high)
			piece = append(piece, f.at(float64(first+1), chain[first]))
			if last > first {
				piece = append(piece, f.at(float64(last+1), chain[last]))
			}
		}
		if broken && len(piece) > 0 {
			pieces, piece = append(pieces, piece), nil
		}
	}
	if len(piece) > 0 {
		pieces = append(pieces, piece)
	}
	return pieces
}
