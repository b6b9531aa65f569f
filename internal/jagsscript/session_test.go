package jagsscript

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
)

const line = `model {
  for (i in 1:N) { Y[i] ~ dnorm(mu[i], tau); mu[i] <- alpha + beta * (x[i] - x.bar) }
  x.bar <- mean(x[])
  alpha ~ dnorm(0, 1.0E-4)
  beta ~ dnorm(0, 1.0E-4)
  sigma <- 1 / sqrt(tau)
  tau ~ dgamma(1.0E-3, 1.0E-3)
}`

const lineData = "`x` <- c(1,2,3,4,5)\n`Y` <- c(1,3,3,3,5)\n`N` <- 5\n"

// session works in a folder with a model and its data; what it prints and notes is in out.
func session(t *testing.T) (s *Session, out *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"line.bug": line, "line-data.R": lineData, "line-inits.R": "\"alpha\" <- 3; \"beta\" <- 1; \".RNG.seed\" <- 5\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out = new(bytes.Buffer)
	return &Session{Out: out, Seed: 1, dir: dir, Note: func(text string) { fmt.Fprintln(out, "note:", text) }}, out
}

func (s *Session) script(text string) error { return s.Script("test.cmd", strings.NewReader(text)) }

const started = "model in line.bug\ndata in line-data.R\ncompile, nchains(2)\ninitialize\n"

func read(t *testing.T, s *Session, name string) string {
	t.Helper()
	b, err := os.ReadFile(s.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What JAGS 4.3.1 prints of this script and writes of its monitors, numbers apart.
func TestScript(t *testing.T) {
	s, out := session(t)
	err := s.script("model in line.bug\ndata in \"line-data.R\"\ncompile, nchains(2)\nparameters in line-inits.R\ninitialize\nadapt 100\nupdate 50, by(10)\n" +
		"monitor alpha, thin(10)\nmonitor set beta\nmonitor mu\nmonitor sigma, type(mean)\nmonitor tau, type(variance)\nupdate 25\nupdate 20\ncoda *\ncoda beta, stem(b)\n" +
		"data to d.R\nparameters to p.R, chain(2)\nmonitors to m.R\nsamplers to s.txt\nexit\nnonsense")
	if !errors.Is(err, ErrExit) {
		t.Fatal(err)
	}
	s.End()
	want := `Reading data file line-data.R
Compiling model graph
   Resolving undeclared variables
   Allocating nodes
Graph information:
   Observed stochastic nodes: 5
   Unobserved stochastic nodes: 3
   Total graph size: 28
Reading parameter file line-inits.R
Initializing model
Adapting 100
note: Adaptation successful
Updating 50
-----| 50
***** 100%
Updating 25
Updating 20
Deleting model
`
	if out.String() != want {
		t.Errorf("printed\n%s", out)
	}
	if got := read(t, s, "CODAindex.txt"); got != "alpha 1 5\nbeta 6 50\nmu[1] 51 95\nmu[2] 96 140\nmu[3] 141 185\nmu[4] 186 230\nmu[5] 231 275\n" {
		t.Errorf("index\n%s", got)
	}
	if got := read(t, s, "bindex.txt"); got != "beta 1 45\n" {
		t.Errorf("index of beta\n%s", got)
	}
	for c := 1; c <= 2; c++ {
		lines := strings.Split(read(t, s, fmt.Sprintf("CODAchain%d.txt", c)), "\n")
		for k, begin := range map[int]string{0: "151  ", 1: "161  ", 4: "191  ", 5: "151  ", 6: "152  ", 49: "195  ", 50: "151  "} {
			if !strings.HasPrefix(lines[k], begin) {
				t.Errorf("chain %d, line %d is %q", c, k+1, lines[k])
			}
		}
		if got := read(t, s, fmt.Sprintf("CODAtable%d.txt", c)); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, "sigma ") || !strings.Contains(got, "\ntau ") {
			t.Errorf("table %d: %s", c, got)
		}
	}
	if got := read(t, s, "d.R"); got != "`N` <- \n5\n`Y` <- \nc(1,3,3,3,5)\n`x` <- \nc(1,2,3,4,5)\n" {
		t.Errorf("data\n%s", got)
	}
	if got := read(t, s, "p.R"); !strings.HasPrefix(got, "`.RNG.name` <- \"base::Mersenne-Twister\"\n`.RNG.seed` <- \n") || !strings.Contains(got, "`alpha` <- \n") || strings.Contains(got, "sigma") {
		t.Errorf("parameters\n%s", got)
	}
	if got := read(t, s, "m.R"); !strings.HasPrefix(got, "`trace` <-\nstructure(list(\"alpha\" = structure(c(") || !strings.HasSuffix(got, ".Dim = structure(c(5L,45L,2L), .Names = c(\"\",\"iteration\",\"chain\")))), \n.Names = c(\"alpha\", \"beta\", \"mu\"))\n") {
		t.Errorf("monitors\n%s", got[max(len(got)-200, 0):])
	}
	if got := read(t, s, "s.txt"); !strings.HasPrefix(got, "1\tergodic::block-normal\t") {
		t.Errorf("samplers\n%s", got)
	}
}

// The parameters that a script writes start another, and .RNG.seed makes the same draws of the same script, whatever the seed of the session.
func TestSeeds(t *testing.T) {
	draw := func(seed uint64, inits string) string {
		s, _ := session(t)
		s.Seed = seed
		if err := os.WriteFile(s.path("i.R"), []byte(inits), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := s.script("model in line.bug; data in line-data.R; compile, nchains(2); inits in i.R, chain(1); inits in i.R, chain(2)\ninitialize; update 10; monitor beta; update 5; coda *; parameters to p.R"); err != nil {
			t.Fatal(err)
		}
		return read(t, s, "CODAchain1.txt") + read(t, s, "CODAchain2.txt")
	}
	seeded := "`.RNG.name` <- \"base::Wichmann-Hill\"\n`.RNG.state` <- \nc(9232L,10176L,28244L)\nbeta <- 1\n"
	if draw(1, seeded) != draw(2, seeded) {
		t.Error("the same .RNG.state gave other draws")
	}
	first, again := draw(1, "beta <- 1"), draw(1, "beta <- 1")
	if draw(1, seeded) == draw(1, strings.ReplaceAll(seeded, "9232", "9233")) || first == draw(2, "beta <- 1") || first != again {
		t.Error("draws do not follow the seed")
	}
}

// Names of generators alone do not fix the draws: runjags names them without seeds.
func TestNamedGenerators(t *testing.T) {
	draw := func(seed uint64) string {
		s, out := session(t)
		s.Seed, s.SeedNote = seed, "the seed"
		if err := os.WriteFile(s.path("i.R"), []byte("\".RNG.name\" <- \"base::Super-Duper\"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := s.script("model in line.bug; data in line-data.R; compile; inits in i.R\ninitialize; monitor beta; update 5; coda *"); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "note: the seed\n") {
			t.Errorf("the seed is not told:\n%s", out)
		}
		return read(t, s, "CODAchain1.txt")
	}
	if first, again := draw(1), draw(1); first == draw(2) || first != again {
		t.Error("draws do not follow the seed of the session")
	}
}

// The commands by which runjags 2.2 takes apart what it needs of DIC, with options that no comma parts.
func TestTablesApart(t *testing.T) {
	s, _ := session(t)
	err := s.script(strings.Replace(started, "initialize", "load dic\ninitialize\nadapt 200", 1) + "monitor deviance, type(mean) thin(2)\nmonitor pD, type(mean) thin(2)\nmonitor popt, type(mean) thin(2)\n" +
		"monitor beta, thin(2)\nmonitor deviance, thin(2)\nmonitor pD, thin(2)\nupdate 40\ncoda deviance, stem(\"dev\")\ncoda pD, stem(\"pd\")\ncoda popt, stem(\"popt\")\n" +
		"monitor clear deviance, type(mean)\nmonitor clear pD, type(mean)\nmonitor clear popt, type(mean)\ncoda *, stem(./CODA)\nsamplers to s.csv\nupdate 0\nmodel clear")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"devtable0.txt", "pdtable0.txt", "popttable0.txt"} {
		if got := read(t, s, name); !strings.HasPrefix(got, "Y[1] ") || strings.Count(got, "\n") != 5 {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := read(t, s, "CODAindex.txt"); got != "beta 1 20\ndeviance 21 40\n" {
		t.Errorf("index\n%s", got)
	}
	if got := read(t, s, "CODAindex0.txt"); got != "pD 1 20\n" {
		t.Errorf("index of pD\n%s", got)
	}
	if _, err := os.Stat(s.path("CODAtable0.txt")); err == nil {
		t.Error("monitors that are cleared are written")
	}
	for line := range strings.Lines(read(t, s, "s.csv")) {
		if strings.Count(line, "\t") != 2 {
			t.Errorf("sampler %q", line)
		}
	}
}

// What runjags and others look for after an error: the word error, and that the model is gone, whether or not there was one.
func TestWordsOfErrors(t *testing.T) {
	for script, want := range map[string]string{
		"model in line-data.R":                   "note: Error parsing model file:\nDeleting model\n",
		"data in line.bug":                       "note: Error reading data file:\nDeleting model\n",
		"model in line.bug\ncompile":             "Resolving undeclared variables\nDeleting model\nnote: RUNTIME ERROR:\n",
		"model in nosuch.bug":                    "Deleting model\n",
		"model in line.bug\nmodel clear\nupdate": "Deleting model\n",
		"model in line.bug\nfoo":                 "Deleting model\n",
	} {
		s, out := session(t)
		if err := s.script(script); err == nil {
			t.Errorf("%q: no error", script)
		}
		s.Fail()
		if got := out.String(); !strings.HasSuffix(got, want) || strings.Count(got, "Deleting model\n") != 1 {
			t.Errorf("%q:\n%s", script, got)
		}
	}
	s, out := session(t)
	if err := s.script("model clear"); err != nil || out.String() != "Deleting model\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

// Given τ, β is normal with the mean 0.8 · 10τ / (10τ + 10⁻⁴), 0.8 the slope of least squares; its draws have no autocorrelation, so that 5.5 standard
// errors are passed with probability 4e-8.
func TestUpdate(t *testing.T) {
	s, _ := session(t)
	if err := s.script(started + "update 500\nmonitor beta\nmonitor deviance\nupdate 4000\nmonitor beta, type(mean)\nupdate 1000\ncoda *"); err != nil {
		t.Fatal(err)
	}
	got := readCODA(t, s)
	sum, sum2, n := 0.0, 0.0, 0.0
	for c := range 2 {
		for _, x := range got.Chain(c, 0) {
			sum, sum2, n = sum+x, sum2+x*x, n+1
		}
	}
	mean, sd := sum/n, math.Sqrt(sum2/n-sum/n*sum/n)
	if n != 10000 || math.Abs(mean-0.8) > 5.5*sd/math.Sqrt(n) {
		t.Errorf("%v draws, mean %v, sd %v; least squares give 0.8", n, mean, sd)
	}
}

func readCODA(t *testing.T, s *Session) *draws.Set {
	t.Helper()
	set, err := draws.ReadCODA(strings.NewReader(read(t, s, "CODAindex.txt")), strings.NewReader(read(t, s, "CODAchain1.txt")), strings.NewReader(read(t, s, "CODAchain2.txt")))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// An error ends a script at its line; the wording of what programs look for is JAGS's.
func TestErrors(t *testing.T) {
	for script, want := range map[string]string{
		"update 10":                              "test.cmd:1: Can't update. No model!",
		"\n\nmodel in nosuch.bug":                "test.cmd:3: Unable to open file nosuch.bug: no such file or directory",
		"compile":                                "test.cmd:1: Nothing to compile. Read a model with model in FILE",
		"model in line.bug\ncompile":             "test.cmd:2: line.bug:2:15: unknown variable N",
		"model in line-data.R":                   "test.cmd:1: line-data.R:1:1:",
		started + "update -3":                    `test.cmd:5: update is "-3": it must be a number from 1 to 2147483647`,
		started + "update":                       "test.cmd:5: syntax error: update is followed by its iterations",
		started + "update 3 4":                   `test.cmd:5: syntax error: "4" after "3": what has blanks stands in quotes`,
		started + "updat 3":                      `test.cmd:5: syntax error: "updat 3" is no command; did you mean update?`,
		started + "monitor beta, thick(3)":       `test.cmd:5: syntax error: monitor has no option "thick"; did you mean thin?`,
		started + "parameters in line-inits.R":   "test.cmd:5: initial values come before initialize: compile the model again",
		started + "parameters to x.R, chain(3)":  "test.cmd:5: chain is 3, and there are 2 chains",
		started + "data to no/x.R":               "test.cmd:5: Failed to open file",
		"model in line.bug\ncompile, nchains(0)": `test.cmd:2: nchains is "0": it must be a number from 1 to 2147483647`,
		"model in line.bug; data in line-data.R; compile; update 3": "test.cmd:1: Can't update. The model is not initialized: say initialize first",
		"model\nin line.bug": "test.cmd:1: syntax error:",
		"cd nosuch":          "test.cmd:1: Cannot change working directory: there is no folder",
		"run nosuch.cmd":     "test.cmd:1: Unable to open script file nosuch.cmd",
		"list factories":     `test.cmd:1: there is no factory of type ""; there are monitor, rng, sampler`,
	} {
		s, _ := session(t)
		if err := s.script(script); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", script, err)
		}
	}
}

// What JAGS only tells, and goes on.
func TestNotes(t *testing.T) {
	s, out := session(t)
	err := s.script(started + "coda *\nmonitor zz\nmonitor tau, type(foo)\nmonitor beta\nmonitor beta\nmonitor clear alpha\nupdate 5\ncoda zz\nadapt 10\nmonitor clear beta\ncoda *\nload wiener\n" +
		"unload bugs\nset factory \"base::Slice\" off, type(sampler)\nparameters to p.R")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"WARNING:\nThere are no monitors\n", "Failed to set trace monitor for zz\nVariable zz not found\n", "Failed to set foo monitor for tau\n",
		"Failed to set trace monitor for beta\nMonitor already exists and cannot be duplicated", "Failed to clear trace monitor for node alpha", "No Monitor zz found.",
		"Adaptation skipped: model is not in adaptive mode.", "5 iterations of warm-up, which are not counted, come first", "Loading module: wiener: file not found\n", "set factory base::Slice is ignored"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

// Typed commands come after a prompt, and a wrong one ends nothing.
func TestInteractive(t *testing.T) {
	s, out := session(t)
	s.Bars = true
	if err := s.Interactive(strings.NewReader("foo\nupdate 3\npwd\nmodel in line.bug; data in line-data.R\ncompile\ninitialize\nupdate 1000\nrun nosuch\n")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{". note: syntax error: \"foo\" is no command", "\n. Updating 3\nnote: Can't update. No model!\n. " + s.dir + "\n", ". Reading data file line-data.R\n. Compiling",
		". Updating 1000\n" + strings.Repeat("-", 49) + "| 1000\n" + strings.Repeat("*", 50) + " 100%\n. note: Unable to open script file nosuch"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

// Scripts run scripts, in the folder that cd names, and not without end.
func TestRun(t *testing.T) {
	s, out := session(t)
	if err := os.Mkdir(s.path("sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"sub/a.cmd": "pwd\ndir\nbogus", "loop.cmd": "run loop.cmd"} {
		if err := os.WriteFile(s.path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	err := s.script("cd sub\nrun a.cmd")
	if want := "test.cmd:2: a.cmd:3: syntax error"; err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(out.String(), "sub\na.cmd\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if err := s.script("cd ..\nrun loop.cmd"); err == nil || !strings.Contains(err.Error(), "scripts run one another 20 deep") {
		t.Error(err)
	}
}

// An array of one element has no subscripts, unless they are asked for.
func TestNamesOfOne(t *testing.T) {
	s, _ := session(t)
	for name, text := range map[string]string{"m.bug": "model { r[1] <- 7; z[1,1] ~ dnorm(0, 1); t[1:2] <- c(1, 2) }"} {
		if err := os.WriteFile(s.path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.script("model in m.bug\ncompile\ninitialize\nmonitor r\nmonitor z\nmonitor r[1]\nmonitor t[1]\nmonitor t\nupdate 2\ncoda *\n"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, s, "CODAindex.txt"); got != "r 1 2\nz 3 4\nr[1] 5 6\nt[1] 7 8\nt[1] 9 10\nt[2] 11 12\n" { // as jags 4.3.1
		t.Errorf("%s", got)
	}
}
