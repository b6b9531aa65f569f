package corpus

import (
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// invalid is where the first byte stands that is not of UTF-8, −1 without.
func invalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; ; {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
}

const convert = " is not UTF-8; convert the file, with iconv -f latin1 -t utf-8 if that is what it is in"

// utf8 is the fault of a line that must be text and is not in UTF-8.
func (in *lines) utf8() error {
	k := invalid(in.Text)
	if k < 0 {
		return nil
	}
	return in.fault(k, "%s"+convert, wording.Quote(in.Text[k:min(len(in.Text), k+1)]))
}
