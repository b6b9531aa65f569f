package markov

import "fmt"

// DenseStates is the most states for which a dense matrix is made: it takes 2 GiB.
const DenseStates = 1 << 14

// denseLimit is the size of that matrix in bytes.
const denseLimit = 8 * DenseStates * DenseStates

// SizeError reports that a computation would take a dense matrix beyond 2 GiB.
type SizeError struct {
	What    string // the quantity to compute
	States  int    // the matrix has a row for each
	Columns int    // columns, of 8 bytes an entry; 0: one for each state
	Advice  string // what to do instead
}

// Bytes is the size of the matrix.
func (e *SizeError) Bytes() float64 {
	columns := e.Columns
	if columns == 0 {
		columns = e.States
	}
	return 8 * float64(e.States) * float64(columns)
}

// Reason is the message without the advice.
func (e *SizeError) Reason() string {
	return fmt.Sprintf("%s of %d states would take a dense matrix of %.3g bytes (%.1f GiB); at most %d GiB are used", e.What, e.States, e.Bytes(), e.Bytes()/(1<<30), denseLimit>>30)
}

func (e *SizeError) Error() string { return "markov: " + e.Reason() + "; " + e.Advice }

// fits refuses matrices that are too large before they are allocated.
func fits(what string, states int, advice string) error {
	if states <= DenseStates {
		return nil
	}
	return &SizeError{What: what, States: states, Advice: advice}
}
