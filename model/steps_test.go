package model_test

import "testing"

// What leads to a step does so at whatever distance, through elements that an index picks, and as an index itself; smooth functions, kinks and
// nodes that only discrete ones step beside do not.
func TestSteps(t *testing.T) {
	m := compiled(t, `data { y <- 0 } model {
		a ~ dnorm(0, 1)  b ~ dnorm(0, 1)  c ~ dnorm(0, 1)  d ~ dnorm(0, 1)  e ~ dnorm(0, 1)  f ~ dnorm(0, 1)  g ~ dnorm(0, 1)  h ~ dnorm(0, 1)
		z ~ dcat(p[])  p[1] <- 0.5  p[2] <- 0.5
		far <- exp(2 * a) + e * e
		near <- step(far - e) + e
		w[1] <- b  w[2] <- 1
		picked <- equals(w[z], 0.5)
		v[1] <- h  v[2] <- 1
		index <- v[1 + trunc(ilogit(c))]
		either <- ifelse(z == 1, d, -d)
		kink <- max(f, 0) + abs(g)
		y ~ dnorm(near + picked + index + either + kink, 1)
	}`)
	steps := m.Steps()
	for name, want := range map[string]bool{"a": true, "b": true, "c": true, "d": false, "e": true, "f": false, "g": false, "h": false, "z": true} {
		array, ok := m.Array(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		if got := steps[array.Base]; got != want {
			t.Errorf("%s leads to a step: %t; want %t", name, got, want)
		}
	}
}
