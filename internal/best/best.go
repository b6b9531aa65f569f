// Package best keeps the best few of many.
package best

import (
	"cmp"
	"slices"
)

// Scored is something by its number, and what it is ordered by.
type Scored struct {
	At    int
	Score float64
}

// Keep puts x into its place in the list, the greatest score first, as long as it has capacity; then for the last, if that is
// smaller. Of equals what was there stays first.
func Keep(list []Scored, x Scored) []Scored {
	if len(list) == cap(list) {
		if len(list) == 0 || x.Score <= list[len(list)-1].Score {
			return list
		}
		list = list[:len(list)-1]
	}
	at, _ := slices.BinarySearchFunc(list, x, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), -1)
	})
	return slices.Insert(list, at, x)
}
