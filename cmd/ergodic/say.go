package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// say writes a message to standard error.
func say(text string) { fmt.Fprintln(os.Stderr, abridged(inFlags(text), os.Args[1:])) }

// abridged is a message in which long arguments of the command are cut and
// nothing acts on the terminal. Commands to copy, which come last, are only
// kept from acting on it.
func abridged(text string, args []string) string {
	var long []string
	for _, a := range args {
		_, value, _ := strings.Cut(a, "=")
		for _, s := range append(strings.Split(value, ","), append(strings.Split(a, ","), a, value)...) {
			if wording.Brief(s) != s {
				long = append(long, s)
			}
		}
	}
	slices.SortFunc(long, func(a, b string) int { return len(b) - len(a) })
	at := strings.Index(text, "\n  ergodic ")
	if at < 0 {
		at = len(text)
	}
	head := text[:at]
	for _, s := range long {
		head = strings.ReplaceAll(head, strconv.Quote(s), wording.Quote(s))
		head = strings.ReplaceAll(head, s, wording.Brief(s))
	}
	return wording.Text(head + text[at:])
}
