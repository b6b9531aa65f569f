package jagsscript

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
)

// all reads a script, with its errors in their places.
func all(script string) (out []string) {
	r := NewReader(strings.NewReader(script))
	for {
		c, err := r.Next()
		var bad *SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return out
		case errors.As(err, &bad):
			out = append(out, fmt.Sprintf("%d: %v", bad.Line, err))
		case err != nil:
			return append(out, err.Error())
		default:
			out = append(out, fmt.Sprintf("%d: %s", c.Line, c))
		}
	}
}

func TestReader(t *testing.T) {
	got := all("/* a\n b */ model in \"a b.bug\"; data in d.R # last\r\n" +
		"compile , nchains( 2 )\nmonitor Sigma[1, 2:3] , thin(10),type(\"mean\")\n\n; ;update 10 20\n" +
		"coda *,\nfoo ) bar\nmodel in 'a\nupdate 5, by(3) 4\ndata to it's\n" +
		"model in <\"a b.bug\">\nmonitor set <b[1]>, type( <mean>) thin(3)\nmonitor b, thin(3) type\n/* open")
	want := []string{
		`2: model in "a b.bug"`, `2: data in d.R`, `3: compile, nchains(2)`, `4: monitor Sigma[1,2:3], thin(10), type(mean)`, `6: update 10 20`,
		`7: syntax error: a comma is followed by an option and its value, such as thin(10)`,
		`8: syntax error: ")" has no place here`, `9: syntax error: a text in quotes has no end`,
		`10: syntax error: "4" after by(): a command ends there`, `11: syntax error: a text in quotes has no end`,
		`12: model in "a b.bug"`, `13: monitor set b[1], type(mean), thin(3)`, `14: syntax error: "type" after thin(): a command ends there`,
		`15: syntax error: the comment that begins with /* has no end`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzReader holds the reader to: no panic, every line read, and commands that print as what they are read from.
func FuzzReader(f *testing.F) {
	f.Add("model in \"line.bug\"\ndata in line-data.R\ncompile, nchains(2)\ninits in x\ninitialize\nupdate 100, by(10)\nmonitor a[1, 2], thin(3)\ncoda *, stem('x y')\nexit\n")
	f.Add("/* a */ monitor set b # c\n; pwd;cd ..;dir")
	f.Add("monitor a[1, b c")
	f.Add("monitor a, thin(")
	f.Add("model in \"\x9e\"")
	f.Add("\"[\"]")
	f.Add("monitor set <a>, type(mean) thin (<3>)type(b")
	f.Fuzz(func(t *testing.T, script string) {
		r := NewReader(strings.NewReader(script))
		for turns := 0; ; turns++ {
			if turns > 2*len(script)+2 {
				t.Fatal("it does not end")
			}
			c, err := r.Next()
			var bad *SyntaxError
			switch {
			case errors.As(err, &bad):
				if bad.Line < 1 || bad.Line > strings.Count(script, "\n")+1 {
					t.Fatalf("line %d", bad.Line)
				}
				continue
			case err != nil:
				return
			}
			again, err := NewReader(strings.NewReader(c.String())).Next()
			if again.Line = c.Line; err != nil || !reflect.DeepEqual(again, c) {
				t.Fatalf("%q printed as %q and read as %q, %v", c, c.String(), again, err)
			}
		}
	})
}
