// Command posteriordb runs ergodic sample on posteriors of posteriordb (Magnusson and others, github.com/stan-dev/posteriordb), written in BUGS
// in bench/posteriordb/models, by the default plan and with NUTS asked for wherever it can be had, and compares means and
// standard deviations with the reference draws. Data and references are read from the test material.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/against"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// unsaid are the posteriors that no program here is of, with the reason.
var unsaid = map[string]string{
	"hudson_lynx_hare-lotka_volterra":           "the language has no solver of differential equations",
	"one_comp_mm_elim_abs-one_comp_mm_elim_abs": "the language has no solver of differential equations",
}

func main() {
	only := flag.String("only", "", "regular expression of the posteriors to run")
	program := flag.String("ergodic", "", "program to measure; built when empty")
	verbose := flag.Bool("v", false, "print the worst differences above 4, and warnings")
	wall := flag.Duration("limit", 5*time.Minute, "wall-clock time of a process, after which it counts as failed")
	j := run.Job{Chains: 4}
	flag.Uint64Var(&j.Seed, "seed", 1, "seed")
	flag.IntVar(&j.Warmup, "warmup", 1000, "warm-up iterations")
	flag.IntVar(&j.Draws, "draws", 1000, "draws per chain")
	flag.IntVar(&j.Threads, "threads", 0, "threads; 0 for all cores")
	flag.Parse()
	run.Main("posteriordb", func(ctx context.Context, dir string) error {
		j.Out = filepath.Join(dir, "run")
		return compare(ctx, dir, *program, *only, j, *wall, *verbose)
	})
}

func compare(ctx context.Context, dir, program, only string, j run.Job, wall time.Duration, verbose bool) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	all, err := posteriors()
	if err != nil {
		return err
	}
	if program, err = run.Program(dir, program); err != nil {
		return err
	}
	fmt.Println(run.Machine())
	fmt.Println("go run ./bench/posteriordb", strings.Join(os.Args[1:], " "))
	var t totals
	t.head()
	for _, p := range all {
		if !match.MatchString(p.name) || ctx.Err() != nil {
			continue
		}
		if why := unsaid[p.name]; why != "" {
			t.unsaid(p.name, why)
			continue
		}
		forced, err := p.withNUTS()
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		t.add(p, p.sample(ctx, program, j, nil, wall), p.sample(ctx, program, j, forced, wall), verbose)
	}
	t.print(j)
	return ctx.Err()
}

// posterior is one of posteriordb.
type posterior struct {
	name        string
	model, data string // files
	reference   *against.Reference
	usable      bool // its reference can be compared with
}

// posteriors finds all in the test material.
func posteriors() ([]posterior, error) {
	root, err := run.Root()
	if err != nil {
		return nil, err
	}
	shared, err := run.Shared("posteriordb")
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(shared, "*", "reference.json"))
	if err != nil {
		return nil, err
	}
	var all []posterior
	for _, path := range files {
		dir := filepath.Dir(path)
		p := posterior{name: filepath.Base(dir), data: filepath.Join(dir, "data.json")}
		_, model, _ := strings.Cut(p.name, "-")
		p.model = filepath.Join(root, "bench", "posteriordb", "models", model+".bug")
		if p.reference, err = readReference(path); err != nil {
			return nil, err
		}
		if p.usable, err = usable(filepath.Join(dir, "info.json")); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// readReference takes the standard error of a mean from the effective sample size where the file does not give it.
func readReference(path string) (*against.Reference, error) {
	var elements map[string]struct {
		Mean, SD float64
		MCSE     float64 `json:"mcse_mean"`
		ESS      float64 `json:"ess_bulk"`
	}
	if err := readJSON(path, &elements); err != nil {
		return nil, err
	}
	r := new(against.Reference)
	r.Params = make(map[string]against.Param, len(elements))
	for name, e := range elements {
		if e.MCSE == 0 && e.ESS > 0 {
			e.MCSE = e.SD / math.Sqrt(e.ESS)
		}
		r.Params[name] = against.Param{Mean: e.Mean, SD: e.SD, MCSE: e.MCSE, ESS: e.ESS}
	}
	return r, nil
}

func usable(path string) (bool, error) {
	info := struct {
		Usable *bool `json:"usable_as_reference"`
	}{}
	err := readJSON(path, &info)
	return info.Usable == nil || *info.Usable, err
}

func readJSON(path string, to any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// withNUTS are overrides that ask for NUTS for every variable of which it can be had.
func (p posterior) withNUTS() (overrides []string, err error) {
	c, err := run.Compile(p.model, p.data, rng.New(1, "bench posteriordb").Rand)
	if err != nil {
		return nil, err
	}
	whole, err := plan.New(c.Model, nil)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, it := range whole.Items {
		for _, row := range it.Rows {
			t, i := c.Model.TemplateOf(row)
			name, _, _ := strings.Cut(c.Model.CellName(t.Cells(i)[0]), "[")
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		matches := func(element string) bool { n, _, _ := strings.Cut(element, "["); return n == name }
		if _, err := plan.New(c.Model, []*plan.Override{{Pattern: name, Kernel: "nuts", Match: matches}}); err == nil {
			overrides = append(overrides, name+"=nuts")
		}
	}
	return overrides, nil
}

// outcome is one run, compared.
type outcome struct {
	against.Comparison
	warnings  []string
	cpu       time.Duration
	divergent float64 // NaN: no trajectories
	err       error
}

// sample runs the program and compares.
func (p posterior) sample(ctx context.Context, program string, j run.Job, overrides []string, wall time.Duration) (o outcome) {
	ctx, cancel := context.WithTimeout(ctx, wall)
	defer cancel()
	j.Model, j.Data, j.Monitor, j.Samplers = p.model, []string{p.data}, p.reference.Variables(), overrides
	s, usage, err := run.Sample(ctx, program, j)
	if o.cpu = usage.CPU; err != nil {
		o.err = err
		return o
	}
	for _, w := range s.Warnings {
		o.warnings = append(o.warnings, w.Code)
	}
	o.Comparison = against.Compare(s, p.reference)
	_, o.divergent, o.err = run.Trajectories(j.Out)
	return o
}

// errLine is the first line of a failure.
func errLine(err error) string {
	if failure := (*run.Failure)(nil); errors.As(err, &failure) {
		for line := range strings.Lines(failure.Message) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "note:") && !strings.HasPrefix(line, "seed ") {
				return line
			}
		}
	}
	return err.Error()
}
