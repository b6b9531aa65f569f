package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Ten data of one value and a standard deviation that may be 0: the posterior is improper, and the chains agree on the
// least number whose square has an inverse. That is a warning of sample, with --resume and in summary too.
func TestConstantDataAreWarnedOf(t *testing.T) {
	dir := t.TempDir()
	model, data, out := filepath.Join(dir, "m.bug"), filepath.Join(dir, "m.json"), filepath.Join(dir, "run")
	for file, text := range map[string]string{
		model: "model { for (i in 1:10) { y[i] ~ dnorm(m, pow(s,-2)) }\n m ~ dnorm(0,1e-6)\n s ~ dunif(0,10) }",
		data:  `{"y": [3,3,3,3,3,3,3,3,3,3]}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"sample", model, "--data", data, "--seed", "1", "--out", out},
		{"sample", "--resume", out, "--draws", "1100"},
		{"summary", out},
	} {
		r := must(t, args...)
		for _, want := range []string{"m kept the value 3 in every draw", "1, 2, 3, 4 ended at the limit of the numbers there are: y[1] ~ dnorm(m = 3, pow(s,-2) = "} {
			if !strings.Contains(r.stderr, want) {
				t.Errorf("%s does not say %q but\n%s", args[0], want, r.stderr)
			}
		}
	}
}
