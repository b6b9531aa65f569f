package main

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// planInfo is what check prints. Counts are of nodes; a multivariate node is
// one.
type planInfo struct {
	Model       string        `json:"model"`
	Sampled     int           `json:"sampled"`
	Observed    int           `json:"observed"`
	Unreached   int           `json:"unreached"`
	Computed    int           `json:"computed"`
	Nodes       []nodeInfo    `json:"nodes"`
	Samplers    []samplerInfo `json:"samplers"`
	Monitors    []string      `json:"monitors"`
	Unmonitored []string      `json:"unmonitored"`
	Warnings    []string      `json:"warnings"`
	Findings    []finding     `json:"findings,omitempty"` // of --strict
}

// nodeInfo is the elements of an array that have the same role.
type nodeInfo struct {
	Name          string   `json:"name"`
	Dims          []int    `json:"dims"`
	Role          string   `json:"role"`
	Elements      int      `json:"elements"`
	Distributions []string `json:"distributions"`
	Kernels       []string `json:"kernels"`
}

type samplerInfo struct {
	Kernel  string `json:"kernel"`
	Nodes   int    `json:"nodes"`
	Example string `json:"example"`
	Why     string `json:"why,omitempty"`
}

// Roles of nodes.
const (
	roleSampled   = "sampled"
	roleUnreached = "no data below"
	roleObserved  = "observed"
	roleComputed  = "computed"
	roleData      = "data"
)

func (l *loaded) describe(name string) *planInfo {
	m := l.compiled.Model
	d := &planInfo{Model: name, Samplers: l.samplers(), Warnings: slices.Clone(l.warnings), Observed: model.Count(m.ObservedRows())}
	for _, r := range m.Unobserved() {
		if m.Informed(r) {
			d.Sampled++
		} else {
			d.Unreached++
		}
	}
	for _, t := range m.Templates {
		if t.Stoch == nil {
			d.Computed += t.Rows
		}
	}
	d.Nodes = l.nodes()
	d.Monitors, d.Unmonitored = l.compiled.DefaultMonitors()
	var alone []string
	for _, n := range d.Nodes {
		if n.Role == roleUnreached {
			alone = append(alone, n.Name)
		}
	}
	if len(alone) > 0 {
		d.Warnings = append(d.Warnings, "no data depend on "+wording.Few(alone, fewNames)+": drawn from the prior, or predicted")
	}
	if d.Observed == 0 {
		d.Warnings = append(d.Warnings, "nothing is observed: without --data this samples the prior")
	}
	return d
}

// fewNames is how many names a note lists.
const fewNames = 12

// nodes lists the arrays by role.
func (l *loaded) nodes() []nodeInfo {
	m := l.compiled.Model
	kernels := map[int32][]string{}
	for _, it := range l.plan.Items {
		for _, r := range it.Rows {
			kernels[r] = include(kernels[r], it.Kernel)
		}
	}
	var out []nodeInfo
	for _, a := range m.Arrays {
		at := map[string]int{}
		for k := range int32(a.Size) {
			role := roleOf(m, a.Base+k)
			if role == "" || bugs.Hidden(a.Name) && role != roleSampled {
				continue
			}
			i, ok := at[role]
			if !ok {
				i = len(out)
				at[role] = i
				out = append(out, nodeInfo{Name: a.Name, Dims: a.Dims, Role: role})
			}
			n := &out[i]
			n.Elements++
			row := m.DefRow(a.Base + k)
			if row < 0 {
				continue
			}
			if t, _ := m.TemplateOf(row); t.Stoch != nil {
				n.Distributions = include(n.Distributions, t.Stoch.Name)
			}
			for _, kernel := range kernels[row] {
				n.Kernels = include(n.Kernels, kernel)
			}
		}
	}
	return out
}

// roleOf is "" for an element that the model never defines.
func roleOf(m *model.Model, cell int32) string {
	switch m.Kinds[cell] {
	case model.Constant:
		return roleData
	case model.Logical:
		return roleComputed
	case model.Observed:
		return roleObserved
	case model.Unobserved:
		if m.Informed(m.DefRow(cell)) {
			return roleSampled
		}
		return roleUnreached
	}
	return ""
}

func include(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// samplers are those of the plan, and before them the one that runs it.
func (l *loaded) samplers() []samplerInfo {
	all := samplers(l.plan)
	if !l.tempered || len(all) == 0 {
		return all
	}
	over := samplerInfo{Kernel: plan.TemperedName, Example: all[0].Example}
	seen := map[int32]bool{}
	for _, it := range l.plan.Items {
		for _, r := range it.Rows {
			seen[r] = true
		}
	}
	over.Nodes = len(seen)
	return slices.Insert(all, 0, over)
}

// samplers counts the nodes of each kernel of a plan, in the plan's order. One that several kernels
// of a name move is one node.
func samplers(p *plan.Plan) []samplerInfo {
	var out []samplerInfo
	at := map[string]int{}
	var counted [][]bool
	for _, it := range p.Items {
		k, ok := at[it.Kernel]
		if !ok {
			k = len(out)
			at[it.Kernel] = k
			t, i := p.Model.TemplateOf(it.Rows[0])
			out = append(out, samplerInfo{Kernel: it.Kernel, Example: p.Model.CellName(t.Cells(i)[0]), Why: it.Why})
			counted = append(counted, make([]bool, p.Model.Rows()))
		}
		for _, r := range it.Rows {
			if !counted[k][r] {
				counted[k][r] = true
				out[k].Nodes++
			}
		}
	}
	return out
}
