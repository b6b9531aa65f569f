package bugs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Monitors reads what to record: names and parts such as beta, theta[1:3],
// Sigma[,2], beta* or deviance. Of an array of which several parts are named, each
// element is a variable of its own.
func (c *Compiled) Monitors(specs []string) ([]model.Monitor, error) {
	var all []model.Monitor
	parts := map[string]int{}
	whole := map[string]bool{}
	for _, s := range c.named(specs) {
		m, err := c.monitor(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
		parts[m.Name]++
		whole[m.Name] = whole[m.Name] || !strings.Contains(s, "[")
	}
	var out []model.Monitor
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
					out = append(out, model.Monitor{Variable: draws.Variable{Name: name}, Cells: m.Cells[k : k+1 : k+1]})
				}
			}
		}
	}
	return out, nil
}

// named puts the arrays that are recorded by default for * in a name.
func (c *Compiled) named(specs []string) []string {
	var all []string
	known, _ := c.DefaultMonitors()
	for _, s := range specs {
		name, part, bracket := strings.Cut(s, "[")
		found := false
		p, err := draws.ParsePattern(name)
		for _, k := range known {
			if err == nil && strings.Contains(name, "*") && p.Matches(k) {
				found = true
				if bracket {
					k += "[" + part
				}
				all = append(all, k)
			}
		}
		if !found {
			all = append(all, s)
		}
	}
	return all
}

func (c *Compiled) monitor(spec string) (model.Monitor, error) {
	name, _, part := strings.Cut(spec, "[")
	name = strings.TrimSpace(name)
	a, ok := c.Model.Array(name)
	if name == model.Deviance && !part && !ok {
		return model.Monitor{Variable: draws.Variable{Name: name}}, nil
	}
	whole := draws.Variable{Name: name}
	if ok {
		whole.Dims = a.Dims
	}
	v, positions, err := whole.Part(spec)
	var unread *draws.PatternError
	switch {
	case errors.As(err, &unread) || ok && err != nil:
		return model.Monitor{}, fmt.Errorf("Job.Monitors %s: %w", wording.Brief(spec), err)
	case !ok:
		return model.Monitor{}, c.noArray(spec, name)
	}
	cells := make([]int32, len(positions))
	for k, p := range positions {
		cells[k] = a.Base + int32(p)
		if c.Model.Kinds[cells[k]] == model.Undefined {
			v.Absent = append(v.Absent, k)
		}
	}
	if len(v.Absent) == len(cells) {
		return model.Monitor{}, fmt.Errorf("Job.Monitors %s: the model defines no element of it", wording.Brief(spec))
	}
	return model.Monitor{Variable: v, Cells: cells}, nil
}

// noArray reports a monitor of what the model does not have.
func (c *Compiled) noArray(spec, name string) error {
	var known []string
	for _, a := range c.Model.Arrays {
		known = append(known, a.Name)
	}
	hint := suggest(name, known)
	if hint == "" {
		hint = "It has " + wording.Few(known, 20) + "."
	}
	return fmt.Errorf("Job.Monitors %s: the model has no %s\n  %s", wording.Brief(spec), wording.Brief(name), hint)
}
