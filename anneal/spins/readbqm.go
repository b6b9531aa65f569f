package spins

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// number is a JSON number: encoding/json leaves out null and knows no line.
type number float64

// UnmarshalJSON reads a number that is finite.
func (v *number) UnmarshalJSON(text []byte) error {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("%s is no finite number", wording.Quote(text))
	}
	*v = number(x)
	return nil
}

// bqmFile is dimod's schema 3.0.0.
type bqmFile struct {
	Type    string
	Version struct {
		Schema string `json:"bqm_schema"`
	}
	UseBytes     bool              `json:"use_bytes"`
	Variables    *int              `json:"num_variables"`
	Interactions *int              `json:"num_interactions"`
	Labels       []json.RawMessage `json:"variable_labels"`
	Vartype      string            `json:"variable_type"`
	Offset       number
	Linear       []number `json:"linear_biases"`
	Quadratic    []number `json:"quadratic_biases"`
	Head         []int    `json:"quadratic_head"`
	Tail         []int    `json:"quadratic_tail"`
}

// bqm reads what dimod's BinaryQuadraticModel.to_serializable() gives, as JSON. Couplings of the same pair are added.
func (s *scanner) bqm() (*Model, error) {
	var f bqmFile
	whole := s.rest
	if err := json.Unmarshal(whole, &f); err != nil {
		return nil, s.jsonFault(whole, err)
	}
	if err := f.check(); err != nil {
		return nil, s.fault("%v", err)
	}
	kind := Ising
	if f.Vartype == "BINARY" {
		kind = QUBO
	}
	linear, couplings := make([]float64, len(f.Linear)), make([]Coupling, len(f.Quadratic))
	for i, v := range f.Linear {
		linear[i] = float64(v)
	}
	for k, v := range f.Quadratic {
		i, j := f.Head[k], f.Tail[k]
		if i == j || min(i, j) < 0 || max(i, j) >= len(linear) {
			return nil, s.fault("interaction %d is of variables %d and %d; they are two different ones from 0 to %d", k, i, j, len(linear)-1)
		}
		couplings[k] = Coupling{i, j, float64(v)}
	}
	m, err := s.model(kind, len(linear), linear, couplings)
	if err != nil {
		return nil, err
	}
	m.Offset, m.FromZero = float64(f.Offset), true
	m.Labels, err = labels(f.Labels)
	if err != nil {
		return nil, s.fault("%v", err)
	}
	if err := m.finite(); err != nil {
		return nil, s.fault("%v", err)
	}
	return m, nil
}

func (s *scanner) jsonFault(whole []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch at := int64(0); {
	case errors.As(err, &syntax):
		at = syntax.Offset
		s.line = 1 + bytes.Count(whole[:min(at, int64(len(whole)))], []byte("\n"))
		return s.fault("not JSON: %v", err)
	case errors.As(err, &kind):
		s.line = 1 + bytes.Count(whole[:min(kind.Offset, int64(len(whole)))], []byte("\n"))
		return s.fault("%s cannot be JSON's %s", wording.Brief(kind.Field), wording.Brief(kind.Value))
	}
	return s.fault("%v", err)
}

// check says what is not as the schema has it.
func (f *bqmFile) check() error {
	switch {
	case f.Type != "BinaryQuadraticModel":
		return fmt.Errorf("type is %s, not BinaryQuadraticModel; write the file with dimod's to_serializable()", wording.Quote(f.Type))
	case f.Version.Schema != "3.0.0":
		return fmt.Errorf("bqm_schema is %s; 3.0.0 can be read", wording.Quote(f.Version.Schema))
	case f.UseBytes:
		return errors.New("the numbers are bytes (use_bytes is true); write the file with to_serializable(use_bytes=False)")
	case f.Vartype != "SPIN" && f.Vartype != "BINARY":
		return fmt.Errorf("variable_type is %s; it is SPIN or BINARY", wording.Quote(f.Vartype))
	case f.Variables == nil || *f.Variables != len(f.Linear) || *f.Variables > MaxVariables:
		return fmt.Errorf("num_variables does not agree with the %s of linear_biases", wording.Count(len(f.Linear), "number", "numbers"))
	case f.Labels != nil && len(f.Labels) != len(f.Linear):
		return fmt.Errorf("variable_labels are %d, and variables %d", len(f.Labels), len(f.Linear))
	case f.Interactions == nil || *f.Interactions != len(f.Quadratic):
		return fmt.Errorf("num_interactions does not agree with the %s of quadratic_biases", wording.Count(len(f.Quadratic), "number", "numbers"))
	case len(f.Head) != len(f.Quadratic) || len(f.Tail) != len(f.Quadratic):
		return fmt.Errorf("quadratic_biases are %d, quadratic_head %d and quadratic_tail %d; they belong together", len(f.Quadratic), len(f.Head), len(f.Tail))
	}
	return nil
}

// labels are texts as they are, and everything else as JSON has it. Nil stands for the numbers from 0.
func labels(all []json.RawMessage) ([]string, error) {
	var names []string
	seen, plain := map[string]bool{}, true
	for i, raw := range all {
		var text bytes.Buffer
		if err := json.Compact(&text, raw); err != nil {
			return nil, err
		}
		name := text.String()
		if seen[name] {
			return nil, fmt.Errorf("two variables have the label %s", wording.Brief(name))
		}
		seen[name] = true
		plain = plain && name == strconv.Itoa(i)
		var word string
		if raw[0] == '"' && json.Unmarshal(raw, &word) == nil {
			name = word
		}
		names = append(names, name)
	}
	if plain {
		return nil, nil
	}
	return names, nil
}
