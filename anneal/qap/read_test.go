package qap

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// shared is a folder of the test material: $ERGODIC_SHARED, or ../shared beside the module.
func shared(t testing.TB) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	dir := filepath.Join(root, "anneal", "qaplib")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	return dir
}

func sharedProblem(t testing.TB, name string) *Problem {
	t.Helper()
	path := filepath.Join(shared(t), name+".dat")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(path, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The solutions of QAPLIB have the values that optima.csv says, which were computed elsewhere; some files hold the inverse permutation.
func TestSharedSolutions(t *testing.T) {
	dir := shared(t)
	table, err := os.ReadFile(filepath.Join(dir, "optima.csv"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSpace(line), ",")
		want, err := strconv.ParseFloat(f[3], 64)
		path := filepath.Join(dir, f[0]+".sln")
		text, missing := os.ReadFile(path)
		if err != nil || missing != nil {
			continue
		}
		value, place, err := ReadSolution(path, text)
		if err != nil {
			t.Error(err)
			continue
		}
		p := sharedProblem(t, f[0])
		x := make([]float64, len(place))
		for i, k := range place {
			x[i] = float64(k)
			if strings.Contains(f[4], "^-1") {
				x[i] = 0
			}
		}
		if strings.Contains(f[4], "^-1") {
			for i, k := range place {
				x[k] = float64(i)
			}
		}
		if e, err := p.Evaluate(x); err != nil || e != want || float64(value) != want {
			t.Errorf("%s: %v, the file says %d, optima.csv %v: %v", f[0], e, value, want, err)
		}
		seen++
	}
	if seen < 25 {
		t.Errorf("%d solutions", seen)
	}
}

func TestReadFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "f:1:1: the file ends where the number of facilities should be",
		"x":                       `f:1:1: the number of facilities is "x", which is not a whole number`,
		"0":                       "the number of facilities is 0, and it must be from 1 to 32768",
		"99999999":                "must be from 1 to 32768",
		"3 1 2 3":                 "there are 3 facilities, and the file is too short for two matrices of 3 × 3",
		"1\n1\n2 3":               `f:3:3: "3" follows where the file should end; n is too small`,
		"2\n0 1\n1 0.5 1 2 3 4":   `f:3:3: entry 2,2 of the first matrix is "0.5", which is not a whole number`,
		"1 4000000000 4000000000": "f: values could reach 1.6e+19, and beyond 2⁵³ (9.01e15) whole numbers are not exact",
		"1 9223372036854775808 1": "entry 1,1 of the first matrix is 9223372036854775808, and it must be from",
	} {
		if _, err := Read("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"2 10 1 1": "f:1:8: facilities 1 and 2 are both at place 1",
		"2 10 1 3": "the place of facility 2 is 3, and it must be from 1 to 2",
		"9 10 1":   "the file is too short for their places",
		"1 10 1 1": "follows where the file should end",
	} {
		if _, _, err := ReadSolution("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"2 0 1\n1 0 0 5 5 0", "1 3 4", "3 1 2 3", "32768 1", "2 1 -1 9007199254740993 1 1 1 1 1", "2 16384 1 1 1 1 1 1 -16384"} {
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
		var b strings.Builder
		fmt.Fprintln(&b, p.n)
		for _, m := range [][]int64{p.a, p.b} {
			for _, x := range m {
				fmt.Fprintln(&b, x)
			}
		}
		again, err := Read("again", []byte(b.String()))
		if err != nil || fmt.Sprint(again.a, again.b) != fmt.Sprint(p.a, p.b) {
			t.Fatalf("%q is read as %v: %v", b.String(), again, err)
		}
		x := make([]float64, p.n)
		for i := range x {
			x[i] = float64(i)
		}
		w, err := p.Walker()
		if err != nil || w.Set(0, x) != nil {
			t.Fatal(err)
		}
		if e, err := p.Evaluate(x); err != nil || e != w.Energy(0) {
			t.Fatalf("%v and %v: %v", e, w.Energy(0), err)
		}
	})
}

func FuzzReadSolution(f *testing.F) {
	for _, s := range []string{"2 10 1 2", "3 -5 3 1 2", "1 0 2"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, place, err := ReadSolution("f", text)
		if err != nil {
			return
		}
		seen := make([]bool, len(place))
		for _, k := range place {
			seen[k] = true
		}
		for k, s := range seen {
			if !s {
				t.Fatalf("no facility is at place %d", k)
			}
		}
	})
}
