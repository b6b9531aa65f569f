package owned

import (
	"strings"
	"testing"
)

type kernel struct{ n int }

func (*kernel) Step() {}

type stateless struct{}

func (*stateless) Step() {}

type learner struct{ z []float64 }

func (*learner) Learn() {}

type target struct{ data []float64 }

type byValue struct{ of any }

func (byValue) Step() {}

type nested struct {
	self   *nested
	inner  []any
	named  map[string]any
	target *target
	plain  []struct{ a, b int }
}

func (*nested) Step() {}

func TestShared(t *testing.T) {
	k, l, data := &kernel{1}, &learner{z: []float64{1}}, &target{data: []float64{1}}
	loop := &nested{target: data, plain: []struct{ a, b int }{{1, 2}}}
	loop.self = loop
	for name, c := range map[string]struct {
		kernels []any
		want    string // type of what is shared; "": nothing
	}{
		"one kernel":                 {[]any{k, k}, "*owned.kernel"},
		"kernels of their own":       {[]any{k, &kernel{1}}, ""},
		"kernels without a state":    {[]any{&stateless{}, &stateless{}, stateless{}, stateless{}}, ""},
		"a target":                   {[]any{&nested{target: data}, &nested{target: data}}, ""},
		"a part of a value":          {[]any{byValue{k}, byValue{k}}, "*owned.kernel"},
		"a kernel and a part":        {[]any{k, byValue{byValue{k}}}, "*owned.kernel"},
		"a learner in a slice":       {[]any{&nested{inner: []any{3, l}}, &nested{inner: []any{l, nil}}}, "*owned.learner"},
		"a learner in a map":         {[]any{&nested{named: map[string]any{"a": l}}, &nested{named: map[string]any{"b": l}}}, "*owned.learner"},
		"one that holds itself":      {[]any{loop, &nested{self: loop}}, "*owned.nested"},
		"twice in one kernel":        {[]any{&nested{inner: []any{l, l}}, &nested{}}, ""},
		"the third is the first one": {[]any{k, &kernel{}, byValue{k}}, "*owned.kernel"},
	} {
		i, j, kind, ok := Shared(c.kernels)
		if ok != (c.want != "") || kind != c.want || ok && (i != 0 || j != len(c.kernels)-1) {
			t.Errorf("%s: %d and %d share %q, %v; want %q", name, i, j, kind, ok, c.want)
		}
	}
}

func TestAnatomy(t *testing.T) {
	a, b := Anatomy(&nested{inner: []any{&kernel{1}, &learner{}}}), Anatomy(&nested{inner: []any{&learner{}, &kernel{2}}})
	if a != b || a == Anatomy(&nested{inner: []any{&kernel{1}}}) || strings.TrimLeft(a, "0123456789abcdef") != "" || len(a) != 16 {
		t.Errorf("anatomies %s and %s", a, b)
	}
}
