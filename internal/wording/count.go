package wording

import (
	"fmt"
	"strings"
)

// Count is n with its noun: 1 chain, 2 chains.
func Count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, Word(n, one, many)) }

// Word is the form of a word that goes with n.
func Word(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Few lists the first most of the names, each as Brief has it, and counts the rest.
func Few(names []string, most int) string {
	shown := make([]string, min(most, len(names)))
	for i := range shown {
		shown[i] = Brief(names[i])
	}
	text := strings.Join(shown, ", ")
	if left := len(names) - most; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}
