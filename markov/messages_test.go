package markov

import (
	"strings"
	"testing"
)

// A name that fills a file does not fill the message.
func TestLongNamesAreShortInMessages(t *testing.T) {
	long := strings.Repeat("y\x1b", 50000)
	for _, err := range []error{&SumError{Name: long, Sum: 0.5}, &SumError{Name: long}, &EntryError{FromName: long, ToName: long, Value: 2}} {
		if msg := err.Error(); len(msg) > 1500 || strings.Contains(msg, "\x1b") {
			t.Errorf("a message of %d bytes: %.200q", len(msg), msg)
		}
	}
}
