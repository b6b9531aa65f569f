package words

import (
	"strings"
	"testing"
)

func TestScanner(t *testing.T) {
	s := New("f", []byte("\ufeff 3\r\n é -4\tx "))
	what := func() string { return "the size" }
	if n, at, err := s.Int(what, 0, 9); n != 3 || at != 4 || err != nil {
		t.Fatal(n, at, err)
	}
	for _, want := range []string{`f:2:2: the size is "é", which is not a whole number`, "f:2:4: the size is -4, and it must be from 0 to 9"} {
		if _, _, err := s.Int(what, 0, 9); err == nil || err.Error() != want {
			t.Fatalf("%v, not %s", err, want)
		}
	}
	if err := s.End("it is too long"); err == nil || !strings.Contains(err.Error(), `f:2:7: "x" follows where the file should end; it is too long`) {
		t.Fatal(err)
	}
	if _, _, err := s.Int(what, 0, 9); err == nil || !strings.Contains(err.Error(), "the file ends where the size should be") {
		t.Fatal(err)
	}
	if s.End("") != nil || s.Left() != 0 {
		t.Fatal("more follows the end")
	}
}
