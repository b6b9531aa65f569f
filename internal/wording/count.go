package wording

import "fmt"

// Count is n with its noun: 1 chain, 2 chains.
func Count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, Word(n, one, many)) }

// Word is the form of a word that goes with n.
func Word(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
