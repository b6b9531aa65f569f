package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/chainreport"
)

func chainOf(t *testing.T, args ...string) (r chainreport.Result, raw map[string]any) {
	t.Helper()
	out := must(t, append([]string{"chain", "--json"}, args...)...)
	for _, into := range []any{&r, &raw} {
		if err := json.Unmarshal([]byte(out.stdout), into); err != nil {
			t.Fatalf("%v in\n%s", err, out.stdout)
		}
	}
	return r, raw
}

func chainFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "chain.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestChain(t *testing.T) {
	const file = "../../examples/classes.csv"
	r, raw := chainOf(t, file, "--from", "0.21,0.68,0.11", "--generations", "7", "--hit", "upper", "--simulate", "4", "--seed", "1")
	for _, key := range []string{"states", "irreducible", "classes", "period", "stationary", "reversible", "slem", "mixing_time", "kemeny"} {
		if raw[key] == nil {
			t.Errorf("no %s", key)
		}
	}
	if r.States != 3 || !r.Irreducible || r.Classes != 1 || *r.Period != 1 || *r.Reversible || *r.MixingTime != 2 {
		t.Errorf("%+v", r)
	}
	for i, want := range []float64{936.0 / 3267, 1596.0 / 3267, 735.0 / 3267} {
		if math.Abs(r.Stationary[i]-want) > 1e-15 {
			t.Errorf("π = %v", r.Stationary)
		}
	}
	// The eigenvalues besides 1 add up to the trace − 1, 0.84; Kemeny's constant is the sum of 1/(1 − λ).
	sum, product := 0.84, *r.SLEM*(0.84-*r.SLEM)
	if k := (2 - sum) / (1 - sum + product); math.Abs(*r.Kemeny-k) > 1e-9 {
		t.Errorf("Kemeny's constant %v, not %v", *r.Kemeny, k)
	}
	if len(r.Generations) != 8 || math.Round(1000*r.Generations[7][0]) != 286 || len(r.Distance) != 8 || len(r.Hitting) != 3 {
		t.Errorf("%+v", r)
	}
	again, _ := chainOf(t, file, "--from", "0.21,0.68,0.11", "--simulate", "4", "--seed", "1")
	if len(r.Path) != 5 || !slices.Equal(r.Path, again.Path) {
		t.Errorf("paths %v and %v", r.Path, again.Path)
	}
	text := must(t, "chain", file, "--from", "lower", "--generations", "2")
	for _, part := range []string{"irreducible", "0.286501", "Kemeny's constant  3.55066", "0.473  0.395   0.132  0.19"} {
		if !strings.Contains(text.stdout, part) {
			t.Errorf("no %q in\n%s", part, text.stdout)
		}
	}
}

// What does not exist is null, and the table says why.
func TestChainWithout(t *testing.T) {
	islands := chainFile(t, "a,b,0.5\na,c,0.5\nb,b,1\nc,d,1\nd,c,1\n")
	r, raw := chainOf(t, islands)
	for _, key := range []string{"period", "stationary", "reversible", "mixing_time", "kemeny"} {
		if v, there := raw[key]; v != nil || !there || r.Why[key] == "" {
			t.Errorf("%s is %v: %s", key, v, r.Why[key])
		}
	}
	if r.Irreducible || r.Classes != 3 || *r.SLEM != 1 || !slices.Equal(r.Absorbing, []string{"b"}) || r.Absorption.P[0][0] != 0.5 {
		t.Errorf("%+v", r)
	}
	if got := r.ClassList[2].Stationary; !slices.Equal(got, []float64{0.5, 0.5}) || r.ClassList[2].Period != 2 {
		t.Errorf("%v", r.ClassList)
	}
	out := must(t, "chain", islands)
	for _, part := range []string{"3, 2 of them closed; 1 state is transient, 1 absorbing", "none: the chain is reducible", "closed class of c"} {
		if !strings.Contains(out.stdout, part) {
			t.Errorf("no %q in\n%s", part, out.stdout)
		}
	}
	r, _ = chainOf(t, chainFile(t, "0,1\n1,0\n"))
	if *r.Period != 2 || r.MixingTime != nil || r.Why["mixing_time"] == "" || *r.Kemeny != 0.5 {
		t.Errorf("%+v", r)
	}
}

func TestChainLarge(t *testing.T) {
	var b strings.Builder
	const n = 3000
	for i := range n {
		b.WriteString(strings.Join([]string{itoa(i), itoa((i + 1) % n), "0.6\n"}, " "))
		b.WriteString(strings.Join([]string{itoa(i), itoa((i + n - 1) % n), "0.4\n"}, " "))
	}
	r, _ := chainOf(t, chainFile(t, b.String()))
	if r.States != n || r.SLEM == nil || *r.Period != 2 || r.Kemeny != nil || !strings.Contains(r.Why["kemeny"], "--spectrum") {
		t.Errorf("period %v, slem %v, %v", *r.Period, r.SLEM, r.Why)
	}
	if math.Abs(r.Stationary[17]-1.0/n) > 1e-13 || *r.Reversible {
		t.Errorf("%v", r.Stationary[17])
	}
	// Up with probability 0.6 round a ring: it gets from 1 to 0 by 2999 steps up or one down. With ρ = 2/3 the way down
	// is taken with probability (ρ − ρ^n)/(1 − ρ^n) and the expected displacement is 0.2 a step.
	r, _ = chainOf(t, chainFile(t, b.String()), "--hit", "0")
	if want := (float64(n-1) - 2.0/3*n) / 0.2; math.Abs(*r.Hitting[1]/want-1) > 2e-6 {
		t.Errorf("%v steps, not %v", *r.Hitting[1], want)
	}
}

// The eigenvalues of a walk on a ring are known: those of a large one are found by iteration, and bound its mixing time.
func TestChainLargeGap(t *testing.T) {
	var b strings.Builder
	const n = 2500
	for i := range n {
		for _, jump := range []int{0, 1, n - 1, 40, n - 40} {
			b.WriteString(strings.Join([]string{itoa(i), itoa((i + jump) % n), "0.2\n"}, " "))
		}
	}
	want := 0.0
	for k := 1; k < n; k++ {
		at := 2 * math.Pi * float64(k) / n
		want = max(want, math.Abs(0.2+0.4*math.Cos(at)+0.4*math.Cos(40*at)))
	}
	file := chainFile(t, b.String())
	r, _ := chainOf(t, file)
	if r.SLEM == nil || math.Abs(*r.SLEM-want) > *r.SLEMError || *r.SLEMError > (1-want)/900 || r.MixingTime != nil {
		t.Fatalf("SLEM %v ± %v, not %v; %v", r.SLEM, r.SLEMError, want, r.Why)
	}
	relaxation := 1 / (1 - want)
	low, high := (relaxation-1)*math.Log(2), relaxation*math.Log(4*n)
	if len(r.MixingBounds) != 2 || math.Abs(r.MixingBounds[0]/low-1) > 0.01 || math.Abs(r.MixingBounds[1]/high-1) > 0.01 {
		t.Errorf("bounds %v, not %v and %v", r.MixingBounds, low, high)
	}
	if out := must(t, "chain", file); !strings.Contains(out.stdout, "by the spectral gap") {
		t.Error(out.stdout)
	}
}

func itoa(i int) string { b, _ := json.Marshal(i); return string(b) }

func TestChainErrors(t *testing.T) {
	good := "../../examples/classes.csv"
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{1, "cannot be read: no such file", []string{"missing.csv"}},
		{1, "chain.csv: the file is empty", []string{chainFile(t, "")}},
		{1, "one state", []string{chainFile(t, "1\n")}},
		{1, "chain.csv:2: the row of state 2 sums to 0.9", []string{chainFile(t, "0.5,0.5\n0.5,0.4\n")}},
		{1, "chain.csv:2:5: the probability -0.4 is negative", []string{chainFile(t, "0.5,0.5\n1.4,-0.4\n"), "--normalise"}},
		{1, "no state has that name", []string{good, "--hit", "nobody"}},
		{1, "no state has that name", []string{good, "--from", "nobody"}},
		{1, "--from has 2 probabilities; the chain has 3 states", []string{good, "--from", "0.5,0.5"}},
		{2, "--from sums to 1.5", []string{good, "--from", "0.5,0.5,0.5"}},
		{2, "--generations needs a start", []string{good, "--generations", "3"}},
		{2, "--epsilon", []string{good, "--epsilon", "2"}},
		{2, "format", []string{good, "--format", "excel"}},
	} {
		r := execute(t, program(t, append([]string{"chain"}, c.args...)...))
		if r.status != c.status || !strings.Contains(r.stderr, c.want) || r.stdout != "" {
			t.Errorf("%q: status %d\n%s%s", c.args, r.status, r.stdout, r.stderr)
		}
	}
}

// What would take a dense matrix of 80 GB ends with its size and a way out, not with the machine's memory.
func TestChainRoom(t *testing.T) {
	const n = 100_000
	var ring, drain strings.Builder
	for i := range n {
		next, before := itoa((i+1)%n), itoa(max(i-1, 0))
		ring.WriteString(itoa(i) + "," + next + ",0.5\n" + itoa(i) + "," + itoa(i) + ",0.5\n")
		drain.WriteString(itoa(i) + "," + before + ",1\n")
	}
	for _, c := range []struct {
		want []string
		args []string
	}{
		{[]string{"100000 states", "8e+10 bytes (74.5 GiB)", "without --spectrum the second eigenvalue is found by iteration"}, []string{chainFile(t, ring.String()), "--spectrum"}},
		{[]string{"--hit 0: hitting times of 99999 states", "8e+10 bytes (74.5 GiB)", "cut the file"}, []string{chainFile(t, drain.String()), "--hit", "0"}},
		{[]string{"eigenvalues of 100000 states", "without --spectrum"}, []string{chainFile(t, drain.String()), "--hit", "0", "--spectrum"}},
	} {
		r := execute(t, program(t, append([]string{"chain"}, c.args...)...))
		for _, want := range c.want {
			if r.status != 1 || !strings.Contains(r.stderr, want) {
				t.Errorf("%q: status %d, no %q in\n%s", c.args, r.status, want, r.stderr)
			}
		}
	}
}
