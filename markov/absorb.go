package markov

// Absorption holds absorption probabilities and times from each transient state.
type Absorption struct {
	Transient []int32     // the states of the rows
	Closed    []int       // the classes of the columns, as numbers in the chain's Classes
	P         [][]float64 // P[r][k]: probability of ending in class Closed[k] from state Transient[r]
	Steps     []float64   // expected number of steps until then
}

// Absorb finds, from each transient state, the probability of ending in each closed class and the expected number of
// steps to get there, by state reduction: every number is accurate, also the smallest. The work grows with the cube of
// the transient states and the square times the classes, the memory with their square: 8 bytes for each pair of a transient
// state and a transient state or closed class, more than 2 GiB of which are refused ([*SizeError]): AbsorbFrom is for
// those chains.
func Absorb(c Chain, cl *Classes) (*Absorption, error) {
	a := &Absorption{Transient: cl.Transient(), Closed: cl.Closed()}
	m, classes := len(a.Transient), len(a.Closed)
	if m == 0 {
		return a, nil
	}
	if size := (&SizeError{What: "absorption", States: m, Columns: m + 2*classes, Advice: "Solver.AbsorbFrom gives it for one start, by iteration"}); size.Bytes() > denseLimit {
		return nil, size
	}
	column := make([]int, len(cl.List))
	for q, k := range a.Closed {
		column[k] = m + q
	}
	r := newReduction(m, m+classes, m)
	at := make([]int, c.Len())
	for k, i := range a.Transient {
		at[i] = k
	}
	for k, i := range a.Transient {
		row := r.row(k)
		for j, v := range c.Row(int(i)) {
			if class := cl.Of[j]; cl.List[class].Closed {
				row[column[class]] += v
			} else {
				row[at[j]] = v
			}
		}
	}
	r.run() // every transient state can reach a closed class
	x := make([]float64, m+classes)
	a.P = make([][]float64, m)
	cells := make([]float64, m*classes)
	for k := range m {
		a.P[k] = cells[k*classes : (k+1)*classes]
	}
	for q := range classes {
		clear(x)
		x[m+q] = 1
		r.back(x)
		for k := range m {
			a.P[k][q] = x[k]
		}
	}
	a.Steps = r.expected(x)
	return a, nil
}

// expected is the expected number of steps until absorption from each eliminated state.
func (r *reduction) expected(x []float64) []float64 {
	clear(x)
	for k := range r.m {
		x[k] = 1
	}
	r.forward(x)
	r.back(x)
	return append([]float64(nil), x[:r.m]...)
}
