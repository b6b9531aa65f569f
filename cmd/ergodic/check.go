package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// modelFlags name a model and its data.
type modelFlags struct {
	Model string `arg:"" help:"Model in the BUGS language."`
	modelInput
}

// modelInput is what sample and check ask of a model besides its file.
type modelInput struct {
	Data    []string          `help:"Data file in R's dump format or JSON; may be repeated." placeholder:"FILE" sep:","`
	Sampler map[string]string `help:"Ask for a kernel for some nodes: --sampler 'beta[*]=slice'." placeholder:"NODES=KERNEL"`
	Seed    *uint64           `help:"64-bit seed; drawn from the system and printed when not given."`
}

type checkCmd struct {
	modelFlags
	JSON bool `help:"Print the plan as JSON."`
}

// Run prints the plan of a model.
func (c *checkCmd) Run() error {
	l, err := c.load(0)
	if err != nil {
		return err
	}
	if c.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(l.describe())
	}
	d := l.describe()
	fmt.Printf("%s: %d unobserved nodes that data reach, %d observed, %d without data below, %d computed\n\n", c.Model, d.Unobserved, d.Observed, d.Unreached, d.Logical)
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "kernel\tnodes\texample")
	for _, s := range d.Samplers {
		fmt.Fprintf(w, "%s\t%d\t%s\n", s.Kernel, s.Nodes, s.Example)
	}
	w.Flush()
	for _, m := range l.warnings {
		fmt.Fprintln(os.Stderr, "warning:", m)
	}
	return nil
}

// loaded is a model ready to run.
type loaded struct {
	compiled *bugs.Compiled
	plan     *plan.Plan
	warnings []string
}

type planInfo struct {
	Unobserved int           `json:"unobserved"`
	Observed   int           `json:"observed"`
	Unreached  int           `json:"unreached"`
	Logical    int           `json:"logical"`
	Samplers   []samplerInfo `json:"samplers"`
	Warnings   []string      `json:"warnings"`
}

type samplerInfo struct {
	Kernel  string `json:"kernel"`
	Nodes   int    `json:"nodes"`
	Example string `json:"example"`
}

func (l *loaded) describe() planInfo {
	m := l.compiled.Model
	d := planInfo{Samplers: samplers(l.plan), Warnings: l.warnings, Observed: model.Count(m.ObservedRows())}
	for _, r := range m.Unobserved() {
		if m.Informed(r) {
			d.Unobserved++
		} else {
			d.Unreached++
		}
	}
	for _, t := range m.Templates {
		if t.Stoch == nil {
			d.Logical += t.Rows
		}
	}
	return d
}

// samplers counts the nodes of each kernel of a plan, in the plan's order.
func samplers(p *plan.Plan) []samplerInfo {
	var out []samplerInfo
	at := map[string]int{}
	for _, it := range p.Items {
		k, ok := at[it.Kernel]
		if !ok {
			k = len(out)
			at[it.Kernel] = k
			t, i := p.Model.TemplateOf(it.Rows[0])
			out = append(out, samplerInfo{Kernel: it.Kernel, Example: p.Model.CellName(t.Cells(i)[0])})
		}
		out[k].Nodes += len(it.Rows)
	}
	return out
}
