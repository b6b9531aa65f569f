package ladder

import (
	"math"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for want, betas := range map[string][]float64{
		"":                          {0, 0.5, 1},
		"2 is 0, after 0":           {0, 0, 1},
		"3 is 0.2, after 0.5":       {0, 0.5, 0.2},
		"1 is NaN; it must be":      {math.NaN(), 1},
		"2 is +Inf; it must be fin": {0, math.Inf(1)},
	} {
		if err := Check(betas); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", betas, err)
		}
	}
}

func TestRoundTrips(t *testing.T) {
	for _, c := range []struct {
		from  Leg
		visit string // f: first, l: last, m: between
		trips int
	}{
		{Unstarted, "mlmf", 0}, {Up, "mlmf", 1}, {Unstarted, "fmlmf", 1}, {Unstarted, "fmffmlllmmlmf", 1}, {Up, "lflflf", 3}, {Down, "f", 1},
	} {
		leg, trips := c.from, 0
		for _, at := range c.visit {
			if leg.Visit(at == 'f', at == 'l') {
				trips++
			}
		}
		if trips != c.trips {
			t.Errorf("%v: %d round trips, want %d", c, trips, c.trips)
		}
	}
}
