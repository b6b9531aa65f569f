package bugs

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// Short programs that ask for gigabytes or minutes are refused, at once.
func TestMonstrousPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, c := range map[string]struct{ model, said string }{
		"an index that fans out":  {"for (i in 1:4000) { for (j in 1:4000) { x[i,j] <- z[i] } z[i] ~ dnorm(0,1) } y ~ dnorm(x[1,1],1)", "the loops run more than 41943"},
		"sort of a long vector":   {"for (i in 1:10000000) { z[i] ~ dnorm(0,1) } s <- sort(z[]) y ~ dnorm(s[1],1)", "the loop over i runs from 1 to 10000000"},
		"sort of a range":         {"s <- sort(1:10000000) y ~ dnorm(s[1],1)", "spans 10000000 numbers"},
		"an outer product":        {"s <- (1:10000) %*% t(1:10000) y ~ dnorm(s[1,1],1)", "10000×10000 elements"},
		"a matrix product":        {"for (i in 1:300) { for (j in 1:300) { z[i,j] ~ dnorm(0,1) } } s <- z[,] %*% z[,] y ~ dnorm(s[1,1],1)", "terms in relations"},
		"a hole of 10⁸":           {"x[100000000] ~ dnorm(0,1)", "100000000 elements"},
		"loops that do nothing":   {"for (i in 1:10000) { for (j in 1:10000) { for (k in 1:0) { x[k] ~ dnorm(0,1) } } } x[1] ~ dnorm(0,1)", "the loops run"},
		"definitions backwards":   {"x[1000000] ~ dnorm(0,1) for (i in 1:999999) { x[i] <- x[i+1]+1 } y ~ dnorm(x[1],1)", "nested too deep"},
		"rep":                     {"s <- sum(rep(1, 1.0E12)) y ~ dnorm(s,1)", "an expression of 2147483647 numbers"},
		"rep of nothing":          {"s <- sum(rep(n[], 1.0E300)) + 1 n[1:2] <- c(1,2) y ~ dnorm(sum(rep(n[],1.0E9)),1)", "m.bug:1:"},
		"a long sum in each node": {"for (i in 1:2000) { s[i] <- sum(1:(1000000+i)) } y ~ dnorm(s[1],1)", "steps (at i = "},
		"a long index in a scan":  {"for (i in 1:1000000) { x[i + 0*sum(1:1000)] ~ dnorm(0,1) }", "takes more than"},
		"a cubic number of steps": {"for (i in 1:1700) { for (j in 1:1700) { T[i,j] <- equals(i,j) } } x[1:1700,1:1700] <- inverse(T[,]) y ~ dnorm(x[1,1],1)", "takes more than"},
		"matrix exponential":      {"for (i in 1:700) { for (j in 1:700) { T[i,j] <- 0 } } x[1:700,1:700] <- mexp(T[,]) y ~ dnorm(x[1,1],1)", "takes more than"},
		"random indices":          {"for (i in 1:200000) { y[i] ~ dnorm(z[k[i]+1],1) z[i] ~ dnorm(0,1) k[i] ~ dbin(0.5,199999) }", "So are random indices"},
		"forty arrays":            {arrays(40, 1000000), "the arrays have"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compileText(t, "model { "+c.model+" }", "n <- c(1,2)")
			var placed *Error
			if !errors.As(err, &placed) || !strings.Contains(err.Error(), c.said) {
				t.Errorf("%.300v", err)
			}
		})
	}
}

// arrays is a program whose arrays have so many elements each, all but one of
// them holes.
func arrays(n, size int) string {
	var b strings.Builder
	for k := range n {
		b.WriteString("a" + itoa(k) + "[" + itoa(size) + "] ~ dnorm(0,1) ")
	}
	return b.String()
}

// What a model may ask for grows with the data that come in files.
func TestLimitsGrowWithTheData(t *testing.T) {
	const model = "model { for (i in 1:2) { for (j in 1:3000000) { s[i] <- 0 } } m ~ dnorm(0,1) y[1] ~ dnorm(m, 1) }"
	if _, err := compileText(t, model, "y <- 1"); err == nil || !strings.Contains(err.Error(), "the loops run") {
		t.Errorf("%v", err)
	}
	data := "y <- c(1" + strings.Repeat(",1", 200000) + ")"
	if _, err := compileText(t, model, data); err == nil || !strings.Contains(err.Error(), "redefine") {
		t.Errorf("%v", err)
	}
	if _, err := compileText(t, model, "y <- 1:200000"); err == nil || !strings.Contains(err.Error(), "the loops run") {
		t.Errorf("a range counts as what it stands for: %v", err)
	}
}

// A model that does not fit into memory is told before it is built.
func TestNoRoomForAModel(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(200 << 20))
	_, err := compileText(t, "model { for (i in 1:4000000) { x[i] ~ dnorm(0,1) } }", "y <- 1")
	var full *memory.Error
	if !errors.As(err, &full) || !strings.Contains(err.Error(), "m.bug:1:") {
		t.Errorf("%v", err)
	}
}
