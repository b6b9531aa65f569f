package bugs

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

var nan, inf = math.NaN(), math.Inf(1)

// want is the expected value of one variable; na lists the missing elements.
type want struct {
	dims []int
	data []float64
	na   []int
}

func checkValue(t *testing.T, name string, got *Value, w want) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: absent", name)
		return
	}
	if !reflect.DeepEqual(got.Dims, w.dims) {
		t.Errorf("%s: dimensions %v, want %v", name, got.Dims, w.dims)
	}
	if len(got.Data) != len(w.data) {
		t.Errorf("%s: values %v, want %v", name, got.Data, w.data)
		return
	}
	missing := map[int]bool{}
	for _, i := range w.na {
		missing[i] = true
	}
	for i, x := range got.Data {
		same := x == w.data[i] || math.IsNaN(x) && math.IsNaN(w.data[i])
		if !same || got.Missing(i) != missing[i] {
			t.Errorf("%s: element %d is %v (missing: %v), want %v (%v)", name, i, x, got.Missing(i), w.data[i], missing[i])
		}
	}
	if got.NA != nil && len(w.na) == 0 {
		t.Errorf("%s: nothing is missing, but NA has %d elements", name, len(got.NA))
	}
}

func TestReadDump(t *testing.T) {
	for _, c := range []struct {
		src  string
		want want
	}{
		{`x <- 3`, want{nil, []float64{3}, nil}},
		{`x = -3.5e-2`, want{nil, []float64{-0.035}, nil}},
		{`x <<- 1e5`, want{nil, []float64{1e5}, nil}},
		{`"x" <- 1E+3`, want{nil, []float64{1000}, nil}},
		{"`x` <- 12L;", want{nil, []float64{12}, nil}},
		{`'x' <- .5`, want{nil, []float64{.5}, nil}},
		{"x <-\n\n  # a comment\n c(1,\n2 , -3)", want{[]int{3}, []float64{1, 2, -3}, nil}},
		{"x <- c(1,\r\n2)\r\n", want{[]int{2}, []float64{1, 2}, nil}},
		{"\ufeffx <- 1", want{nil, []float64{1}, nil}},
		{`x <- c(5)`, want{nil, []float64{5}, nil}},
		{`x <- c()`, want{[]int{0}, nil, nil}},
		{`x <- NULL`, want{[]int{0}, nil, nil}},
		{`x <- numeric(0)`, want{[]int{0}, nil, nil}},
		{`x <- integer()`, want{[]int{0}, nil, nil}},
		{`x <- NA`, want{nil, []float64{nan}, []int{0}}},
		{`x <- c(NA, 1, NA_real_, NaN, NA_integer_, 2)`, want{[]int{6}, []float64{nan, 1, nan, nan, nan, 2}, []int{0, 2, 4}}},
		{`x <- c(Inf, -Inf, - 1)`, want{[]int{3}, []float64{inf, -inf, -1}, nil}},
		{`x <- c(TRUE, FALSE, T, F)`, want{[]int{4}, []float64{1, 0, 1, 0}, nil}},
		{`x <- 1:3`, want{[]int{3}, []float64{1, 2, 3}, nil}},
		{`x <- -2:1`, want{[]int{4}, []float64{-2, -1, 0, 1}, nil}},
		{`x <- 3:1`, want{[]int{3}, []float64{3, 2, 1}, nil}},
		{`x <- 0:-1`, want{[]int{2}, []float64{0, -1}, nil}},
		{`x <- 2:2`, want{nil, []float64{2}, nil}},
		{`x <- 0.5:3`, want{[]int{3}, []float64{.5, 1.5, 2.5}, nil}},
		{`x <- c(1:2, 7, c(NA, 8), 3:4)`, want{[]int{7}, []float64{1, 2, 7, nan, 8, 3, 4}, []int{3}}},
		{`x <- c(a = 1, "b" = 2, c.d = 3)`, want{[]int{3}, []float64{1, 2, 3}, nil}},
		{`x <- -c(1, 2)`, want{[]int{2}, []float64{-1, -2}, nil}},
		{`x <- (1:2)`, want{[]int{2}, []float64{1, 2}, nil}},
		{`x <- as.integer(c(1.9, NA))`, want{[]int{2}, []float64{1, nan}, []int{1}}},
		{`x <- as.numeric(c(1, 2))`, want{[]int{2}, []float64{1, 2}, nil}},
		{`x <- structure(c(1,2,3,4,5,6), .Dim = c(2,3))`, want{[]int{2, 3}, []float64{1, 2, 3, 4, 5, 6}, nil}},
		{`x <- structure(1:6, dim = 3:2)`, want{[]int{3, 2}, []float64{1, 2, 3, 4, 5, 6}, nil}},
		{`x <- structure(.Data = c(1,2,3,4), .Dim = c(2L,2L))`, want{[]int{2, 2}, []float64{1, 2, 3, 4}, nil}},
		{`x <- structure(.Dim = c(2L,2L), .Data = c(1,2,3,4))`, want{[]int{2, 2}, []float64{1, 2, 3, 4}, nil}},
		{`x <- structure(5, .Dim = 1L)`, want{[]int{1}, []float64{5}, nil}},
		{`x <- structure(c(1,2), .Names = c("a)", "b\""), class = foo(c("x", 'y'), 3)[2])`, want{[]int{2}, []float64{1, 2}, nil}},
		{`x <- structure(c(1,2), .Dim = structure(c(1L,2L), .Names = c("", "chain")), .Dimnames = list(NULL, c("a", "b")))`, want{[]int{1, 2}, []float64{1, 2}, nil}},
		{`x <- structure(c(2L,1L), .Label = c("a","b"), class = "factor")`, want{[]int{2}, []float64{2, 1}, nil}},
		{`list(x = c(1,2))`, want{[]int{2}, []float64{1, 2}, nil}},
		{`list(y = 1, x = structure(c(1,2,3,4,5,6), dim = 2:3))`, want{[]int{2, 3}, []float64{1, 2, 3, 4, 5, 6}, nil}},
		// OpenBUGS fills rows first (OpenBUGS user manual, "Formatting of data").
		{`list(y = 1, x = structure(.Data = c(1,2,3,4,NA,6), .Dim = c(2,3)))`, want{[]int{2, 3}, []float64{1, 4, 2, nan, 3, 6}, []int{3}}},
		{`structure(list("x" = structure(c(1,2), .Dim = 2L)), .Names = c("x"))`, want{[]int{2}, []float64{1, 2}, nil}},
		{`data <- list(x = 4)`, want{nil, []float64{4}, nil}},
		{"x <- 1\nx <- 1", want{nil, []float64{1}, nil}},
	} {
		d, err := ReadData("d.R", []byte(c.src))
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		checkValue(t, c.src, d.Values["x"], c.want)
	}
}

func TestReadJSON(t *testing.T) {
	for _, c := range []struct {
		src  string
		want want
	}{
		{`{"x": 3}`, want{nil, []float64{3}, nil}},
		{` {"x" : -2.5E-1 , "y":1}`, want{nil, []float64{-.25}, nil}},
		{`{"\u0078": true}`, want{nil, []float64{1}, nil}},
		{`{"x": null}`, want{nil, []float64{nan}, []int{0}}},
		{`{"x": [4]}`, want{[]int{1}, []float64{4}, nil}},
		{`{"x": []}`, want{[]int{0}, nil, nil}},
		{`{"x": [[],[]]}`, want{[]int{2, 0}, nil, nil}},
		{`{"x": [1, null, false]}`, want{[]int{3}, []float64{1, nan, 0}, []int{1}}},
		{`{"x": ["NaN", "Inf", "-inf", "+Infinity", NaN, -Infinity, Inf]}`, want{[]int{7}, []float64{nan, inf, -inf, inf, nan, -inf, inf}, nil}},
		{`{"x": [[1,2,3],[4,5,null]]}`, want{[]int{2, 3}, []float64{1, 4, 2, 5, 3, nan}, []int{5}}},
		{`{"x": [[[1,2],[3,4],[5,6]],[[7,8],[9,10],[11,12]]]}`, want{[]int{2, 3, 2}, []float64{1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12}, nil}},
		{`{"x": [[1],[2]]}`, want{[]int{2, 1}, []float64{1, 2}, nil}},
		{`{"x": [[[]]]}`, want{[]int{1, 1, 0}, nil, nil}},
	} {
		d, err := ReadData("d.json", []byte(c.src))
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		checkValue(t, c.src, d.Values["x"], c.want)
	}
}

func TestReadEmpty(t *testing.T) {
	for _, src := range []string{"", " # nothing\n", "{}", "list()", ";;"} {
		d, err := ReadData("d", []byte(src))
		if err != nil || len(d.Names) != 0 || d.Values == nil {
			t.Errorf("%q: %v, %v", src, d, err)
		}
	}
}

func TestNotes(t *testing.T) {
	for src, want := range map[string]string{
		`".RNG.name" <- "base::Wichmann-Hill"`:                   "d:1:1: .RNG.name, which steers",
		"x <- 1\n.RNG.seed <- 3":                                 "d:2:1: .RNG.seed, which steers",
		".RNG.state <- c(1L,2L)":                                 "d:1:1: .RNG.state",
		`name <- c("a", "b")`:                                    "d:1:1: name holds text and is ignored",
		`{"name": ["a", "b"]}`:                                   "d:1:2: name holds text",
		`{".RNG.seed": 3}`:                                       "d:1:2: .RNG.seed",
		`d <- list(x = 1)`:                                       "d:1:1: the elements of the list d",
		`list(x = structure(.Data = c(1,2,3,4), .Dim = c(2,2)))`: "d:1:6: x is read by rows",
	} {
		d, err := ReadData("d", []byte(src))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0], want) {
			t.Errorf("%s: notes %q, want %q…", src, d.Notes, want)
		}
		if d.Values[".RNG.seed"] != nil || d.Values["name"] != nil {
			t.Errorf("%s: kept what it noted as ignored", src)
		}
	}
}

func TestDataOrderAndPositions(t *testing.T) {
	d, err := ReadData("d.R", []byte("z <- 1; a <- 2\n  é <- 3; m <- 4"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"z", "a", "é", "m"}; !reflect.DeepEqual(d.Names, want) {
		t.Errorf("names %q, want %q", d.Names, want)
	}
	for name, want := range map[string]Pos{"z": {1, 1}, "a": {1, 9}, "é": {2, 3}, "m": {2, 11}} {
		if v := d.Values[name]; v == nil || v.Pos != want || v.File != "d.R" {
			t.Errorf("%s: %+v, want it at %v", name, v, want)
		}
	}
}

func TestMerge(t *testing.T) {
	read := func(file, src string) *Data {
		d, err := ReadData(file, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := read("a.R", "x <- 1; y <- c(1, NA)")
	if err := d.Merge(read("b.json", `{"z": 2, "y": [1, null], ".RNG.seed": 1}`)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"x", "y", "z"}; !reflect.DeepEqual(d.Names, want) || len(d.Notes) != 1 {
		t.Errorf("names %q, notes %q", d.Names, d.Notes)
	}
	err := d.Merge(read("c.R", "\ny <- c(NaN, 1)"))
	if err == nil || !strings.HasPrefix(err.Error(), "c.R:2:1: y is given twice with different values, first at a.R:1:9") {
		t.Errorf("error %v", err)
	}
	var empty Data
	if err := empty.Merge(d); err != nil || len(empty.Values) != 3 {
		t.Errorf("merging into an empty set: %v, %v", empty, err)
	}
}

func TestReadDeep(t *testing.T) {
	const n = 1_000_000
	for name, src := range map[string]string{
		"c":           "x <- " + strings.Repeat("c(", n),
		"minus":       "x <- " + strings.Repeat("-", n) + "1",
		"parentheses": "x <- " + strings.Repeat("(", n),
		"structure":   "x <- " + strings.Repeat("structure(", n),
		"array":       `{"x": ` + strings.Repeat("[", n),
		"ranges":      "x <- c(" + strings.Repeat("1:1e7,", 100) + "1)",
		"dimensions":  "x <- structure(1, .Dim = c(1e15, 1e15, 1e15))",
	} {
		start := time.Now()
		if _, err := ReadData("d", []byte(src)); err == nil {
			t.Errorf("%s: no error", name)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
	}
}

// largeDump and largeJSON hold n numbers in one vector.
func largeDump(n int) []byte {
	var b bytes.Buffer
	b.WriteString("x <- c(")
	writeNumbers(&b, n)
	b.WriteString(")\n")
	return b.Bytes()
}

func largeJSON(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"x": [`)
	writeNumbers(&b, n)
	b.WriteString("]}\n")
	return b.Bytes()
}

func writeNumbers(b *bytes.Buffer, n int) {
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%.6f", math.Sin(float64(i))*1000)
	}
}

// Reading takes the memory of the numbers and next to nothing more, however
// many there are.
func TestReadMemory(t *testing.T) {
	const n = 200_000
	for name, src := range map[string][]byte{"dump": largeDump(n), "json": largeJSON(n)} {
		res := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				d, err := ReadData("d", src)
				if err != nil || len(d.Values["x"].Data) != n {
					b.Fatal(err)
				}
			}
		})
		if perNumber := float64(res.AllocedBytesPerOp()) / n; perNumber > 8.5 {
			t.Errorf("%s: %.1f bytes a number, want 8", name, perNumber)
		}
		if res.AllocsPerOp() > 50 {
			t.Errorf("%s: %d allocations", name, res.AllocsPerOp())
		}
	}
}

func BenchmarkReadDump(b *testing.B) { benchmarkRead(b, largeDump(1_000_000)) }
func BenchmarkReadJSON(b *testing.B) { benchmarkRead(b, largeJSON(1_000_000)) }

func benchmarkRead(b *testing.B, src []byte) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadData("d", src); err != nil {
			b.Fatal(err)
		}
	}
}

// OpenBUGS' rectangular data, more than one table in a file and beside other data.
func TestTables(t *testing.T) {
	d, err := ReadData("d.txt", []byte("list(n = 3)\ny[] z[,1] z[,2] # heads\n1 2 3\n-4 NA 6e1\nEND\n\nx[]\n7\nEND\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]*Value{
		"n": {Data: []float64{3}}, "y": {Dims: []int{2}, Data: []float64{1, -4}}, "x": {Dims: []int{1}, Data: []float64{7}},
		"z": {Dims: []int{2, 2}, Data: []float64{2, math.NaN(), 3, 60}, NA: []bool{false, true, false, false}},
	} {
		if got := d.Values[name]; got == nil || !sameValue(&Value{Dims: got.Dims, Data: got.Data, NA: got.NA}, want) {
			t.Errorf("%s is %+v", name, got)
		}
	}
}
