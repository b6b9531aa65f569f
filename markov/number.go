package markov

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
)

// mostDigits is how many decimal digits always fit 64 bits.
const mostDigits = 19

// decimal is digits with perhaps a point and an exponent: mantissa · 10^(exponent).
type decimal struct {
	mantissa uint64
	exponent int
}

// scanDecimal reads a decimal number from the beginning of b, without sign, of at most 19 digits besides zeros in front,
// and returns how many bytes it has; 0 if there is none or it is of another form.
func scanDecimal(b []byte) (d decimal, length int) {
	at, digits, point := 0, 0, -1
	for ; at < len(b); at++ {
		c := b[at] - '0'
		if c > 9 {
			if b[at] != '.' || point >= 0 {
				break
			}
			point = at
			continue
		}
		d.mantissa = 10*d.mantissa + uint64(c)
		if d.mantissa > 0 || digits > 0 {
			digits++
		}
	}
	if digits > mostDigits || at == 0 || at == 1 && point == 0 {
		return decimal{}, 0
	}
	if point >= 0 {
		d.exponent = point + 1 - at
	}
	if at == len(b) || b[at]|' ' != 'e' {
		return d, at
	}
	e, length := scanExponent(b[at+1:])
	if length == 0 {
		return decimal{}, 0
	}
	d.exponent += e
	return d, at + 1 + length
}

// scanExponent reads up to three digits, perhaps with a sign.
func scanExponent(b []byte) (e, length int) {
	at, negative := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		at, negative = 1, b[0] == '-'
	}
	first := at
	for ; at < len(b) && b[at]-'0' <= 9; at++ {
		if at-first == 3 {
			return 0, 0
		}
		e = 10*e + int(b[at]-'0')
	}
	if at == first {
		return 0, 0
	}
	if negative {
		e = -e
	}
	return e, at
}

// float is the float64 nearest to the decimal, ties to even, if it has at most 19 places after the point and none to
// add before it. A quotient of 64-bit integers has more bits than a float64, and its remainder tells the rest.
func (d decimal) float() (float64, bool) {
	if d.exponent < -mostDigits || d.exponent > 0 {
		return 0, false
	}
	if d.exponent == 0 || d.mantissa == 0 {
		return float64(d.mantissa), true
	}
	divisor := tens[-d.exponent]
	up, down := bits.LeadingZeros64(d.mantissa), bits.LeadingZeros64(divisor)
	m := d.mantissa << up
	// 2^63 ≤ m, divisor < 2^64, so the quotient is between 2^62 and 2^64.
	q, rest := bits.Div64(m>>1, m<<63, divisor<<down)
	shift := down - up - 63
	if rest != 0 {
		q |= 1 // a quotient has 9 bits or more below those that are kept: its last may stand for all that follow
	}
	return float64(q) * math.Float64frombits(uint64(1023+shift)<<52), true
}

var tens = [mostDigits + 1]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// parseFloat is strconv.ParseFloat, faster for short decimals.
func parseFloat(b []byte) (float64, error) {
	if d, length := scanDecimal(b); length > 0 && length == len(b) {
		if v, ok := d.float(); ok {
			return v, nil
		}
	}
	return strconv.ParseFloat(string(b), 64)
}

// parsed reports whether the error of a parser means a number, be it beyond the largest.
func parsed(err error) bool { return err == nil || errors.Is(err, strconv.ErrRange) }
