package bugs

import (
	"bytes"
	"fmt"
	"math"
)

// value reads a number, a range, c(…), structure(…) and their kin.
func (r *dumpReader) value(inList bool) (rValue, error) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDataNesting {
		return rValue{}, r.fail(r.off, "Write the values as one c(…).", "nested deeper than %d levels", maxDataNesting)
	}
	r.blanks()
	switch c := r.byte(); {
	case c == '-' || c == '+':
		return r.signed(c, inList)
	case c == '(':
		return r.parenthesised(inList)
	case c == '"' || c == '\'':
		_, err := r.skipString()
		return rValue{numbers: numbers{data: []float64{math.NaN()}}, text: true}, err
	case isDigit(c) || c == '.' && r.off+1 < len(r.src) && isDigit(r.src[r.off+1]):
		x, err := r.plainNumber()
		if err != nil {
			return rValue{}, err
		}
		return r.rangeFrom(x)
	}
	return r.named(inList)
}

func (r *dumpReader) plainNumber() (float64, error) {
	start := r.off
	x, ok, err := r.number()
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, r.expected("a number", "Write a number with a decimal point, such as 1.5 or 2e-3.")
	}
	if r.byte() == 'L' {
		r.off++
	}
	if isWord(r.byte()) {
		return 0, r.fail(start, "Write a number with a decimal point, such as 1.5 or 2e-3, or NA.", "%s is not a number", shorten(string(r.src[start:r.off])+string(r.word())))
	}
	return x, nil
}

func (r *dumpReader) signed(sign byte, inList bool) (rValue, error) {
	r.off++
	r.blanks()
	var v rValue
	var err error
	if isDigit(r.byte()) || r.byte() == '.' {
		var x float64 // -2:2 begins at -2
		if x, err = r.plainNumber(); err != nil {
			return rValue{}, err
		}
		if sign == '-' {
			x = -x
		}
		return r.rangeFrom(x)
	}
	if v, err = r.value(inList); err != nil || sign == '+' {
		return v, err
	}
	for i, x := range v.data {
		v.data[i] = -x
	}
	return v, nil
}

func (r *dumpReader) parenthesised(inList bool) (rValue, error) {
	r.off++
	v, err := r.value(inList)
	if err != nil {
		return v, err
	}
	if !r.accept(')') {
		return v, r.expected(`")"`, r.codeHint())
	}
	return v, nil
}

// rangeFrom gives x, or x:y where a colon follows.
func (r *dumpReader) rangeFrom(x float64) (rValue, error) {
	start := r.off
	if !r.accept(':') {
		r.off = start
		return rValue{numbers: numbers{data: []float64{x}}}, nil
	}
	r.blanks()
	negative := r.accept('-')
	r.blanks()
	y, err := r.plainNumber()
	if err != nil {
		return rValue{}, err
	}
	if negative {
		y = -y
	}
	const slack = 1e-10 // as R's ":" allows for rounding
	steps := math.Floor(math.Abs(y-x) + slack)
	if !(steps < float64(maxComputed-r.computed)) {
		return rValue{}, r.fail(start, "Correct the ends of the range, or give its length and loop over 1:N in the model.", "the ranges of this file stand for more than %d values", maxComputed)
	}
	n := int(steps) + 1
	r.computed += n
	v := rValue{numbers: numbers{data: make([]float64, n)}}
	sign := math.Copysign(1, y-x)
	for i := range v.data {
		v.data[i] = x + float64(sign*float64(i))
	}
	return v, nil
}

// named reads what begins with a word: constants and calls.
func (r *dumpReader) named(inList bool) (rValue, error) {
	start := r.off
	w := string(r.word())
	if x, na, ok := constant(w); ok {
		r.off += len(w)
		var v rValue
		if na {
			v.addNA()
		} else {
			v.add(x)
		}
		v.text = w == "NA_character_"
		return v, nil
	}
	if w == "NULL" {
		r.off += len(w)
		return rValue{}, nil
	}
	r.off += len(w)
	if w == "" || !r.accept('(') {
		r.off = start
		return rValue{}, r.expected("a value", "A value is a number, NA, c(…) or structure(c(…), .Dim = c(…)).")
	}
	switch w {
	case "c":
		return r.combine(inList)
	case "structure":
		return r.structure(inList)
	case "as.integer", "as.numeric", "as.double", "as.logical":
		return r.converted(w, inList)
	case "integer", "numeric", "double", "logical", "character":
		return r.empty(w)
	case "list":
		return rValue{}, r.fail(start, "Give its elements as variables of their own. A data frame: one variable a column.", "a list cannot be the value of a variable")
	}
	return rValue{}, r.fail(start, "The file holds values only: R's dump() writes them.", "%s(…) is R code", shorten(w))
}

func constant(w string) (x float64, na, ok bool) {
	switch w {
	case "NA", "NA_real_", "NA_integer_", "NA_character_":
		return 0, true, true
	case "NaN":
		return math.NaN(), false, true
	case "Inf":
		return math.Inf(1), false, true
	case "TRUE", "T":
		return 1, false, true
	case "FALSE", "F":
		return 0, false, true
	}
	return 0, false, false
}

// combine reads the rest of c(…).
func (r *dumpReader) combine(inList bool) (rValue, error) {
	var v rValue
	if r.depth <= 3 {
		v.data = make([]float64, 0, r.countElements())
	}
	if r.accept(')') {
		return v, nil
	}
	for {
		if err := r.element(&v, inList); err != nil {
			return v, err
		}
		r.blanks()
		switch r.byte() {
		case ',':
			r.off++
		case ')':
			r.off++
			return v, nil
		default:
			return v, r.expected(`"," or ")" in c(…)`, r.codeHint())
		}
	}
}

// countElements guesses how many elements follow from the commas up to the
// next ")": exact for a flat c(…), which is what makes files large.
func (r *dumpReader) countElements() int {
	rest := r.src[r.off:]
	if i := bytes.IndexByte(rest, ')'); i >= 0 {
		rest = rest[:i]
	}
	return bytes.Count(rest, []byte(",")) + 1
}

// element adds one argument of c(…) to v; a plain number takes the short way.
func (r *dumpReader) element(v *rValue, inList bool) error {
	r.blanks()
	start, negative := r.off, r.byte() == '-'
	if negative {
		r.off++
	}
	if x, ok, err := r.number(); err != nil {
		return err
	} else if c := r.byte(); ok && (c == ',' || c == ')') {
		if negative {
			x = -x
		}
		v.add(x)
		return nil
	}
	r.off = start
	if err := r.skipElementName(); err != nil {
		return err
	}
	e, err := r.value(inList)
	if err != nil {
		return err
	}
	v.text = v.text || e.text
	v.addAll(&e.numbers)
	return nil
}

// skipElementName drops the name in c(name = value).
func (r *dumpReader) skipElementName() error {
	start := r.off
	_, ok, err := r.name()
	if err != nil || ok && r.accept('=') {
		return err
	}
	r.off = start
	return nil
}

// structure reads the rest of structure(value, .Dim = …), dropping the other
// attributes.
func (r *dumpReader) structure(inList bool) (rValue, error) {
	var v rValue
	var dims []int
	have := false
	for {
		r.blanks()
		start := r.off
		name, ok, err := r.name()
		if err != nil {
			return v, err
		}
		if !ok || !r.accept('=') {
			r.off, name = start, ""
		}
		switch {
		case name == ".Data" || name == "" && !have:
			if v, err = r.value(inList); err != nil {
				return v, err
			}
			have = true
			v.byRows = inList && name == ".Data"
		case name == ".Dim" || name == "dim":
			if dims, err = r.dims(); err != nil {
				return v, err
			}
		default:
			if err := r.skipArgument(); err != nil {
				return v, err
			}
		}
		if r.accept(')') {
			break
		}
		if !r.accept(',') {
			return v, r.expected(`"," or ")" in structure(…)`, r.codeHint())
		}
	}
	if dims != nil {
		v.dims = dims
	}
	return v, nil
}

func (r *dumpReader) dims() ([]int, error) {
	r.blanks()
	start := r.off
	v, err := r.value(false)
	if err != nil {
		return nil, err
	}
	dims := make([]int, len(v.data))
	for i, x := range v.data {
		if !(x >= 0 && x <= 1<<53) || x != math.Trunc(x) {
			return nil, r.fail(start, "Dimensions are whole numbers: .Dim = c(3, 2).", "%v is no dimension", x)
		}
		dims[i] = int(x)
	}
	if len(dims) == 0 {
		return nil, r.fail(start, "Dimensions are whole numbers: .Dim = c(3, 2).", "the dimensions are empty")
	}
	return dims, nil
}

// converted reads the rest of as.integer(…) and its kin.
func (r *dumpReader) converted(f string, inList bool) (rValue, error) {
	v, err := r.value(inList)
	if err != nil {
		return v, err
	}
	if !r.accept(')') {
		return v, r.expected(fmt.Sprintf(`")" after the argument of %s`, f), r.codeHint())
	}
	for i, x := range v.data {
		switch {
		case f == "as.integer":
			v.data[i] = math.Trunc(x)
		case f == "as.logical" && x != 0 && !math.IsNaN(x):
			v.data[i] = 1
		}
	}
	v.dims = nil // as in R, which drops attributes here
	return v, nil
}

// empty reads the rest of integer(0) and its kin, R's vectors of length 0.
func (r *dumpReader) empty(f string) (rValue, error) {
	r.blanks()
	start := r.off
	if !r.accept(')') {
		x, err := r.plainNumber()
		if err != nil {
			return rValue{}, err
		}
		if x != 0 {
			return rValue{}, r.fail(start, "Write the values: c(0, 0, …).", "%s(%v) is R code", f, x)
		}
		if !r.accept(')') {
			return rValue{}, r.expected(`")"`, unclosedHint)
		}
	}
	return rValue{text: f == "character"}, nil
}

// skipArguments steps over the arguments left in a call and its ")".
func (r *dumpReader) skipArguments() error {
	for r.accept(',') {
		if err := r.skipArgument(); err != nil {
			return err
		}
	}
	if !r.accept(')') {
		return r.expected(`"," or ")"`, unclosedHint)
	}
	return nil
}

// skipArgument steps over any R expression up to the "," or ")" after it.
func (r *dumpReader) skipArgument() error {
	open := 0
	for {
		r.blanks()
		switch c := r.byte(); c {
		case 0:
			if r.off >= len(r.src) {
				return r.expected(`")"`, unclosedHint)
			}
			r.off++
		case '"', '\'', '`':
			if _, err := r.skipString(); err != nil {
				return err
			}
		case '(', '[', '{':
			open++
			r.off++
		case ')', ']', '}', ',':
			if open == 0 {
				return nil
			}
			if c != ',' {
				open--
			}
			r.off++
		default:
			r.off++
		}
	}
}
