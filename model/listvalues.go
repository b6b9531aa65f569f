package model

// What lists of values may come to.

func sumTo(x []Values) Values {
	z := only(0)
	for _, v := range x {
		z = applied(addTo, add, z, v)
	}
	return z
}

func meanTo(x []Values) Values { return applied(divTo, div, sumTo(x), only(float64(len(x)))) }

func prodTo(x []Values) Values {
	z := only(1)
	for _, v := range x {
		z = applied(mulTo, times, z, v)
	}
	return z
}

func dotTo(x []Values) Values {
	z, h := only(0), len(x)/2
	for k := range h {
		z = applied(addTo, add, z, applied(mulTo, times, x[k], x[h+k]))
	}
	return z
}

// applied is f of two sets, or the one value that two single ones give.
func applied(f func(a, b Values) Values, exact func(a, b float64) float64, a, b Values) Values {
	if a.single() && b.single() {
		return exactly(exact(a.Lo, b.Lo))
	}
	return f(a, b)
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

func leastTo(x []Values) Values {
	for k := range x {
		x[k] = negate(x[k])
	}
	return negate(extreme(x))
}

// anyOf is what one of several values may be, as each element of a sorted list.
func anyOf(x []Values) Values {
	var all hull
	for _, v := range x {
		all.add(v)
	}
	v := all.values()
	v.List = nil
	return v
}

func placesTo(x []Values) Values { return span(1, float64(len(x)), true, false, false) }

// intervalTo is dinterval(t, c…): how many cut points lie below t.
func intervalTo(x []Values) Values {
	lo, hi := 0.0, 0.0
	for _, c := range x[1:] {
		if c.Hi < x[0].Lo {
			lo++
		}
		if c.Lo < x[0].Hi {
			hi++
		}
	}
	return span(lo, hi, true, false, false)
}
