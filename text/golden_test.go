package text

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"
	"testing"
)

// The draws of each way to walk are frozen for a seed: a change of them is breaking.
func TestGoldenSentences(t *testing.T) {
	m := newTable(5, 40, false)
	cases, lists := someCases(t, m), mustLists(t, m, 3)
	full, err := NewTarget(m, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	cases = append(cases, Case{Target: full, Full: true, Moves: Moves{Gibbs: 1, Pair: 1}})
	want := map[string]string{}
	for line := range strings.Lines(golden) {
		name, sum, _ := strings.Cut(strings.TrimSpace(line), ": ")
		want[name] = sum
	}
	for name, set := range ways() {
		set.Seed, set.Chains, set.Steps = 11, 2, 4000
		set.Samples = 100
		if set.Cold > 0 {
			set.Samples = 0
		}
		res, err := Run(context.Background(), lists, cases, set)
		if err != nil {
			t.Fatal(name, err)
		}
		var b strings.Builder
		for _, r := range res {
			for _, f := range append(r.Best, r.Samples...) {
				fmt.Fprintf(&b, "%v %x %x\n", f.Words, f.Model, f.Penalty)
			}
			fmt.Fprintln(&b, r.Moves)
		}
		sum := sha256.Sum256([]byte(b.String()))
		if got := hex.EncodeToString(sum[:8]); got != want[name] {
			t.Errorf("%s: %s, frozen %s", name, got, want[name])
		}
	}
	for name, draw := range map[string]func() (string, error){
		"importance": func() (string, error) {
			s, err := Importance(context.Background(), cases[0].Target, lists, 5, 300, 2)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%v %x", s.Draws(), s.Weights()), nil
		},
		"rejection": func() (string, error) {
			kept, err := Rejection(context.Background(), cases[0].Target, lists, 5, 300, 2)
			return fmt.Sprint(kept), err
		},
	} {
		text, err := draw()
		if err != nil {
			t.Fatal(name, err)
		}
		sum := sha256.Sum256([]byte(text))
		if got := hex.EncodeToString(sum[:8]); got != want[name] {
			t.Errorf("%s: %s, frozen %s", name, got, want[name])
		}
	}
	var names []string
	for name := range want {
		names = append(names, name)
	}
	if sort.Strings(names); len(names) != len(ways())+2 {
		t.Errorf("frozen are %v", names)
	}
}

const golden = `plain: b2a397be4ef2926d
annealed: 903e868336bca6be
tempered: e7bbce34a0be7372
by word: 0b2c0496cd4dc001
importance: af7ef1d6c1315f74
rejection: 27e578622b567e3b`
