package draws

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// CmdStanRun is what the header of a CmdStan file says of a run.
type CmdStanRun struct {
	Model  string
	Seed   uint64
	Warmup int // iterations
	Thin   int // 0 means 1
	// Seconds of CPU of one chain.
	WarmupSeconds, SamplingSeconds float64
}

// WriteCmdStan writes one chain as a CSV file in the form of CmdStan 2.37,
// which cmdstanpy, cmdstanr and rstan read; name it like model_1.csv. Stan
// has no dots in names: beta.age becomes beta_age. Arrays count from 1.
// What no Stan sampler ran for is nan: the step size and the energy.
func WriteCmdStan(w io.Writer, g Groups, chain int, run CmdStanRun) error {
	if g.Posterior == nil || chain < 0 || chain >= g.Posterior.Chains() {
		return fmt.Errorf("writing CmdStan CSV: there is no chain %d", chain+1)
	}
	b := bufio.NewWriterSize(w, 1<<16)
	run.Thin = max(run.Thin, 1)
	if g.Warmup != nil {
		run.Warmup = g.Warmup.Draws() * run.Thin
	}
	writeCmdStanHeader(b, g, chain, run)
	names := append([]string{"lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"},
		stanNames(g.Posterior.Variables())...)
	b.WriteString(strings.Join(names, ",") + "\n")
	if g.Warmup != nil {
		writeCmdStanRows(b, g.Warmup, g.WarmupStats, chain)
	}
	b.WriteString("# Adaptation terminated\n# Step size = 1\n# No free parameters for unit metric\n")
	writeCmdStanRows(b, g.Posterior, g.SampleStats, chain)
	fmt.Fprintf(b, "# \n#  Elapsed Time: %s seconds (Warm-up)\n", seconds(run.WarmupSeconds))
	fmt.Fprintf(b, "#                %s seconds (Sampling)\n", seconds(run.SamplingSeconds))
	fmt.Fprintf(b, "#                %s seconds (Total)\n# \n", seconds(run.WarmupSeconds+run.SamplingSeconds))
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing CmdStan CSV: %w", err)
	}
	return nil
}

func seconds(s float64) string { return strconv.FormatFloat(max(s, 0), 'f', 3, 64) }

func writeCmdStanHeader(b *bufio.Writer, g Groups, chain int, run CmdStanRun) {
	saved := 0
	if g.Warmup != nil {
		saved = 1
	}
	model := strings.Map(func(r rune) rune {
		if r <= ' ' || r == '=' {
			return '_'
		}
		return r
	}, run.Model)
	if model == "" {
		model = "model"
	}
	lines := []string{
		"stan_version_major = 2", "stan_version_minor = 37", "stan_version_patch = 0",
		"model = " + model, "method = sample (Default)", "  sample",
		fmt.Sprintf("    num_samples = %d", g.Posterior.Draws()*run.Thin),
		fmt.Sprintf("    num_warmup = %d", run.Warmup),
		fmt.Sprintf("    save_warmup = %d", saved),
		fmt.Sprintf("    thin = %d", run.Thin),
		"    adapt", "      engaged = 1", "      delta = 0.8",
		"    algorithm = hmc (Default)", "      hmc", "        engine = nuts (Default)", "          nuts",
		"            max_depth = 10 (Default)", "        metric = unit_e", "        stepsize = 1 (Default)",
		fmt.Sprintf("id = %d", chain+1), "random", fmt.Sprintf("  seed = %d", run.Seed),
	}
	for _, l := range lines {
		b.WriteString("# " + l + "\n")
	}
}

// stanNames are the columns of variables in Stan's form, all different.
func stanNames(vars []Variable) []string {
	taken := map[string]bool{}
	var names []string
	for _, v := range vars {
		base := strings.Map(func(r rune) rune {
			if r == '.' || r == ',' || r == '[' || r == ':' {
				return '_'
			}
			if r == ']' || r < ' ' || r == '"' {
				return -1
			}
			return r
		}, v.Name)
		for taken[base] {
			base += "_"
		}
		taken[base] = true
		for _, e := range (Variable{Name: "", Dims: v.Dims}).ElementNames() {
			e = strings.TrimSuffix(strings.NewReplacer("[", ".", ",", ".").Replace(e), "]")
			names = append(names, base+e)
		}
	}
	return names
}

// stanStats are the columns of a sample_stats group in CmdStan's order.
var stanStats = []struct{ stan, arviz string }{
	{"lp__", "lp"}, {"accept_stat__", "acceptance_rate"}, {"stepsize__", "step_size"}, {"treedepth__", "tree_depth"},
	{"n_leapfrog__", "n_steps"}, {"divergent__", "diverging"}, {"energy__", "energy"},
}

func writeCmdStanRows(b *bufio.Writer, s, stats *Set, chain int) {
	lead := make([][]float64, len(stanStats))
	for k, name := range stanStats {
		if stats == nil {
			continue
		}
		if e, ok := stats.Lookup(name.arviz); ok {
			lead[k] = stats.Chain(chain, e)
		}
	}
	var row []byte
	for d := range s.Draws() {
		row = row[:0]
		for k, col := range lead {
			x := math.NaN()
			if stanStats[k].stan == "treedepth__" || stanStats[k].stan == "n_leapfrog__" || stanStats[k].stan == "divergent__" {
				x = 0
			}
			if d < len(col) {
				x = col[d]
			}
			row = append(appendStan(row, x), ',')
		}
		for e := range s.Names() {
			row = append(appendStan(row, s.Chain(chain, e)[d]), ',')
		}
		row[len(row)-1] = '\n'
		b.Write(row)
	}
}

// appendStan writes a number in the shortest form that reads back the same.
func appendStan(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, "nan"...)
	case math.IsInf(x, 1):
		return append(b, "inf"...)
	case math.IsInf(x, -1):
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}
