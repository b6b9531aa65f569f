package wording

import "testing"

func TestBytes(t *testing.T) {
	for x, want := range map[float64]string{0: "0 B", 999: "999 B", 999.6: "1 kB", 12345678: "12.3 MB", 4e9: "4 GB"} {
		if got := Bytes(x); got != want {
			t.Errorf("%v: %s, not %s", x, got, want)
		}
	}
}
