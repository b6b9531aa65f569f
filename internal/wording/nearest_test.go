package wording

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"sigma", "alpha", "beta", "b", "theta", "Tau"}
	for name, want := range map[string]string{
		"sgima": "sigma", "sigm": "sigma", "sigmas": "sigma", "zeta": "beta", "Alpha": "alpha", "tau": "Tau", "thetaxx": "theta",
		"foo": "", "x": "", "": "", "alphabet": "", "beta": "beta",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("%q of nothing", got)
	}
}

// By hand, after the definition of the restricted edit distance.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "ba", 1}, {"ca", "abc", 3}, {"abcd", "acbd", 1}, {"abc", "abcdef", far}, {"abc", "abc", 0}, {"abc", "xbz", 2}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q %q: %d, not %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a); got != c.want {
			t.Errorf("%q %q: %d, not %d", c.b, c.a, got, c.want)
		}
	}
}
