package wording

import "testing"

func TestAt(t *testing.T) {
	for _, c := range []struct {
		file      string
		line, col int
		want      string
	}{{"a.txt", 3, 4, "a.txt:3:4: bad"}, {"a.txt", 3, 0, "a.txt:3: bad"}, {"a.txt", 0, 0, "a.txt: bad"}, {"", 2, 0, "2: bad"}, {"", 0, 0, "bad"}, {"", 0, 5, "bad"}} {
		if got := At(c.file, c.line, c.col, "bad"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
