package draws

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Trace is the draws of one quantity, with the iterations they were made at: Start, Start + Thin, …
type Trace struct {
	Name        string
	Start, Thin int
	Chains      [][]float64 // the draws of each chain, all as many
}

// WriteCODA writes draws in the form that R's coda reads: an index, which
// says for each element which lines of a chain's file are its own, and one
// file per chain with an iteration and a value a line. The first draw is
// iteration start, and thin iterations lie between draws. Numbers are the
// shortest that read back the same.
func WriteCODA(index io.Writer, chains []io.Writer, s *Set, start, thin int) error {
	if len(chains) != s.Chains() {
		return fmt.Errorf("writing CODA: %d files for %d chains", len(chains), s.Chains())
	}
	n := s.Draws()
	var traces []Trace
	for e, name := range s.Names() {
		one := Trace{Name: name, Start: start, Thin: thin}
		for c := range chains {
			one.Chains = append(one.Chains, s.Chain(c, e)[:n])
		}
		traces = append(traces, one)
	}
	return WriteTraces(index, chains, traces)
}

// WriteTraces is [WriteCODA] of quantities with iterations of their own.
func WriteTraces(index io.Writer, chains []io.Writer, traces []Trace) error {
	b, at := bufio.NewWriter(index), 1
	for _, one := range traces {
		n := len(one.Chains[0])
		fmt.Fprintf(b, "%s %d %d\n", one.Name, at, at+n-1)
		at += n
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing CODA: %w", err)
	}
	for c, w := range chains {
		b := bufio.NewWriterSize(w, 1<<16)
		var line []byte
		for _, one := range traces {
			for i, x := range one.Chains[c] {
				line = strconv.AppendInt(line[:0], int64(one.Start+i*one.Thin), 10)
				line = append(appendR(append(line, ' ', ' '), x), '\n')
				b.Write(line)
			}
		}
		if err := b.Flush(); err != nil {
			return fmt.Errorf("writing CODA: %w", err)
		}
	}
	return nil
}

// ReadCODA reads an index and one file per chain.
func ReadCODA(index io.Reader, chains ...io.Reader) (*Set, error) {
	s, err := readCODA(index, chains)
	if err != nil {
		return nil, fmt.Errorf("reading CODA: %w", err)
	}
	return s, nil
}

// codaEntry is a line of the index: lines from to to, counted from 1.
type codaEntry struct {
	name     string
	from, to int
}

func readCODA(index io.Reader, chains []io.Reader) (*Set, error) {
	entries, err := readCODAIndex(index)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.to-e.from != entries[0].to-entries[0].from {
			return nil, fmt.Errorf("index: %s has %d draws, %s %d", e.name, e.to-e.from+1,
				entries[0].name, entries[0].to-entries[0].from+1)
		}
		names = append(names, e.name)
	}
	vars, err := arrange(names, parseBUGS)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	s, err := NewSet(vars, len(chains))
	if err != nil {
		return nil, err
	}
	for c, r := range chains {
		values, err := readCODAChain(r)
		if err != nil {
			return nil, fmt.Errorf("chain %d: %w", c+1, err)
		}
		for e, entry := range entries {
			if entry.to > len(values) {
				return nil, fmt.Errorf("chain %d: %s should end in line %d of %d", c+1, entry.name, entry.to, len(values))
			}
			s.cols[e][c] = slices.Clip(values[entry.from-1 : entry.to])
		}
	}
	return s, nil
}

func readCODAIndex(r io.Reader) ([]codaEntry, error) {
	var entries []codaEntry
	err := eachLine(r, func(line int, fields []string) error {
		if len(fields) < 3 {
			return fmt.Errorf("line %d: %s is not a name and two numbers", line, wording.Quote(strings.Join(fields, " ")))
		}
		k := len(fields) - 2
		from, err1 := strconv.Atoi(fields[k])
		to, err2 := strconv.Atoi(fields[k+1])
		if err1 != nil || err2 != nil || from < 1 || to < from-1 {
			return fmt.Errorf("line %d: %s is not a range of lines", line, wording.Quote(fields[k]+" "+fields[k+1]))
		}
		entries = append(entries, codaEntry{strings.Join(fields[:k], ""), from, to})
		return nil
	})
	if err == nil && len(entries) == 0 {
		err = errors.New("it names nothing")
	}
	return entries, err
}

func readCODAChain(r io.Reader) ([]float64, error) {
	var values []float64
	err := eachLine(r, func(line int, fields []string) error {
		if len(fields) != 2 {
			return fmt.Errorf("line %d: %s is not an iteration and a value", line, wording.Quote(strings.Join(fields, " ")))
		}
		x, err := parseR(fields[1])
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		values = append(values, x)
		return nil
	})
	return values, err
}

// eachLine visits the lines that are not empty, split at spaces.
func eachLine(r io.Reader, visit func(line int, fields []string) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		fields := strings.Fields(in.Text())
		if len(fields) == 0 {
			continue
		}
		if err := visit(line, fields); err != nil {
			return err
		}
	}
	return in.Err()
}

// appendR writes a number as R reads it.
func appendR(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, "NaN"...)
	case math.IsInf(x, 1):
		return append(b, "Inf"...)
	case math.IsInf(x, -1):
		return append(b, "-Inf"...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

func parseR(text string) (float64, error) {
	if text == "NA" {
		return math.NaN(), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%s is not a number", wording.Quote(text))
	}
	return x, nil
}
