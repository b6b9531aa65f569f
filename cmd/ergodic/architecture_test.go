package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// ARCHITECTURE.md gives every package a layer, and imports point down, to a lower
// layer or to the same.
func TestLayers(t *testing.T) {
	const module = "github.com/ergodic-mcmc/ergodic/"
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	layer := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d|–) \| (.+?) \|`).FindAllStringSubmatch(string(text), -1) {
		for _, p := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			layer[p[1]] = row[1]
		}
	}
	list, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	there := map[string]bool{}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], module)
		there[name] = true
		if strings.HasPrefix(name, "bench") || strings.HasPrefix(name, "examples/") || strings.Contains(name, "/internal/") {
			continue
		}
		if layer[name] == "" {
			t.Errorf("ARCHITECTURE.md has no row for %s", name)
		}
		for _, p := range words[1:] {
			p, own := strings.CutPrefix(p, module)
			if from, to := layer[name], layer[p]; own && from != "–" && to != "" && to != "–" && to > from {
				t.Errorf("%s of layer %s imports %s of layer %s", name, from, p, to)
			}
		}
	}
	for p := range layer {
		if !there[p] && p != "bench" {
			t.Errorf("ARCHITECTURE.md has a row for %s, which is not there", p)
		}
	}
}
