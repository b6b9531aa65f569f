package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// most is how many characters of a name or a value a message shows.
const most = 80

// Quote shows what a user or a file says in a message: in double quotes, with
// escapes for what does not print, and without its middle where it has more than
// 80 characters.
func Quote[T string | []byte](s T) string {
	q := strconv.Quote(ends(s))
	return `"` + cut(q[1:len(q)-1]) + `"`
}

// Brief is Quote without the quotes, for names of files, variables and flags;
// quotes and backslashes in it stay as they are.
func Brief[T string | []byte](s T) string { return cut(printable(ends(s), "")) }

// Text is a whole message: lines and tabs stay, and what else a terminal would
// act on or could not show is escaped.
func Text(s string) string { return printable(s, "\n\t") }

// ends leaves of a long text what Quote may show of it, and more.
func ends[T string | []byte](s T) string {
	const side = most * utf8.UTFMax
	if len(s) <= 2*side {
		return string(s)
	}
	return string(s[:side]) + string(s[len(s)-side:])
}

func cut(s string) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	return string(r[:most/2]) + "…" + string(r[len(r)-most/2+1:])
}

// printable escapes what does not print and is not to be kept.
func printable(s, keep string) string {
	var b strings.Builder
	for i, r := range s {
		switch _, n := utf8.DecodeRuneInString(s[i:]); {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strconv.IsPrint(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		default:
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}
