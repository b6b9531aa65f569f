package draws

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestElementNames(t *testing.T) {
	for _, tc := range []struct {
		v    Variable
		want string
	}{
		{Variable{Name: "mu"}, "mu"},
		{Variable{Name: "theta", Dims: []int{3}}, "theta[1] theta[2] theta[3]"},
		{Variable{Name: "S", Dims: []int{2, 2}}, "S[1,1] S[2,1] S[1,2] S[2,2]"},
		{Variable{Name: "b", Dims: []int{2}, Lower: []int{5}}, "b[5] b[6]"},
		{Variable{Name: "c", Dims: []int{1, 2}, Lower: []int{3, 0}}, "c[3,0] c[3,1]"},
		{Variable{Name: "none", Dims: []int{0}}, ""},
	} {
		if got := strings.Join(tc.v.ElementNames(), " "); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.v, got, tc.want)
		}
		if tc.v.Size() != len(tc.v.ElementNames()) {
			t.Errorf("%v: size %d", tc.v, tc.v.Size())
		}
	}
}

// The C position of element (i,j,k) of a 2×3×4 array is 12i+4j+k, its
// column-major position i+2j+6k.
func TestRowMajor(t *testing.T) {
	perm := Variable{Name: "x", Dims: []int{2, 3, 4}}.rowMajor()
	for i := range 2 {
		for j := range 3 {
			for k := range 4 {
				if got := perm[12*i+4*j+k]; got != i+2*j+6*k {
					t.Errorf("(%d,%d,%d) is at %d", i, j, k, got)
				}
			}
		}
	}
	if (Variable{Dims: []int{1, 7, 1}}).rowMajor() != nil {
		t.Error("a vector in disguise is permuted")
	}
}

func TestSelect(t *testing.T) {
	vars := []Variable{
		{Name: "a"}, {Name: "b", Dims: []int{5}}, {Name: "S", Dims: []int{2, 3}},
		{Name: "late", Dims: []int{3}, Lower: []int{7}}, {Name: "q[2]"},
	}
	var all []string
	for _, v := range vars {
		all = append(all, v.ElementNames()...)
	}
	for _, tc := range []struct{ patterns, want, variables string }{
		{"a", "a", "[a]"},
		{"S, a", "S[1,1] S[2,1] S[1,2] S[2,2] S[1,3] S[2,3] a", "[S[1:2,1:3] a]"},
		{"b[2:4]", "b[2] b[3] b[4]", "[b[2:4]]"},
		{"b[*]", "b[1] b[2] b[3] b[4] b[5]", "[b[1:5]]"},
		{"S[2,]", "S[2,1] S[2,2] S[2,3]", "[S[2:2,1:3]]"},
		{"S[*,2:3]", "S[1,2] S[2,2] S[1,3] S[2,3]", "[S[1:2,2:3]]"},
		{"late[8]", "late[8]", "[late[8:8]]"},
		{"b[1],a,b[4:5],b[5]", "b[1] a b[4] b[5]", "[b[1] a b[4] b[5]]"},
		{"q[2]", "q[2]", "[q[2]]"},
		{"*", strings.Join(all, " "), "[a b[1:5] S[1:2,1:3] late[7:9] q[2]]"},
		{"a,a", "a", "[a]"},
		{"la*[8:9]", "late[8] late[9]", "[late[8:9]]"},
		{"*a*", "a late[7] late[8] late[9]", "[a late[7:9]]"},
	} {
		parts, elements, err := Select(vars, tc.patterns)
		if err != nil {
			t.Errorf("%s: %v", tc.patterns, err)
			continue
		}
		var names, from []string
		for _, p := range parts {
			names = append(names, p.ElementNames()...)
		}
		for _, e := range elements {
			from = append(from, all[e])
		}
		if got := strings.Join(names, " "); got != tc.want || !slices.Equal(names, from) {
			t.Errorf("%s: names %q from %q, want %q", tc.patterns, got, from, tc.want)
		}
		if got := fmt.Sprint(parts); got != tc.variables {
			t.Errorf("%s: variables %s, want %s", tc.patterns, got, tc.variables)
		}
	}
	for patterns, part := range map[string]string{
		"":         "empty",
		"a,,b":     "empty",
		"A":        "did you mean a?",
		"zz":       "there are a, b, S",
		"b[0]":     "outside b[1:5]",
		"b[4:6]":   "outside b[1:5]",
		"b[4:3]":   "outside",
		"late[1]":  "outside late[7:9]",
		"b[1,2]":   "2 indices",
		"a[1]":     "1 indices",
		"b[x]":     "neither a number",
		"b[1":      "brackets",
		"b]1[":     "brackets",
		"b[1]x":    "bracket",
		"b[[1]]":   "brackets",
		"S[1]":     "2 dimensions",
		"b[1:2:3]": "neither",
	} {
		if _, _, err := Select(vars, patterns); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: error %v, want one with %q", patterns, err, part)
		}
	}
}

func FuzzSelect(f *testing.F) {
	f.Add("b[1:3],S[2,*],a")
	vars := []Variable{{Name: "a"}, {Name: "b", Dims: []int{5}}, {Name: "S", Dims: []int{2, 3}, Lower: []int{0, 4}}}
	var all []string
	for _, v := range vars {
		all = append(all, v.ElementNames()...)
	}
	f.Fuzz(func(t *testing.T, patterns string) {
		parts, elements, err := Select(vars, patterns)
		if err != nil {
			return
		}
		i := 0
		for _, p := range parts {
			for _, name := range p.ElementNames() {
				if name != all[elements[i]] {
					t.Fatalf("%s stands for %s", name, all[elements[i]])
				}
				i++
			}
		}
		if i != len(elements) {
			t.Fatalf("%d names for %d elements", i, len(elements))
		}
	})
}

func TestSuggest(t *testing.T) {
	vars := []Variable{{Name: "alpha"}, {Name: "Beta"}}
	for name, want := range map[string]string{
		"alhpa": "; did you mean alpha?", "beta": "; did you mean Beta?", "foo": "; there are alpha, Beta",
	} {
		if got := suggest(name, vars); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	for i := range 12 {
		vars = append(vars, Variable{Name: string(rune('a' + i))})
	}
	if got := suggest("foo", vars); got != "; there are alpha, Beta, a, b, c, d, e, f, g, h, i, j and 2 more" {
		t.Errorf("%q", got)
	}
	if got := suggest("foo", nil); got != "" {
		t.Errorf("%q of nothing", got)
	}
}
