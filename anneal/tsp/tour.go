package tsp

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadTour reads a tour of the problem in TSPLIB's form (TYPE: TOUR): cities from 1 in TOUR_SECTION, −1 at the end. The result has cities from
// 0. The name is for errors, which tell the line.
func ReadTour(name string, text []byte, p *Problem) ([]int, error) {
	s := newScanner(name, text)
	for {
		key, value, line := s.entry()
		switch {
		case key == "" && len(s.rest) == 0, key == "EOF":
			return nil, s.fail(line, "there is no TOUR_SECTION")
		case key == "TOUR_SECTION":
			return s.tour(p)
		case key == "TYPE" && !strings.EqualFold(value, "TOUR"):
			return nil, s.fail(line, "TYPE is %s, where a tour has TYPE: TOUR", wording.Quote(value))
		case key == "DIMENSION" && value != strconv.Itoa(p.n):
			return nil, s.fail(line, "DIMENSION is %s, and the problem has %d cities", wording.Quote(value), p.n)
		}
	}
}

// tour reads cities up to −1, EOF or the end of the file.
func (s *scanner) tour(p *Problem) ([]int, error) {
	if err := s.enough(float64(p.n), "a tour of "+wording.Count(p.n, "city", "cities")); err != nil {
		return nil, err
	}
	tour := make([]int, 0, p.n)
	seen := make([]bool, p.n)
	for s.numeral() {
		i, err := s.whole("a city of the tour", -1, float64(p.n))
		switch {
		case err != nil:
			return nil, err
		case i == -1:
			return s.complete(tour, p)
		case i == 0:
			return nil, s.fail(s.at, "city 0 is in the tour, and cities are 1 to %d", p.n)
		case seen[i-1]:
			return nil, s.fail(s.at, "city %d is in the tour twice", i)
		}
		seen[i-1] = true
		tour = append(tour, i-1)
	}
	if word, line := s.word(); word != nil && string(word) != "EOF" {
		return nil, s.fail(line, "%s is in the tour, and cities are 1 to %d", wording.Quote(word), p.n)
	}
	return s.complete(tour, p)
}

func (s *scanner) complete(tour []int, p *Problem) ([]int, error) {
	if len(tour) < p.n {
		return nil, s.fail(s.at, "the tour has %s, and the problem %d", wording.Count(len(tour), "city", "cities"), p.n)
	}
	return tour, nil
}

// WriteTour writes a tour of the problem as [ReadTour] reads it, with its length as a comment.
func (p *Problem) WriteTour(to io.Writer, tour []int) error {
	length, err := p.Length(tour)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "NAME : %s\nCOMMENT : length %d\nTYPE : TOUR\nDIMENSION : %d\nTOUR_SECTION\n", p.Name, length, p.n)
	for _, c := range tour {
		w.WriteString(strconv.Itoa(c+1) + "\n")
	}
	w.WriteString("-1\nEOF\n")
	return w.Flush()
}
