package main

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// source draws what inputs are made of.
type source struct {
	*rand.Rand
	base string // folder of a run to damage
}

// makeInput draws an input.
func makeInput(r *rand.Rand, base string) input {
	s := source{r, base}
	makers := []func(source) input{source.model, source.model, source.model, source.nested, source.data, source.json, source.inits,
		source.matrix, source.edges, source.machine, source.cases, source.zarr, source.damaged, source.flags}
	in := makers[s.IntN(len(makers))](s)
	for name, b := range in.files {
		in.files[name] = b[:min(len(b), 1<<20-1)]
	}
	return in
}

// baseRun is a small finished run.
func baseRun(program, dir string) (string, error) {
	out := filepath.Join(dir, "base")
	files := filepath.Join(dir, "files")
	if err := os.MkdirAll(files, 0o755); err != nil {
		return "", err
	}
	j := run.Job{Model: filepath.Join(files, "m.bug"), Data: []string{filepath.Join(files, "d.R")}, Seed: 1, Chains: 2, Warmup: 20, Draws: 20, Threads: 1, Out: out}
	if err := os.WriteFile(j.Model, []byte("model { for (i in 1:5) { y[i] ~ dnorm(m[g[i]], t)  g[i] ~ dcat(p[]) } for (k in 1:2) { m[k] ~ dnorm(0, 1)  p[k] <- 0.5 } t ~ dgamma(1, 1) }"), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(j.Data[0], []byte("y <- c(1, 2, 4, 1, 5)"), 0o644); err != nil {
		return "", err
	}
	_, _, err := run.Sample(context.Background(), program, j)
	return out, err
}

// pick is one of the texts.
func (s source) pick(of ...string) string { return of[s.IntN(len(of))] }

// size is a count from 1 to 10¹⁰, small ones as often as large ones.
func (s source) size() string {
	return strconv.FormatFloat(math.Floor(math.Pow(10, 10*s.Float64())), 'f', -1, 64)
}

// fair is a count that a model may well have.
func (s source) fair() string {
	return strconv.Itoa(int(math.Pow(10, 6*s.Float64())))
}

// any is either.
func (s source) any() string {
	if s.IntN(3) == 0 {
		return s.size()
	}
	return s.fair()
}

// command is check, or a few iterations.
func (s source) command(model string, more ...string) []string {
	args := []string{"check", model}
	if s.IntN(3) == 0 {
		args = []string{"sample", model, "--warmup", "3", "--draws", "3", "--chains", "2", "--out", "out", "--progress", "none", "--seed", "1"}
	}
	return append(args, more...)
}

// model is a short program with an N here and there.
func (s source) model() input {
	text := s.pick(
		"for (i in 1:N) { for (j in 1:N) { x[i,j] <- z[i] } z[i] ~ dnorm(0,1) } y ~ dnorm(x[1,1],1)",
		"for (i in 1:N) { z[i] ~ dnorm(0,1) } s <- F(z[]) y ~ dnorm(s[1],1)",
		"for (i in 1:N) { z[i] ~ dnorm(0,1) } s <- F(z[]) y ~ dnorm(sum(s[]),1)",
		"s <- F(1:N) y ~ dnorm(s[1],1)",
		"s <- (1:N) %*% t(1:N) y ~ dnorm(s[1,1],1)",
		"for (i in 1:N) { for (j in 1:N) { z[i,j] ~ dnorm(0,1) } } s <- z[,] %*% z[,] y ~ dnorm(s[1,1],1)",
		"for (i in 1:N) { a[i] ~ dnorm(0,1) b[i] ~ dnorm(a[i],1) c[i] ~ dnorm(b[i],1) }",
		"x[N] ~ dnorm(0,1) y ~ dnorm(x[N],1)",
		"x[N,N] ~ dnorm(0,1)", "x[N,2,N] ~ dgamma(1,1)",
		"x[1] ~ dnorm(0,1) for (i in 2:N) { x[i] <- x[i-1]+1 } y ~ dnorm(x[1],1)",
		"x[1] ~ dnorm(0,1) for (i in 2:N) { x[i] ~ dnorm(x[i-1],1) } y ~ dnorm(x[2],1)",
		"x[N] ~ dnorm(0,1) for (i in 1:(N-1)) { x[i] <- x[i+1]*2 } y ~ dnorm(x[1],1)",
		"for (i in 1:N) { x[i] ~ dnorm(0,1) s[i] <- sum(x[1:i]) } y ~ dnorm(s[1],1)",
		"for (i in 1:N) { x[i] ~ dnorm(0,1) y[i] ~ dnorm(sum(x[]),1) }",
		"for (i in 1:N) { y[i] ~ dnorm(z[k],1) z[i] ~ dnorm(0,1) p[i] <- 1 } k ~ dcat(p[])",
		"for (i in 1:N) { y[i] ~ dnorm(z[k[i]],1) z[i] ~ dnorm(0,1) p[i] <- 1 k[i] ~ dcat(p[]) }",
		"for (i in 1:N) { p[i] <- 1 } x[1:N] ~ ddirch(p[])", "for (i in 1:N) { p[i] <- 1 } x ~ dcat(p[]) y ~ dnorm(x, 1)",
		"for (i in 1:N) { for (j in 1:N) { T[i,j] <- equals(i,j) } m[i] <- 0 } x[1:N] ~ dmnorm(m[],T[,])",
		"for (i in 1:N) { for (j in 1:N) { T[i,j] <- equals(i,j) } } x[1:N,1:N] ~ dwish(T[,],N) y ~ dnorm(x[1,1],1)",
		"for (i in 1:N) { for (j in 1:N) { T[i,j] <- equals(i,j) } } x[1:N,1:N] <- G(T[,]) y ~ dnorm(x[1,1],1)",
		"s <- sum(rep(c(1,2),N)) y ~ dnorm(s,1)", "s <- rep(1:N,N) y ~ dnorm(s[1],1)", "y ~ dnorm(m,N) m ~ dunif(0,N) x ~ dbin(0.5,N) n ~ dpois(N)",
		"for (i in 1:N) { for (j in 1:N) { for (k in 1:0) { x[k] ~ dnorm(0,1) } } } x[1] ~ dnorm(0,1)",
		"for (i in N:1) { x[i] ~ dnorm(0,1) } y ~ dnorm(x[1],1)", "for (i in c(1,N,2)) { x[i] ~ dnorm(0,1) }",
		"m ~ dnorm(0,1) y ~ dnorm(m,1) T(N,)", "k ~ dbetabin(1,1,N) x ~ dhyper(N,N,N,1) z ~ dnegbin(0.5,N) y ~ dt(0,1,N)",
		"y ~ dinterval(x,c(1:N)) x ~ dnorm(0,1)", "s <- interp.lin(x,1:N,1:N) x ~ dnorm(0,1) y ~ dnorm(s,1)",
		"s <- sum(x[,N,]) for (i in 1:N) { x[i,i,i] ~ dnorm(0,1) } y ~ dnorm(s,1)",
		"for (i in 1:N) { mu[i] <- inprod(X[i,],b[]) y[i] ~ dnorm(mu[i],1) for (j in 1:N) { X[i,j] <- i*j } b[i] ~ dnorm(0,1) }",
		"for (i in 1:N) { y[i] ~ dpois(l[i]) log(l[i]) <- a + e[i] e[i] ~ dnorm(0,t) } a ~ dnorm(0,1) t ~ dgamma(1,1)")
	args, size := s.command("m.bug"), s.any
	if args[0] == "sample" { // sampling itself may take long: it says how long
		size = func() string { return strconv.Itoa(int(math.Pow(10, 4*s.Float64()))) }
	}
	for strings.Contains(text, "N") {
		text = strings.Replace(text, "N", size(), 1+2*s.IntN(2))
	}
	text = strings.ReplaceAll(text, "F", s.pick("sort", "rank", "order", "exp", "t"))
	text = strings.ReplaceAll(text, "G", s.pick("inverse", "mexp", "t"))
	if s.IntN(4) == 0 {
		text = "data { for (i in 1:" + size() + ") { y[i] ~ dnorm(0,1) } } model { " + s.pick("for (i in 1:10) { y[i] ~ dnorm(m,1) }", "for (i in 1:length(y[])) { y[i] ~ dnorm(m,t) }", "for (i in 1:length(y[])) { y[i] ~ dnorm(e[i],t) e[i] ~ dnorm(m,1) }") + " m ~ dnorm(0,1) t ~ dgamma(1,1) }"
	} else {
		text = "model { " + text + " }"
	}
	return input{kind: "model", files: map[string][]byte{"m.bug": []byte(text)}, args: args}
}

// repeated is a text n times over, within a megabyte.
func (s source) repeated(text string) string {
	n := int(math.Pow(10, 5.9*s.Float64()))
	return strings.Repeat(text, max(1, min(n, 900000/max(1, len(text)))))
}

// nested is a long program: deep, wide, or of long names.
func (s source) nested() input {
	deep := s.repeated("(")
	name := s.repeated(s.pick("a", "é", "x.", "\x1b[31m", "longname"))
	text := s.pick(
		"y ~ dnorm("+deep+"1"+strings.Repeat(")", min(len(deep), 90000))+",1)",
		"y ~ dnorm("+s.repeated("-")+"1,1)", "y ~ dnorm("+s.repeated("exp(")+"1,1)", "y ~ dnorm(1"+s.repeated("+1")+",1)", "y ~ dnorm(1"+s.repeated("^1")+",1)",
		"m ~ dnorm(0,1) y ~ dnorm(m"+s.repeated("+m")+",1)", "m ~ dnorm(0,1) y ~ dnorm(m"+s.repeated("*exp(m)")+",1)",
		s.repeated("for (i in 1:2) {")+" x[i] ~ dnorm(0,1)", s.repeated("x ~ dnorm(0,1)\n"), s.repeated("x[1"+s.repeated(",1")+"] ~ dnorm(0,1)\n"),
		name+" ~ dnorm(0,1)", name, "y ~ "+name+"(0,1)", "y ~ dnorm("+name+",1)", "y <- c(1"+s.repeated(",2")+")", "for ("+name+" in 1:3) { x["+name+"] ~ dnorm(0,1) }",
		"y ~ dnorm(1E"+s.size()+",1)", "y ~ dnorm(1"+s.repeated("0")+",1)", "y ~ dnorm(0."+s.repeated("0")+"1,1)", "x["+s.repeated("x[")+"1"+s.repeated("]")+"] ~ dnorm(0,1)",
		s.relations(), s.relations(), "/*"+s.repeated("*"), s.repeated("#\n"), s.repeated("\x00"), s.repeated("}"), s.repeated("{"), "y ~ dnorm(0,1)"+s.repeated(";"))
	return input{kind: "program", files: map[string][]byte{"m.bug": []byte("model { " + text + " }")}, args: s.command("m.bug")}
}

// relations is a program of many relations that lean on one another.
func (s source) relations() string {
	var b strings.Builder
	n := int(math.Pow(10, 4.3*s.Float64()))
	back := s.IntN(2) == 0
	stoch := s.IntN(2) == 0
	for k := range n {
		i, j := k, k-1
		if back {
			i, j = n-k, n-k-1
		}
		x := "x" + strconv.Itoa(i)
		if j < 0 || j == 0 && back {
			b.WriteString(x + " ~ dnorm(0,1)\n")
			continue
		}
		if stoch {
			b.WriteString(x + " ~ dnorm(x" + strconv.Itoa(j) + ",1)\n")
		} else {
			b.WriteString(x + " <- x" + strconv.Itoa(j) + "+x" + strconv.Itoa(j) + "\n")
		}
	}
	return b.String()
}

const plainModel = "model { for (i in 1:length(y[])) { y[i] ~ dnorm(m, t) } m ~ dnorm(0, 1) t ~ dgamma(1, 1) }"

// data is a file in R's format.
func (s source) data() input {
	name := s.repeated(s.pick("a", "`", "x.", "\x1b]0;", "é"))
	text := s.pick(
		"y <- 1:"+s.size(), "y <- c(1:"+s.size()+", 1:"+s.size()+")", "y <- structure(1:"+s.any()+", .Dim = c("+s.any()+","+s.any()+"))",
		"y <- structure(c(1,2), .Dim = c("+s.size()+","+s.size()+"))", "y <- c(1"+s.repeated(",2")+")", "y <- "+s.repeated("c(")+"1", "y <- "+s.repeated("(")+"1"+s.repeated(")"),
		"y <- rep(1, "+s.size()+")", "y <- rep(c(1,2), each = "+s.size()+")", "y <- seq(1, "+s.size()+")", "y <- numeric("+s.size()+")", "y <- list("+s.repeated("list(")+")",
		name+" <- 1", "y <- "+name, "y <- 1E"+s.size(), "y <- -"+s.repeated("-")+"1", "y <- 1"+s.repeated("0"), s.repeated("y <- 1\n"), s.repeated("y <- c(1,NA)\n"), s.many(),
		"y <- c("+s.repeated("NA,")+"1)", "y <- \""+s.repeated("x")+"\"", "y <- c(a"+name+" = 1)", s.repeated("\x00"), "y <- as.integer(c("+s.repeated("1L,")+"2))")
	return input{kind: "R data", files: map[string][]byte{"m.bug": []byte(plainModel), "d.R": []byte(text)}, args: s.command("m.bug", "--data", "d.R")}
}

// many is a file of many variables.
func (s source) many() string {
	var b strings.Builder
	for k := range int(math.Pow(10, 4.6*s.Float64())) {
		b.WriteString("v" + strconv.Itoa(k) + " <- c(1,2)\n")
	}
	return b.String()
}

// json is a file in JSON.
func (s source) json() input {
	name := s.repeated(s.pick("a", "\\u0000", "\x1b", "é", "\\"))
	text := s.pick(
		`{"y": `+s.repeated("[")+`1`+s.repeated("]")+`}`, `{"y": [1`+s.repeated(",2")+`]}`, `{"y": `+s.repeated(`{"a":`)+`1}`, `{"`+name+`": 1}`, `{"y": "`+name+`"}`,
		`{"y": 1e`+s.size()+`}`, `{"y": 1`+s.repeated("0")+`}`, `{"y": [[1,2],[3`+s.repeated(",4")+`]]}`, `{`+s.repeated(`"y": 1,`)+`"z": 2}`, `{"y": [`+s.repeated("null,")+`1]}`,
		`{"y": [`+s.repeated("[],")+`[]]}`, `{"y": [`+s.repeated("[[1]],")+`[[1]]]}`, `{`, `{"y": -`+s.repeated("-")+`}`, `{"y": [1,2]`+s.repeated(" ")+`}`, s.repeated("{"))
	return input{kind: "JSON data", files: map[string][]byte{"m.bug": []byte(plainModel), "d.json": []byte(text)}, args: s.command("m.bug", "--data", "d.json")}
}

// inits are starts of a chain.
func (s source) inits() input {
	text := s.pick("m <- 1E"+s.any(), "m <- 1:"+s.size(), "t <- -1", "t <- 1.0E-320", "m <- Inf", "m <- c(1"+s.repeated(",1")+")", s.many(), ".RNG.seed <- "+s.size(), "y <- 1:"+s.size(), "m <- structure(1, .Dim = c("+s.any()+"))", s.repeated("m <- 1\n"))
	files := map[string][]byte{"m.bug": []byte(plainModel), "d.R": []byte("y <- c(1,2,3)"), "i.R": []byte(text)}
	return input{kind: "inits", files: files, args: []string{"sample", "m.bug", "--data", "d.R", "--inits", "i.R", "--warmup", "3", "--draws", "3", "--chains", "2", "--out", "out", "--progress", "none", "--seed", "1"}}
}

// matrix is a transition matrix for chain.
func (s source) matrix() input {
	n := int(math.Pow(10, 2.8*s.Float64()))
	var b strings.Builder
	for i := range n {
		for j := range n {
			if j > 0 {
				b.WriteByte(',')
			}
			switch {
			case j == (i+1)%n:
				b.WriteByte('1')
			default:
				b.WriteByte('0')
			}
		}
		b.WriteByte('\n')
	}
	text := s.pick(b.String(), b.String(), s.repeated("1,"), s.repeated("1\n"), s.repeated("\""), "1E"+s.size(), s.repeated("0.5,0.5\n"), s.repeated("\x1b[2J")+",1\n", s.repeated("a")+",b\n1,0\n0,1\n", s.repeated("\x00"))
	return input{kind: "chain", files: map[string][]byte{"c.csv": []byte(text)}, args: append([]string{"chain", "c.csv", "--format", s.pick("auto", "matrix", "edges")}, s.chainFlags()...)}
}

func (s source) chainFlags() []string {
	switch s.IntN(7) {
	case 0:
		return []string{"--simulate", s.fair(), "--seed", "1"}
	case 1:
		return []string{"--from", "1", "--generations", s.fair()}
	case 2:
		return []string{"--spectrum"}
	case 3:
		return []string{"--hit", "1"}
	case 4:
		return []string{"--normalise"}
	case 5:
		return []string{"--epsilon", s.pick("1e-300", "0.5", "1e-9")}
	}
	return nil
}

// edges is a list of transitions for chain.
func (s source) edges() input {
	var b strings.Builder
	n := int(math.Pow(10, 4.5*s.Float64())) + 1
	kind := s.IntN(4)
	for i := range n {
		to := (i + 1) % n
		switch kind {
		case 1:
			to = s.IntN(n)
		case 2:
			to = min(i+1, n-1)
		case 3:
			to = n - 1 - i
		}
		b.WriteString(strconv.Itoa(i+1) + "," + strconv.Itoa(to+1) + ",1\n")
	}
	text := s.pick(b.String(), b.String(), "from,to,probability\n"+b.String(), "1,"+s.size()+",1\n", s.repeated("1,1,1\n"), "1,2,1E"+s.size()+"\n", s.repeated("x")+","+s.repeated("y")+",1\n", s.repeated("1,2,\n"))
	return input{kind: "edges", files: map[string][]byte{"e.csv": []byte(text)}, args: append([]string{"chain", "e.csv", "--format", s.pick("auto", "edges", "edges")}, s.chainFlags()...)}
}

// damaged is a run whose files have been changed.
func (s source) damaged() input {
	file := s.pick("run.json", "summary.json", "run.json", "checkpoint", "draws.zarr/posterior/m/.zarray", "draws.zarr/posterior/m/0.0.0", "draws.zarr/.zattrs", "log.jsonl", "draws.zarr/posterior/.zattrs")
	path := filepath.Join(s.base, file)
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		all, _ := os.ReadDir(path)
		if len(all) > 0 {
			file = filepath.Join(file, all[s.IntN(len(all))].Name())
			path = filepath.Join(s.base, file)
		}
	}
	b, _ := os.ReadFile(path) // a file that is not there is made
	b = s.mutate(b)
	args := [][]string{{"summary", "run"}, {"sample", "--resume", "run", "--draws", "40", "--progress", "none"}, {"export", "run", "--format", s.pick("csv", "coda", "cmdstan", "json"), "--out", "x"}, {"compare", "run", "run"}, {"plot", "run", "--out", "p.svg"}}
	return input{kind: "damaged run", dirs: map[string]string{"run": s.base}, files: map[string][]byte{filepath.Join("run", file): b}, args: args[s.IntN(len(args))]}
}

// mutate changes bytes, numbers or the length.
func (s source) mutate(b []byte) []byte {
	b = append([]byte(nil), b...)
	switch s.IntN(5) {
	case 0:
		return b[:s.IntN(len(b)+1)]
	case 1:
		return append(b, s.repeated("0")...)
	case 2:
		return []byte(s.repeated(s.pick("[", "{\"a\":", "9", "\x00")))
	case 3: // a number grows
		var at []int
		for i, c := range b {
			if c >= '1' && c <= '9' {
				at = append(at, i)
			}
		}
		if len(at) > 0 {
			i := at[s.IntN(len(at))]
			return append(append(append([]byte(nil), b[:i]...), s.size()...), b[i:]...)
		}
	}
	for range 1 + s.IntN(5) {
		if len(b) > 0 {
			b[s.IntN(len(b))] = byte(s.IntN(256))
		}
	}
	return b
}

// flags are numbers on the command line that are too large.
func (s source) flags() input {
	files := map[string][]byte{"m.bug": []byte(plainModel), "d.R": []byte("y <- c(1,2,3)"), "c.csv": []byte("0.5,0.5\n0.5,0.5\n")}
	n := s.pick(s.size(), s.size(), strconv.Itoa(math.MaxInt64), "-1", "1e999", "")
	sample := []string{"sample", "m.bug", "--data", "d.R", "--out", "out", "--progress", "none", "--seed", "1", "--warmup", "3", "--draws", "3"}
	all := [][]string{append(sample, "--chains", n), append(sample, "--threads", n), append(sample, "--thin", s.pick(n[:min(len(n), 5)], "0", "-5")), append(sample, "--monitor", s.repeated("m,")), append(sample, "--monitor", "y[1:"+n+"]"),
		append(sample, "--sampler", s.repeated("m")+"=slice"), append(sample, "--checkpoint", s.pick("-1s", "1ns", "9999999h", n)),
		{"chain", "c.csv", "--from", "1", "--generations", n}, {"chain", "c.csv", "--epsilon", n}, {"summary", s.repeated("x")}, {"check", "m.bug", "--data", "d.R", "--seed", n}}
	args := all[s.IntN(len(all))]
	for i, a := range args {
		args[i] = a[:min(len(a), 100000)] // the system takes no more
	}
	return input{kind: "flags", files: files, args: args}
}
