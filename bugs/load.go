package bugs

import (
	"fmt"
	"sort"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/model"
)

// ReadDataFiles reads and merges data files.
func ReadDataFiles(files []string) (*Data, error) {
	all := &Data{Values: map[string]*Value{}}
	for _, f := range files {
		b, err := regular.ReadFile(f)
		if err != nil {
			return nil, err
		}
		d, err := ReadData(f, b)
		if err != nil {
			return nil, err
		}
		if err := all.Merge(d); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Inits turns a file of initial values into values of unobserved nodes.
// Names that the model does not have, or that cannot be set, become warnings.
func (c *Compiled) Inits(d *Data) (in model.Inits, warnings []string, err error) {
	m := c.Model
	in = model.Inits{}
	for _, name := range d.Names {
		v := d.Values[name]
		a, ok := m.Array(name)
		if !ok {
			warnings = append(warnings, fmt.Sprintf("the initial values give %s, which the model does not have", name))
			continue
		}
		if len(v.Data) != a.Size || !equalInts(dimsOrOne(v.Dims), dimsOrOne(a.Dims)) {
			return nil, nil, &Error{File: v.File, Pos: v.Pos, Hint: "Give it the shape it has in the model, with NA for what is not to be set.",
				Msg: fmt.Sprintf("the initial values of %s have the shape %s, in the model it is %s", name, timesText(v.Dims), timesText(a.Dims))}
		}
		if u, ok := m.Array(name + carMark); ok && u.Size == a.Size {
			a = u
		}
		set, refused := 0, ""
		for k, x := range v.Data {
			if v.Missing(k) {
				continue
			}
			cell := a.Base + int32(k)
			switch m.Kinds[cell] {
			case model.Unobserved:
				in[cell] = x
				set++
			case model.Logical:
				refused = "it is computed from other nodes"
			default:
				refused = "it has data"
			}
		}
		if set == 0 && refused != "" {
			warnings = append(warnings, fmt.Sprintf("the initial value of %s is ignored: %s", name, refused))
		}
	}
	return in, append(warnings, d.Notes...), nil
}

// defaultLogical is the size up to which a computed array is monitored unasked.
const defaultLogical = 100

// DefaultMonitors are what is recorded when nothing is asked for: every
// unobserved node and every computed quantity of at most 100 elements.
func (c *Compiled) DefaultMonitors() (names, left []string) {
	m := c.Model
	for _, a := range m.Arrays {
		if Hidden(a.Name) {
			continue
		}
		var n [5]int
		for k := range int32(a.Size) {
			n[m.Kinds[a.Base+k]]++
		}
		free, logical := n[model.Unobserved], n[model.Logical]
		if _, ok := m.Array(a.Name + carMark); ok {
			free, logical = free+logical, 0
		}
		switch {
		case free > 0 && free+logical >= n[model.Observed]:
			names = append(names, a.Name)
		case free > 0:
			left = append(left, a.Name)
		case logical > 0 && a.Size-n[model.Undefined] <= defaultLogical:
			names = append(names, a.Name)
		case logical > 0:
			left = append(left, a.Name)
		}
	}
	sort.Strings(names)
	return names, left
}
