package draws

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shared is the folder of test material beside the repository.
func shared(t testing.TB, path ...string) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	for dir := "."; root == ""; dir = filepath.Join(dir, "..") {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root = filepath.Join(dir, "..", "shared")
		}
		if len(dir) > 100 {
			t.Skip("there is no go.mod above the test")
		}
	}
	full := filepath.Join(append([]string{root}, path...)...)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("test material is missing (set ERGODIC_SHARED): %v", err)
	}
	return full
}

// The expected values are read off the files: see the first draw's line.
func TestReadCmdStanGolden(t *testing.T) {
	g, err := ReadCmdStanFiles(shared(t, "formats", "cmdstan_2.37_golden_nowarmup.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(g.Posterior.Variables()); got != "[mu tau eta[1:2,1:4] theta[1:8] log_lik[1:8] y_hat[1:8]]" {
		t.Errorf("variables %s", got)
	}
	if g.Posterior.Draws() != 100 || g.Warmup != nil {
		t.Errorf("%d draws, warm-up %v", g.Posterior.Draws(), g.Warmup)
	}
	for name, want := range map[string]float64{"mu": 5.7487161, "eta[2,1]": -0.76773554, "eta[1,2]": -0.24396611, "theta[3]": 8.5152402} {
		e, ok := g.Posterior.Lookup(name)
		if !ok || g.Posterior.Chain(0, e)[0] != want {
			t.Errorf("first %s is not %v", name, want)
		}
	}
	for name, want := range map[string]float64{"lp": -5.6345505, "acceptance_rate": 0.97862605, "step_size": 0.48560376, "tree_depth": 3, "n_steps": 7, "energy": 12.417744} {
		e, ok := g.SampleStats.Lookup(name)
		if !ok || g.SampleStats.Chain(0, e)[0] != want {
			t.Errorf("first %s is not %v", name, want)
		}
	}
	w, err := ReadCmdStanFiles(shared(t, "formats", "cmdstan_2.37_golden_warmup.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if w.Warmup == nil || w.Posterior.Draws() == 0 || w.Warmup.Draws() == 0 {
		t.Errorf("warm-up of the second file: %v", w.Warmup)
	}
}

// recorded is a small run in memory; some values are not finite.
func recorded(t testing.TB, l Layout, warm, n int) Groups {
	t.Helper()
	mem, err := NewMemory(l)
	if err != nil {
		t.Fatal(err)
	}
	for c := range l.Chains {
		for i := range warm + n {
			row, stat := fakeRun{l}.draw(c, i < warm, i)
			switch i {
			case warm:
				row[0] = math.Inf(1)
			case warm + 1:
				row[0], row[1] = math.Inf(-1), math.NaN()
			case warm + 2:
				row[0], row[1] = 5e-324, math.MaxFloat64
			}
			if err := mem.Append(c, i < warm, row, stat); err != nil {
				t.Fatal(err)
			}
		}
	}
	return mem.Groups()
}

func TestCmdStanRoundTrip(t *testing.T) {
	for _, warm := range []int{0, 4} {
		l := testLayout()
		l.SaveWarmup = warm > 0
		g := recorded(t, l, warm, 20)
		var chains []Groups
		for c := range l.Chains {
			var b bytes.Buffer
			if err := WriteCmdStan(&b, g, c, CmdStanRun{Model: "a model = x", Seed: 3}); err != nil {
				t.Fatal(err)
			}
			got, err := ReadCmdStan(&b)
			if err != nil {
				t.Fatal(err)
			}
			chains = append(chains, got)
		}
		got, err := joinChains(chains)
		if err != nil {
			t.Fatal(err)
		}
		if (got.Warmup != nil) != (warm > 0) {
			t.Fatalf("warm-up %v", got.Warmup)
		}
		for e := range g.Posterior.Names() {
			for c := range l.Chains {
				sameNumbers(t, g.Posterior.Names()[e], g.Posterior.Chain(c, e), got.Posterior.Chain(c, e))
				if warm > 0 {
					sameNumbers(t, g.Posterior.Names()[e], g.Warmup.Chain(c, e), got.Warmup.Chain(c, e))
				}
			}
		}
		for _, name := range g.SampleStats.Names() {
			i, _ := g.SampleStats.Lookup(name)
			j, ok := got.SampleStats.Lookup(name)
			if !ok {
				t.Fatalf("%s is lost", name)
			}
			sameNumbers(t, name, g.SampleStats.Chain(1, i), got.SampleStats.Chain(1, j))
		}
	}
}

// sameNumbers is equality of bits, but that every NaN is one.
func sameNumbers(t *testing.T, name string, want, got []float64) {
	t.Helper()
	if !slices.EqualFunc(want, got, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

func TestStanNamesStayApart(t *testing.T) {
	got := stanNames([]Variable{{Name: "a.b"}, {Name: "a_b"}, {Name: "b[1]"}, {Name: "s", Dims: []int{1, 2}, Lower: []int{4, 5}}})
	if want := []string{"a_b", "a_b_", "b_1", "s.1.1", "s.1.2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

const cmdStanPyReads = `
import sys, json, logging
logging.disable(logging.CRITICAL)
import cmdstanpy
fit = cmdstanpy.from_csv(sys.argv[1:])
d = fit.draws(inc_warmup=fit.metadata.cmdstan_config["save_warmup"] == 1)
S = fit.stan_variable("Sigma")
print(json.dumps({"shape": list(d.shape), "columns": list(fit.column_names), "S": float(S[1, 0, 2]), "theta": list(fit.stan_variable("theta").shape)}))
`

func TestCmdStanPy(t *testing.T) {
	python := os.Getenv("ERGODIC_PYTHON")
	if python == "" {
		python = "python3"
	}
	if out, err := exec.Command(python, "-c", "import cmdstanpy").CombinedOutput(); err != nil {
		t.Skipf("needs Python with cmdstanpy: %v\n%.300s", err, out)
	}
	for _, warm := range []int{0, 6} {
		l := testLayout()
		l.SaveWarmup = warm > 0
		g := recorded(t, l, warm, 20)
		dir := t.TempDir()
		args := []string{"-c", cmdStanPyReads}
		for c := range l.Chains {
			path := filepath.Join(dir, fmt.Sprintf("model_%d.csv", c+1))
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := WriteCmdStan(f, g, c, CmdStanRun{Model: "m", Seed: 1, Warmup: 10, Thin: 2}); err != nil {
				t.Fatal(err)
			}
			f.Close()
			args = append(args, path)
		}
		cmd := exec.Command(python, args...)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("cmdstanpy refuses the files: %v", err)
		}
		var got struct {
			Shape, Theta []int
			Columns      []string
			S            float64
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if want := []int{20 + warm, 3, 7 + 13}; !slices.Equal(got.Shape, want) {
			t.Errorf("cmdstanpy sees shape %v, want %v", got.Shape, want)
		}
		if !slices.Contains(got.Columns, "Sigma[2,3]") || !slices.Equal(got.Theta, []int{60, 4}) {
			t.Errorf("columns %q, theta %v", got.Columns, got.Theta)
		}
		e, _ := g.Posterior.Lookup("Sigma[1,3]")
		if want := g.Posterior.Chain(0, e)[1]; got.S != want {
			t.Errorf("Sigma[1,3] of the second draw is %v, want %v", got.S, want)
		}
	}
}

func TestCODARoundTrip(t *testing.T) {
	g := recorded(t, testLayout(), 0, 30)
	var index bytes.Buffer
	files := make([]bytes.Buffer, 3)
	var writers []io.Writer
	var readers []io.Reader
	for c := range files {
		writers, readers = append(writers, &files[c]), append(readers, &files[c])
	}
	if err := WriteCODA(&index, writers, g.Posterior, 1001, 5); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Split(index.String(), "\n")[1], "theta[1] 31 60"; got != want {
		t.Errorf("index line %q, want %q", got, want)
	}
	if got := strings.Split(files[0].String(), "\n")[:2]; !slices.Equal(got, []string{"1001  Inf", "1006  -Inf"}) {
		t.Errorf("first lines %q", got)
	}
	s, err := ReadCODA(&index, readers...)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(s.Variables()) != fmt.Sprint(g.Posterior.Variables()) {
		t.Errorf("variables %v", s.Variables())
	}
	for e, name := range g.Posterior.Names() {
		for c := range 3 {
			sameNumbers(t, name, g.Posterior.Chain(c, e), s.Chain(c, e))
		}
	}
}

func TestCSVAndJSON(t *testing.T) {
	g := recorded(t, testLayout(), 0, 12)
	var b bytes.Buffer
	if err := WriteCSV(&b, g.Posterior); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := append([]string{"chain", "draw"}, g.Posterior.Names()...); !slices.Equal(rows[0], want) {
		t.Errorf("header %q", rows[0])
	}
	for i, row := range rows[1:] {
		if row[0] != strconv.Itoa(i/12+1) || row[1] != strconv.Itoa(i%12+1) {
			t.Fatalf("row %d is chain %s, draw %s", i, row[0], row[1])
		}
		for e, text := range row[2:] {
			x, err := parseR(text)
			if err != nil {
				t.Fatal(err)
			}
			sameNumbers(t, text, g.Posterior.Chain(i/12, e)[i%12:i%12+1], []float64{x})
		}
	}
	b.Reset()
	if err := WriteJSON(&b, g); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Chains, Draws int
		Parameters    map[string][][]*json.Number
		Stats         map[string][][]float64 `json:"sample_stats"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Chains != 3 || got.Draws != 12 || len(got.Parameters) != 13 || len(got.Stats) != 5 {
		t.Errorf("%d chains, %d draws, %d parameters, %d statistics", got.Chains, got.Draws, len(got.Parameters), len(got.Stats))
	}
	for e, name := range g.Posterior.Names() {
		for c := range 3 {
			for d, x := range got.Parameters[name][c] {
				v := math.NaN()
				if x != nil {
					v, _ = strconv.ParseFloat(string(*x), 64)
				}
				sameNumbers(t, name, g.Posterior.Chain(c, e)[d:d+1], []float64{v})
			}
		}
	}
}

func TestBadFilesAreErrors(t *testing.T) {
	for text, part := range map[string]string{
		"":                                  "column names",
		"# only = comments\n":               "column names",
		"lp__,mu\n1,2,3\n":                  "3 values for 2 columns",
		"lp__,mu\n1,two\n":                  `"two" is not a number`,
		"lp__,mu,mu\n":                      "stands twice",
		"lp__,mu\n1,2\n1":                   "1 values for 2",
		"lp__,mu\n1,2\n# x\n\n1,2\n1,2,\n":  "line 6",
		"lp__,x.1,x.3\n1,2,3\n":             "",
		"lp__,x.1.1,x.2147483640.2147483\n": "",
	} {
		_, err := ReadCmdStan(strings.NewReader(text))
		if part == "" && err != nil || part != "" && (err == nil || !strings.Contains(err.Error(), part)) {
			t.Errorf("%q: error %v, want one with %q", text, err, part)
		}
	}
	for index, chain := range map[string]string{
		"":                   "1 1",
		"mu 1":               "1 1",
		"mu 1 99999999999":   "1 1",
		"mu 2 1\nb 1 1":      "1 1",
		"mu 1 1\nmu 1 1":     "1 1",
		"mu 1 1":             "1 x",
		"mu -1 1":            "1 1",
		"mu 1 9999999999999": "",
	} {
		if s, err := ReadCODA(strings.NewReader(index), strings.NewReader(chain)); err == nil {
			t.Errorf("index %q and chain %q are read as %v", index, chain, s)
		}
	}
}

func FuzzReadCmdStan(f *testing.F) {
	f.Add("# save_warmup = 1\nlp__,mu,x.1,x.2\n1,2,3,4\n# Adaptation terminated\n# Step size = 1\n1,nan,-inf,1e999\n#\n")
	f.Add("lp__,a:1.2,b.1.1,b.2.1\n1,2,3,4")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ReadCmdStan(strings.NewReader(text))
		if err != nil {
			return
		}
		if g.Posterior == nil || g.SampleStats == nil {
			t.Fatal("no error and no draws")
		}
		var b bytes.Buffer
		if err := WriteCmdStan(&b, g, 0, CmdStanRun{}); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzReadCODA(f *testing.F) {
	f.Add("x[1] 1 2\nx[2] 3 4\n", "1 0.5\n2 NA\n3 Inf\n4 -1e300\n")
	f.Fuzz(func(t *testing.T, index, chain string) {
		s, err := ReadCODA(strings.NewReader(index), strings.NewReader(chain))
		if err == nil && len(s.Names()) == 0 {
			t.Fatal("no error and no draws")
		}
	})
}
