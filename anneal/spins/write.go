package spins

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// Write writes a state given as spins of −1 and 1: a line for each variable, its label and its value in the model's own terms, separated
// by a tab. An error says why the spins are no state, or comes from w.
func (m *Model) Write(w io.Writer, spins []float64) error {
	if _, err := m.Energy(spins); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for i, s := range spins {
		b.WriteString(m.Label(i))
		b.WriteByte('\t')
		b.WriteString(strconv.Itoa(int(m.value(s))))
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("spins: %w", err)
	}
	return nil
}
