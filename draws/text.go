package draws

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteCSV writes a table with a line per draw: chain and draw, counted from
// 1, and a column for each element under its BUGS name, quoted where it has
// a comma. Numbers are the shortest that read back the same; R and pandas
// know NaN, Inf and -Inf.
func WriteCSV(w io.Writer, s *Set) error {
	b := bufio.NewWriterSize(w, 1<<16)
	b.WriteString("chain,draw")
	for _, name := range s.Names() {
		b.WriteByte(',')
		if strings.ContainsAny(name, ",\"\n\r") {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		b.WriteString(name)
	}
	b.WriteByte('\n')
	n := s.Draws()
	var line []byte
	for c := range s.Chains() {
		for d := range n {
			line = strconv.AppendInt(line[:0], int64(c+1), 10)
			line = append(line, ',')
			line = strconv.AppendInt(line, int64(d+1), 10)
			for e := range s.Names() {
				line = appendR(append(line, ','), s.Chain(c, e)[d])
			}
			b.Write(append(line, '\n'))
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing CSV: %w", err)
	}
	return nil
}

// WriteJSON writes one object:
//
//	{"chains": 4, "draws": 1000,
//	 "parameters": {"theta[1]": [[…draws of chain 1…], …], …},
//	 "sample_stats": {"lp": [[…], …], …}}
//
// NaN is null. An infinity is 1e999 or -1e999: JSON has no other way to say
// it, and every reader of IEEE doubles makes an infinity of it.
func WriteJSON(w io.Writer, g Groups) error {
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(b, "{\"chains\": %d, \"draws\": %d,\n \"parameters\": ", g.Posterior.Chains(), g.Posterior.Draws())
	if err := writeJSONSet(b, g.Posterior); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	for _, s := range []struct {
		name string
		set  *Set
	}{{SampleStats, g.SampleStats}, {LogLikelihood, g.LogLikelihood}} {
		if s.set == nil {
			continue
		}
		fmt.Fprintf(b, ",\n %q: ", s.name)
		if err := writeJSONSet(b, s.set); err != nil {
			return fmt.Errorf("writing JSON: %w", err)
		}
	}
	b.WriteString("}\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

func writeJSONSet(b *bufio.Writer, s *Set) error {
	b.WriteByte('{')
	var text []byte
	n := s.Draws()
	for e, name := range s.Names() {
		if e > 0 {
			b.WriteString(",\n  ")
		}
		key, err := json.Marshal(name)
		if err != nil {
			return err
		}
		b.Write(key)
		b.WriteString(": [")
		for c := range s.Chains() {
			text = text[:0]
			if c > 0 {
				text = append(text, ", "...)
			}
			text = append(text, '[')
			for d, x := range s.Chain(c, e)[:n] {
				if d > 0 {
					text = append(text, ',')
				}
				text = appendJSON(text, x)
			}
			b.Write(append(text, ']'))
		}
		b.WriteByte(']')
	}
	b.WriteByte('}')
	return nil
}

func appendJSON(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, "null"...)
	case math.IsInf(x, 1):
		return append(b, "1e999"...)
	case math.IsInf(x, -1):
		return append(b, "-1e999"...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}
