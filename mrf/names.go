package mrf

import (
	"slices"
	"strconv"
)

// VariableName is the name of a variable, or its number.
func (m *Model) VariableName(i int) string {
	if i < len(m.Names) {
		return m.Names[i]
	}
	return strconv.Itoa(i)
}

// ValueName is the name of a value of a variable, or its number.
func (m *Model) ValueName(i, value int) string {
	if i < len(m.Values) && value < len(m.Values[i]) {
		return m.Values[i][value]
	}
	return strconv.Itoa(value)
}

// Variable is the number of the variable of a name, or of a number as text where variables have no names; −1 for none.
func (m *Model) Variable(name string) int {
	if m.Names != nil {
		return slices.Index(m.Names, name)
	}
	return number(name, len(m.Cards))
}

// Value is the number of the value of a name, or of a number as text where values have no names; −1 for none.
func (m *Model) Value(i int, name string) int {
	if i < len(m.Values) {
		return slices.Index(m.Values[i], name)
	}
	return number(name, m.Cards[i])
}

func number(text string, n int) int {
	if k, err := strconv.Atoi(text); err == nil && 0 <= k && k < n {
		return k
	}
	return -1
}
