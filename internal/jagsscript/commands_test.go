package jagsscript

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// carried are the commands of JAGS's manual and those that it does not mention: a script with each, behind a model that is started, and the
// files that it leaves. fails: its end is an error; ours: JAGS 4.3.1 does not do this.
var carried = []carriedCommand{
	{"model in", "model clear\nmodel in \"line.bug\"", "", false, false},
	{"model clear", "model clear\nupdate 1", "", true, false},
	{"data in", "model clear; data in line-data.R", "", false, true},
	{"data clear", "data clear", "", false, false},
	{"data to", "data to d.R", "d.R", false, false},
	{"compile", "model clear\nmodel in line.bug\ncompile, nchains(3)", "", false, false},
	{"parameters in", "model clear\nmodel in line.bug\ndata in line-data.R\ncompile\nparameters in line-inits.R\ninitialize", "", false, false},
	{"parameters in, chain", "model clear\nmodel in line.bug\ndata in line-data.R\ncompile, nchains(2)\nparameters in line-inits.R, chain(2)\ninitialize", "", false, false},
	{"inits in", "model clear\nmodel in line.bug\ndata in line-data.R\ncompile\ninits in line-inits.R\ninitialize", "", false, false},
	{"parameters to", "update 5\nparameters to p.R\nparameters to p2.R, chain(2)", "p.R p2.R", false, false},
	{"initialize", "model clear\nmodel in line.bug\ndata in line-data.R\ncompile\ninitialize\nupdate 1", "", false, false},
	{"forceadapt", "forceadapt 10", "", false, false},
	{"autoadapt", "autoadapt 10, by(5)", "", false, false},
	{"adapt", "adapt 10\nupdate 1", "", false, false},
	{"update", "update 10\nupdate 10, by(5)", "", false, false},
	{"monitor", "monitor alpha\nmonitor beta, thin(2)\nupdate 10\ncoda *", "CODAindex.txt CODAchain1.txt CODAchain2.txt", false, false},
	{"monitor set", "monitor set alpha\nupdate 10\ncoda *", "CODAindex.txt CODAchain1.txt CODAchain2.txt", false, false},
	{"monitor of a part", "monitor mu[1:2]\nupdate 10\ncoda *", "CODAindex.txt CODAchain1.txt CODAchain2.txt", false, false},
	{"monitor, type(mean)", "monitor alpha, type(mean)\nmonitor mu, type(variance)\nupdate 10\ncoda *", "CODAtable1.txt CODAtable2.txt", false, false},
	{"monitor of deviance", "load dic\nmonitor deviance\nupdate 10\ncoda *", "CODAindex.txt CODAchain1.txt CODAchain2.txt", false, false},
	{"monitor of deviances", "load dic\nmonitor deviance, type(mean)\nupdate 10\ncoda *, stem(d)", "dtable0.txt", false, false},
	{"monitor of pD", "load dic\nmonitor pD\nupdate 10\ncoda *", "CODAindex0.txt CODAchain0.txt", false, false},
	{"monitor of pD, type(mean)", "load dic\nmonitor pD, type(mean)\nmonitor popt, type(mean)\nmonitor WAIC, type(mean)\nupdate 10\ncoda *", "CODAtable0.txt", false, false},
	{"monitor clear", "monitor alpha\nmonitor beta\nmonitor clear alpha\nupdate 10\ncoda *", "CODAindex.txt CODAchain1.txt CODAchain2.txt", false, false},
	{"monitors to", "monitor alpha\nmonitor mu\nupdate 5\nmonitors to m.R", "m.R", false, false},
	{"monitors to, type(mean)", "monitor alpha, type(mean)\nupdate 5\nmonitors to m.R, type(mean)", "m.R", false, false},
	{"coda", "monitor alpha\nmonitor beta\nupdate 10\ncoda beta, stem(b)", "bindex.txt bchain1.txt bchain2.txt", false, false},
	{"inits to", "update 5\ninits to p.R", "p.R", false, true},
	{"monitor to", "monitor alpha\nupdate 5\nmonitor to m.R", "m.R", false, true},
	{"list monitors", "monitor alpha\nlist monitors\nlist samplers", "", false, true},
	{"samplers to", "samplers to s.txt", "s.txt", false, false},
	{"load", "load glm\nload nosuch\nunload glm\nupdate 1", "", false, false},
	{"list modules", "list modules", "", false, false},
	{"list factories", "list factories, type(sampler)\nlist factories, type(rng)\nlist factories, type(monitor)", "", false, false},
	{"set factory", "set factory \"base::Slice\" off, type(sampler)", "", false, false},
	{"set seed", "set seed 42", "", false, false},
	{"run", "run other.cmd", "other.R", false, false},
	{"cd", "cd sub\npwd\ndir\ndata to here.R", "sub/here.R", false, false},
	{"system", "system true", "", false, false},
	{"exit", "exit\nnonsense", "", false, false},
	{"comments", "# one\n/* two\nlines */\nupdate 1", "", false, false},
	{"nonsense", "nonsense", "", true, false},
	{"upper case", "UPDATE 5", "", true, false},
	{"a file that is not there", "model in nosuch.bug", "", true, false},
}

type carriedCommand struct {
	name, script string
	files        string
	fails, ours  bool
}

// Every command leaves its files, and ends a script or not, as JAGS does.
func TestCommands(t *testing.T) {
	for _, c := range carried {
		t.Run(c.name, func(t *testing.T) {
			s, out := session(t)
			dir := s.dir
			prepare(t, dir)
			before := filesIn(t, dir)
			err := s.script(started + c.script + "\n")
			s.End()
			if failed := err != nil && !errors.Is(err, ErrExit); failed != c.fails {
				t.Errorf("it ends with %v\n%s", err, out)
			}
			checkFiles(t, "", dir, before, c.files)
			if c.ours {
				return
			}
			theirs := jagsFolder(t)
			if failed := runJAGS(t, theirs, started+c.script+"\n"); failed != c.fails {
				t.Errorf("jags ends with an error: %v", failed)
			}
			checkFiles(t, "jags: ", theirs, before, c.files)
			for name := range strings.FieldsSeq(c.files) {
				if a, b := form(t, dir, name), form(t, theirs, name); a != b {
					t.Errorf("%s is\n%s\nin jags\n%s", name, a, b)
				}
			}
		})
	}
}

// prepare gives a folder what scripts want beside the model.
func prepare(t *testing.T, dir string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other.cmd"), []byte("update 2\ndata to other.R\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// jagsFolder is a folder with the same files for jags; it skips where jags is not there.
func jagsFolder(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("jags"); err != nil {
		t.Skip("jags is not installed")
	}
	s, _ := session(t)
	prepare(t, s.dir)
	// JAGS takes no .RNG.seed without .RNG.name.
	if err := os.WriteFile(filepath.Join(s.dir, "line-inits.R"), []byte("\"alpha\" <- 3\n\"beta\" <- 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return s.dir
}

func runJAGS(t *testing.T, dir, script string) (failed bool) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "test.cmd"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("jags", "test.cmd")
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%s", text)
	}
	os.Remove(filepath.Join(dir, "test.cmd"))
	return err != nil
}

func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, pattern := range []string{"*", "sub/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			name, _ := filepath.Rel(dir, f)
			names = append(names, filepath.ToSlash(name))
		}
	}
	slices.Sort(names)
	return names
}

func checkFiles(t *testing.T, who, dir string, before []string, want string) {
	t.Helper()
	var made []string
	for _, name := range filesIn(t, dir) {
		if !slices.Contains(before, name) {
			made = append(made, name)
		}
	}
	wanted := strings.Fields(want)
	slices.Sort(wanted)
	if !slices.Equal(made, wanted) {
		t.Errorf("%sthe files are %v, not %v", who, made, wanted)
	}
}

// value is a number that draws decide, in a file of a script: one that stands alone or in a list of R.
var value = regexp.MustCompile(`(^|[\s(,])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(\s|[,)]|$)`)

// form is the text of a file without the numbers that draws decide.
func form(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return err.Error()
	}
	text := string(b)
	if strings.HasSuffix(name, "index.txt") || strings.HasSuffix(name, "index0.txt") {
		return text
	}
	if name == "s.txt" { // kernels have other names
		return ""
	}
	if first, _, _ := strings.Cut(name, "."); first == "p" || first == "p2" { // generators have states of their own
		text = regexp.MustCompile("(?s)`.RNG.(name|seed|state)` <- [^`]*").ReplaceAllString(text, "")
	}
	var lines []string
	for line := range strings.Lines(text) {
		if k, _, ok := strings.Cut(line, "  "); ok && strings.Contains(name, "chain") {
			lines = append(lines, k) // the iteration
			continue
		}
		for value.MatchString(line) {
			line = value.ReplaceAllString(line, "$1#$2")
		}
		lines = append(lines, strings.TrimRight(line, "\n"))
	}
	return strings.Join(lines, "\n")
}

// Every command that there is has a case, but for what JAGS has not.
func TestEveryCommandHasACase(t *testing.T) {
	for _, one := range commands() {
		used := regexp.MustCompile(`(?m)(?:^|; ?)` + one.words + `(?:[\s,;]|$)`).MatchString
		if !slices.ContainsFunc(carried, func(c carriedCommand) bool { return used(c.script) }) {
			t.Errorf("%s has no case", one.words)
		}
	}
}
