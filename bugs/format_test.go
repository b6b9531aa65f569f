package bugs

import (
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	const in = "# about\r\n\r\n\r\nvar x[ N,2 ], y ;\ndata{ z=x**-2; w <- (a)%*%b }\n\n/* the\n   model */\nmodel\n{ # opens\n\n" +
		"   for(i in 1 : N ){ y[i]~dnorm( mu [ i ],tau )T(0,) ; mu[i]<-alpha+beta*( x[i,]-x.bar )  # linear\n   # own\n\n\n\n  log( p[i] ) = -a\n    + !b == c && d/e^- f\n }\n" +
		"if( N>1 )a<-1 else if(N < -2) { b ~ dt(df=3, 0, sd = 1) } else{ target+=a-1 }\n  q <- sum( # first\n a,/* second */ b)\n# last\n}\n# end"
	const want = `# about

var x[N, 2], y;
data {
  z <- x^-2
  w <- (a) %*% b
}

/* the
   model */
model { # opens
  for (i in 1:N) {
    y[i] ~ dnorm(mu[i], tau) T(0,)
    mu[i] <- alpha + beta * (x[i,] - x.bar) # linear
    # own

    log(p[i]) <- -a
        + !b == c && d / e^-f
  }
  if (N > 1)
    a <- 1
  else if (N < -2) {
    b ~ dt(df = 3, 0, sd = 1)
  } else {
    target += a - 1
  }
  q <- sum( # first
      a, /* second */ b)
  # last
}
# end
`
	got, err := Format("m.bug", in)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got\n%s", got)
	}
	checkFormat(t, in)
	if _, err := Format("m.bug", "model { a <- }"); err == nil || !strings.Contains(err.Error(), "m.bug:1:14") {
		t.Errorf("%v", err)
	}
}

// What stands behind the model of a compound document stays as it is, words that are no tokens of the language among it.
func TestFormatDocument(t *testing.T) {
	const in = "model{y~dnorm(m,1)\nm~dflat() # a\n}\n# b\nBob's data\n  list(y = 1)\nX[] z[]\n 1 2.5\nEND\n\n"
	const want = "model {\n  y ~ dnorm(m, 1)\n  m ~ dflat() # a\n}\n# b\n\nBob's data\n  list(y = 1)\nX[] z[]\n 1 2.5\nEND\n"
	if got, err := Format("m.bug", in); err != nil || got != want {
		t.Errorf("got\n%s\n%v", got, err)
	}
	checkFormat(t, in)
}

// checkFormat holds a program to be the same after formatting, and not to change a second time. Format itself compares the trees.
func checkFormat(t *testing.T, src string) {
	t.Helper()
	once, err := Format("fuzz.bug", src)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := Format("fuzz.bug", once)
	if err != nil {
		t.Fatal(err)
	}
	if once != twice {
		t.Errorf("formatted\n%s\nand again\n%s", once, twice)
	}
	if was, is := commentsOf(src), commentsOf(once); was != is {
		t.Errorf("the comments were\n%s\nand are\n%s", was, is)
	}
}

// commentsOf are a program's comments without their blanks.
func commentsOf(src string) string {
	f := &formatter{chained: map[Pos]bool{}}
	f.read("", src)
	var b strings.Builder
	for _, it := range f.items {
		if it.comment {
			b.WriteString(strings.Join(strings.Fields(it.text), ""))
		}
	}
	return b.String()
}

func TestFormatSharedPrograms(t *testing.T) {
	n := 0
	for _, path := range sharedFiles(t, sharedDir(t, "bugs"), "*.bug") {
		src := readFile(t, path)
		if _, err := Parse(path, src); err == nil {
			checkFormat(t, src)
			n++
		}
	}
	t.Logf("%d programs", n)
}

// FuzzFormat holds formatting to: programs mean what they meant, keep their comments, and are formatted once.
func FuzzFormat(f *testing.F) {
	addSeeds(f, ".bug")
	f.Add(everything)
	f.Add("\nfunction A() <- 0\nmodel { function b(x) <- x^2; y ~ dnorm(b(A()), 1) }")
	f.Add("model { a <- 1 # b\n\n if (a) b ~ d() /* c */ else c <- 2;; }")
	f.Add("model { a ~ dflat() }\nBob's data # a\nlist(b = 1)\nx[]\n1\nEND")
	f.Add("model /* a */ x { /* b\n c */ d <- -1 /* e */ } # f")
	f.Fuzz(func(t *testing.T, src string) {
		if _, err := Parse("fuzz.bug", src); err == nil {
			checkFormat(t, src)
		}
	})
}
