package latticereport

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/report"
)

// WriteCSV writes a line for each point, with the names of the JSON object as the head. What does not exist is left empty.
func WriteCSV(w io.Writer, all []*Point) error {
	out := csv.NewWriter(w)
	kind := reflect.TypeFor[Point]()
	var head []string
	for i := range kind.NumField() {
		if kind.Field(i).Type.Kind() == reflect.Slice {
			continue
		}
		name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
		head = append(head, name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for _, p := range all {
		var line []string
		for i := range kind.NumField() {
			if kind.Field(i).Type.Kind() == reflect.Slice {
				continue
			}
			line = append(line, cell(reflect.ValueOf(*p).Field(i)))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cell writes numbers with as many digits as tell them apart.
func cell(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case report.Number:
		return decimal(float64(x))
	case float64:
		return decimal(x)
	}
	return fmt.Sprint(v.Interface())
}

func decimal(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
