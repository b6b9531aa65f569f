package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Densities draws the distribution of every element, chain by chain: a kernel
// estimate, or bars where the values are few or are counts. Far tails are cut
// off and said to be.
func Densities(set *draws.Set) []Page {
	var panels []panel
	for _, s := range allSeries(set) {
		panels = append(panels, s.density)
	}
	return sheet{Density, "Densities", 3, 5, 112}.pages(panels, set.Chains())
}

func (s series) density(c draw.Canvas, t typist) { s.densityPanel(c, t, false) }

// densityPanel leaves out the remark and the ticks of y when bare.
func (s series) densityPanel(c draw.Canvas, t typist, bare bool) {
	if values := s.discrete(); values != nil {
		s.bars(c, t, values, bare)
		return
	}
	v := s.view()
	curves := make([][]float64, len(s.chains))
	top := 0.0
	for i, chain := range s.chains {
		curves[i] = kde(chain, v.lo, v.hi, v.bounded)
		for _, y := range curves[i] {
			top = max(top, y)
		}
	}
	if top == 0 {
		top = 1
	}
	f := framed(c, t, s.name, s.densityRemark(v, bare), v.axis(4), axis{lo: 0, hi: top * 1.05})
	if s.empty() {
		f.say(t, s.why())
		return
	}
	for i, curve := range curves {
		f.curve(i, curve, v.lo, v.hi, s.chains[i])
	}
}

// curve draws one chain's density; a chain that stands still is a spike.
func (f frame) curve(chain int, density []float64, lo, hi float64, values []float64) {
	style := draw.LineStyle{Color: chainColor(chain), Width: 0.9}
	if density == nil {
		for _, x := range values {
			if drawable(x) {
				f.line(style, []vg.Point{f.at(x, 0), f.at(x, f.y.hi*0.95)})
				return
			}
		}
		return
	}
	cell := (hi - lo) / float64(len(density))
	points := []vg.Point{f.at(lo, 0)}
	for k, y := range density {
		points = append(points, f.at(lo+(float64(k)+0.5)*cell, y))
	}
	points = append(points, f.at(hi, 0))
	f.area(veiled(chainColor(chain), 0.10), points)
	f.line(style, points)
}

func (s series) densityRemark(v view, bare bool) remark {
	if bare {
		return remark{}
	}
	if r := s.remark(); s.odd > 0 || s.empty() || s.constant() {
		return r
	}
	outside := 0
	for _, x := range s.sorted {
		if x < v.lo || x > v.hi {
			outside++
		}
	}
	if outside > 0 {
		return remark{fmt.Sprintf("%s beyond the edges", percent(float64(outside)/float64(len(s.sorted)))), faintColor}
	}
	return remark{}
}

func percent(share float64) string {
	if share < 0.001 {
		return "< 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// view is the range worth showing, and whether its ends bound the values.
type view struct {
	lo, hi  float64
	bounded [2]bool
}

func (v view) axis(ticks int) axis {
	lo, hi := spread(v.lo, v.hi, 0.04)
	return newAxis(lo, hi, ticks)
}

// view shows all values and the space that their kernels need, except for
// tails that would squeeze the rest.
func (s series) view() view {
	if s.empty() {
		return view{lo: 0, hi: 1}
	}
	v := view{lo: s.lo, hi: s.hi}
	q1, q99 := diag.QuantileSorted(s.sorted, 0.01), diag.QuantileSorted(s.sorted, 0.99)
	margin := 2 * bandwidth(s.sorted)
	v.bounded = [2]bool{s.boundedBelow(), s.boundedAbove()}
	if !v.bounded[0] {
		v.lo -= margin
	}
	if !v.bounded[1] {
		v.hi += margin
	}
	if half := (q99 - q1) / 2; half > 0 {
		if v.lo < q1-half {
			v.lo, v.bounded[0] = q1-half, false
		}
		if v.hi > q99+half {
			v.hi, v.bounded[1] = q99+half, false
		}
	}
	return v
}

// Draws end in a bound where they come near the bounds that parameters
// usually have, 0 or 1, or where more of them crowd the end than those of a
// tail would.
const (
	nearBound = 0.02  // of the range
	endZone   = 0.01  // of the range
	endShare  = 0.005 // of the draws
)

func (s series) boundedBelow() bool {
	width := s.hi - s.lo
	if s.lo >= 0 && s.lo < nearBound*width {
		return true
	}
	n, _ := slices.BinarySearch(s.sorted, s.lo+endZone*width)
	return float64(n) > endShare*float64(len(s.sorted)) && n > 5
}

func (s series) boundedAbove() bool {
	width := s.hi - s.lo
	if s.hi <= 1 && s.lo >= 0 && s.hi > 1-nearBound {
		return true
	}
	i, _ := slices.BinarySearch(s.sorted, s.hi-endZone*width)
	n := len(s.sorted) - i
	return float64(n) > endShare*float64(len(s.sorted)) && n > 5
}

// Values are drawn as bars when they are integers in a range this wide, or
// any values of which there are this few and ten times as many draws.
const (
	barRange  = 40
	barValues = 12
)

// discrete lists the values to draw as bars; nil when a curve is better.
func (s series) discrete() []float64 {
	if s.empty() || s.constant() {
		return nil
	}
	var values []float64
	integers := true
	for i, x := range s.sorted {
		if i > 0 && x == s.sorted[i-1] {
			continue
		}
		integers = integers && x == math.Trunc(x)
		if values = append(values, x); len(values) > barRange {
			return nil
		}
	}
	if integers && s.hi-s.lo < barRange || len(values) <= barValues && 10*len(values) <= len(s.sorted) {
		return values
	}
	return nil
}

// bars draws the share of each value in each chain, side by side.
func (s series) bars(c draw.Canvas, t typist, values []float64, bare bool) {
	gap := math.Inf(1)
	for i := 1; i < len(values); i++ {
		gap = min(gap, values[i]-values[i-1])
	}
	gap = max(gap, (s.hi-s.lo)/200)
	shares := make([][]float64, len(s.chains))
	top := 0.0
	for i, chain := range s.chains {
		shares[i] = make([]float64, len(values))
		for _, x := range chain {
			if k, ok := slices.BinarySearch(values, x); ok {
				shares[i][k] += 1 / float64(len(chain))
			}
		}
		top = max(top, slices.Max(shares[i]))
	}
	y := newAxis(0, min(top*1.05, 1.0001), 3)
	if bare {
		y.ticks = nil
	}
	f := framed(c, t, s.name, s.densityRemark(view{lo: s.lo, hi: s.hi}, bare), barAxis(values, gap), y)
	width := 0.8 * gap / float64(len(s.chains))
	for i := range s.chains {
		for k, v := range values {
			left := v - 0.4*gap + float64(i)*width
			f.box(veiled(chainColor(i), 0.85), left, 0, left+0.92*width, shares[i][k])
		}
	}
}

// barAxis gives integers no ticks between them.
func barAxis(values []float64, gap float64) axis {
	least := 0.0
	if gap >= 1 {
		least = 1
	}
	return newAxisStep(values[0]-gap/2, values[len(values)-1]+gap/2, 5, least)
}
