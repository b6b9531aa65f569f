package model

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Values is a set of numbers that holds all that a quantity takes with positive
// probability: an interval, its whole numbers, or a list.
type Values struct {
	Lo, Hi         float64 // Lo > Hi: none
	Whole          bool    // whole numbers only
	OpenLo, OpenHi bool    // the end itself has probability zero
	List           []float64
}

// maxList bounds a list of values with gaps; beyond it they become an interval.
const maxList = 1 << 12

func only(x float64) Values { return Values{Lo: x, Hi: x, Whole: x == math.Trunc(x)} }

func realLine() Values {
	return Values{Lo: math.Inf(-1), Hi: math.Inf(1), OpenLo: true, OpenHi: true}
}

// span is the interval from lo to hi; an end that is not a number is open-ended.
func span(lo, hi float64, whole, openLo, openHi bool) Values {
	if lo != lo {
		lo = math.Inf(-1)
	}
	if hi != hi {
		hi = math.Inf(1)
	}
	if whole {
		return Values{Lo: math.Ceil(lo), Hi: math.Floor(hi), Whole: true}
	}
	if lo == hi {
		return only(lo)
	}
	return Values{Lo: lo, Hi: hi, OpenLo: openLo, OpenHi: openHi}
}

// listed makes a set of values in any order.
func listed(x []float64) Values {
	if len(x) == 0 {
		return Values{Lo: 1, Hi: 0}
	}
	slices.Sort(x)
	x = slices.Compact(x)
	whole := true
	for _, v := range x {
		whole = whole && v == math.Trunc(v)
	}
	v := span(x[0], x[len(x)-1], whole, false, false)
	if gaps := !whole || v.Hi-v.Lo+1 != float64(len(x)); gaps && len(x) > 1 && len(x) <= maxList {
		v.List = slices.Clone(x)
	}
	return v
}

func (v *Values) empty() bool  { return v.Lo > v.Hi }
func (v *Values) single() bool { return v.Lo == v.Hi }

// count is how many values there are, or limit + 1 where there are more.
func (v *Values) count(limit int) int {
	switch {
	case v.empty():
		return 0
	case v.single():
		return 1
	case v.List != nil:
		return min(len(v.List), limit+1)
	case v.Whole && v.Hi-v.Lo < float64(limit):
		return int(v.Hi-v.Lo) + 1
	}
	return limit + 1
}

// value is the k-th of countable values.
func (v *Values) value(k int) float64 {
	if v.List != nil {
		return v.List[k]
	}
	return v.Lo + float64(k)
}

// maxPieces bounds the values of a large set that are looked at one by one.
const maxPieces = 256

// pieces is into how many sets of one value, and perhaps one of all that is
// left above them, a set is cut.
func (v *Values) pieces() int {
	n := v.count(maxPieces)
	if n > maxPieces && (!v.Whole || v.List != nil || math.IsInf(v.Lo, -1)) {
		return 1
	}
	return n
}

// piece is the k-th of them.
func (v *Values) piece(k int) Values {
	switch {
	case v.pieces() == 1:
		return *v
	case k == maxPieces:
		return span(v.Lo+maxPieces, v.Hi, true, false, false)
	}
	return only(v.value(k))
}

func (v *Values) has(x float64) bool {
	if x < v.Lo || x > v.Hi {
		return false
	}
	if v.List != nil {
		_, ok := slices.BinarySearch(v.List, x)
		return ok
	}
	return !v.Whole || x == math.Trunc(x)
}

// same tells sets made in one place from others, cheaply.
func (v *Values) same(o *Values) bool {
	return v.Lo == o.Lo && v.Hi == o.Hi && v.Whole == o.Whole && v.OpenLo == o.OpenLo && v.OpenHi == o.OpenHi &&
		len(v.List) == len(o.List) && (v.List == nil || &v.List[0] == &o.List[0])
}

// hull collects the union of sets.
type hull struct {
	v    Values
	list []float64
	any  bool
	many bool // too many for a list
}

func (h *hull) add(v Values) {
	if v.empty() {
		return
	}
	if n := v.count(maxList); n > maxList || h.many {
		h.many = true
	} else {
		for k := range n {
			h.list = append(h.list, v.value(k))
		}
		if len(h.list) > 2*maxList {
			slices.Sort(h.list)
			h.list = slices.Compact(h.list)
			h.many = len(h.list) > maxList
		}
	}
	if !h.any {
		h.v, h.any = v, true
		h.v.List = nil
		return
	}
	z := &h.v
	z.OpenLo = (z.OpenLo || z.Lo > v.Lo) && (v.OpenLo || v.Lo > z.Lo)
	z.OpenHi = (z.OpenHi || z.Hi < v.Hi) && (v.OpenHi || v.Hi < z.Hi)
	z.Lo, z.Hi, z.Whole = min(z.Lo, v.Lo), max(z.Hi, v.Hi), z.Whole && v.Whole
}

func (h *hull) values() Values {
	if !h.any || !h.many {
		return listed(h.list)
	}
	return h.v
}

// applyTo is the set of a scalar operation's results.
func applyTo(op Op, a, b, c Values) Values {
	n, row := op.Arity(), &operations[op]
	if a.empty() || n > 1 && b.empty() {
		return Values{Lo: 1, Hi: 0}
	}
	switch {
	case a.single() && (n < 2 || b.single()) && (n < 3 || c.single()):
		return exactly(Apply(op, a.Lo, b.Lo, c.Lo))
	case row.compares != nil:
		return saysOf(row.compares.surely, a, b)
	case row.values != nil:
		x := [3]Values{a, b, c}
		return row.values(x[:n])
	}
	return realLine()
}

func exactly(x float64) Values {
	if x == x {
		return only(x)
	}
	return realLine()
}

// pairs makes a row's values of a function of two sets.
func pairs(f func(a, b Values) Values) func(x []Values) Values {
	return func(x []Values) Values { return f(x[0], x[1]) }
}

// rising are the values of an increasing function.
func rising(f func(x float64) float64) func(x []Values) Values {
	return func(x []Values) Values {
		lo, hi := f(x[0].Lo), f(x[0].Hi)
		if lo == lo && hi == hi {
			return span(lo, hi, false, x[0].OpenLo, x[0].OpenHi)
		}
		return realLine()
	}
}

func within(lo, hi float64) func(x []Values) Values {
	return func(x []Values) Values { return span(lo, hi, false, false, false) }
}

func addTo(a, b Values) Values {
	return span(a.Lo+b.Lo, a.Hi+b.Hi, a.Whole && b.Whole, a.OpenLo || b.OpenLo, a.OpenHi || b.OpenHi)
}

func subTo(a, b Values) Values { return addTo(a, negate(b)) }

func squareTo(x []Values) Values { a := absolute(x[0]); return mulTo(a, a) }

func roundDigitsTo(x []Values) Values {
	a, b := x[0], x[1]
	if !b.single() || !b.Whole {
		return realLine()
	}
	return span(roundDigits(a.Lo, b.Lo), roundDigits(a.Hi, b.Lo), b.Lo == 0, false, false)
}

func negate(a Values) Values {
	return Values{Lo: -a.Hi, Hi: -a.Lo, Whole: a.Whole, OpenLo: a.OpenHi, OpenHi: a.OpenLo}
}

func absolute(a Values) Values {
	switch {
	case a.Lo >= 0:
		return a
	case a.Hi <= 0:
		return negate(a)
	}
	return span(0, max(-a.Lo, a.Hi), a.Whole, false, a.OpenLo && a.OpenHi)
}

// corners is the least and the greatest of f at the ends of two intervals.
func corners(a, b Values, f func(x, y float64) float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range [2]float64{a.Lo, a.Hi} {
		for _, y := range [2]float64{b.Lo, b.Hi} {
			z := f(x, y)
			if z != z {
				return math.Inf(-1), math.Inf(1)
			}
			lo, hi = min(lo, z), max(hi, z)
		}
	}
	return lo, hi
}

func mulTo(a, b Values) Values {
	lo, hi := corners(a, b, times)
	whole := a.Whole && b.Whole
	if a.single() {
		a, b = b, a
	}
	switch {
	case b.single() && b.Lo < 0:
		return span(lo, hi, whole, a.OpenHi, a.OpenLo)
	case b.single() && b.Lo > 0:
		return span(lo, hi, whole, a.OpenLo, a.OpenHi)
	}
	open := a.OpenLo && a.OpenHi && b.OpenLo && b.OpenHi
	return span(lo, hi, whole, open, open)
}

func divTo(a, b Values) Values {
	if b.Lo <= 0 && b.Hi >= 0 {
		return realLine()
	}
	lo, hi := corners(a, b, func(x, y float64) float64 { return x / y })
	switch {
	case b.single() && b.Lo < 0:
		return span(lo, hi, a.Whole && b.Lo == -1, a.OpenHi, a.OpenLo)
	case b.single():
		return span(lo, hi, a.Whole && b.Lo == 1, a.OpenLo, a.OpenHi)
	}
	return span(lo, hi, false, false, false)
}

func powTo(a, b Values) Values {
	whole := a.Whole && b.Whole && b.Lo >= 0
	if a.Lo > 0 || a.Lo >= 0 && b.Lo >= 0 {
		lo, hi := corners(a, b, power)
		up := b.single() && b.Lo > 0
		return span(lo, hi, whole, up && a.OpenLo, up && a.OpenHi)
	}
	z := realLine()
	z.Whole = whole
	return z
}

func chooseTo(x []Values) Values { return ifElseTo(x[0], x[1], x[2]) }

func ifElseTo(cond, a, b Values) Values {
	var h hull
	if !cond.single() || cond.Lo != 0 {
		h.add(a)
	}
	if cond.has(0) {
		h.add(b)
	}
	return h.values()
}

// saysOf is what a comparison may say: 0, 1 or both.
func saysOf(surely func(a, b Values) (yes, no bool), a, b Values) Values {
	yes, no := surely(a, b)
	switch {
	case yes:
		return only(1)
	case no:
		return only(0)
	}
	return Values{Lo: 0, Hi: 1, Whole: true}
}

func says(surely func(a, b Values) (yes, no bool)) func(x []Values) Values {
	return pairs(func(a, b Values) Values { return saysOf(surely, a, b) })
}

// below tells that a is surely less than b.
func below(a, b Values) bool { return a.Hi < b.Lo || a.Hi == b.Lo && (a.OpenHi || b.OpenLo) }

func less(a, b Values) (yes, no bool)        { return below(a, b), a.Lo >= b.Hi }
func lessOrEqual(a, b Values) (yes, no bool) { return a.Hi <= b.Lo, below(b, a) }
func neverEqual(a, b Values) (yes, no bool)  { return false, below(a, b) || below(b, a) }

func neverEquals(a, b Values) (yes, no bool) {
	return false, a.Lo-b.Hi >= equalTo || b.Lo-a.Hi >= equalTo
}

func both(a, b Values) (yes, no bool) {
	return !a.has(0) && !b.has(0), a.single() && a.Lo == 0 || b.single() && b.Lo == 0
}

func either(a, b Values) (yes, no bool) { return !a.has(0) || !b.has(0), false }

func opposite(surely func(a, b Values) (yes, no bool)) func(a, b Values) (yes, no bool) {
	return func(a, b Values) (yes, no bool) { no, yes = surely(a, b); return yes, no }
}

func notTo(x []Values) Values {
	if !x[0].has(0) {
		return only(0)
	}
	return Values{Lo: 0, Hi: 1, Whole: true}
}

func roundTo(a Values) Values {
	lo, hi := math.Floor(a.Lo+0.5), math.Floor(a.Hi+0.5)
	if a.OpenHi && hi == a.Hi+0.5 && hi > lo {
		hi--
	}
	return span(lo, hi, true, false, false)
}

func truncTo(a Values) Values {
	lo, hi := math.Trunc(a.Lo), math.Trunc(a.Hi)
	if a.OpenHi && hi == a.Hi && hi > 0 && hi > lo {
		hi--
	}
	if a.OpenLo && lo == a.Lo && lo < 0 && lo < hi {
		lo++
	}
	return span(lo, hi, true, false, false)
}

// limitTo is what is left of a when a comparison with b has come out so.
func limitTo(a Values, op Op, b Values) Values {
	c := operations[op].compares
	if c == nil || !c.atMost && !c.atLeast {
		return a
	}
	step := 0.0
	if c.strict && a.Whole && b.Whole {
		step = 1
	}
	z := a
	if c.atMost {
		z.Hi = min(a.Hi, b.Hi-step)
	}
	if c.atLeast {
		z.Lo = max(a.Lo, b.Lo+step)
	}
	z.OpenLo = z.OpenLo && z.Lo == a.Lo || c.strict && c.atLeast && z.Lo != a.Lo
	z.OpenHi = z.OpenHi && z.Hi == a.Hi || c.strict && c.atMost && z.Hi != a.Hi
	if z.List != nil {
		z = listed(slices.DeleteFunc(slices.Clone(a.List), func(x float64) bool { return x < z.Lo || x > z.Hi }))
	}
	return z
}

// String writes a set as a message has it: "0, 1", "1:8", "0, 1, 2, …", or
// "any number from 0 to 3".
func (v Values) String() string {
	switch {
	case v.empty():
		return "no value"
	case v.List != nil && len(v.List) <= 6:
		return numbers(v.List)
	case v.count(3) <= 3:
		x := make([]float64, v.count(3))
		for k := range x {
			x[k] = v.value(k)
		}
		return numbers(x)
	case v.Whole && math.IsInf(v.Hi, 1) && !math.IsInf(v.Lo, -1):
		return numbers([]float64{v.Lo, v.Lo + 1, v.Lo + 2}) + ", …"
	case v.Whole && v.List == nil && !math.IsInf(v.Lo, -1):
		return fmt.Sprintf("%g:%g", v.Lo, v.Hi)
	case v.Whole || v.List != nil:
		return fmt.Sprintf("values from %.6g to %.6g", v.Lo, v.Hi)
	case math.IsInf(v.Lo, -1) && math.IsInf(v.Hi, 1):
		return "any number"
	case math.IsInf(v.Hi, 1):
		return fmt.Sprintf("any number above %.6g", v.Lo)
	case math.IsInf(v.Lo, -1):
		return fmt.Sprintf("any number below %.6g", v.Hi)
	}
	return fmt.Sprintf("any number from %.6g to %.6g", v.Lo, v.Hi)
}

func numbers(x []float64) string {
	var s []string
	for _, v := range x {
		s = append(s, fmt.Sprintf("%.6g", v))
	}
	return strings.Join(s, ", ")
}
