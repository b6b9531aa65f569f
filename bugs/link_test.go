package bugs

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A link on the left serves an element that a node picks, too (found by random programs).
func TestLinkOfAPickedElement(t *testing.T) {
	c, err := compileText(t, `model {
  z ~ dbern(0.5)
  for (i in 1:2) { b[i] ~ dnorm(0, 1) }
  log(l) <- b[z + 1]
  y ~ dpois(l)
}`, "y <- 1")
	if err != nil {
		t.Fatal(err)
	}
	s := c.Model.NewState()
	s.SimulateAll(rand.New(rand.NewPCG(1, 2)))
	at := func(name string, k int) float64 {
		a, _ := c.Model.Array(name)
		return s.V[int(a.Base)+k]
	}
	if got, want := at("l", 0), math.Exp(at("b", int(at("z", 0)))); math.Abs(got-want) > 1e-12 {
		t.Errorf("l is %v, expected %v", got, want)
	}
}
