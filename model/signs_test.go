package model_test

import (
	"fmt"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
)

// A product counts where both factors change and may have either sign, however far from the nodes; not in a row by itself.
func TestSignedProducts(t *testing.T) {
	const nodes = "a ~ dnorm(0, 1)  b ~ dnorm(0, 1)  s ~ dgamma(1, 1)  q ~ dbeta(1, 1)  h ~ dnorm(0, 1) T(0,)  for (i in 1:3) { v[i] ~ dnorm(0, 1)  u[i] ~ dnorm(b, 1) }\n"
	for expression, want := range map[string]bool{
		"a * b":                             true,
		"a * (b - 1)":                       true,
		"exp(1 - a * j * b)":                true,
		"log(s) * a":                        true,
		"inprod(v[j:(j+1)], u[j:(j+1)])":    true,
		"v[1] * u[2] - u[1] * s":            true,
		"a * x + b":                         false,
		"a * a":                             false,
		"a * s":                             false,
		"h * b":                             false,
		"a * exp(b)":                        false,
		"q * (1 - q) * b":                   false,
		"inprod(v[j:(j+1)], z[j:(j+1)])":    false,
		"sqrt(s) * a + h * sum(v[])":        false,
		"(a - 1)^2 * b":                     false,
		"ifelse(a > 0, v[1], v[2]) * b * s": true,
	} {
		for rows, want := range map[int]bool{2: want, 1: false} {
			m := compiled(t, fmt.Sprintf("data { for (j in 1:2) { y[j] <- 0 } x <- -2  z[1] <- 1  z[2] <- -1  z[3] <- 0 } model { %s for (j in 1:%d) { e[j] <- j * (%s)\n y[j] ~ dnorm(e[j], x^2 + j) } }", nodes, rows, expression))
			var cells []int32
			for c := range m.Kinds {
				if m.Kinds[c] == model.Unobserved {
					cells = append(cells, int32(c))
				}
			}
			if b := m.Blanket(cells); m.SignedProducts(b.Det) != want {
				t.Errorf("%s in %d rows: %t; want %t", expression, rows, !want, want)
			}
		}
	}
}
