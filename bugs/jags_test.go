package bugs_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// withJAGS skips where jags is not asked for or not there.
func withJAGS(t *testing.T) {
	t.Helper()
	if *soak == 0 {
		t.Skip("compares with the program jags: -soak 20")
	}
	if _, err := exec.LookPath("jags"); err != nil {
		t.Skip("jags is not installed")
	}
}

// The same programs in jags have the same means and standard deviations.
func TestLanguageAsJAGS(t *testing.T) {
	withJAGS(t)
	for _, c := range sampled {
		if c.jags {
			t.Run(c.name, func(t *testing.T) { asJAGS(t, c.program, c.data) })
		}
	}
	for _, c := range distributions {
		if c.jags {
			t.Run(c.name, func(t *testing.T) { asJAGS(t, c.program, c.data) })
		}
	}
}

// asJAGS holds means and standard deviations of a program to those of jags, in 4 standard errors. The seeds of both are
// fixed: of the 300 numbers of the suite one in a hundred sets of seeds has one outside by chance.
func asJAGS(t *testing.T, program, data string) {
	t.Helper()
	const allowed = 4
	theirs, said := jagsDraws(t, program, data, *soak*1000)
	if theirs == nil {
		t.Fatal(said)
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range theirs {
			if !yield(name) {
				return
			}
		}
	})
	ours := draw(t, "model { "+program+" }", data, names, *soak*500)
	for _, name := range names {
		a, b := ours[name], theirs[name]
		if a.SD == 0 && b.SD == 0 && near(a.Mean, b.Mean) { // a constant
			continue
		}
		if !(math.Abs(a.Mean-b.Mean) <= allowed*math.Hypot(a.MCSEMean, b.MCSEMean)) {
			t.Errorf("%s has mean %v ± %v, in jags %v ± %v", name, a.Mean, a.MCSEMean, b.Mean, b.MCSEMean)
		}
		if !(math.Abs(a.SD-b.SD) <= allowed*math.Hypot(a.MCSESD, b.MCSESD)) {
			t.Errorf("%s has standard deviation %v ± %v, in jags %v ± %v", name, a.SD, a.MCSESD, b.SD, b.MCSESD)
		}
	}
}

// near tells whether a number is another as jags writes it, with six digits.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-5*math.Abs(a) || math.Abs(a) < 1e-12 && math.Abs(b) < 1e-12
}

// jagsDraws runs jags with its modules and reads the coda files of all that is not data; nil where it refuses the
// program, with what it says.
func jagsDraws(t *testing.T, program, data string, draws int) (out map[string]diag.Summary, said string) {
	t.Helper()
	c := compileProgram(t, "model { "+program+" }", data)
	names, _ := c.DefaultMonitors()
	return jagsRun(t, "model { "+program+" }", data, names, draws)
}

// jagsRun gives the summaries of what two chains of jags record; nil where it refuses the program.
func jagsRun(t *testing.T, program, data string, names []string, draws int) (out map[string]diag.Summary, said string) {
	t.Helper()
	dir := t.TempDir()
	script := "load glm\nload mix\nload msm\nmodel in m.bug\ndata in d.R\ncompile, nchains(2)\nparameters in i1.R, chain(1)\nparameters in i2.R, chain(2)\ninitialize\nupdate 2000\n"
	for _, n := range names {
		script += "monitor " + n + "\n"
	}
	script += fmt.Sprintf("update %d\ncoda *\n", draws)
	const seed = "\".RNG.name\" <- \"base::Mersenne-Twister\"\n\".RNG.seed\" <- %d\n"
	for name, text := range map[string]string{"m.bug": program, "d.R": strings.ReplaceAll(data+"; unused. <- 1", ";", "\n") + "\n", "s.cmd": script, "i1.R": fmt.Sprintf(seed, 11), "i2.R": fmt.Sprintf(seed, 12)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("jags", "s.cmd")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		return nil, string(text)
	}
	index, err := os.ReadFile(filepath.Join(dir, "CODAindex.txt"))
	if err != nil {
		return nil, string(text)
	}
	var chains [2][]float64
	for k := range chains {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("CODAchain%d.txt", k+1)))
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(string(text))
		for i := 1; i < len(fields); i += 2 {
			x, _ := strconv.ParseFloat(fields[i], 64)
			chains[k] = append(chains[k], x)
		}
	}
	out = map[string]diag.Summary{}
	for line := range strings.Lines(string(index)) {
		f := strings.Fields(line)
		lo, _ := strconv.Atoi(f[1])
		hi, _ := strconv.Atoi(f[2])
		out[f[0]] = diag.Summarize([][]float64{chains[0][lo-1 : hi], chains[1][lo-1 : hi]}, nil)
	}
	return out, string(text)
}
