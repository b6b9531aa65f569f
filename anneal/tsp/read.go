package tsp

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// MaxCities is the most cities that a file may have.
const MaxCities = 1 << 24

// farthest bounds coordinates and weights, so that every distance fits 32 bits.
const farthest = 1 << 28

// Read reads a symmetric instance of TSPLIB (Reinelt, TSPLIB 95): types EUC_2D, EUC_3D, MAX_2D, MAX_3D, MAN_2D, MAN_3D, CEIL_2D, GEO, ATT and
// EXPLICIT, the last in every format of matrix, with DISPLAY_DATA_SECTION. The name is for errors, which tell the line.
//
// What changes the problem is refused rather than passed over: weights that depend on the direction (TYPE: ATSP, or a matrix that is not
// symmetric), fixed edges, and weights that are not integers.
func Read(name string, text []byte) (*Problem, error) {
	f := &reader{scanner: newScanner(name, text), p: &Problem{}, spec: map[string]spec{}}
	for {
		key, value, line := f.entry()
		switch {
		case key == "" && len(f.rest) == 0, key == "EOF":
			return f.finish(line)
		case strings.HasSuffix(key, "_SECTION"):
			if err := f.section(key, line); err != nil {
				return nil, err
			}
		default:
			if err := f.specify(key, value, line); err != nil {
				return nil, err
			}
		}
	}
}

// reader is a file on its way to a problem.
type reader struct {
	*scanner
	p        *Problem
	spec     map[string]spec // of the specification, with lines
	sections []string
	checked  bool // what the specification says of types
}

type spec struct {
	value string
	line  int
}

// keys are those of TSPLIB's specification part.
var keys = []string{"NAME", "TYPE", "COMMENT", "DIMENSION", "CAPACITY", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "EDGE_DATA_FORMAT",
	"NODE_COORD_TYPE", "DISPLAY_DATA_TYPE"}

// specify takes a line of the specification.
func (f *reader) specify(key, value string, line int) error {
	if !slices.Contains(keys, key) {
		hint := ""
		switch near := wording.Nearest(key, keys); {
		case near != "":
			hint = ", which may be " + near
		case key != "" && strings.ContainsRune("+-.0123456789", rune(key[0])) && len(f.sections) > 0:
			last := f.sections[len(f.sections)-1]
			return f.fail(line, "%s has more entries than DIMENSION: %d says", last, f.p.n)
		}
		return f.fail(line, "%s is not a key of TSPLIB%s", wording.Quote(key), hint)
	}
	if key == "COMMENT" {
		f.p.Comment = strings.TrimPrefix(f.p.Comment+"\n"+value, "\n")
		return nil
	}
	if old, ok := f.spec[key]; ok {
		return f.fail(line, "%s is given in line %d already", key, old.line)
	}
	f.spec[key] = spec{value, line}
	switch key {
	case "NAME":
		f.p.Name = value
	case "TYPE":
		return f.symmetric(value, line)
	case "DIMENSION":
		n, err := strconv.Atoi(value)
		if err != nil || n < 3 || n > MaxCities {
			return f.fail(line, "DIMENSION is %s, and has to be an integer from 3 to %d", wording.Quote(value), MaxCities)
		}
		f.p.n = n
	}
	return nil
}

// symmetric refuses other problems.
func (f *reader) symmetric(value string, line int) error {
	word, _, _ := strings.Cut(value, " ") // some files have a name after it
	switch strings.ToUpper(word) {
	case "TSP":
		return nil
	case "ATSP":
		return f.fail(line, "TYPE is ATSP: distances that depend on the direction are not supported, only symmetric problems (TYPE: TSP)")
	case "TOUR":
		return f.fail(line, "TYPE is TOUR: the file is a tour and not a problem")
	}
	return f.fail(line, "TYPE is %s, and only symmetric problems (TYPE: TSP) are supported", wording.Quote(value))
}

// types are the weights that are supported, with the number of coordinates.
var types = map[string]int{"EXPLICIT": 0, "EUC_2D": 2, "MAX_2D": 2, "MAN_2D": 2, "CEIL_2D": 2, "GEO": 2, "ATT": 2, "EUC_3D": 3, "MAX_3D": 3, "MAN_3D": 3}

// check looks at the specification as the data begin.
func (f *reader) check(line int) error {
	if f.checked {
		return nil
	}
	f.checked = true
	t, ok := f.spec["EDGE_WEIGHT_TYPE"]
	if f.p.n == 0 || !ok {
		return f.fail(line, "DIMENSION and EDGE_WEIGHT_TYPE have to be given before the data")
	}
	f.p.Type = strings.ToUpper(t.value)
	dims, ok := types[f.p.Type]
	if !ok {
		return f.fail(t.line, "EDGE_WEIGHT_TYPE is %s, and those supported are EXPLICIT, EUC_2D, EUC_3D, MAX_2D, MAX_3D, MAN_2D, MAN_3D, CEIL_2D, GEO and ATT", wording.Quote(t.value))
	}
	c, ok := f.spec["NODE_COORD_TYPE"]
	if want := map[string]int{"TWOD_COORDS": 2, "THREED_COORDS": 3}[strings.ToUpper(c.value)]; ok && dims > 0 && want != dims {
		return f.fail(c.line, "NODE_COORD_TYPE is %s, and EDGE_WEIGHT_TYPE is %s", wording.Quote(c.value), f.p.Type)
	}
	return nil
}

// section reads the data after a key.
func (f *reader) section(key string, line int) error {
	if slices.Contains(f.sections, key) {
		return f.fail(line, "%s is given twice", key)
	}
	f.sections = append(f.sections, key)
	switch key {
	case "NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION":
	case "FIXED_EDGES_SECTION":
		return f.fail(line, "%s: edges that every tour has to contain are not supported", key)
	case "TOUR_SECTION":
		return f.fail(line, "%s: the file is a tour and not a problem", key)
	default:
		return f.fail(line, "%s does not belong to a problem of TYPE: TSP", wording.Quote(key))
	}
	if err := f.check(line); err != nil {
		return err
	}
	switch {
	case key == "EDGE_WEIGHT_SECTION":
		return f.matrix(line)
	case key == "DISPLAY_DATA_SECTION":
		x, y, _, err := f.coordinates(key, 2)
		f.p.display = make([][2]float64, len(x))
		for i := range x {
			f.p.display[i] = [2]float64{x[i], y[i]}
		}
		return err
	}
	return f.nodes(key)
}

// nodes reads the coordinates: for EXPLICIT they are for display.
func (f *reader) nodes(key string) (err error) {
	dims := types[f.p.Type]
	if c := f.spec["NODE_COORD_TYPE"]; dims == 0 && strings.EqualFold(c.value, "THREED_COORDS") {
		dims = 3
	}
	f.p.x, f.p.y, f.p.z, err = f.coordinates(key, max(2, dims))
	return err
}

// coordinates reads a number of each city from 1, in any order, with two or three coordinates.
func (f *reader) coordinates(key string, dims int) (x, y, z []float64, err error) {
	n := f.p.n
	if err := f.enough(memory.Product(n, dims+1), key); err != nil {
		return nil, nil, nil, err
	}
	if err := memory.Room(memory.Product(n, 8*(dims+2))); err != nil {
		return nil, nil, nil, f.fail(f.at, "DIMENSION is %d: %v", n, err)
	}
	all := [3][]float64{}
	for k := range dims {
		all[k] = make([]float64, n)
	}
	seen := make([]bool, n)
	for k := range n {
		if !f.numeral() {
			word, line := f.word()
			return nil, nil, nil, f.fail(line, "%s ends after %s with %s, and DIMENSION is %d", key, wording.Count(k, "city", "cities"), wording.Quote(word), n)
		}
		i, err := f.whole("the number of a city", 1, float64(n))
		if err != nil {
			return nil, nil, nil, err
		}
		if seen[i-1] {
			return nil, nil, nil, f.fail(f.at, "city %d is given twice in %s", i, key)
		}
		seen[i-1] = true
		for c := range dims {
			v, err := f.number("coordinate " + strconv.Itoa(c+1) + " of city " + strconv.Itoa(i))
			if err != nil {
				return nil, nil, nil, err
			}
			if math.Abs(v) > farthest {
				return nil, nil, nil, f.fail(f.at, "coordinate %v of city %d is larger than %d", v, i, farthest)
			}
			all[c][i-1] = v
		}
	}
	return all[0], all[1], all[2], nil
}

// finish looks whether all is there.
func (f *reader) finish(line int) (*Problem, error) {
	if err := f.check(line); err != nil {
		return nil, err
	}
	switch p := f.p; {
	case p.Type == "EXPLICIT" && p.weights == nil:
		return nil, f.fail(line, "EDGE_WEIGHT_TYPE is EXPLICIT, and there is no EDGE_WEIGHT_SECTION")
	case p.Type != "EXPLICIT" && p.x == nil:
		return nil, f.fail(line, "EDGE_WEIGHT_TYPE is %s, and there is no NODE_COORD_SECTION", p.Type)
	case p.Type != "EXPLICIT" && p.weights != nil:
		return nil, f.fail(line, "EDGE_WEIGHT_TYPE is %s, and there is an EDGE_WEIGHT_SECTION", p.Type)
	}
	return f.p, nil
}
