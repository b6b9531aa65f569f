package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// signedGraph writes a random graph of weights ±1 in the form of G-set.
func signedGraph(t *testing.T, n, m int) string {
	t.Helper()
	r := rng.New(1, "signed graph")
	var b strings.Builder
	fmt.Fprintln(&b, n, m)
	seen := map[[2]int]bool{}
	for len(seen) < m {
		i, j := r.IntN(n)+1, r.IntN(n)+1
		if i < j && !seen[[2]int{i, j}] {
			seen[[2]int{i, j}] = true
			fmt.Fprintln(&b, i, j, 2*r.IntN(2)-1)
		}
	}
	return writtenTo(t, "graph.txt", b.String())
}

func writtenTo(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func annealed(t *testing.T, args ...string) (r annealreport.Result) {
	t.Helper()
	out := must(t, append([]string{"anneal"}, append(args, "--json", "--progress", "none")...)...)
	if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
		t.Fatal(err, out.stdout)
	}
	return r
}

// A run leaves its reads, a solution that is what it says, and pictures that can be drawn again.
func TestAnnealLeavesItsFolder(t *testing.T) {
	file, dir := signedGraph(t, 60, 200), filepath.Join(t.TempDir(), "run")
	solution := filepath.Join(t.TempDir(), "cut.txt")
	known := writtenTo(t, "best.csv", "graph,nodes,best_known\nother,1,1\ngraph,60,90\n")
	r := annealed(t, "maxcut", file, "--seed", "1", "--sweeps", "200", "--out", dir, "--solution", solution, "--best-known", known)
	if r.Best != r.Checked || r.Reads != len(r.Energies) || r.Reads == 0 || r.Sweeps != 200 || !slices.Contains(r.Energies, r.Best) || r.BestKnown != 90 || slices.Max(r.Energies) != r.Best {
		t.Errorf("%+v", r)
	}
	again := annealed(t, "maxcut", file, "--init", solution, "--hot", "1e-3", "--cold", "1e-3", "--sweeps", "1", "--seed", "2", "--out", dir+"2")
	if again.Best < r.Best || again.AtBest != again.Reads {
		t.Errorf("from the solution of value %v: %+v", r.Best, again)
	}
	for _, name := range []string{"energy.png", "reads.png", "reads.csv", "partition.txt", "summary.json", "log.jsonl"} {
		if !exists(filepath.Join(dir, name)) {
			t.Errorf("there is no %s", name)
		}
	}
	was, is := must(t, "anneal", "maxcut", file, "--seed", "1", "--sweeps", "200", "--out", dir+"3", "--best-known", known), must(t, "summary", dir)
	if !strings.Contains(is.stdout, fmt.Sprintf("best cut %v, best known 90", r.Best)) || strings.Split(was.stdout, "\n")[1] != strings.Split(is.stdout, "\n")[1] {
		t.Errorf("%s, and the summary\n%s", was.stdout, is.stdout)
	}
	drawn := must(t, "plot", dir, "--format", "svg")
	if drawn.stdout != filepath.Join(dir, "plots", "energy.svg")+"\n"+filepath.Join(dir, "plots", "reads.svg")+"\n" {
		t.Errorf("plot: %s", drawn.stdout)
	}
}

// A run that is killed goes on to the reads of an undisturbed one, with any number of threads.
func TestAnnealIsResumed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file is not removed while a killed process lets go of it")
	}
	file := signedGraph(t, 300, 1200)
	args := []string{"anneal", "maxcut", file, "--seed", "5", "--sweeps", "3000", "--progress", "none"}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	began := time.Now()
	must(t, append(args, "--out", whole, "--threads", "1")...)
	took := time.Since(began)
	resume := []string{"anneal", "maxcut", "--resume", cut, "--checkpoint", "5ms", "--progress", "none"}
	killed := resumedAfterKills(t, cut, 4, took/4, append(args, "--out", cut, "--checkpoint", "5ms", "--threads", "2"), resume)
	read := func(dir string) (all string) {
		for _, name := range []string{"reads.csv", "partition.txt"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			all += string(b)
		}
		return all
	}
	if killed == 0 || read(cut) != read(whole) {
		t.Errorf("killed %d times: other reads", killed)
	}
	longer := filepath.Join(t.TempDir(), "longer")
	must(t, append(args, "--reads", "320", "--out", longer)...)
	must(t, append(resume, "--reads", "320")...)
	if read(cut) != read(longer) {
		t.Error("an extended run is another than one of as many reads")
	}
	refused(t, resume[:4], map[string]string{"--sweeps 3": "--sweeps is 3, and the run was started with 3000", "--reads 5": "which may only grow", "--seed 6": "--seed is 6",
		"--method tempering": "--method is tempering"})
}

// The clock and the target end runs, and a target that is not reached is said.
func TestAnnealStops(t *testing.T) {
	file := signedGraph(t, 60, 200)
	best := annealed(t, "maxcut", file, "--seed", "1", "--out", filepath.Join(t.TempDir(), "a")).Best
	began := time.Now()
	r := annealed(t, "maxcut", file, "--seed", "1", "--time", "200ms", "--out", filepath.Join(t.TempDir(), "b"))
	if took := time.Since(began); r.Best != best || r.Stopped != "time" || took < 200*time.Millisecond {
		t.Errorf("%v: %+v", took, r)
	}
	r = annealed(t, "maxcut", file, "--seed", "1", "--time", "60s", "--target", fmt.Sprint(best), "--out", filepath.Join(t.TempDir(), "c"))
	if r.Best != best || r.Stopped != "target" || r.WallS > 30 {
		t.Errorf("%+v", r)
	}
	few := execute(t, program(t, "anneal", "maxcut", file, "--seed", "1", "--sweeps", "1000000000", "--time", "100ms", "--reads", "1000", "--strict", "--out", filepath.Join(t.TempDir(), "e")))
	if few.status != 3 || !strings.Contains(few.stderr, "of the 1000 reads fitted into the time") {
		t.Errorf("status %d, %s", few.status, few.stderr)
	}
	out := execute(t, program(t, "anneal", "maxcut", file, "--seed", "1", "--sweeps", "10", "--target", "1000", "--strict", "--out", filepath.Join(t.TempDir(), "d")))
	if out.status != 3 || !strings.Contains(out.stderr, "the target 1000 was not reached") {
		t.Errorf("status %d, %s", out.status, out.stderr)
	}
}

// Each problem has a file, a solution that is read again, and its own words.
func TestAnnealProblems(t *testing.T) {
	for problem, c := range map[string]struct{ text, flags, solution, says string }{
		"qubo":      {"# vartype=BINARY\n0 0 -1\n0 1 2\n1 1 -1\n", "", "assignment.txt", "best value -1"},
		"ising":     {"# vartype=SPIN\n0 1 1\n1 2 1\n0 2 1\n", "", "spins.txt", "best energy -1"},
		"tsp":       {"TYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 10 10\n3 10 0\n4 0 10\nEOF\n", "", "solution.tour", "best length 40"},
		"qap":       {"3\n0 1 0 1 0 2 0 2 0\n0 5 1 5 0 3 1 3 0\n", "", "solution.sln", "best cost 10"},
		"colour":    {"p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n", "--colours 2", "colours.txt", "best conflicts 0"},
		"function":  {"x ~ dunif(-1, 3)\nmaximise <- 7 - pow(x - 3, 2)\n", "", "point.txt", "best value 7"},
		"partition": {"3 1 1 2 2 1\n", "", "parts.txt", "best difference 0"},
	} {
		file, dir := writtenTo(t, "instance.txt", c.text), filepath.Join(t.TempDir(), "run")
		if problem == "qubo" || problem == "ising" {
			file = writtenTo(t, "instance.coo", c.text)
		}
		args := append([]string{"anneal", problem, file, "--seed", "1", "--sweeps", "100"}, strings.Fields(c.flags)...)
		out := must(t, append(args, "--out", dir)...)
		if !strings.Contains(out.stdout, c.says+"\n") {
			t.Errorf("%s: %s", problem, out.stdout)
		}
		again := must(t, append(args, "--out", dir+"2", "--init", filepath.Join(dir, c.solution), "--hot", "1e-3", "--cold", "1e-3")...)
		if !strings.Contains(again.stdout, c.says+"\n") {
			t.Errorf("%s: from the solution %s", problem, again.stdout)
		}
		must(t, "anneal", problem, "--resume", dir, "--reads", "400", "--progress", "none")
		if out := must(t, "summary", dir); !strings.Contains(out.stdout, c.says+"\n") {
			t.Errorf("%s: the summary has %s", problem, out.stdout)
		}
	}
}

// Lines of two variables and a number are a matrix to qubo and a graph to others, where the file's name says neither: x₁ + 2 · 2 x₁ x₂ − 3 x₂ is least, −3, at (0, 1), as
// elements off the diagonal count twice; as a graph, the first line would be refused.
func TestAnnealQuboReadsAMatrix(t *testing.T) {
	for text, says := range map[string]string{"2 3\n1 1 1\n1 2 2\n2 2 -3\n": "best value -3\n", "2 1\n1 2 5\n": "best value 0\n"} {
		out := must(t, "anneal", "qubo", writtenTo(t, "instance.txt", text), "--seed", "1", "--sweeps", "100", "--out", filepath.Join(t.TempDir(), "run"))
		if !strings.Contains(out.stdout, says) {
			t.Errorf("%q: %s", text, out.stdout)
		}
	}
}

// A run has as many reads as were asked for, the first of those of a longer one, and extended it is that one.
func TestAnnealReads(t *testing.T) {
	file, dir := signedGraph(t, 60, 150), filepath.Join(t.TempDir(), "run")
	for _, flags := range [][]string{nil, {"--independent"}} {
		args := append([]string{"maxcut", file, "--seed", "1", "--sweeps", "20", "--force"}, flags...)
		few, many := annealed(t, append(args, "--reads", "5", "--out", dir)...), annealed(t, append(args, "--reads", "40", "--out", dir+"2")...)
		if few.Reads != 5 || many.Reads != 40 || !slices.Equal(few.Energies, many.Energies[:5]) || few.Best != slices.Max(few.Energies) {
			t.Errorf("%v: 5 reads %+v, 40 reads %+v", flags, few, many)
		}
		if longer := annealed(t, "maxcut", "--resume", dir, "--reads", "40"); !slices.Equal(longer.Energies, many.Energies) || longer.Best != many.Best {
			t.Errorf("%v: extended %+v, and undisturbed %+v", flags, longer, many)
		}
	}
	refused(t, []string{"anneal", "maxcut", "--resume", dir + "2"}, map[string]string{"--independent=false": "--independent is false"})
}

// Reads of real coefficients, which walkers round, are judged by the coefficients of the file, and a target in full digits is reached.
func TestAnnealRealCoefficients(t *testing.T) {
	r := rng.New(2, "real coefficients")
	var b strings.Builder
	fmt.Fprintln(&b, "# vartype=BINARY")
	for i := range 30 {
		for j := range i {
			fmt.Fprintln(&b, j, i, r.NormFloat64())
		}
	}
	file, dir := writtenTo(t, "real.coo", b.String()), filepath.Join(t.TempDir(), "run")
	all := annealed(t, "qubo", file, "--seed", "1", "--sweeps", "300", "--out", dir)
	if all.AtBest == 0 || slices.Min(all.Energies) != all.Best {
		t.Errorf("%+v", all)
	}
	to := annealed(t, "qubo", file, "--seed", "2", "--time", "60s", "--target", fmt.Sprint(float64(all.Best)), "--out", dir+"2")
	if to.Stopped != "target" || to.Best != all.Best {
		t.Errorf("%+v", to)
	}
}

// Without a number of colours, fewer and fewer are tried. The wheel of a node and a cycle of five takes four, though its largest clique
// has three nodes: a cycle of odd length takes three, and the hub one more.
func TestAnnealFewestColours(t *testing.T) {
	wheel := "p edge 6 10\n"
	for v := range 5 {
		wheel += fmt.Sprintf("e %d %d\ne %d 6\n", v+1, (v+1)%5+1, v+1)
	}
	dir := filepath.Join(t.TempDir(), "run")
	r := annealed(t, "colour", writtenTo(t, "wheel.col", wheel), "--seed", "1", "--sweeps", "50", "--out", dir)
	if n := len(r.Tried); r.Best != 4 || r.Checked != 4 || r.Value != "colours" || n == 0 || r.Tried[n-1] != (annealreport.Attempt{Colours: 3, Conflicts: 1}) || r.Optimal {
		t.Errorf("%+v", r)
	}
	// The crown of 2 × 6 nodes takes 2; greedy colourings may take more, and an edge shows that one is not enough.
	crown := "p edge 12 30\n"
	for i := range 6 {
		for j := range 6 {
			if i != j {
				crown += fmt.Sprintf("e %d %d\n", 2*i+1, 2*j+2)
			}
		}
	}
	if r := annealed(t, "colour", writtenTo(t, "crown.col", crown), "--seed", "1", "--out", dir+"2"); r.Best != 2 || !r.Optimal {
		t.Errorf("%+v", r)
	}
	g := randomColouring(t, 60)
	short := annealed(t, "colour", g, "--seed", "1", "--sweeps", "400", "--threads", "1", "--reads", "2", "--out", dir+"3")
	whole := annealed(t, "colour", g, "--seed", "1", "--sweeps", "400", "--threads", "2", "--reads", "6", "--out", dir+"4")
	if longer := annealed(t, "colour", "--resume", dir+"3", "--reads", "6"); whole.Best > short.Best || !slices.Equal(longer.Energies, whole.Energies) || longer.Best != whole.Best || !slices.Equal(longer.Tried, whole.Tried) {
		t.Errorf("extended %+v, and undisturbed %+v", longer, whole)
	}
	if r := annealed(t, "colour", g, "--seed", "1", "--time", "60s", "--target", fmt.Sprint(float64(whole.Best)), "--out", dir+"5"); r.Stopped != "target" || r.Best > whole.Best || r.WallS > 50 {
		t.Errorf("%+v", r)
	}
}

// A colouring to start from with fewer colours than a clique needs is refused for its conflicts.
func TestAnnealRefusesAColouringWithConflicts(t *testing.T) {
	triangle, start := writtenTo(t, "triangle.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n"), writtenTo(t, "start.txt", "0\n0\n1\n")
	r := execute(t, program(t, "anneal", "colour", triangle, "--init", start, "--out", filepath.Join(t.TempDir(), "run")))
	if r.status != 2 || !strings.Contains(r.stderr, "has 1 conflict; say with --colours") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
}

// randomColouring writes a graph in which half of the pairs are edges.
func randomColouring(t *testing.T, n int) string {
	r := rng.New(3, "graph to colour")
	edges := []string{}
	for i := range n {
		for j := range i {
			if r.IntN(2) == 0 {
				edges = append(edges, fmt.Sprintf("e %d %d\n", i+1, j+1))
			}
		}
	}
	return writtenTo(t, "random.col", fmt.Sprintf("p edge %d %d\n%s", n, len(edges), strings.Join(edges, "")))
}

// What is not finished says so, and how it goes on.
func TestAnnealUnfinished(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	annealed(t, "maxcut", signedGraph(t, 10, 20), "--seed", "1", "--sweeps", "10", "--out", dir)
	if err := os.Remove(filepath.Join(dir, "summary.json")); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"summary", "plot"} {
		if out := execute(t, program(t, command, dir)); out.status != 1 || !strings.Contains(out.stderr, "the run is not finished") || !strings.Contains(out.stderr, "ergodic anneal maxcut --resume "+dir) {
			t.Errorf("%s: status %d, %s", command, out.status, out.stderr)
		}
	}
}

func TestAnnealMistakesAreExplained(t *testing.T) {
	good, bad := signedGraph(t, 10, 20), writtenTo(t, "bad.txt", "3 2\n1 2 1\n")
	short := writtenTo(t, "short.txt", "1\n-1\n")
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"":                                    {2, "anneal maxcut: name an instance, or a run to --resume"},
		"missing.txt":                         {1, "the instance missing.txt cannot be read: no such file"},
		bad:                                   {1, "bad.txt:2: "},
		good + " --method x":                  {2, `there is no method "x"; there are annealing, threshold`},
		good + " --schedule x":                {2, `there is no schedule "x"; there are geometric`},
		good + " --schedule custom":           {2, "a custom one is given by its --temperatures"},
		good + " --sweeps 0":                  {2, "--sweeps 0: it must be from 1"},
		good + " --hot -1":                    {2, "--hot -1: it must be more than 0"},
		good + " --hot 1 --cold 2":            {2, "--cold 2 is above --hot 1"},
		good + " --cold 1e9":                  {1, "they must fall"},
		good + " --time 0s":                   {2, "--time 0s: it must be more than 0"},
		good + " --temperatures 2,1 --hot 3":  {2, "leave these out"},
		good + " --temperatures=2,-1":         {2, "-1: each must be at least 0"},
		good + " --rungs 4":                   {2, "--rungs are of --method tempering"},
		good + " --population 4":              {2, "--population is of --method population"},
		good + " --method first --hot 2":      {2, "hill climbing has no temperatures"},
		good + " --init missing":              {1, "the solution to start from missing cannot be read"},
		good + " --init " + short:             {1, "short.txt: "},
		good + " --best-known " + short:       {1, `short.txt has no value of "graph"`},
		good + " --solution " + good:          {1, "exists; choose another"},
		writtenTo(t, "a.gz", "\x1f\x8b\b\b"):  {1, "a.gz: the file is compressed by gzip"},
		writtenTo(t, "a.bqm", "DIMODBQM\x02"): {1, "a.bqm: the file is in dimod's binary form"},
	} {
		out := execute(t, program(t, append([]string{"anneal", "maxcut", "--out", filepath.Join(t.TempDir(), "run")}, strings.Fields(args)...)...))
		if out.status != want.status || !strings.Contains(out.stderr, want.says) || out.stdout != "" {
			t.Errorf("%s: status %d, %s%s; want %d, %s", args, out.status, out.stderr, out.stdout, want.status, want.says)
		}
	}
}
