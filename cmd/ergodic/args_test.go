package main

import (
	"strings"
	"testing"
)

func TestRepeatFlags(t *testing.T) {
	bare := allSwitches(t)
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
		if got := strings.Join(repeatFlags(strings.Fields(in), bare), " "); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

func TestJoinNegative(t *testing.T) {
	bare := allSwitches(t)
	for in, want := range map[string]string{
		"sample m.bug --draws -5 --data a":  "sample m.bug --draws=-5 --data a",
		"rbm loglik --log-z -12.5 --json":   "rbm loglik --log-z=-12.5 --json",
		"sample --json -5 --draws --seed 3": "sample --json -5 --draws --seed 3",
		"summary a --out -x":                "summary a --out -x",
		"summary -- --a -5":                 "summary -- --a -5",
	} {
		if got := strings.Join(joinNegative(strings.Fields(in), bare), " "); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

func allSwitches(t *testing.T) map[string]bool {
	t.Helper()
	p, err := newParser(&cli{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return switches(p.Model.Node)
}

// A name is a switch in all commands that have it, or in none: the words after it belong to it or not whatever the command is.
func TestSwitches(t *testing.T) {
	all := allSwitches(t)
	for _, name := range []string{"--help", "-h", "--version", "--json", "--no-log-lik", "--save-warmup", "--draw"} {
		if !all[name] {
			t.Errorf("%s is no switch", name)
		}
	}
	p, err := newParser(&cli{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range p.Model.Leaves(false) {
		for _, f := range leaf.Flags {
			if name := "--" + f.Name; f.IsBool() != all[name] || f.Tag.Negatable == "" && all["--no-"+f.Name] {
				t.Errorf("%s of %s: a switch: %v", name, leaf.Path(), f.IsBool())
			}
		}
	}
}
