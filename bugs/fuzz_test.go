package bugs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParse holds the parser to three promises: no panic, errors with a place
// inside the text, and printed programs that parse to themselves.
func FuzzParse(f *testing.F) {
	addSeeds(f, ".bug")
	f.Add(everything)
	f.Add("model { } list(a = 1)\x00")
	f.Add("model { a <- !b == -c^-d:2 %*% e || (f && g) }")
	f.Fuzz(func(t *testing.T, src string) {
		prog, err := Parse("fuzz.bug", src)
		if err != nil {
			if binaryFormat([]byte(src)) == "" { // else it is refused as a whole: no line of it is at fault
				checkError(t, err)
			}
			return
		}
		checkRoundTrip(t, prog)
	})
}

// FuzzReadData holds the readers to: no panic, errors with a place, values
// that fill their dimensions.
func FuzzReadData(f *testing.F) {
	addSeeds(f, ".R")
	addSeeds(f, ".json")
	f.Add([]byte(`x <- structure(c(a=1,-2:3,NA), .Dim=c(2,3)); "y" = as.integer(c(1e5,TRUE))`))
	f.Add([]byte(`list(x=structure(.Data=c(1,2,3,4),.Dim=c(2,2)),.RNG.seed=1L)`))
	f.Add([]byte("y[] z[,1] z[,2]\n1 2 3\n-4 NA 6e1\nEND\nx <- 1"))
	f.Add([]byte("\x00"))
	f.Add([]byte(`{"x":[[1,null],["Inf",-2.5e3]],"y":true}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := ReadData("fuzz", src)
		if format := binaryFormat(src); format != "" { // refused as a whole: no line of it is at fault
			if e := (*Error)(nil); !errors.As(err, &e) || e.File != "fuzz" || !strings.Contains(e.Msg, format) {
				t.Fatalf("%q is not refused by its format: %v", src, err)
			}
			return
		}
		if err != nil {
			checkError(t, err)
			return
		}
		if len(d.Names) != len(d.Values) {
			t.Fatalf("%d names for %d values", len(d.Names), len(d.Values))
		}
		for _, name := range d.Names {
			v := d.Values[name]
			if n, ok := product(v.Dims, len(src)+maxComputed); !ok || n != len(v.Data) {
				t.Fatalf("%s: %d values for dimensions %v", name, len(v.Data), v.Dims)
			}
			if v.NA != nil && len(v.NA) != len(v.Data) {
				t.Fatalf("%s: %d flags for %d values", name, len(v.NA), len(v.Data))
			}
		}
	})
}

func addSeeds(f *testing.F, ext string) {
	files, err := filepath.Glob("testdata/errors/*" + ext)
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if ext == ".bug" {
			f.Add(string(b))
		} else {
			f.Add(b)
		}
	}
}

func checkError(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Pos.Line < 1 || e.Pos.Col < 1 || e.Msg == "" {
		t.Fatalf("an error without a place: %v", err)
	}
	if e.Hint == "" {
		t.Fatalf("an error without a way out: %v", err)
	}
	if n := len(e.Error()); n > 4000 {
		t.Fatalf("an error of %d bytes", n)
	}
}
