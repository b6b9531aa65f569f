package markov

import (
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// columns are the fields of a transition: where it begins, where it ends, its probability.
type columns [3]int

var inOrder = columns{0, 1, 2}

var headerNames = map[string]int{"from": 0, "source": 0, "to": 1, "target": 1, "probability": 2, "prob": 2, "p": 2, "weight": 2}

// known gives for each field of the line the column that it names, −1 for none, and counts each column.
func (in *lines) known() (means []int, times [3]int) {
	for k := range in.fields {
		at, ok := headerNames[strings.ToLower(string(in.get(k)))]
		if !ok {
			at = -1
		} else {
			times[at]++
		}
		means = append(means, at)
	}
	return means, times
}

// namesEdges reports whether the line is the header of a list of transitions: it names each column once.
func (in *lines) namesEdges() bool {
	_, times := in.known()
	return times == [3]int{1, 1, 1}
}

// takeHeader sets the order of the columns from the header. Where both ends of transitions are named, the third column is the
// probability; where they are not, names must be in the default order.
func (e *edgeReader) takeHeader() error {
	e.header = e.number
	means, times := e.known()
	if times[0] == 1 && times[1] == 1 {
		for k, at := range means {
			if at < 0 {
				at = 2
			}
			e.columns[at] = k
		}
		return nil
	}
	for k, at := range means {
		if at >= 0 && at != k {
			return e.fault(e.fields[k].from, "the heading %s stands in column %d, and the other headerNames do not tell what the columns are; name them from, to and probability", wording.Quote(e.get(k)), k+1)
		}
	}
	return nil
}
