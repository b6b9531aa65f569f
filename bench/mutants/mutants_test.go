package main

import (
	"os"
	"strings"
	"testing"
)

// Each mistake has one place in the tree as it is now.
func TestPlaces(t *testing.T) {
	for _, m := range append(plans(), kernels()...) {
		text, err := os.ReadFile("../../" + m.file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), m.old); n != 1 {
			t.Errorf("%s: the text of %q is there %d times, not once", m.file, m.what, n)
		}
	}
}
