package draws

import (
	"fmt"
	"slices"
)

// Layout says what a run records.
type Layout struct {
	Chains int
	// Posterior, LogLikelihood and Sampled are the variables of a draw: a draw is
	// the elements of Posterior followed by those of the others.
	Posterior     []Variable
	LogLikelihood []Variable
	Sampled       []Variable // the nodes that the kernels move, whatever is monitored
	// Stats names the sample statistics to keep, those of a [Stat] or any others, such as "energy"; nil: all that a Stat has
	// fields for.
	Stats []string
	// SaveWarmup keeps the draws of warm-up too.
	SaveWarmup bool
	// Observed is the data the model was given.
	Observed []Array
	// Origin says what the draws come from, in any words. Draws of another origin
	// are refused where it matters.
	Origin string
}

// Array is a variable with one value: elements in column-major order, NaN
// for what is missing.
type Array struct {
	Variable
	Values []float64
}

// Width is the number of values in a draw.
func (l Layout) Width() int { return Width(l.Variables()) }

// Variables are those of a draw.
func (l Layout) Variables() []Variable {
	return slices.Concat(l.Posterior, l.LogLikelihood, l.Sampled)
}

// Width is the number of values of the variables.
func Width(vars []Variable) int {
	n := 0
	for _, v := range vars {
		n += v.Size()
	}
	return n
}

func (l Layout) check() error {
	if l.Chains < 1 {
		return fmt.Errorf("a run of %d chains cannot be recorded", l.Chains)
	}
	if err := l.checkStats(); err != nil {
		return err
	}
	if err := checkAll(l.Posterior); err != nil {
		return err
	}
	if err := checkAll(l.LogLikelihood); err != nil {
		return fmt.Errorf("log likelihood: %w", err)
	}
	if err := checkAll(l.Sampled); err != nil {
		return fmt.Errorf("sampled nodes: %w", err)
	}
	observed := make([]Variable, len(l.Observed))
	for i, a := range l.Observed {
		observed[i] = a.Variable
		if len(a.Values) != a.Size() {
			return fmt.Errorf("observed %s has %d values for shape %v", a.Name, len(a.Values), a.Dims)
		}
	}
	if err := checkAll(observed); err != nil {
		return fmt.Errorf("observed data: %w", err)
	}
	return nil
}
