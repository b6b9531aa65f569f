package bugs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Monitors reads what to record: names and parts such as beta, theta[1:3],
// Sigma[,2] or deviance. Of an array of which several parts are named, each
// element is a variable of its own.
func (c *Compiled) Monitors(specs []string) ([]plan.Monitor, error) {
	var all []plan.Monitor
	parts := map[string]int{}
	whole := map[string]bool{}
	for _, s := range specs {
		m, err := c.monitor(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
		parts[m.Name]++
		whole[m.Name] = whole[m.Name] || !strings.Contains(s, "[")
	}
	var out []plan.Monitor
	seen := map[string]bool{}
	for _, m := range all {
		switch {
		case parts[m.Name] == 1:
			out = append(out, m)
		case whole[m.Name]:
			if !seen[m.Name] {
				w, _ := c.monitor(m.Name)
				out = append(out, w)
			}
			seen[m.Name] = true
		default:
			for k, name := range m.ElementNames() {
				if _, absent := slices.BinarySearch(m.Absent, k); !absent && !seen[name] {
					seen[name] = true
					out = append(out, plan.Monitor{Variable: draws.Variable{Name: name}, Cells: m.Cells[k : k+1 : k+1]})
				}
			}
		}
	}
	return out, nil
}

func (c *Compiled) monitor(spec string) (plan.Monitor, error) {
	name, index, part := strings.Cut(spec, "[")
	if name == plan.Deviance && !part {
		if _, ok := c.Model.Array(name); !ok {
			return plan.Monitor{Variable: draws.Variable{Name: name}}, nil
		}
	}
	a, ok := c.Model.Array(name)
	if !ok {
		var known []string
		for _, a := range c.Model.Arrays {
			known = append(known, a.Name)
		}
		hint := suggest(name, known)
		if hint == "" {
			hint = "It has " + strings.Join(known, ", ") + "."
		}
		return plan.Monitor{}, fmt.Errorf("--monitor %s: the model has no %s. %s", spec, name, hint)
	}
	lo, n, err := monitorRange(spec, index, part, a)
	if err != nil {
		return plan.Monitor{}, err
	}
	v := draws.Variable{Name: name, Dims: n}
	if part {
		v.Lower = lo
	}
	var cells []int32
	idx := make([][]int32, len(n))
	stride := make([]int32, len(n))
	s := int32(1)
	for k := range n {
		for i := range n[k] {
			idx[k] = append(idx[k], int32(lo[k]+i))
		}
		stride[k] = s
		s *= int32(a.Dims[k])
	}
	eachCell(idx, stride, func(off int32) { cells = append(cells, a.Base+off) })
	for k, cell := range cells {
		if c.Model.Kinds[cell] == model.Hole {
			v.Absent = append(v.Absent, k)
		}
	}
	if len(v.Absent) == len(cells) {
		return plan.Monitor{}, fmt.Errorf("--monitor %s: the model defines no element of it", spec)
	}
	return plan.Monitor{Variable: v, Cells: cells}, nil
}

// monitorRange reads the subscripts of a monitor: lower ends and extents.
func monitorRange(spec, index string, part bool, a *model.Array) (lo, n []int, err error) {
	lo, n = make([]int, len(a.Dims)), slices.Clone(a.Dims)
	for k := range lo {
		lo[k] = 1
	}
	if !part {
		return lo, n, nil
	}
	index, ok := strings.CutSuffix(index, "]")
	subs := strings.Split(index, ",")
	if !ok || len(subs) != len(a.Dims) {
		return nil, nil, fmt.Errorf("--monitor %s: %s has %s", spec, a.Name, plural(len(a.Dims), "dimension"))
	}
	for k, sub := range subs {
		sub = strings.TrimSpace(sub)
		if sub == "" || sub == "*" {
			continue
		}
		from, to, isRange := strings.Cut(sub, ":")
		if !isRange {
			to = from
		}
		f, err1 := strconv.Atoi(strings.TrimSpace(from))
		t, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err1 != nil || err2 != nil || f < 1 || t < f || t > a.Dims[k] {
			return nil, nil, fmt.Errorf("--monitor %s: the subscript %q is not within 1:%d", spec, sub, a.Dims[k])
		}
		lo[k], n[k] = f, t-f+1
	}
	return lo, n, nil
}
