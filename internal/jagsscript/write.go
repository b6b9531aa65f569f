package jagsscript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// write makes a file of a command.
func (s *Session) write(name string, write func(w io.Writer) error) error {
	f, err := os.Create(s.path(name))
	if err != nil {
		return words("Failed to open file: " + err.Error())
	}
	b := bufio.NewWriterSize(f, 1<<16)
	err = write(b)
	return errors.Join(err, b.Flush(), f.Close())
}

// coda writes the monitors of a name, or all: traces as CODA's index and a file for each chain, means and variances as tables; what
// is of all chains together has the number 0.
func (s *Session) coda(name string, options map[string]string) error {
	if err := s.need("Can't dump CODA output", false); err != nil {
		return err
	}
	stem, ok := options["stem"]
	if !ok {
		stem = "CODA"
	}
	var which []*monitor
	for _, m := range s.monitors {
		if name == "*" || m.name == name {
			which = append(which, m)
		}
	}
	switch {
	case len(s.monitors) == 0:
		s.Note("WARNING:\nThere are no monitors\n")
		return nil
	case which == nil:
		s.Note(fmt.Sprintf("WARNINGS:\nNo Monitor %s found.\n", wording.Brief(name)))
		return nil
	}
	var own, pooled []draws.Trace
	var tables []*monitor
	for _, m := range which {
		switch {
		case m.kind != trace:
			tables = append(tables, m)
		case m.nodes != noNodes:
			pooled = append(pooled, m.traces()...)
		default:
			own = append(own, m.traces()...)
		}
	}
	var chains []string
	for c := range s.given {
		chains = append(chains, fmt.Sprintf("%schain%d.txt", stem, c+1))
	}
	return errors.Join(s.writeTraces(stem+"index.txt", chains, own), s.writeTraces(stem+"index0.txt", []string{stem + "chain0.txt"}, pooled), s.writeTables(stem, tables))
}

func (s *Session) writeTraces(index string, chains []string, traces []draws.Trace) error {
	if traces == nil {
		return nil
	}
	var files []io.Writer
	var open func(k int) error
	open = func(k int) error {
		if k < len(chains) {
			return s.write(chains[k], func(w io.Writer) error { files = append(files, w); return open(k + 1) })
		}
		return s.write(index, func(w io.Writer) error { return draws.WriteTraces(w, files, traces) })
	}
	return open(0)
}

// writeTables writes the means and variances of each chain, and those of all.
func (s *Session) writeTables(stem string, all []*monitor) error {
	table := func(chain int, pooled bool) error {
		var b strings.Builder
		for _, m := range all {
			switch {
			case pooled != (m.nodes != noNodes):
			case pooled && m.names != nil:
				for k, x := range m.table() {
					fmt.Fprintf(&b, "%s %s\n", m.names[k], number(x))
				}
			case !pooled:
				for k, name := range m.names {
					x := m.moments[chain][k].Mean()
					if m.kind == variance {
						x = m.moments[chain][k].Variance()
					}
					fmt.Fprintf(&b, "%s %s\n", name, number(x))
				}
			}
		}
		if b.Len() == 0 {
			return nil
		}
		file := 0
		if !pooled {
			file = chain + 1
		}
		return s.write(fmt.Sprintf("%stable%d.txt", stem, file), func(w io.Writer) error { _, err := io.WriteString(w, b.String()); return err })
	}
	err := table(0, true)
	for c := range s.given {
		err = errors.Join(err, table(c, false))
	}
	return err
}

// number is a number as R reads it, with the fewest digits that give it back.
func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+")
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// array writes an array as R's dump does, what is not known as NA.
func array(w io.Writer, name string, dims []int, size int, value func(k int) (x float64, known bool)) error {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` <- \n", name)
	list := func() {
		for k := range size {
			if k > 0 {
				b.WriteByte(',')
			}
			if x, known := value(k); known {
				b.WriteString(number(x))
			} else {
				b.WriteString("NA")
			}
		}
	}
	switch len(dims) {
	case 0:
		list()
	case 1:
		b.WriteString("c(")
		list()
		b.WriteByte(')')
	default:
		b.WriteString("structure(c(")
		list()
		b.WriteString("), .Dim = c(")
		for k, d := range dims {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%dL", d)
		}
		b.WriteString("))")
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// dataTo writes the data: those that were read, and what a data block made of them.
func (s *Session) dataTo(name string, _ map[string]string) error {
	if err := s.need("Can't dump data", false); err != nil {
		return err
	}
	ofBlock := map[string]bool{}
	if s.program.Data != nil {
		defined(s.program.Data.Stmts, ofBlock)
	}
	m := s.compiled.Model
	names := slices.DeleteFunc(slices.Clone(s.data.Names), func(name string) bool { return ofBlock[name] })
	for _, a := range m.Arrays {
		if ofBlock[a.Name] {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	return s.write(name, func(w io.Writer) (err error) {
		for _, name := range names {
			if v := s.data.Values[name]; !ofBlock[name] {
				err = errors.Join(err, array(w, name, v.Dims, len(v.Data), func(k int) (float64, bool) { return v.Data[k], !v.Missing(k) }))
				continue
			}
			a, _ := m.Array(name)
			err = errors.Join(err, array(w, name, a.Dims, a.Size, func(k int) (float64, bool) {
				kind := m.Kinds[a.Base+int32(k)]
				return m.Init[a.Base+int32(k)], kind == model.Constant || kind == model.Observed
			}))
		}
		return err
	})
}

// defined adds the variables that statements define.
func defined(stmts []bugs.Stmt, to map[string]bool) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *bugs.For:
			defined(st.Body, to)
		case *bugs.If:
			defined(st.Then, to)
			defined(st.Else, to)
		case *bugs.Relation:
			to[st.LHS.Name] = true
		}
	}
}

// parametersTo writes the values of a chain's unobserved nodes, to start another run from. Its generator cannot go on in another program, so a seed
// is given.
func (s *Session) parametersTo(name string, options map[string]string) error {
	if err := s.need("Can't dump parameters", true); err != nil {
		return err
	}
	chain, _, err := s.chainsOf(options)
	if err != nil {
		return err
	}
	return s.write(name, func(w io.Writer) (err error) {
		seed := rng.New(s.seed, "parameters", uint64(chain), uint64(s.iteration)).Uint64() >> 34
		if _, err := fmt.Fprintf(w, "`.RNG.name` <- \"base::Mersenne-Twister\"\n`.RNG.seed` <- \n%d\n", seed); err != nil {
			return err
		}
		m := s.compiled.Model
		arrays := slices.Clone(m.Arrays)
		slices.SortFunc(arrays, func(a, b model.Array) int { return strings.Compare(a.Name, b.Name) })
		for _, a := range arrays {
			value := func(k int) (float64, bool) {
				c := a.Base + int32(k)
				return s.states[chain].V[c], m.Kinds[c] == model.Unobserved && !math.IsNaN(s.states[chain].V[c])
			}
			any := false
			for k := 0; k < a.Size && !any; k++ {
				_, any = value(k)
			}
			if any {
				err = errors.Join(err, array(w, a.Name, a.Dims, a.Size, value))
			}
		}
		return err
	})
}

// monitorsTo writes the traces as a list of R.
func (s *Session) monitorsTo(name string, options map[string]string) error {
	if err := s.need("Can't dump monitors", false); err != nil {
		return err
	}
	kind := options["type"]
	if kind == "" {
		kind = trace
	}
	return s.write(name, func(w io.Writer) error {
		var names []string
		var err error
		print := func(format string, args ...any) {
			_, e := fmt.Fprintf(w, format, args...)
			err = errors.Join(err, e)
		}
		print("`%s` <-\nstructure(list(", kind)
		for _, m := range s.monitors {
			if m.kind != kind {
				continue
			}
			if names != nil {
				print(", \n")
			}
			names = append(names, strconv.Quote(m.name))
			m.list(print)
		}
		print("), \n.Names = c(%s))\n", strings.Join(names, ", "))
		return err
	})
}

// list writes a monitor's values as an array with the dimensions element, iteration and chain.
func (m *monitor) list(print func(format string, args ...any)) {
	print("%s = structure(c(", strconv.Quote(m.name))
	sep := ""
	put := func(x float64) { print("%s%s", sep, number(x)); sep = "," }
	dims, named := []string{fmt.Sprintf("%dL", max(len(m.names), 1))}, `""`
	switch {
	case m.kind == trace:
		n, chains := len(m.pooled), 1
		if m.nodes == noNodes {
			n, chains = len(m.values[0][0]), len(m.values)
			for _, chain := range m.values {
				for i := range n {
					for _, element := range chain {
						put(element[i])
					}
				}
			}
			dims, named = []string{fmt.Sprintf("%dL", len(m.names)), fmt.Sprintf("%dL", n), fmt.Sprintf("%dL", chains)}, `"","iteration","chain"`
			break
		}
		for _, x := range m.pooled {
			put(x)
		}
		dims, named = []string{"1L", fmt.Sprintf("%dL", n)}, `"","iteration"`
	case m.nodes != noNodes:
		for _, x := range m.table() {
			put(x)
		}
	default:
		for _, chain := range m.moments {
			for _, one := range chain {
				if m.kind == variance {
					put(one.Variance())
				} else {
					put(one.Mean())
				}
			}
		}
		dims, named = append(dims, fmt.Sprintf("%dL", len(m.moments))), `"","chain"`
	}
	print("), .Dim = structure(c(%s), .Names = c(%s)))", strings.Join(dims, ","), named)
}

func (s *Session) samplersTo(name string, _ map[string]string) error {
	if err := s.need("Can't dump samplers", false); err != nil {
		return err
	}
	return s.write(name, s.writeSamplers)
}

// writeSamplers writes a line for each node: the number of its kernel, the kernel's name, the node.
func (s *Session) writeSamplers(w io.Writer) error {
	m := s.compiled.Model
	for k, it := range s.plan.Items {
		for _, row := range it.Rows {
			t, i := m.TemplateOf(row)
			if _, err := fmt.Fprintf(w, "%d\tergodic::%s\t%s\n", k+1, it.Kernel, m.CellName(t.Cells(i)[0])); err != nil {
				return err
			}
		}
	}
	return nil
}
