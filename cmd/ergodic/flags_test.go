package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestInFlags(t *testing.T) {
	for text, want := range map[string]string{
		"run longer (Settings.Warmup, Settings.Draws)":                      "run longer (--warmup, --draws)",
		"plan.Override mu=slice: choose another rundir.Create(path)":        "--sampler mu=slice: choose another --out",
		"Binary.Threshold or Binary.Draw turns grey levels; give Job.Inits": "--threshold or --draw turns grey levels; give --inits",
		"nothing of the kind": "nothing of the kind",
	} {
		if got := inFlags(text); got != want || inFlags(got) != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// Packages name settings; the flags that fill them are named here. The life of a run is the command's.
func TestLibraryNamesNoFlag(t *testing.T) {
	flag := regexp.MustCompile(`--[a-z]`)
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(path)
		if e.IsDir() {
			if name == "../../cmd" || name == "../../bench" || name == "../../examples" || name == "../../internal/job" || strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 2 {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for k, line := range strings.Split(string(text), "\n") {
			if flag.MatchString(line) {
				t.Errorf("%s:%d names a flag: %s", name, k+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
