package bugs

import (
	"slices"
	"strings"
	"testing"
)

// A range beside an operator is what the dialect says, and a note tells which was taken where there is a doubt.
func TestDialects(t *testing.T) {
	const plain, theirs = "model { for (i in 2:n-1) { x[i] <- y[i] } }", "model { for (i in 2:n-1) { x[i] <- cut(y[i]) } }"
	for _, c := range []struct {
		src     string
		dialect Dialect
		want    string
		note    string
	}{
		{plain, "", "(2:n) - 1", "as JAGS does"},
		{plain, JAGS, "(2:n) - 1", ""},
		{plain, NIMBLE, "(2:n) - 1", ""},
		{plain, OpenBUGS, "2:(n - 1)", ""},
		{plain, WinBUGS, "2:(n - 1)", ""},
		{theirs, "", "2:(n - 1)", "the program has cut"},
		{theirs, JAGS, "(2:n) - 1", ""},
		{"data { y[1] <- 1 } " + theirs, "", "(2:n) - 1", "as JAGS does"},
		{"model { for (i in (2:n)-1) { x[i] <- cut(y[i]) } }", "", "(2:n) - 1", ""},
		{"model { for (i in 2:(n-1)) { x[i] <- y[i] } }", "", "2:(n - 1)", ""},
		{"model { for (i in a+1:n) { x[i] <- y[i] } }", OpenBUGS, "(a + 1):n", ""},
		{"model { for (i in 2:n-1) { x[i] <- y[i] } }\nlist(n = 3)", "", "2:(n - 1)", "lists behind the model"},
	} {
		p, err := ParseDialect("m.bug", c.src, c.dialect)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if got := p.Model.Stmts[0].(*For).Range.String(); got != c.want {
			t.Errorf("%s as %q: the range is %s, not %s", c.src, c.dialect, got, c.want)
		}
		if note := strings.Join(p.Notes, "; "); (note == "") != (c.note == "") || !strings.Contains(note, c.note) {
			t.Errorf("%s as %q: the notes are %q", c.src, c.dialect, note)
		}
	}
	if _, err := ParseDialect("m.bug", plain, "stan"); err == nil {
		t.Error("there is a dialect stan")
	}
}

// In OpenBUGS what <- makes from data alone may be a parameter of those data (its examples hearts and biopsies); what it makes from nodes too may not.
func TestCyclesThroughData(t *testing.T) {
	data, err := ReadData("d.R", []byte("y <- c(1, 2, 3); x <- c(4, 4, 4); k <- structure(c(1, 0, 2, 3), .Dim = c(2, 2))"))
	if err != nil {
		t.Fatal(err)
	}
	for src, taken := range map[string]bool{
		"for (i in 1:3) { y[i] ~ dbin(p, n[i]); n[i] <- x[i] + y[i] }":                                  true,
		"for (i in 1:2) { k[i,1:2] ~ dmulti(q[], n[i]); n[i] <- sum(k[i,]) }\nq[1] <- p; q[2] <- 1 - p": true,
		"for (i in 1:3) { y[i] ~ dnorm(m - p, 1) }\nm <- u / 3; u <- sum(y[])":                          true,
		"for (i in 1:3) { y[i] ~ dnorm(p * y[i], 1) }":                                                  false,
		"for (i in 1:3) { y[i] ~ dnorm(m[i], 1); m[i] <- p * y[i] }":                                    false,
		"for (i in 1:3) { z[i] ~ dnorm(m[i], 1); m[i] <- p * z[i]; y[i] ~ dnorm(z[i], 1) }":             false,
	} {
		for _, d := range []Dialect{OpenBUGS, JAGS} {
			p, err := ParseDialect("m.bug", "model { "+src+"\np ~ dunif(0, 1) }", d)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Compile(p, data, nil)
			if want := taken && d == OpenBUGS; want != (err == nil) || err != nil && !strings.Contains(err.Error(), "possible directed cycle") {
				t.Errorf("%s as %s: %v", src, d, err)
			} else if want && !strings.Contains(strings.Join(c.Warnings, "\n"), "is taken as data, as OpenBUGS does") {
				t.Errorf("%s: the notes are %q", src, c.Warnings)
			}
		}
	}
}

// A function is its expression wherever it is called.
func TestMacros(t *testing.T) {
	for src, want := range map[string]string{
		"function sq(x) <- x * x\nmodel { a <- sq(b + 1) }":                                        "a <- (b + 1) * (b + 1)",
		"model { function f(v, k) = v[k] - mean(v)\nfunction g(x) <- -f(x, 2)\na <- g(y) }":        "a <- -(y[2] - mean(y))",
		"function h(x) <- x + z[i]\nmodel { for (i in 1:2) { y[i] ~ dnorm(h(u[i]), exp(h(0))) } }": "y[i] ~ dnorm(u[i] + z[i],exp(0 + z[i]))",
		"function one() <- 1; model { a <- one() + length(b) }":                                    "a <- 1 + length(b)",
		"function n(v) <- length(v)\nfunction p(x, y) <- x^y\nmodel { a <- n(b) + p(2, p(3, 2)) }": "a <- length(b) + 2^3^2",
	} {
		p, err := Parse("m.bug", src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := p.String(); !strings.Contains(got, want) {
			t.Errorf("%s becomes %s, not %s", src, got, want)
		}
	}
	deep := "function f0(x) <- " + strings.Repeat("-", 60) + "x\nfunction f1(x) <- f0(f0(x))\nmodel { a <- f1(1) }"
	wide := "function fa(x) <- x + x\n"
	for k := range 20 {
		wide += strings.NewReplacer("NEW", string(rune('b'+k)), "OLD", string(rune('a'+k))).Replace("function fNEW(x) <- fOLD(fOLD(x))\n")
	}
	for src, what := range map[string]string{deep: "nested deeper", wide + "model { a <- fu(1) }": "terms"} {
		if _, err := Parse("m.bug", src); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("functions that grow without end: %v", err)
		}
	}
}

// A compound document has its data and initial values behind the model, with headings.
func TestDocument(t *testing.T) {
	const src = `model { for (i in 1:N) { y[i] ~ dnorm(a + b * x[i], tau) }
  a ~ dnorm(0, 1); b ~ dnorm(0, 1); tau ~ dgamma(1, 1) }

Data: click on one of the arrows to open the data   # list(N = 9)
list(N = 3, y = c(1, NA, 3))
x[] z[,1] z[,2]
1 2 3
4 5 6
7 8 9
END

Inits for chain 1
list(a = 1,
     b = 2)
Inits for chain 2
list(a = 3)
`
	p, err := Parse("m.odc.txt", src)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"N", "y", "x", "z"}; !slices.Equal(p.Given.Names, want) {
		t.Errorf("the data are %v, not %v", p.Given.Names, want)
	}
	if z := p.Given.Values["z"]; !slices.Equal(z.Dims, []int{3, 2}) || z.Data[3] != 3 || z.Pos.Line != 6 {
		t.Errorf("z is %v", z)
	}
	if len(p.Starts) != 2 || p.Starts[0].Values["b"].Data[0] != 2 || p.Starts[1].Values["a"].Data[0] != 3 {
		t.Errorf("the initial values are %v", p.Starts)
	}
	// Words in front of the model are a title; those of another language are not.
	titled := "\ufeffRats: a hierarchical model (it's old)\n\n model rats\n" + src[len("model "):]
	r, err := Parse("m.txt", titled)
	if err != nil || len(r.Starts) != 2 || r.Model.Pos.Line != 3 {
		t.Errorf("behind a title: %v", err)
	}
	checkFormat(t, titled)
	if _, err := Parse("m.txt", "parameters { real x; }\n"+src); err == nil {
		t.Error("parameters { … } is taken for a title")
	}
	// A file goes before the document.
	d, err := ReadData("d.R", []byte("N <- 2"))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.withGiven(d); got.Values["N"].Data[0] != 2 || got.Values["x"] == nil {
		t.Errorf("the data are %v", got.Values)
	}
	// Without headings a list of nodes that have no data is one of initial values.
	p, err = Parse("m.txt", "model { y ~ dnorm(a, 1); a ~ dnorm(0, 1) }\nlist(y = 1)\nlist(a = 2)")
	if err != nil || len(p.Starts) != 1 || len(p.Given.Names) != 1 {
		t.Errorf("lists without headings: %v, %v", p, err)
	}
	// Faults are told where they stand.
	if _, err = Parse("m.txt", "model { y ~ dnorm(0, 1) }\nData\nlist(y = 1,\n  x = ?)"); err == nil || !strings.HasPrefix(err.Error(), "m.txt:4:7:") {
		t.Errorf("a fault in a list: %v", err)
	}
	if _, err = Parse("m.txt", "model { y ~ dnorm(0, 1) }\n"+strings.Repeat("list()\n", maxItems+1)); err == nil {
		t.Error("lists without end are read")
	}
}
