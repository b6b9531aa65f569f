package plan

import (
	"fmt"
	"slices"
	"strings"
)

// AutoName is what an [Override] asks for that leaves its nodes to the plan, whatever others ask for.
const AutoName = "auto"

// Override asks for a kernel by name for the nodes that Match selects. What cannot be
// had is an error of [New], and so are two that ask for different kernels for a node, unless one is [AutoName].
type Override struct {
	Pattern string
	Kernel  string
	Match   func(name string) bool
}

func (o *Override) fault(format string, args ...any) error {
	return fmt.Errorf("plan.Override %s=%s: %s", o.Pattern, o.Kernel, fmt.Sprintf(format, args...))
}

// Kernels lists the names an override may ask for.
func Kernels() []string {
	var names []string
	for _, f := range factories() {
		names = append(names, f.names...)
	}
	return append(names, AutoName)
}

// ask finds the nodes that overrides name.
func (p *planner) ask(over []*Override) error {
	if len(over) == 0 {
		return nil
	}
	named := make([]bool, len(over))
	for _, row := range p.rows {
		name := p.name(row)
		if p.Model.IsCut(row) { // takes the value that it is given, whatever a pattern for many nodes asks for
			continue
		}
		if leaves(over, name, named) {
			continue
		}
		for _, o := range over {
			if !o.Match(name) {
				continue
			}
			if first := p.asked[row]; first != nil && first.Kernel != o.Kernel {
				return o.fault("%s=%s names %s too", first.Pattern, first.Kernel, name)
			}
			p.asked[row] = o
		}
	}
	for k, o := range over {
		if known := Kernels(); !slices.Contains(known, o.Kernel) {
			return o.fault("there is no sampler %s to ask for; there are %s", o.Kernel, strings.Join(known, ", "))
		}
		if !named[k] {
			for _, row := range p.rows {
				if name := p.name(row); p.Model.IsCut(row) && o.Match(name) {
					return o.fault("%s is a cut, which takes the value that it is given", name)
				}
			}
			return fmt.Errorf("plan.Override %s=%s names no unobserved node that data reach", o.Pattern, o.Kernel)
		}
	}
	return nil
}

// leaves tells whether an override leaves a node to the plan. Those that name the node are marked.
func leaves(over []*Override, name string, named []bool) (auto bool) {
	for k, o := range over {
		if o.Match(name) {
			named[k] = true
			auto = auto || o.Kernel == AutoName
		}
	}
	return auto
}

// unmet tells of an override that a node has not followed.
func (p *planner) unmet() error {
	if len(p.asked) == 0 {
		return nil
	}
	got := map[int32]string{}
	for _, it := range p.Items {
		if it.Kernel == shiftName {
			continue // beside what was asked for
		}
		for _, r := range it.Rows {
			got[r] = it.Kernel
		}
	}
	for _, row := range p.rows {
		o := p.asked[row]
		if o == nil || got[row] == o.Kernel {
			continue
		}
		t, _ := p.Model.TemplateOf(row)
		return o.fault("%s ~ %s does not allow it%s%s\n  Leave it out, and the plan chooses.", p.name(row), t.Stoch.Name, why(o.Kernel, got[row]), p.without(o, row))
	}
	return nil
}

// without says how the node is left out, where the override names others too.
func (p *planner) without(o *Override, row int32) string {
	if !slices.ContainsFunc(p.rows, func(r int32) bool { return r != row && p.asked[r] == o }) {
		return ""
	}
	array, _, _ := strings.Cut(p.name(row), "[")
	return fmt.Sprintf("; plan.Override '%s=%s' beside it leaves %s to the plan", array, AutoName, array)
}

// why says what a kernel that moves several nodes takes, or what a node gets instead.
func why(asked, got string) string {
	if got != "" {
		return "; it is in a " + got
	}
	for _, f := range factories() {
		if f.takes != "" && slices.Contains(f.names, asked) {
			return "; such a kernel takes " + f.takes
		}
	}
	return ""
}

func (p *Plan) name(row int32) string {
	t, i := p.Model.TemplateOf(row)
	return p.Model.CellName(t.Cells(i)[0])
}
