package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A triangle is recorded as a triangle: no element that is not there, no
// warning, and status 0 under --strict; export agrees.
func TestHolesAreNotRecorded(t *testing.T) {
	tmp := t.TempDir()
	model, dir := filepath.Join(tmp, "m.bug"), filepath.Join(tmp, "run")
	text := "model { y ~ dnorm(h[1,2], 1)\nfor (i in 1:3) { for (j in i:3) { h[i,j] ~ dnorm(0, 1)\ng[i,j] <- exp(h[i,j]) } } }"
	if err := os.WriteFile(model, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(tmp, "d.R")
	if err := os.WriteFile(data, []byte("y <- 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := must(t, "sample", model, "--data", data, "--seed", "1", "--monitor", "h", "--strict", "--out", dir)
	if strings.Contains(r.stderr, "not numbers") || strings.Contains(r.stdout, "h[2,1]") {
		t.Errorf("%s\n%s", r.stdout, r.stderr)
	}
	var s struct{ Parameters map[string]any }
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil || json.Unmarshal(b, &s) != nil || len(s.Parameters) != 6 {
		t.Errorf("%v: %v", err, s.Parameters)
	}
	csv := must(t, "export", dir, "--format", "csv").stdout
	if head, _, _ := strings.Cut(csv, "\n"); strings.TrimSpace(head) != `chain,draw,"h[1,1]","h[1,2]","h[2,2]","h[1,3]","h[2,3]","h[3,3]"` || strings.Contains(csv, "NaN") {
		t.Errorf("%.200s", csv)
	}
	two := must(t, "sample", model, "--data", data, "--seed", "1", "--monitor", "h[1,2],h[3,3],g[1,2]", "--out", filepath.Join(tmp, "two")).stdout
	for _, name := range []string{"h[1,2]", "h[3,3]", "g[1,2]"} {
		if !strings.Contains(two, name) {
			t.Errorf("no %s in\n%s", name, two)
		}
	}
}
