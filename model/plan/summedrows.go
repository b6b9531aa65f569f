package plan

import "slices"

// summedRows are the stochastic rows that depend on nodes which are summed out.
type summedRows struct {
	rows []int32 // in order
}

// has tells whether a row is among them.
func (s *summedRows) has(row int32) bool {
	_, ok := slices.BinarySearch(s.rows, row)
	return ok
}
