package annealreport

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Known finds the value of an instance in a text that a user keeps: a line for each, the instance's name, which is that of its file with or
// without ending, and the value, apart by spaces, a comma, a semicolon or a colon. In CSV with a header, the value is in the first column
// whose name has best, optim or value in it, and otherwise in the second. Words of the line after these are not read.
func Known(name string, text []byte, instance string) (float64, error) {
	base := filepath.Base(instance)
	bare := strings.TrimSuffix(base, filepath.Ext(base))
	column := 1
	var names []string
	at := 0
	for line := range strings.Lines(string(text)) {
		at++
		fields := cut(line)
		if len(fields) < 2 {
			continue
		}
		if c, ok := header(fields); ok && names == nil {
			column = c
			continue
		}
		names = append(names, fields[0])
		if fields[0] != base && fields[0] != bare {
			continue
		}
		if column >= len(fields) {
			return 0, fmt.Errorf("%s", wording.At(name, at, 0, fmt.Sprintf("%s has no value in column %d", wording.Quote(fields[0]), column+1)))
		}
		v, err := strconv.ParseFloat(fields[column], 64)
		if err != nil {
			return 0, fmt.Errorf("%s", wording.At(name, at, 0, fmt.Sprintf("the value of %s is %s; write a number", wording.Quote(fields[0]), wording.Quote(fields[column]))))
		}
		return v, nil
	}
	hint := ""
	if near := wording.Nearest(bare, names); near != "" {
		hint = "; did you mean " + wording.Quote(near) + "?"
	}
	return 0, fmt.Errorf("%s has no value of %s%s", wording.Brief(name), wording.Quote(bare), hint)
}

// cut splits a line at commas or semicolons where it has one, and otherwise at spaces and colons.
func cut(line string) []string {
	line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if strings.HasPrefix(line, "#") {
		return nil
	}
	if strings.ContainsAny(line, ",;") {
		fields := strings.FieldsFunc(line+" ", func(r rune) bool { return r == ',' || r == ';' })
		for i := range fields {
			fields[i] = strings.Trim(fields[i], " \t\"")
		}
		return fields
	}
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ':' || r == '=' })
}

// header tells a line of names, and the column of the value.
func header(fields []string) (column int, is bool) {
	for _, f := range fields[1:] {
		if _, err := strconv.ParseFloat(f, 64); err == nil {
			return 0, false
		}
	}
	for k, f := range fields {
		f = strings.ToLower(f)
		if k > 0 && (strings.Contains(f, "best") || strings.Contains(f, "optim") || strings.Contains(f, "value")) {
			return k, true
		}
	}
	return 1, true
}
