package mrf

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// solution begins to read a file of results, which has the word of its task, and where a solver improved its answer several answers after the word
// -BEGIN-, of which the last counts.
func solution(name string, text []byte, task string) (*scanner, error) {
	s := newScanner(name, text)
	if word, at := s.next(); !bytes.EqualFold(word, []byte(task)) {
		return nil, s.fault(at, "this should be a file of the task %s, and begins with %s", task, wording.Quote(word))
	}
	if k := bytes.LastIndex(text[s.at:], []byte("-BEGIN-")); k >= 0 {
		s.at += k + len("-BEGIN-")
	}
	return s, nil
}

// readSolutions reads a solution, or a number of samples and a solution of each, whichever the file holds.
func readSolutions[T any](s *scanner, read func(s *scanner) (T, error)) ([]T, error) {
	one := *s
	first, oneErr := read(&one)
	if oneErr == nil {
		if oneErr = one.end("there is more than one solution needs"); oneErr == nil {
			return []T{first}, nil
		}
	}
	n, _, err := s.count("the number of variables, or of samples", 0, maxCount)
	var all []T
	for k := 0; k < n && err == nil; k++ {
		var x T
		if x, err = read(s); err == nil {
			all = append(all, x)
		}
	}
	if err != nil || len(all) == 0 || s.end("") != nil {
		return nil, oneErr
	}
	return all, nil
}

// ReadMAR reads marginals of all variables, for each sample of evidence: the word MAR, the number of variables, and for each the number of its
// values and their probabilities. The number of samples may come before the first.
func ReadMAR(name string, text []byte, m *Model) ([][][]float64, error) {
	s, err := solution(name, text, "MAR")
	if err != nil {
		return nil, err
	}
	return readSolutions(s, func(s *scanner) ([][]float64, error) {
		if err := s.same("the number of variables", len(m.Cards)); err != nil {
			return nil, err
		}
		all := make([][]float64, 0, min(len(m.Cards), s.left()))
		for i, k := range m.Cards {
			if err := s.same("the number of values of variable "+strconv.Itoa(i), k); err != nil {
				return nil, err
			}
			if k > s.left() {
				return nil, s.ended("a probability of variable " + strconv.Itoa(i))
			}
			p := make([]float64, k)
			for v := range p {
				x, at, err := s.number("a probability of variable " + strconv.Itoa(i))
				if err != nil {
					return nil, err
				}
				if !(x >= 0 && x <= 1+1e-6) {
					return nil, s.fault(at, "a probability of variable %d is %v", i, x)
				}
				p[v] = x
			}
			all = append(all, p)
		}
		return all, nil
	})
}

// same reads a number that is known.
func (s *scanner) same(what string, want int) error {
	n, at, err := s.count(what, 0, maxCount)
	if err == nil && n != want {
		return s.fault(at, "%s is %d, and the model's %d", what, n, want)
	}
	return err
}

// ReadPR reads log10 Z for each sample of evidence: the word PR and a number. The number of samples may come before the first.
func ReadPR(name string, text []byte) ([]float64, error) {
	s, err := solution(name, text, "PR")
	if err != nil {
		return nil, err
	}
	return readSolutions(s, func(s *scanner) (float64, error) {
		x, at, err := s.number("log10 Z")
		if err == nil && math.IsInf(x, 1) {
			return 0, s.fault(at, "log10 Z is %v", x)
		}
		return x, err
	})
}

// ReadMAP reads the state of the greatest probability for each sample of evidence: the word MAP, the number of variables, and the value of each. The number
// of samples may come before the first.
func ReadMAP(name string, text []byte, m *Model) ([][]int, error) {
	s, err := solution(name, text, "MAP")
	if err != nil {
		return nil, err
	}
	return readSolutions(s, func(s *scanner) ([]int, error) {
		if err := s.same("the number of variables", len(m.Cards)); err != nil {
			return nil, err
		}
		x := make([]int, 0, min(len(m.Cards), s.left()))
		for i, k := range m.Cards {
			v, _, err := s.count("the value of variable "+strconv.Itoa(i), 0, k-1)
			if err != nil {
				return nil, err
			}
			x = append(x, v)
		}
		return x, nil
	})
}

// WriteMAR writes marginals as [ReadMAR] reads them, with the number of samples where there are several.
func WriteMAR(to io.Writer, all [][][]float64) error {
	return writeSolutions(to, "MAR", all, func(w *bufio.Writer, marginals [][]float64) {
		w.WriteString(strconv.Itoa(len(marginals)))
		for _, p := range marginals {
			w.WriteString(" " + strconv.Itoa(len(p)))
			for _, x := range p {
				w.WriteString(" " + strconv.FormatFloat(x, 'g', -1, 64))
			}
		}
		w.WriteByte('\n')
	})
}

// WritePR writes log10 Z as [ReadPR] reads it, with the number of samples where there are several.
func WritePR(to io.Writer, all []float64) error {
	return writeSolutions(to, "PR", all, func(w *bufio.Writer, x float64) { w.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + "\n") })
}

// WriteMAP writes states as [ReadMAP] reads them, with the number of samples where there are several.
func WriteMAP(to io.Writer, all [][]int) error {
	return writeSolutions(to, "MAP", all, func(w *bufio.Writer, x []int) {
		w.WriteString(strconv.Itoa(len(x)) + " ")
		writeInts(w, x)
	})
}

func writeSolutions[T any](to io.Writer, task string, all []T, write func(w *bufio.Writer, x T)) error {
	w := bufio.NewWriter(to)
	w.WriteString(task + "\n")
	if len(all) != 1 {
		w.WriteString(strconv.Itoa(len(all)) + "\n")
	}
	for _, x := range all {
		write(w, x)
	}
	return w.Flush()
}
