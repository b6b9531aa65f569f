package modereport

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/model"
)

// WriteInits writes the values of nodes at the mode as initial values, in JSON: arrays nested by rows, null for what is no node.
func (s *Search) WriteInits(to io.Writer) error {
	state := s.surface.Move(s.tops[0].X)
	wanted := map[int32]bool{}
	for _, c := range s.surface.Cells() {
		wanted[c] = true
	}
	b := bufio.NewWriter(to)
	sep := "{\n "
	for _, a := range s.Plan.Model.Arrays {
		some := false
		for k := range int32(a.Size) {
			some = some || wanted[a.Base+k]
		}
		if !some {
			continue
		}
		name, err := json.Marshal(a.Name)
		if err != nil {
			return err
		}
		b.WriteString(sep)
		b.Write(name)
		b.WriteString(": ")
		w := nested{b, a, wanted, state}
		w.write(0, 0, 1)
		sep = ",\n "
	}
	b.WriteString("\n}\n")
	return b.Flush()
}

// nested writes an array.
type nested struct {
	*bufio.Writer
	of     model.Array
	wanted map[int32]bool
	s      *model.State
}

// write writes what the first dims indices lead to: elements at and on, so many apart.
func (w nested) write(dim, at, stride int) {
	if dim == len(w.of.Dims) {
		c := w.of.Base + int32(at)
		if x := w.s.At(c); w.wanted[c] && !math.IsNaN(x) && !math.IsInf(x, 0) {
			w.WriteString(strconv.FormatFloat(x, 'g', -1, 64))
		} else {
			w.WriteString("null")
		}
		return
	}
	w.WriteByte('[')
	for k := range w.of.Dims[dim] {
		if k > 0 {
			w.WriteString(", ")
		}
		w.write(dim+1, at+k*stride, stride*w.of.Dims[dim])
	}
	w.WriteByte(']')
}
