package draws

import (
	"slices"
	"testing"
)

// Elements that an array does not have are not selected; the rest keep their
// names.
func TestSelectLeavesOutAbsentElements(t *testing.T) {
	vars := []Variable{{Name: "a"}, {Name: "h", Dims: []int{2, 2}, Absent: []int{1}}}
	for pattern, want := range map[string][]string{
		"*":       {"a", "h[1,1]", "h[1,2]", "h[2,2]"},
		"h":       {"h[1,1]", "h[1,2]", "h[2,2]"},
		"h[,2]":   {"h[1,2]", "h[2,2]"},
		"h[2,],a": {"h[2,2]", "a"},
	} {
		parts, elements, err := Select(vars, pattern)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range parts {
			names = append(names, p.ElementNames()...)
		}
		all := []string{"a", "h[1,1]", "h[2,1]", "h[1,2]", "h[2,2]"}
		for k, e := range elements {
			if all[e] != names[k] {
				t.Errorf("%s: element %d is called %s", pattern, e, names[k])
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q, not %q", pattern, names, want)
		}
	}
	if parts, _, _ := Select(vars, "h[,2]"); len(parts) != 1 {
		t.Errorf("a part without absent elements is cut: %v", parts)
	}
	for _, bad := range [][]int{{-1}, {4}, {1, 1}, {2, 1}} {
		if (Variable{Name: "h", Dims: []int{2, 2}, Absent: bad}).check() == nil {
			t.Errorf("absent %v is accepted", bad)
		}
	}
}
