package markov

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// The fast way rounds as the slow one, ties included.
func TestParseFloat(t *testing.T) {
	check := func(s string) {
		got, err := parseFloat([]byte(s))
		want, wantErr := strconv.ParseFloat(s, 64)
		if (err == nil) != (wantErr == nil) || err == nil && math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: %v, %v; want %v, %v", s, got, err, want, wantErr)
		}
	}
	for _, s := range []string{
		"", ".", "e", "1e", "1e+", "0", "-0", "0.", ".0", ".5", "5.", "1..2", "1.2.3", "00.5", "1e0", "1e-1", "1E+1", "1e-19", "1e-20", "1e0000", "1_0", "0x1p-2", "inf", "nan",
		"9007199254740993", "9007199254740992.5", "9007199254740993.0", "0.9007199254740993", "9999999999999999999", "18446744073709551616", "99999999999999999999",
		"0.0000000000000000001", "0.00000000000000000001", "4503599627370496.5", "4503599627370497.5", "2251799813685248.75", "1.00000000000000011102", "0.1e-3", "0.30000000000000004",
	} {
		check(s)
	}
	r := rand.New(rand.NewPCG(7, 1))
	for range 200_000 {
		switch r.IntN(4) {
		case 0:
			check(strconv.FormatFloat(r.Float64(), 'g', -1, 64))
		case 1:
			check(strconv.FormatFloat(r.ExpFloat64(), 'f', r.IntN(20), 64))
		case 2:
			check(strconv.FormatUint(r.Uint64()>>r.IntN(64), 10) + "e-" + strconv.Itoa(r.IntN(24)))
		case 3: // halfway between two float64
			m := 1<<53 + 2*r.Uint64N(1<<52) + 1
			check(strconv.FormatUint(m, 10) + "." + strconv.Itoa(r.IntN(2)))
		}
	}
}
