package partition

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

func TestReadFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":        "f: there are no numbers to divide",
		"5\n 1.5": `f:2:2: "1.5" is not a whole number`,
		"5 -3":    "f:1:3: -3 is negative; write it without its sign",

		"18446744073709551616": "is above 2⁶⁴ − 1",
		"1 2 3 four":           `f:1:7: "four" is not a whole number`,
	} {
		if _, err := Read("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"1 2 3", "18446744073709551615\n0", "\ufeff7", "-1", "1e3"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 28))
		p, err := Read("f", text)
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Fatalf("a message of %d bytes", len(err.Error()))
			}
			return
		}
		again, err := Read("again", []byte(strings.Trim(fmt.Sprint(p.numbers), "[]")))
		if err != nil || !slices.Equal(again.numbers, p.numbers) {
			t.Fatalf("%v is read as %v: %v", p.numbers, again, err)
		}
		w := newWalker(p)
		if e, err := p.Evaluate(w.State(0)); err != nil || e != w.Energy(0) {
			t.Fatalf("%v and %v: %v", e, w.Energy(0), err)
		}
	})
}
