package bugs

import (
	"slices"
	"testing"
)

// Arrays with holes are recorded without them, and several parts of an array
// element by element.
func TestMonitors(t *testing.T) {
	c, err := compileText(t, "model { y ~ dnorm(h[1,2], b[1])\nfor (i in 1:3) { b[i] ~ dexp(1)\nfor (j in i:3) { h[i,j] ~ dnorm(0, 1) } } }", "y <- 1")
	if err != nil {
		t.Fatal(err)
	}
	type rec struct {
		name   string
		cells  int
		absent []int
	}
	for _, x := range []struct {
		specs []string
		want  []rec
	}{
		{[]string{"b", "h"}, []rec{{"b", 3, nil}, {"h", 9, []int{1, 2, 5}}}},
		{[]string{"h[1,]"}, []rec{{"h", 3, nil}}},
		{[]string{"h[2,]"}, []rec{{"h", 3, []int{0}}}},
		{[]string{"b[1]", "b[3]"}, []rec{{"b[1]", 1, nil}, {"b[3]", 1, nil}}},
		{[]string{"b[1:2]", "b[2:3]"}, []rec{{"b[1]", 1, nil}, {"b[2]", 1, nil}, {"b[3]", 1, nil}}},
		{[]string{"h[2,]", "h[3,3]"}, []rec{{"h[2,2]", 1, nil}, {"h[2,3]", 1, nil}, {"h[3,3]", 1, nil}}},
		{[]string{"b[1]", "b", "b"}, []rec{{"b", 3, nil}}},
	} {
		got, err := c.Monitors(x.specs)
		if err != nil || len(got) != len(x.want) {
			t.Errorf("%q: %v, %v", x.specs, got, err)
			continue
		}
		for k, w := range x.want {
			if m := got[k]; m.Name != w.name || len(m.Cells) != w.cells || !slices.Equal(m.Absent, w.absent) {
				t.Errorf("%q: %+v, not %+v", x.specs, m, w)
			}
		}
	}
	if _, err := c.Monitors([]string{"h[3,1]"}); err == nil {
		t.Error("a hole can be monitored")
	}
}
