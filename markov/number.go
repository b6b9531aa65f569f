package markov

import (
	"errors"
	"strconv"
)

func parseFloat(b []byte) (float64, error) { return strconv.ParseFloat(string(b), 64) }

// parsed reports whether the error of a parser means a number, be it beyond the largest.
func parsed(err error) bool { return err == nil || errors.Is(err, strconv.ErrRange) }
