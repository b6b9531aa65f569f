package spins

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sharedFile reads a file of the test material: $ERGODIC_SHARED, or ../shared beside the module.
func sharedFile(t testing.TB, name string) (path string, text []byte) {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path = filepath.Join(root, "anneal", name)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, text
}

// sharedModel reads a model of the test material.
func sharedModel(t testing.TB, name string) *Model {
	t.Helper()
	path, text := sharedFile(t, name)
	m, err := Read(path, text, Auto)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Cuts that others publish with the graphs have the weights that best_known.csv says.
func TestCertificates(t *testing.T) {
	_, table := sharedFile(t, "gset/best_known.csv")
	checked := 0
	for line := range strings.Lines(string(table)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		graph, weight := "gset/"+fields[0]+".txt", fields[5]
		path, _ := sharedFile(t, "gset/best_known.csv")
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.Base(graph))); err != nil {
			continue
		}
		m := sharedModel(t, graph)
		_, cut := sharedFile(t, "gset/"+fields[0]+"_opt_cut.txt")
		var s []float64
		for word := range strings.SplitSeq(strings.TrimSpace(string(cut)), ",") {
			s = append(s, map[string]float64{"1": 1, "-1": -1}[strings.TrimSpace(word)])
		}
		e, err := m.Energy(s)
		if err != nil {
			t.Errorf("%s: %v", graph, err)
			continue
		}
		if got := text(m.Objective(e)); got != weight {
			t.Errorf("%s: the cut weighs %s, want %s", graph, got, weight)
		}
		checked++
	}
	if checked < 10 {
		t.Errorf("only %d cuts were checked", checked)
	}
}
