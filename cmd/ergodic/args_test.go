package main

import (
	"slices"
	"strings"
	"testing"
)

func TestRepeatFlags(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "",
		"sample m.bug --data a b --chains 2": "sample m.bug --data a --data b --chains 2",
		"sample m.bug --data a b c --inits d e --json": "sample m.bug --data a --data b --data c --inits d --inits e --json",
		"sample --data a m.bug":                        "sample --data a m.bug",
		"sample --json m.bug --data=a b":               "sample --json m.bug --data=a b",
		"sample --chains 2 m.bug --data a":             "sample --chains 2 m.bug --data a",
		"check m.bug --data a b":                       "check m.bug --data a --data b",
		"check --data a m.bug --":                      "check --data a m.bug --",
		"summary a b --data c d":                       "summary a b --data c d",
		"sample m.bug --no-log-lik --inits a b":        "sample m.bug --no-log-lik --inits a --inits b",
	} {
		if got := strings.Join(repeatFlags(strings.Fields(in)), " "); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

func TestJoinNegative(t *testing.T) {
	for in, want := range map[string]string{
		"sample m.bug --draws -5 --data a":  "sample m.bug --draws=-5 --data a",
		"rbm loglik --log-z -12.5 --json":   "rbm loglik --log-z=-12.5 --json",
		"sample --json -5 --draws --seed 3": "sample --json -5 --draws --seed 3",
		"summary a --out -x":                "summary a --out -x",
		"summary -- --a -5":                 "summary -- --a -5",
	} {
		if got := strings.Join(joinNegative(strings.Fields(in)), " "); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

// Every flag of sample and check without a value is known to spread as such.
func TestSwitches(t *testing.T) {
	p, err := newParser(&cli{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range p.Model.Children {
		if !slices.Contains([]string{"sample", "check"}, n.Name) {
			continue
		}
		for _, f := range n.Flags {
			if f.IsBool() != isSwitch("--"+f.Name) {
				t.Errorf("--%s: a switch: %v", f.Name, f.IsBool())
			}
		}
	}
}
