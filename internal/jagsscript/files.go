package jagsscript

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// readFile reads a file of a command.
func (s *Session) readFile(name string) ([]byte, error) {
	b, err := regular.ReadFile(s.path(name))
	var p *fs.PathError
	if errors.As(err, &p) {
		return nil, words(fmt.Sprintf("Unable to open file %s: %v", wording.Brief(name), p.Err))
	}
	return b, err
}

func (s *Session) pwd(string, map[string]string) error {
	dir, err := s.folder()
	if err == nil {
		s.printf("%s\n", dir)
	}
	return err
}

func (s *Session) cd(to string, _ map[string]string) error {
	dir, err := s.folder()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	if info, err := os.Stat(to); err != nil || !info.IsDir() {
		return words("Cannot change working directory: there is no folder " + wording.Brief(to))
	}
	s.dir = to
	return nil
}

// system runs a command of the shell in the session's folder; that it fails is told, as JAGS does, and ends no script.
func (s *Session) system(text string, _ map[string]string) error {
	dir, err := s.folder()
	if err != nil {
		return err
	}
	shell := []string{"sh", "-c", text}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", text}
	}
	cmd := exec.Command(shell[0], shell[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, s.Out, s.Out
	if err := cmd.Run(); err != nil {
		s.Note(wording.Brief(text) + ": " + err.Error())
	}
	return nil
}

func (s *Session) list(string, map[string]string) error {
	dir, err := s.folder()
	if err != nil {
		return err
	}
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range all {
		s.printf("%s\n", f.Name())
	}
	return nil
}

func (s *Session) run(name string, _ map[string]string) error {
	if s.nested == maxNested {
		return fmt.Errorf("scripts run one another %d deep", maxNested)
	}
	f, err := regular.Open(s.path(name))
	if err != nil {
		return words(fmt.Sprintf("Unable to open script file %s: %v", wording.Brief(name), err))
	}
	defer f.Close()
	s.nested++
	defer func() { s.nested-- }()
	return s.Script(name, f)
}

// ofJAGS are the modules that come with JAGS; all that they have is there without them.
var ofJAGS = []string{"basemod", "bugs", "mix", "glm", "dic", "msm", "lecuyer"}

func (s *Session) load(name string, _ map[string]string) error {
	s.printf("Loading module: %s", name)
	switch {
	case slices.Contains(s.modules, name):
		s.printf(": already loaded\n")
	case !slices.Contains(ofJAGS, name):
		s.printf(": file not found\n")
		s.Note(fmt.Sprintf("there is no module %s; %s", wording.Quote(name), listed(name, ofJAGS)))
	default:
		s.printf(": ok\n")
		s.modules = append(s.modules, name)
	}
	return nil
}

func (s *Session) unload(name string, _ map[string]string) error {
	s.printf("Unloading module: %s\n", name)
	s.modules = slices.DeleteFunc(s.modules, func(m string) bool { return m == name })
	return nil
}

func (s *Session) listModules(string, map[string]string) error {
	s.printf("Modules:\n")
	for _, m := range s.modules {
		s.printf("  %s\n", m)
	}
	return nil
}

// factories are what JAGS calls so, by their type.
func factories(kind string) ([]string, error) {
	switch kind {
	case "sampler":
		var all []string
		for _, k := range plan.Kernels() {
			if k != plan.AutoName { // leaves the choice to the plan
				all = append(all, "ergodic::"+k)
			}
		}
		return all, nil
	case "monitor":
		return []string{"dic::WAIC", "dic::PDTrace", "dic::PD", "dic::Deviance", "base::Variance", "base::Mean", "base::Trace"}, nil
	case "rng":
		return []string{"ergodic::PCG-DXSM"}, nil
	}
	return nil, fmt.Errorf("there is no factory of type %s; there are monitor, rng, sampler", wording.Quote(kind))
}

func (s *Session) listFactories(_ string, options map[string]string) error {
	names, err := factories(options["type"])
	if err != nil {
		return err
	}
	width := 0
	for _, n := range names {
		width = max(width, len(n))
	}
	s.printf("%-*s Status\n", width, "Name")
	for _, n := range names {
		s.printf("%-*s  on\n", width, n)
	}
	return nil
}

// setFactory takes JAGS's factories as they come: which kernel moves a node is decided otherwise here.
func (s *Session) setFactory(argument string, options map[string]string) error {
	name, to, _ := strings.Cut(argument, " ")
	if to != "on" && to != "off" {
		return fmt.Errorf("set factory NAME is followed by on or off, not %s", wording.Quote(to))
	}
	if _, err := factories(options["type"]); err != nil {
		return err
	}
	s.Note(fmt.Sprintf("set factory %s is ignored: kernels are chosen for each node by its neighbours", wording.Brief(name)))
	return nil
}

func (s *Session) listMonitors(string, map[string]string) error {
	for _, m := range s.monitors {
		s.printf("%s, type(%s), thin(%d)\n", m.name, m.kind, m.thin)
	}
	return nil
}

func (s *Session) listSamplers(string, map[string]string) error {
	if err := s.need("Cannot list samplers", false); err != nil {
		return err
	}
	return s.writeSamplers(s.Out)
}
