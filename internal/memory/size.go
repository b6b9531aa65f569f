package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes as users write it: 4G, 500MB, 1.5GiB, 1e9.
type Size float64

var units = map[string]float64{"": 1, "b": 1, "k": 1e3, "kb": 1e3, "kib": 1 << 10, "m": 1e6, "mb": 1e6, "mib": 1 << 20,
	"g": 1e9, "gb": 1e9, "gib": 1 << 30, "t": 1e12, "tb": 1e12, "tib": 1 << 40}

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(text []byte) error {
	t := strings.TrimSpace(string(text))
	end := len(strings.TrimRight(t, "bBiIkKmMgGtT "))
	x, err := strconv.ParseFloat(t[:end], 64)
	unit, ok := units[strings.ToLower(strings.TrimSpace(t[end:]))]
	if err != nil || !ok || !(x > 0) || math.IsInf(x, 0) {
		return fmt.Errorf("a size is a number of bytes such as 500M, 4G or 1.5GiB")
	}
	*s = Size(x * unit)
	return nil
}
