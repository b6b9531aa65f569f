package draws

import (
	"fmt"
	"strconv"
	"strings"
)

// arrange finds the variables that a list of column names stands for: runs of
// columns of one name whose indices count through an array in column-major
// order. Columns of other runs become scalars under their own names. parse
// splits a column name into a variable's name and its indices.
func arrange(columns []string, parse func(string) (string, []int)) ([]Variable, error) {
	var vars []Variable
	seen := map[string]bool{}
	add := func(v Variable) error {
		if seen[v.Name] {
			return fmt.Errorf("column %s stands twice", v.Name)
		}
		seen[v.Name] = true
		vars = append(vars, v)
		return nil
	}
	for from := 0; from < len(columns); {
		name, first := parse(columns[from])
		to := from + 1
		last := first
		for ; to < len(columns) && len(first) > 0; to++ {
			n, index := parse(columns[to])
			if n != name || len(index) != len(first) {
				break
			}
			last = index
		}
		v, ok := spanned(name, first, last, columns[from:to], parse)
		if ok && !seen[name] {
			if err := add(v); err != nil {
				return nil, err
			}
			from = to
			continue
		}
		for ; from < to; from++ {
			if err := add(Variable{Name: columns[from]}); err != nil {
				return nil, err
			}
		}
	}
	return vars, nil
}

// spanned returns the array from index first to last when the columns are
// exactly its elements.
func spanned(name string, first, last []int, columns []string, parse func(string) (string, []int)) (Variable, bool) {
	v := Variable{Name: name}
	shifted := false
	for k := range first {
		if last[k] < first[k] {
			return v, false
		}
		v.Dims = append(v.Dims, last[k]-first[k]+1)
		shifted = shifted || first[k] != 1
	}
	if shifted {
		v.Lower = first
	}
	if v.check() != nil || v.Size() != len(columns) {
		return v, false
	}
	at := v.first()
	for _, c := range columns {
		_, index := parse(c)
		for k := range at {
			if index[k] != at[k] {
				return v, false
			}
		}
		v.next(at)
	}
	return v, true
}

// maxIndex bounds the indices in the names of columns.
const maxIndex = 1 << 31

// parseBUGS splits Sigma[1,2] into Sigma and its indices.
func parseBUGS(column string) (string, []int) {
	name, rest, ok := strings.Cut(column, "[")
	inner, closed := strings.CutSuffix(rest, "]")
	if !ok || !closed {
		return column, nil
	}
	if index, ok := parseIndices(strings.Split(inner, ",")); ok && name != "" {
		return name, index
	}
	return column, nil
}

// parseStan splits Sigma.1.2 into Sigma and its indices.
func parseStan(column string) (string, []int) {
	parts := strings.Split(column, ".")
	if index, ok := parseIndices(parts[1:]); ok && parts[0] != "" && len(index) > 0 {
		return parts[0], index
	}
	return column, nil
}

func parseIndices(parts []string) ([]int, bool) {
	index := make([]int, len(parts))
	for k, p := range parts {
		i, err := strconv.Atoi(p)
		if err != nil || i < 0 || i > maxIndex {
			return nil, false
		}
		index[k] = i
	}
	return index, true
}
