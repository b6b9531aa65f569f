package function

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"
)

// The forms in which a function can be written.
func TestRead(t *testing.T) {
	for text, want := range map[string]float64{
		"x ~ dunif(-1, 3)\nminimise <- x^2":                                                     1,
		"# a comment\nmodel {\n x ~ dunif(-1, 3)\n minimize <- x^2\n}":                          1,
		"data { n <- 2 }\nmodel { for (i in 1:n) { x[i] ~ dunif(1, n) }\n maximise <- sum(x) }": -2,
		"x ~ dunif(0, 2*pi) ; minimise <- cos(x)":                                               1,
		"pi <- 3; x ~ dunif(0, 2); minimise <- pi*x":                                            0,
		"model.a <- 2\nx ~ dunif(0, 2)\nmaximize <- model.a*x":                                  0,
	} {
		p, err := Read("f.txt", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		e, err := p.Evaluate(p.low)
		if err != nil || math.Abs(e-want) > 1e-15 {
			t.Errorf("%q at %v: %v, not %v: %v", text, p.low, e, want, err)
		}
	}
	p := read(t, "for (i in 1:2) { x[i] ~ dunif(-i, i) }\nmaximise <- x[1] - x[2]")
	lo, hi := p.Bounds(1)
	if n := strings.Join(p.Names(), " "); n != "x[1] x[2]" || lo != -2 || hi != 2 || p.Objective(-3) != 3 {
		t.Error(n, lo, hi, p.Objective(-3))
	}
}

func TestReadFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "there is no function",
		"x ~ dunif(0, 1)":                  "there is no function",
		"x ~ dunif(0, 1)\nminimise <- 3":   "f.txt:2:1: the function does not depend on any variable",
		"x ~ dunif(0, 1); minimise <- x +": "f.txt:2:1: expected",
		"x ~ dunif(0, 1) minimise <- y":    "f.txt:1:29: unknown variable",
		"x ~ dunif(0, 1)\nminimise ~ dnorm(x, 1)":         "f.txt:2:1: minimise must be one number",
		"x ~ dunif(0, 1)\nminimise <- x\nmaximise <- x":   "a second function",
		"x ~ dnorm(0, 1)\nminimise <- x":                  "f.txt:1:1: x has the distribution dnorm",
		"x ~ dunif(2, 1)\nminimise <- x":                  "f.txt:1:1: the bounds of x are 2 and 1",
		"y ~ dunif(0, 1)\nx ~ dunif(0, y)\nminimise <- x": "f.txt:2:1: the bounds of x are 0 and NaN",
		"x ~ dunif(-1.7e308, 1.7e308)\nminimise <- x":     "the bounds of x are",
		"data { x <- 1 }":                                 "there is no function",
	} {
		if _, err := Read("f.txt", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"x ~ dunif(-1, 3)\nminimise <- x^2", "for (i in 1:3) { x[i] ~ dunif(0, i) }\nmaximise <- sum(x)/0", "model { minimise <- x", "#", "/*", "data { pi <- 3 }\nmodel{}",
		"x ~ dunif(0, 1)\ny ~ dunif(0, 1)\nminimise <- x[y]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 28))
		p, err := Read("f", text)
		if err != nil {
			return
		}
		w, r := walkerOf(t, p, 1)
		for _, temperature := range []float64{1, 0.1, 0} {
			w.Sweep(temperature, r)
		}
		e, err := p.Evaluate(w.Lowest)
		if err != nil || e != w.Best(0) && math.Abs(e-w.Best(0)) > 1e-9*math.Abs(e) {
			t.Fatalf("%q: %v, and %v when computed anew: %v", text, w.Best(0), e, err)
		}
	})
}
