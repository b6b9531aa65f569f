package corpus

import (
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// most is the largest number of documents, of words and of a word in a document.
const most = math.MaxInt32 - 1

func blank(c byte) bool { return c == ' ' || c == '\t' }

// skip is the place of the first byte from at that is no blank.
func skip(text []byte, at int) int {
	for at < len(text) && blank(text[at]) {
		at++
	}
	return at
}

// whole reads the whole number that begins at a place, and returns where it ends: at if none begins there that may be
// a number of things.
func whole(text []byte, at int) (v, end int) {
	end = at
	for end < len(text) && text[end]-'0' <= 9 && v <= most {
		v = 10*v + int(text[end]-'0')
		end++
	}
	if v > most {
		return 0, at
	}
	return v, end
}

// field is the text from a place to the next blank.
func field(text []byte, at int) []byte {
	end := at
	for end < len(text) && !blank(text[end]) {
		end++
	}
	return text[at:end]
}

// notWhole says why a field is no whole number.
func notWhole(text []byte) string {
	if len(text) == 0 {
		return "the line ends here"
	}
	quoted := wording.Quote(text)
	v, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil && !math.IsInf(v, 0) || math.IsNaN(v):
		return quoted + " is not a number"
	case v < 0:
		return quoted + " is negative"
	case v > most:
		return quoted + " is above 2147483646"
	}
	return quoted + " is not written as a whole number (topic models are for counts of words, not for weights such as tf–idf)"
}
