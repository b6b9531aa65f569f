package bugs

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// parseExpr parses one expression.
func parseExpr(t *testing.T, text string) Expr {
	t.Helper()
	prog, err := Parse("expr.bug", "model { a <- "+text+" }")
	if err != nil {
		t.Fatal(err)
	}
	return prog.Model.Stmts[0].(*Relation).Expr
}

// bare prints the tree with every operation in parentheses.
func bare(e Expr) string {
	switch e := e.(type) {
	case *Binary:
		return "(" + bare(e.L) + e.Op + bare(e.R) + ")"
	case *Unary:
		return "(" + e.Op + bare(e.X) + ")"
	}
	return e.String()
}

// The expected trees follow the operator table of the JAGS 4.3 manual; !x has
// the place that the manual gives it.
func TestPrecedence(t *testing.T) {
	for text, want := range map[string]string{
		"a+b*c":          "(a+(b*c))",
		"a-b-c":          "((a-b)-c)",
		"a/b/c":          "((a/b)/c)",
		"-x^2":           "(-(x^2))",
		"2^-1":           "(2^(-1))",
		"2^-1^2":         "(2^(-(1^2)))",
		"a^b^c":          "(a^(b^c))",
		"a**2":           "(a^2)",
		"1:n+1":          "((1:n)+1)",
		"-1:n":           "((-1):n)",
		"2*1:n":          "(2*(1:n))",
		"-a*b":           "((-a)*b)",
		"a*-b":           "(a*(-b))",
		"--a":            "(-(-a))",
		"a %*% b * c":    "((a%*%b)*c)",
		"a * b %*% c":    "(a*(b%*%c))",
		"x:y %*% z":      "((x:y)%*%z)",
		"a < b + c":      "(a<(b+c))",
		"a && b || c":    "((a&&b)||c)",
		"a || b && c":    "(a||(b&&c))",
		"a == 1 && b":    "((a==1)&&b)",
		"!a == b":        "(!(a==b))",
		"!a && b":        "((!a)&&b)",
		"!!a":            "(!(!a))",
		"a * !b + c":     "(a*(!(b+c)))",
		"(a+b)*c":        "((a+b)*c)",
		"x < -1":         "(x<(-1))",
		"f(x, -y)[1]":    "",
		"x[1:2,,j+1]":    "x[1:2,,j + 1]",
		"sum(x[])":       "sum(x[])",
		"length(x[1,])":  "length(x[1,])",
		"T[1] + I":       "(T[1]+I)",
		"in + for":       "(in+for)",
		"length - dim":   "(length-dim)",
		"dflat()":        "dflat()",
		"1.*.5e-3+1E5":   "((1.*.5e-3)+1E5)",
		"a.b_c1":         "a.b_c1",
		"(a < b) < c":    "((a<b)<c)",
		"(1:2):3":        "((1:2):3)",
		"ifelse(a,b,!c)": "ifelse(a,b,!c)",
	} {
		if want == "" {
			if _, err := Parse("x", "model { a <- "+text+" }"); err == nil {
				t.Errorf("%s parses", text)
			}
			continue
		}
		e := parseExpr(t, text)
		if got := bare(e); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		again := parseExpr(t, e.String())
		if bare(again) != bare(e) {
			t.Errorf("%s prints as %s, another tree", text, e)
		}
	}
}

const everything = `# comment
var x[N, 2*K], y, z[3];
data { /* over
 two lines */ m <- mean(v[]); }
model {
  for (i in 1:N) { y[i] ~ dnorm(mu[i], tau)T(0,); logit(p[i]) <- a + b * x[i,2] }
  for (T in v) { for (j in T) { w[T,j] ~ dpois(l) I(,10) } };;
  a ~ dnorm(0, 1.0E-3) T(-1, 1)
  T ~ dgamma(.001, 1.)
  r[1:3,] = inverse(R[,])
  log(in) <- T
  s ~ sum(a, b) T(,)
}`

func TestParseEverything(t *testing.T) {
	prog, err := Parse("everything.bug", everything)
	if err != nil {
		t.Fatal(err)
	}
	want := `var x[N,2 * K], y, z[3];
data {
  m <- mean(v[])
}
model {
  for (i in 1:N) {
    y[i] ~ dnorm(mu[i],tau) T(0,)
    logit(p[i]) <- a + b * x[i,2]
  }
  for (T in v) {
    for (j in T) {
      w[T,j] ~ dpois(l) I(,10)
    }
  }
  a ~ dnorm(0,1.0E-3) T(-1,1)
  T ~ dgamma(.001,1.)
  r[1:3,] <- inverse(R[,])
  log(in) <- T
  s ~ sum(a,b) T(,)
}
`
	if got := prog.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, err := Parse("again", want)
	if err != nil {
		t.Fatal(err)
	}
	clearPositions(reflect.ValueOf(prog))
	clearPositions(reflect.ValueOf(again))
	prog.File, prog.Source, again.File, again.Source = "", "", "", ""
	if !reflect.DeepEqual(prog, again) {
		t.Error("the printed program parses to another tree")
	}
}

// clearPositions zeroes every Pos below v.
func clearPositions(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			clearPositions(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			clearPositions(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Pos]() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			clearPositions(v.Field(i))
		}
	}
}

func TestPositions(t *testing.T) {
	src := "model {\r\n\t# é\r\n  y[i] ~ dnorm(a + b,\n /* é */ tau[1]) T(0,)\n}"
	prog, err := Parse("p.bug", src)
	if err != nil {
		t.Fatal(err)
	}
	r := prog.Model.Stmts[0].(*Relation)
	for _, c := range []struct {
		what      string
		got, want Pos
	}{
		{"model", prog.Model.Pos, Pos{1, 1}},
		{"relation", r.Pos, Pos{3, 3}},
		{"left side", r.LHS.Pos, Pos{3, 3}},
		{"subscript", r.LHS.Index[0].Position(), Pos{3, 5}},
		{"distribution", r.Dist.Pos, Pos{3, 10}},
		{"a + b", r.Dist.Args[0].Position(), Pos{3, 18}},
		{"tau[1]", r.Dist.Args[1].Position(), Pos{4, 10}},
		{"T(0,)", r.Dist.Trunc.Pos, Pos{4, 18}},
		{"0", r.Dist.Trunc.Lo.Position(), Pos{4, 20}},
	} {
		if c.got != c.want {
			t.Errorf("%s: at %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestParseEmpty(t *testing.T) {
	for _, src := range []string{"", " \n# nothing\n", "var x;", "data {}", "model {}", "\ufeffmodel {}"} {
		if _, err := Parse("x", src); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// A hostile file ends in an error, soon and without exhausting the stack.
func TestParseDeep(t *testing.T) {
	const n = 1_000_000
	for name, src := range map[string]string{
		"parentheses": "model { a <- " + strings.Repeat("(", n),
		"minus":       "model { a <- " + strings.Repeat("-", n) + "1 }",
		"not":         "model { a <- " + strings.Repeat("!", n) + "1 }",
		"power":       "model { a <- 1" + strings.Repeat("^1", n) + " }",
		"calls":       "model { a <- " + strings.Repeat("f(", n),
		"subscripts":  "model { " + strings.Repeat("a[", n),
		"loops":       "model { " + strings.Repeat("for (i in 1) {", n),
		"sum":         "model { a <- 1" + strings.Repeat("+1", n) + " }",
	} {
		start := time.Now()
		if _, err := Parse("deep.bug", src); err == nil {
			t.Errorf("%s: no error", name)
		} else if len(err.Error()) > 1000 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
	}
}

// The longest expression that is accepted also prints.
func TestParseLong(t *testing.T) {
	src := "model { a <- 1" + strings.Repeat("+1", maxOperators) + " }"
	prog, err := Parse("long.bug", src)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(prog.String()); got < len(src) {
		t.Errorf("printed %d bytes of %d", got, len(src))
	}
}

func TestRangeAllocatesNothing(t *testing.T) {
	if _, err := Parse("x", "model { for (i in 1:1e18) { x[i] ~ dnorm(0,1) } }"); err != nil {
		t.Error(err)
	}
}

// A brace that is missing inside shows at the first } that stands left of what it closes, and not at the model block, which the parser
// finds open.
func TestParseUnclosedLoop(t *testing.T) {
	for text, want := range map[string]string{
		"model {\n  for (i in 1:3) {\n    y[i] ~ dnorm(mu, 1)\n  mu ~ dnorm(0, 1)\n}\n":                                "The } in line 5 closes the loop over i, which begins in line 2: is one missing before it?",
		"model {\n  for (i in 1:3) {\n    for (j in 1:3) {\n      y[i,j] ~ dnorm(mu, 1)\n  }\n  mu ~ dnorm(0, 1)\n}\n": "The } in line 5 closes the loop over j, which begins in line 3: is one missing before it?",
		"data { z <- 1 }\nmodel { for (i in 1:3) { for (j in 1:3) {\n  y[i,j] ~ dnorm(0, 1)\n} }\n":                    "The last }, in line 4, closes the loop over i, which begins in line 2.",
		"data {\n  for (i in 1:2) { z[i] <- 1 }\n}\nmodel {\n":                                                         "It opens at line 4, column 7.",
	} {
		_, err := Parse("m.bug", text)
		if err == nil || !strings.HasSuffix(err.Error(), want) || !strings.Contains(err.Error(), `expected "}" to close the model block, found the end of the file`) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
