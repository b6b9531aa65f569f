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
	n := op.Arity()
	if a.empty() || n > 1 && b.empty() {
		return Values{Lo: 1, Hi: 0}
	}
	if a.single() && (n < 2 || b.single()) && (n < 3 || c.single()) {
		if x := Apply(op, a.Lo, b.Lo, c.Lo); x == x {
			return only(x)
		}
		return realLine()
	}
	switch op {
	case OpAdd:
		return addTo(a, b)
	case OpSub:
		return addTo(a, negate(b))
	case OpMul:
		return mulTo(a, b)
	case OpDiv:
		return divTo(a, b)
	case OpPow:
		return powTo(a, b)
	case OpSqr:
		return mulTo(absolute(a), absolute(a))
	case OpIfElse:
		return ifElseTo(a, b, c)
	case OpRoundD:
		if !b.single() || !b.Whole {
			return realLine()
		}
		return span(Apply(op, a.Lo, b.Lo, 0), Apply(op, a.Hi, b.Lo, 0), b.Lo == 0, false, false)
	}
	if n == 2 {
		return compareTo(op, a, b)
	}
	return unaryTo(op, a)
}

func addTo(a, b Values) Values {
	return span(a.Lo+b.Lo, a.Hi+b.Hi, a.Whole && b.Whole, a.OpenLo || b.OpenLo, a.OpenHi || b.OpenHi)
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

// compareTo is what a comparison may say: 0, 1 or both.
func compareTo(op Op, a, b Values) Values {
	below := a.Hi < b.Lo || a.Hi == b.Lo && (a.OpenHi || b.OpenLo) // surely a < b
	above := a.Lo > b.Hi || a.Lo == b.Hi && (a.OpenLo || b.OpenHi)
	yes, no := false, false
	switch op {
	case OpLt:
		yes, no = below, a.Lo >= b.Hi
	case OpLe:
		yes, no = a.Hi <= b.Lo, above
	case OpGt:
		yes, no = above, a.Hi <= b.Lo
	case OpGe:
		yes, no = a.Lo >= b.Hi, below
	case OpEq:
		no = below || above
	case OpNe:
		yes = below || above
	case OpEquals:
		no = a.Lo-b.Hi >= equalTo || b.Lo-a.Hi >= equalTo
	case OpAnd:
		no = a.single() && a.Lo == 0 || b.single() && b.Lo == 0
		yes = !a.has(0) && !b.has(0)
	case OpOr:
		yes = !a.has(0) || !b.has(0)
	}
	switch {
	case yes:
		return only(1)
	case no:
		return only(0)
	}
	return Values{Lo: 0, Hi: 1, Whole: true}
}

func unaryTo(op Op, a Values) Values {
	switch op {
	case OpNeg:
		return negate(a)
	case OpAbs:
		return absolute(a)
	case OpNot:
		if !a.has(0) {
			return only(0)
		}
		return Values{Lo: 0, Hi: 1, Whole: true}
	case OpStep:
		return compareTo(OpGe, a, only(0))
	case OpRound:
		return roundTo(a)
	case OpTrunc:
		return truncTo(a)
	case OpSin, OpCos:
		return span(-1, 1, false, false, false)
	case OpExp, OpLog, OpSqrt, OpIlogit, OpLogit, OpPhi, OpProbit, OpIcloglog, OpCloglog, OpAsin, OpAtan, OpSinh, OpTanh, OpAsinh, OpAcosh, OpAtanh:
		lo, hi := applyUnary(op, a.Lo), applyUnary(op, a.Hi)
		if lo == lo && hi == hi {
			return span(lo, hi, false, a.OpenLo, a.OpenHi)
		}
	}
	return realLine()
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

// extreme is the set of the greatest of several values; the least is that of
// their negatives.
func extreme(x []Values) Values {
	z := x[0]
	z.List = nil
	for _, v := range x[1:] {
		lo, hi := max(z.Lo, v.Lo), max(z.Hi, v.Hi)
		openLo := z.Lo == lo && z.OpenLo || v.Lo == lo && v.OpenLo
		openHi := (z.Hi < hi || z.OpenHi) && (v.Hi < hi || v.OpenHi)
		z = span(lo, hi, z.Whole && v.Whole, openLo, openHi)
	}
	return z
}

// limitTo is what is left of a when a comparison with b has come out so.
func limitTo(a Values, op Op, b Values) Values {
	step := 0.0
	if a.Whole && b.Whole {
		step = 1
	}
	z := a
	switch op {
	case OpLt:
		z.Hi = min(a.Hi, b.Hi-step)
	case OpLe:
		z.Hi = min(a.Hi, b.Hi)
	case OpGt:
		z.Lo = max(a.Lo, b.Lo+step)
	case OpGe:
		z.Lo = max(a.Lo, b.Lo)
	case OpEq, OpEquals:
		z.Lo, z.Hi = max(a.Lo, b.Lo), min(a.Hi, b.Hi)
	default:
		return a
	}
	z.OpenLo = z.OpenLo && z.Lo == a.Lo || op == OpGt && z.Lo != a.Lo
	z.OpenHi = z.OpenHi && z.Hi == a.Hi || op == OpLt && z.Hi != a.Hi
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
