package wording

import (
	"slices"
	"strings"
)

// far is the distance from which names have nothing to do with each other.
const far = 3

// Nearest is the known name that is fewest edits away, two at most and one for
// every two bytes of the name, whatever the case; of several the first in
// alphabetical order. It is "" where none is near.
func Nearest(name string, known []string) string {
	best, least := "", far
	for _, k := range slices.Sorted(slices.Values(known)) {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least && 2*d <= len(name) {
			best, least = k, d
		}
	}
	return best
}

// distance counts the bytes to insert, delete, change or swap with their
// neighbour, each byte in one edit at most; far where the lengths tell that
// it is as large.
func distance(a, b string) int {
	if len(a) >= len(b)+far || len(b) >= len(a)+far {
		return far
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			next[j] = min(next[j-1], row[j]) + 1
			if a[i-1] == b[j-1] {
				next[j] = min(next[j], row[j-1])
			} else {
				next[j] = min(next[j], row[j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
