// Command uai writes docs/mrf.md, docs/denoise.png and the picture of the examples: what `ergodic mrf` finds on the models of the UAI 2014 competition in the
// test material ($ERGODIC_SHARED, or shared beside the repository), by default and by chains alone, held to the answers that are known.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/mrf"
)

//go:embed mrf.md.tmpl
var page string

func main() {
	limit := flag.String("time", "10s", "limit of the chains of a model; 0 for no chains")
	exact := flag.Bool("exact", false, "print the first table and write nothing")
	flag.Parse()
	run.Main("uai", func(ctx context.Context, dir string) error { return write(ctx, dir, *limit, *exact) })
}

func write(ctx context.Context, dir, limit string, exactOnly bool) error {
	root, err := run.Root()
	if err != nil {
		return err
	}
	models, err := run.Shared("mrf")
	if err != nil {
		return err
	}
	program, err := run.Build(dir)
	if err != nil {
		return err
	}
	b := &bench{program: program, dir: dir, models: models}
	var p struct{ Exact, Chains, Limit string }
	if p.Exact, err = b.table(ctx); err != nil || exactOnly {
		fmt.Print(p.Exact)
		return err
	}
	if limit != "0" {
		if p.Chains, err = b.table(ctx, "--task", "mar,pr", "--method", "tempered", "--time", limit); err != nil {
			return err
		}
	}
	p.Limit = limit
	if err := run.WritePage(filepath.Join(root, "docs", "mrf.md"), page, p); err != nil {
		return err
	}
	return b.picture(ctx, root)
}

// bench is the program that is measured and where its runs are.
type bench struct{ program, dir, models string }

// answer is what ergodic mrf prints as JSON.
type answer struct {
	Method      string
	Width       *int
	Log10Z      *float64 `json:"log10_z"`
	ZConverged  bool     `json:"log10_z_converged"`
	Marginals   [][]float64
	Converged   []bool
	MAPValue    *float64 `json:"map_value"`
	UpdatesPerS *float64 `json:"updates_per_s"`
}

// table has a line for each model that has reference marginals.
func (b *bench) table(ctx context.Context, flags ...string) (string, error) {
	names, err := filepath.Glob(filepath.Join(b.models, "*.uai.MAR"))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-18s %-9s %5s %15s %11s %16s %11s %10s %6s\n", "model", "method", "width", "converged", "error", "log10 Z", "difference", "MAP", "CPU s")
	sum := score{}
	for _, name := range names {
		line, err := b.line(ctx, strings.TrimSuffix(name, ".MAR"), &sum, flags)
		if err != nil {
			return "", err
		}
		out.WriteString(line)
		fmt.Fprint(os.Stderr, line)
	}
	fmt.Fprintf(&out, "\n%d models: all marginals said to have converged on %d, with errors of %.2g and less; log10 Z said to have converged on %d, with\ndifferences of %.2g and less%s.\n",
		len(names), sum.converged, sum.worst, sum.z, sum.difference, sum.modesText())
	return out.String(), nil
}

// modesText says how many states are at least as probable as those of .MAP, where any was asked for.
func (s *score) modesText() string {
	if s.modes == 0 {
		return ""
	}
	return fmt.Sprintf("; the state of .MAP or a better one on %d", s.modes)
}

// score counts what the lines say.
type score struct {
	converged, z, modes int
	worst, difference   float64
}

// line is that of a model.
func (b *bench) line(ctx context.Context, file string, sum *score, flags []string) (string, error) {
	name := strings.TrimSuffix(filepath.Base(file), ".uai")
	args := append([]string{"mrf", file, "--evid", file + ".evid", "--seed", "1", "--threads", "1", "--out", filepath.Join(b.dir, name), "--force", "--progress", "none", "--json"}, flags...)
	used, out, err := run.Command(ctx, "", b.program, args...)
	if err != nil {
		return "", err
	}
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		return "", err
	}
	known, err := reference(file)
	if err != nil {
		return "", err
	}
	good, worst := 0, 0.0
	for i, p := range a.Marginals {
		if !a.Converged[i] {
			continue
		}
		good++
		for v, x := range p {
			worst = max(worst, math.Abs(x-known.marginals[i][v]))
		}
	}
	width, z, difference := "–", "–", "–"
	if a.Width != nil {
		width = fmt.Sprint(*a.Width)
	}
	if good == len(a.Marginals) {
		sum.converged++
	}
	sum.worst = max(sum.worst, worst)
	if a.Log10Z != nil {
		d := *a.Log10Z - known.log10Z
		z, difference = fmt.Sprintf("%.4f", *a.Log10Z), fmt.Sprintf("%+.1e", d)
		if a.ZConverged {
			sum.z++
			sum.difference = max(sum.difference, math.Abs(d))
		} else {
			z += " (flagged)"
		}
	}
	mode := "–"
	if a.MAPValue != nil {
		d := *a.MAPValue - known.mode
		if mode = fmt.Sprintf("%+.4f", d); math.Abs(d) < 1e-6 {
			mode = "the same"
		}
		if d > -1e-6 {
			sum.modes++
		}
	}
	return fmt.Sprintf("%-18s %-9s %5s %15s %11.1e %16s %11s %10s %6.1f\n", name, a.Method, width, fmt.Sprintf("%d of %d", good, len(a.Marginals)), worst, z, difference, mode, used.CPU.Seconds()), nil
}

// known is what is known of a model.
type known struct {
	marginals    [][]float64
	log10Z, mode float64
}

// reference reads the answers beside a model.
func reference(file string) (*known, error) {
	read := func(suffix string) []byte {
		text, e := os.ReadFile(file + suffix)
		if e != nil {
			fmt.Fprintln(os.Stderr, "uai:", e)
		}
		return text
	}
	m, err := mrf.ReadUAI(file, read(""))
	if err != nil {
		return nil, err
	}
	marginals, err := mrf.ReadMAR(file+".MAR", read(".MAR"), m)
	if err != nil {
		return nil, err
	}
	z, err := mrf.ReadPR(file+".PR", read(".PR"))
	if err != nil {
		return nil, err
	}
	states, err := mrf.ReadMAP(file+".MAP", read(".MAP"), m)
	if err != nil {
		return nil, err
	}
	return &known{slices.Concat(marginals...), z[0], m.LogDensity(states[0]) / math.Ln10}, nil
}

// picture makes the example's picture and what is restored of it.
func (b *bench) picture(ctx context.Context, root string) error {
	file := filepath.Join(root, "examples", "lighthouse.png")
	if err := writePicture(file); err != nil {
		return err
	}
	out := filepath.Join(b.dir, "lighthouse")
	if _, _, err := run.Command(ctx, "", b.program, "mrf", "denoise", file, "--levels", "4", "--coupling", "1.3", "--sweeps", "1000", "--seed", "1", "--out", out, "--progress", "none"); err != nil {
		return err
	}
	panels, err := os.ReadFile(filepath.Join(out, "panels.png"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "denoise.png"), panels, 0o666)
}
