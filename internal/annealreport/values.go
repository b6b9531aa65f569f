package annealreport

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadValues reads a number from the end of each line that has words, as solutions are written: a value, or a name and a value.
func ReadValues(name string, text []byte) (all []float64, err error) {
	line := 0
	for row := range bytes.Lines(text) {
		line++
		words := bytes.Fields(row)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		last := words[len(words)-1]
		v, err := strconv.ParseFloat(string(last), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s", wording.At(name, line, 0, wording.Quote(last)+" is no number; each line ends in the value of a variable"))
		}
		all = append(all, v)
	}
	return all, nil
}

// WriteValues writes a number a line.
func WriteValues(w io.Writer, values []float64) error {
	b := bufio.NewWriter(w)
	for _, v := range values {
		b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
		b.WriteByte('\n')
	}
	return b.Flush()
}
