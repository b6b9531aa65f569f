package draws

import (
	"slices"
	"testing"
)

func TestPatternMatches(t *testing.T) {
	for _, tc := range []struct {
		pattern  string
		yes, not []string
	}{
		{"b", []string{"b", "b[1]", "b[2,3]"}, []string{"bb", "a[1]", "ab"}},
		{"b[*]", []string{"b[1]", "b[2,3]"}, []string{"c[1]"}},
		{"b[2]", []string{"b[2]"}, []string{"b[1]", "b", "b[2,1]", "b[22]"}},
		{"b[1:3]", []string{"b[1]", "b[3]"}, []string{"b[4]", "b[0]"}},
		{"S[ 2 , ]", []string{"S[2,1]", "S[2,9]"}, []string{"S[1,2]", "S[2]"}},
		{"b*[2]", []string{"b[2]", "beta[2]"}, []string{"ab[2]", "beta[1]"}},
		{"*a*c", []string{"abc", "xac", "ac"}, []string{"ca", "acb", "c"}},
		{"a*a", []string{"aa", "aba"}, []string{"a"}},
		{"*", []string{"a", "b[3]"}, nil},
	} {
		p, err := ParsePattern(tc.pattern)
		if err != nil {
			t.Errorf("%s: %v", tc.pattern, err)
		}
		for _, e := range tc.yes {
			if !p.Matches(e) {
				t.Errorf("%s does not match %s", tc.pattern, e)
			}
		}
		for _, e := range tc.not {
			if p.Matches(e) {
				t.Errorf("%s matches %s", tc.pattern, e)
			}
		}
	}
}

// What is selected of some variables is what the pattern matches.
func FuzzPattern(f *testing.F) {
	vars := []Variable{{Name: "a"}, {Name: "b", Dims: []int{3}}, {Name: "ba", Dims: []int{2, 2}}, {Name: "late", Dims: []int{2}, Lower: []int{7}}}
	for _, s := range []string{"b[1:2]", "b*[*]", "ba[,2]", "*", "late[8]", "b[", "a]", "*b*[1]", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePattern(text)
		if err != nil {
			return
		}
		parts, _, err := Select(vars, text)
		if err != nil {
			return
		}
		var chosen []string
		for _, v := range parts {
			chosen = append(chosen, v.ElementNames()...)
		}
		for _, v := range vars {
			for _, e := range v.ElementNames() {
				if p.Matches(e) != slices.Contains(chosen, e) {
					t.Errorf("%q: %s is matched %v, selected %v", text, e, p.Matches(e), chosen)
				}
			}
		}
	})
}
