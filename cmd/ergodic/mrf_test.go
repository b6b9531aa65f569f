package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/mrf"
)

// greenhouse is the example that the README shows.
var greenhouse = filepath.Join("..", "..", "examples", "greenhouse.bif")

// mrfAnswer is the result of a run as JSON.
type mrfAnswer struct {
	Method    string
	Width     *int
	Log10Z    *float64 `json:"log10_z"`
	Log10ZSE  *float64 `json:"log10_z_se"`
	Marginals [][]float64
	Converged []bool
	MAP       []int    `json:"map"`
	MAPValue  *float64 `json:"map_value"`
	MAPExact  bool     `json:"map_exact"`
	Updates   *float64 `json:"updates_per_s"`
	Warnings  []string
}

func infer(t *testing.T, args ...string) (a mrfAnswer) {
	t.Helper()
	r := must(t, append([]string{"mrf", "--json", "--progress", "none"}, args...)...)
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatal(err, r.stdout)
	}
	return a
}

// enumerateStates goes through all states of a small model with their weights.
func enumerateStates(m *mrf.Model, each func(x []int, weight float64)) {
	x := make([]int, len(m.Cards))
	for i := 0; i < len(x); {
		each(x, math.Exp(m.LogDensity(x)))
		for i = 0; i < len(x); i++ {
			if x[i]++; x[i] < m.Cards[i] {
				break
			}
			x[i] = 0
		}
	}
}

// What is expected comes from the sum over the network's 1152 states.
func TestMRFExact(t *testing.T) {
	text, err := os.ReadFile(greenhouse)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mrf.ReadBIF(greenhouse, text)
	if err != nil {
		t.Fatal(err)
	}
	call := m.Variable("call")
	z, best := 0.0, 0.0
	want := make([][]float64, len(m.Cards))
	var state []int
	for i, k := range m.Cards {
		want[i] = make([]float64, k)
	}
	enumerateStates(m, func(x []int, w float64) {
		if x[call] != 1 {
			return
		}
		if z += w; w > best {
			best, state = w, slices.Clone(x)
		}
		for i, v := range x {
			want[i][v] += w
		}
	})
	got := infer(t, greenhouse, "--given", "call=yes", "--out", filepath.Join(t.TempDir(), "run"))
	if got.Method != "exact" || got.Width == nil || *got.Width != 2 || got.Updates != nil || !got.MAPExact || *got.Log10ZSE != 0 || len(got.Warnings) > 0 {
		t.Errorf("%+v", got)
	}
	if math.Abs(*got.Log10Z-math.Log10(z)) > 1e-12 || math.Abs(*got.MAPValue-math.Log10(best)) > 1e-12 || !slices.Equal(got.MAP, state) {
		t.Errorf("log10 Z %v, not %v; map %v of %v, not %v of %v", *got.Log10Z, math.Log10(z), got.MAP, *got.MAPValue, state, math.Log10(best))
	}
	for i, p := range got.Marginals {
		for v, x := range p {
			if math.Abs(x-want[i][v]/z) > 1e-12 || !got.Converged[i] {
				t.Errorf("%s: %v, not %v / %v", m.Names[i], p, want[i], z)
			}
		}
	}
}

// chainModel is a model in UAI's form: a grid of spins with fields, and couplings as strong as asked for.
func chainModel(t *testing.T, side int, coupling float64) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	m := &mrf.Model{Cards: slices.Repeat([]int{2}, side*side)}
	for i := range m.Cards {
		h := math.Exp(r.NormFloat64())
		m.Factors = append(m.Factors, mrf.Factor{Scope: []int{i}, Table: []float64{1, h}})
		for _, j := range []int{i - 1, i - side} {
			if j >= 0 && (j != i-1 || i%side > 0) {
				w := math.Exp(coupling * r.NormFloat64())
				m.Factors = append(m.Factors, mrf.Factor{Scope: []int{j, i}, Table: []float64{w, 1, 1, w}})
			}
		}
	}
	var b bytes.Buffer
	if err := m.WriteUAI(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), fmt.Sprintf("grid%d.uai", side))
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// The standard error of a marginal that has converged is at most 0.004: five of them, plus that of log10 Z, are a false alarm in 10⁵ for
// a marginal at that bound, and most are far below it.
func TestMRFMethodsAgree(t *testing.T) {
	file := chainModel(t, 6, 0.7)
	exact := infer(t, file, "--out", filepath.Join(t.TempDir(), "exact"))
	for _, method := range []string{"tempered", "gibbs", "blocks"} {
		got := infer(t, file, "--method", method, "--seed", "3", "--out", filepath.Join(t.TempDir(), "run"))
		if slices.Contains(got.Converged, false) {
			t.Errorf("%s: %v", method, got.Warnings)
		}
		for i, p := range got.Marginals {
			if math.Abs(p[0]-exact.Marginals[i][0]) > 0.02 {
				t.Errorf("%s: variable %d: %v, not %v", method, i, p, exact.Marginals[i])
			}
		}
		if got.Updates == nil || !(*got.Updates > 0) || math.Abs(*got.MAPValue-*exact.MAPValue) > 1e-9 { // 36 spins are few for a search
			t.Errorf("%s: %+v", method, got)
		}
		if method == "tempered" && !(math.Abs(*got.Log10Z-*exact.Log10Z) < 0.05) || method != "tempered" && got.Log10Z != nil {
			t.Errorf("%s: log10 Z %v, not %v", method, got.Log10Z, *exact.Log10Z)
		}
	}
}

// Tasks, files in UAI's form, and several samples of evidence.
func TestMRFFiles(t *testing.T) {
	dir := t.TempDir()
	file, evidence := chainModel(t, 3, 0.5), filepath.Join(dir, "e.evid")
	if err := os.WriteFile(evidence, []byte("2\n1 0 1\n0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mrf.ReadUAI(file, text)
	if err != nil {
		t.Fatal(err)
	}
	run, mar, pr, state := filepath.Join(dir, "run"), filepath.Join(dir, "o.MAR"), filepath.Join(dir, "o.PR"), filepath.Join(dir, "o.MAP")
	r := must(t, "mrf", file, "--evid", evidence, "--out", run, "--json", "--write-mar", mar, "--write-pr", pr, "--write-map", state)
	var all []mrfAnswer
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil || len(all) != 2 {
		t.Fatal(err, r.stdout)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	marginals, err := mrf.ReadMAR(mar, read(mar), m)
	if err != nil || len(marginals) != 2 || marginals[0][0][1] != 1 || marginals[1][4][0] != all[1].Marginals[4][0] {
		t.Error(marginals, err)
	}
	logZ, err := mrf.ReadPR(pr, read(pr))
	if err != nil || len(logZ) != 2 || logZ[0] != *all[0].Log10Z {
		t.Error(logZ, err)
	}
	states, err := mrf.ReadMAP(state, read(state), m)
	if err != nil || len(states) != 2 || !slices.Equal(states[1], all[1].MAP) {
		t.Error(states, err)
	}
	if s := must(t, "summary", run); !strings.Contains(s.stdout, "grid3.uai, sample 2: 9 variables, 0 observed") || strings.Count(s.stdout, "Exact: a junction tree") != 2 {
		t.Error(s.stdout)
	}
	if csv := string(read(filepath.Join(run, mrfMarginalsFile))); strings.Count(csv, "\n") != 1+2*9*2 || !strings.Contains(csv, "\n1,0,1,1,true,,,,true\n") {
		t.Error(csv)
	}
	r = must(t, "mrf", file, "--evid", evidence, "--evid", evidence, "--task", "map", "--given", "1=0", "--out", run, "--force", "--json")
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil || len(all) != 4 || all[3].Marginals != nil || all[3].MAP[1] != 0 {
		t.Error(err, r.stdout)
	}
}

func TestMRFTasks(t *testing.T) {
	file := chainModel(t, 3, 0.5)
	for _, task := range mrfTasks {
		got := infer(t, file, "--task", task, "--out", filepath.Join(t.TempDir(), "run"))
		if (got.Marginals != nil) != (task == "mar") || (got.Log10Z != nil) != (task == "pr") || (got.MAP != nil) != (task == "map") {
			t.Errorf("%s: %+v", task, got)
		}
	}
}

// A marginal that has not converged is flagged wherever it is shown, and is a warning.
func TestMRFThatHasNotConverged(t *testing.T) {
	file := chainModel(t, 8, 6)
	dir := filepath.Join(t.TempDir(), "run")
	r := execute(t, program(t, "mrf", file, "--method", "gibbs", "--steps", "300", "--seed", "1", "--out", dir, "--strict"))
	if r.status != job.Warned || !strings.Contains(r.stdout, "NOT CONVERGED: those in brackets") || !strings.Contains(r.stdout, " NO ") || !strings.Contains(r.stderr, "has not converged") {
		t.Errorf("status %d\n%s%s", r.status, r.stdout, r.stderr)
	}
	got := infer(t, "--resume", dir)
	if !slices.Contains(got.Converged, false) || len(got.Warnings) == 0 {
		t.Errorf("%+v", got)
	}
	var s struct {
		Warnings []struct{ Code, Parameter string }
	}
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil || !slices.ContainsFunc(s.Warnings, func(w struct{ Code, Parameter string }) bool { return w.Code == "marginal" && w.Parameter != "" }) {
		t.Error(s, err)
	}
	if csv, err := os.ReadFile(filepath.Join(dir, mrfMarginalsFile)); err != nil || !strings.Contains(string(csv), ",false\n") {
		t.Error(string(csv), err)
	}
}

// A run that is killed goes on to the bytes of an undisturbed one, with any number of threads.
func TestMRFIsResumed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file is not removed while a killed process lets go of it")
	}
	file := chainModel(t, 9, 1.5)
	args := []string{"mrf", file, "--method", "tempered", "--seed", "5", "--steps", "1024", "--progress", "none"}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	began := time.Now()
	must(t, append(args, "--out", whole, "--threads", "1")...)
	took := time.Since(began)
	killed := resumedAfterKills(t, cut, 4, took/4, append(args, "--out", cut, "--checkpoint", "5ms", "--threads", "2"),
		[]string{"mrf", "--resume", cut, "--checkpoint", "5ms", "--progress", "none"})
	marginals := func(dir string) string {
		b, err := os.ReadFile(filepath.Join(dir, mrfMarginalsFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if killed == 0 || marginals(cut) != marginals(whole) {
		t.Errorf("killed %d times: other marginals", killed)
	}
	longer := filepath.Join(t.TempDir(), "longer")
	must(t, append(args, "--steps", "1100", "--out", longer)...)
	must(t, "mrf", "--resume", cut, "--steps", "1100", "--tolerance", "0.02", "--progress", "none")
	if marginals(cut) != marginals(longer) {
		t.Error("an extended run is another than one of as many steps")
	}
	refused(t, []string{"mrf", "--resume", cut}, map[string]string{"--method gibbs": "--method is gibbs, and the run was started with tempered", "--steps 5": "which may only grow", "--seed 6": "--seed is 6", "--given 0=1": "--given is 0=1"})
}

func TestMRFMistakesAreExplained(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("good.uai", "MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 0 0 1\n")
	short, evidence := write("short.uai", "MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 0 0"), write("e.evid", "1\n0 2\n")
	never := write("never.uai", "MARKOV\n2\n2 2\n2\n2 0 1\n2 0 1\n4\n1 0 0 1\n4\n0 1 1 0\n")
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"":                                       {2, "mrf: name a model, or a run to --resume"},
		"missing.uai":                            {1, "the model missing.uai cannot be read: no such file"},
		short:                                    {1, short + ":6:1: the table of factor 0 has 4 entries, and the file is too short"},
		good + " --evid " + evidence:             {1, evidence + ":2:3: the value of variable 0 is 2, and it must be from 0 to 1"},
		good + " --task x":                       {2, `--task "x": there are mar, pr, map`},
		good + " --method x":                     {2, `--method "x": there are auto, exact, tempered`},
		good + " --given 0":                      {2, `--given "0": it must be NAME=VALUE`},
		good + " --given 5=0":                    {1, `there is no variable "5"; there are 0 to 1`},
		good + " --given 0=5":                    {1, `"0" has no value "5"; there are 0 to 1`},
		good + " --given 0=0 --given 1=1":        {1, "the evidence has probability 0: factor 0 is 0 for 0 = 0, 1 = 1"},
		good + " --given 0=0 --given 0=1":        {1, "variable 0 is observed to be 0 and 1"},
		never:                                    {1, "no state has positive probability"},
		never + " --method tempered":             {1, "probability 0"},
		good + " --chains 0":                     {2, "--chains 0: it must be from 1"},
		good + " --tolerance 0":                  {2, "--tolerance 0: it must be more than 0"},
		good + " --method exact --chains 2":      {2, "do nothing for --method exact"},
		good + " --method gibbs --entries 9":     {2, "--entries does nothing for --method gibbs"},
		good + " --method exact --entries 2":     {1, "exact computation is out of reach"},
		good + " --task pr --write-mar x.MAR":    {2, "--write-mar needs --task mar"},
		good + " --write-mar " + short:           {1, "exists; choose another"},
		good + " --method gibbs --write-pr x.PR": {2, "gibbs does not give log10 Z"},
	} {
		out := execute(t, program(t, append([]string{"mrf", "--out", filepath.Join(t.TempDir(), "run")}, strings.Fields(args)...)...))
		if out.status != want.status || !strings.Contains(out.stderr, want.says) || out.stdout != "" {
			t.Errorf("%s: status %d, %s%s; want %d, %s", args, out.status, out.stderr, out.stdout, want.status, want.says)
		}
	}
}
