package report

import (
	"math"
	"strconv"
)

// axis is a range of finite values and the ticks in it.
type axis struct {
	lo, hi float64
	ticks  []tick
}

type tick struct {
	value float64
	label string
}

// largest value that a picture shows: differences of two stay finite.
const largest = 1e300

func drawable(x float64) bool { return math.Abs(x) <= largest } // false for NaN

// newAxis covers lo to hi with about the wanted number of ticks at multiples
// of 1, 2 or 5 times a power of ten. A range too narrow for float64 to divide
// is widened.
func newAxis(lo, hi float64, wanted int) axis { return newAxisStep(lo, hi, wanted, 0) }

// newAxisStep is newAxis with a least distance between ticks.
func newAxisStep(lo, hi float64, wanted int, leastStep float64) axis {
	if !drawable(lo) || !drawable(hi) || lo > hi {
		lo, hi = 0, 1
	}
	least := max(max(math.Abs(lo), math.Abs(hi))*1e-12, 0x1p-1010) // shares of less are rounding
	if hi-lo <= least {
		pad := max(math.Abs(lo)*0.1, 0x1p-1000)
		if lo == 0 {
			pad = 1
		}
		lo, hi = lo-pad, hi+pad
	}
	a := axis{lo: lo, hi: hi}
	step := max(niceStep((hi-lo)/float64(max(wanted, 1))), leastStep)
	first := math.Ceil(lo/step - 1e-9)
	for k := 0.0; k < 50; k++ {
		v := (first + k) * step
		if v > hi+1e-9*step {
			break
		}
		a.ticks = append(a.ticks, tick{value: v})
	}
	a.label(step)
	return a
}

// spread widens the range by a fraction on both sides.
func spread(lo, hi, fraction float64) (float64, float64) {
	pad := (hi - lo) * fraction
	return lo - pad, hi + pad
}

func niceStep(raw float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	if power == 0 || math.IsInf(power, 0) {
		return raw
	}
	switch f := raw / power; {
	case f < 1.5:
		return power
	case f < 3.5:
		return 2 * power
	case f < 7.5:
		return 5 * power
	}
	return 10 * power
}

// label writes as many digits as the step needs, all ticks with an exponent or
// none, whichever is shorter.
func (a *axis) label(step float64) {
	decimals := int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	plain, scientific := 0, 0
	labels := make([][2]string, len(a.ticks))
	for i, k := range a.ticks {
		if math.Abs(k.value) < step*1e-6 {
			labels[i] = [2]string{"0", "0"}
			continue
		}
		digits := int(math.Floor(math.Log10(math.Abs(k.value))+1e-9) - math.Floor(math.Log10(step)+1e-9))
		labels[i] = [2]string{
			strconv.FormatFloat(k.value, 'f', min(decimals, 20), 64),
			compact(strconv.FormatFloat(k.value, 'e', min(max(digits, 0), 14), 64)),
		}
		plain, scientific = max(plain, len(labels[i][0])), max(scientific, len(labels[i][1]))
	}
	choice := 0
	if plain > 6 && scientific < plain {
		choice = 1
	}
	for i := range a.ticks {
		a.ticks[i].label = labels[i][choice]
	}
}

// compact turns 1.50e+06 into 1.5e6.
func compact(s string) string {
	mantissa, exponent := s, ""
	for i := range s {
		if s[i] == 'e' {
			mantissa, exponent = s[:i], s[i+1:]
		}
	}
	for len(mantissa) > 1 && hasPoint(mantissa) && (mantissa[len(mantissa)-1] == '0' || mantissa[len(mantissa)-1] == '.') {
		mantissa = mantissa[:len(mantissa)-1]
	}
	e, err := strconv.Atoi(exponent)
	if err != nil || e == 0 {
		return mantissa
	}
	return mantissa + "e" + strconv.Itoa(e)
}

func hasPoint(s string) bool {
	for i := range s {
		if s[i] == '.' {
			return true
		}
	}
	return false
}

// short writes a number for a caption, in four digits.
func short(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x == 0:
		return "0"
	case math.Abs(x) >= 1e-3 && math.Abs(x) < 1e6:
		return strconv.FormatFloat(x, 'g', max(4, int(math.Log10(math.Abs(x)))+1), 64)
	}
	return compact(strconv.FormatFloat(x, 'e', 3, 64))
}
