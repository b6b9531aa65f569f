package wording

import (
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 boxes", 1: "1 box", 2: "2 boxes", 21: "21 boxes"} {
		if got := Count(n, "box", "boxes"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestFew(t *testing.T) {
	names := []string{"a", "b", "c"}
	for most, want := range map[int]string{1: "a and 2 more", 2: "a, b and 1 more", 3: "a, b, c", 4: "a, b, c"} {
		if got := Few(names, most); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := Few([]string{"a", strings.Repeat("long", 1000)}, 2); len(got) > 100 {
		t.Errorf("a list of %d letters", len(got))
	}
	if got := Few(nil, 3); got != "" {
		t.Errorf("%q of none", got)
	}
}
