package bugs

import "testing"

const indexData = `y <- 2
two <- c(1, 2)
p <- c(0.2, 0.3, 0.5)
ends <- c(0, 0.5, 0.5, 0)
gap <- c(0.5, 0, 0.5)
q <- c(0.5, 0.5, 0)
al <- c(1, 1, 0)
B <- structure(c(1, 2, 3, 4), .Dim = c(2, 2))
`

const indexed = `x[1] ~ dnorm(0, 1)
x[2] ~ dnorm(0, 1)
h[1] <- x[1]
h[3] <- x[2]
y ~ dnorm(m, 1)
`

// An index that may leave its array or meet a hole, or need not be a whole
// number, is refused; one that does so with probability zero is not.
func TestIndexFaults(t *testing.T) {
	for _, c := range []struct {
		program string
		said    []string // nil: compiles
	}{
		{"m <- x[w]\nw ~ dbern(0.5)", []string{"m.bug:1:14:", "the index w of x[w], which m needs, may be 0: outside 1:2", "w ~ dbern takes 0, 1"}},
		{"m <- x[w + 1]\nw ~ dbern(0.5)", nil},
		{"m <- x[w]\nw ~ dbern(1)", nil},
		{"m <- x[3 - w]\nw ~ dbin(0.5, 2)", []string{"may be 3: outside 1:2", "w ~ dbin takes 0, 1, 2"}},
		{"m <- x[w]\nw ~ dbin(0.5, 2) T(1,)", nil},
		{"m <- x[w]\nw ~ dpois(2) T(1,2)", nil},
		{"m <- x[w]\nw ~ dpois(2)", []string{"may be 0", "0, 1, 2, …"}},
		{"m <- x[w + 1]\nw ~ dpois(2)", []string{"may be 3"}},
		{"m <- x[w + 1]\nw ~ dpois(0)", nil},
		{"m <- x[w]\nw ~ dnegbin(0.5, 2) T(1,3)", []string{"may be 3"}},
		{"m <- x[w + 1]\nw ~ dhyper(1, 5, 2, 1)", nil},
		{"m <- x[min(max(k, 1), 2)]\nk ~ dpois(2)", nil},
		{"m <- x[min(k, 2) + equals(k, 0)]\nk ~ dpois(2)", nil},
		{"m <- x[min(k, 2) + equals(k, 2)]\nk ~ dpois(2)", []string{"may be 0"}},
		{"m <- x[ifelse(k > 2, 2, max(k, 1))]\nk ~ dpois(2)", nil},
		{"m <- x[ifelse(w > 0, w, 1)]\nw ~ dbern(0.5)", nil},
		{"m <- x[w + (w == 0)]\nw ~ dbern(0.5)", nil},
		{"m <- x[v]\nv <- w + 1\nw ~ dbern(0.5)", nil},
		{"m <- x[v]\nv <- w + 1\nw ~ dbin(0.5, 2)", []string{"may be 3", "w ~ dbin takes 0, 1, 2"}},
		// categories
		{"m <- x[z]\nz ~ dcat(p[])", []string{"may be 3", "z ~ dcat takes 1, 2, 3"}},
		{"m <- x[z]\nz ~ dcat(q[])", nil},
		{"m <- x[z - 1]\nz ~ dcat(ends[])", nil},
		{"m <- x[(z + 1) / 2]\nz ~ dcat(gap[])", nil},
		{"m <- x[z / 2 + 0.5]\nz ~ dcat(q[])", []string{"need not be a whole number"}},
		{"m <- x[z]\nz ~ dcat(r[])\nr[1:3] ~ ddirch(al[])", nil},
		{"m <- x[z]\nz ~ dcat(r[])\nr[1:3] ~ ddirch(p[])", []string{"may be 3"}},
		{"m <- x[z]\nz ~ dcat(s[])\ns[1] <- a\ns[2] <- 1 - a\ns[3] <- 0 * a\na ~ dunif(0, 1)", nil},
		{"m <- x[z]\nz ~ dcat(s[])\ns[1] <- a\ns[2] <- 1 - a\ns[3] <- a / 2\na ~ dunif(0, 1)", []string{"may be 3"}},
		{"m <- x[z]\nz ~ dcat(P[w,])\nw ~ dcat(q[])\nP[1,1:3] <- q[]\nP[2,1:3] <- c(1, 0, 0)\nP[3,1:3] <- p[]", nil},
		{"m <- x[z]\nz ~ dcat(P[w,])\nw ~ dcat(p[])\nP[1,1:3] <- q[]\nP[2,1:3] <- c(1, 0, 0)\nP[3,1:3] <- p[]", []string{"may be 3"}},
		// continuous nodes, rounded or not
		{"m <- x[a]\na ~ dnorm(0, 1)", []string{"the index a of x[a], which m needs, need not be a whole number", "a ~ dnorm takes any number", "round()"}},
		{"m <- x[a + 1]\na ~ dunif(0, 1)", []string{"need not be a whole number"}},
		{"m <- x[round(u)]\nu ~ dunif(0.5, 2.5)", nil},
		{"m <- x[round(u)]\nu ~ dunif(0.5, 2.6)", []string{"may be 3", "u ~ dunif takes any number from 0.5 to 2.6"}},
		{"m <- x[round(u)]\nu ~ dunif(lo, 2.5)\nlo ~ dunif(0.5, 1)", nil},
		{"m <- x[round(u)]\nu ~ dunif(lo, 2.5)\nlo ~ dunif(0.4, 1)", []string{"may be 0"}},
		{"m <- x[trunc(2 * u) + 1]\nu ~ dbeta(1, 1)", nil},
		{"m <- x[trunc(2 * u) + 1]\nu ~ dexp(1) T(, 1)", nil},
		{"m <- x[1 + step(a)]\na ~ dnorm(0, 1)", nil},
		{"m <- x[1 + (a > 0 && a < 1)]\na ~ dnorm(0, 1)", nil},
		{"m <- x[1 + z]\nz ~ dinterval(a, 0)\na ~ dnorm(0, 1)", nil},
		{"m <- x[1 + z]\nz ~ dinterval(a, two[])\na ~ dnorm(0, 1)", []string{"may be 3"}},
		{"m <- x[k[1]]\nk[1:2] <- order(x[])", nil},
		{"m <- x[k[1] + 1]\nk[1:2] <- rank(x[])", []string{"may be 3"}},
		{"m <- x[c[1] + 1]\nc[1:2] ~ dmulti(q[1:2], 1)", nil},
		{"m <- x[c[3] + 1]\nc[1:3] ~ dmulti(q[], 5)", nil},
		{"m <- x[c[1] + 1]\nc[1:3] ~ dmulti(q[], 5)", []string{"may be 3"}},
		// matrices, nested and several indices, parts of arrays
		{"m <- B[w, 2]\nw ~ dbern(0.5)", []string{"the index w of B[w,2], which m needs, may be 0: outside 1:2"}},
		{"m <- B[w + 1, z]\nw ~ dbern(0.5)\nz ~ dcat(p[])", []string{"the index z of B[w + 1,z]", "may be 3"}},
		{"m <- x[B[w + 1, 1]]\nw ~ dbern(0.5)", nil},
		{"m <- x[B[w + 1, 2]]\nw ~ dbern(0.5)", []string{"may be 3", "w ~ dbern"}},
		{"m <- sum(B[w, ])\nw ~ dbern(0.5)", []string{"may be 0"}},
		{"m <- sum(B[w + 1, 1:2])\nw ~ dbern(0.5)", nil},
		{"m <- exp(x[w + 1] + x[w])\nw ~ dbern(0.5)", []string{"the index w of x[w]"}},
		{"for (i in 1:2) { v[i] ~ dcat(p[])\nmu[i] <- x[v[i]] }\nm <- 0", []string{"which mu[1] needs", "v[1] ~ dcat"}},
		// holes
		{"m <- h[w]\nw ~ dcat(p[])", []string{"h[w], which m needs, may be h[2], which is not defined"}},
		{"m <- h[w]\nw ~ dcat(gap[])", nil},
		{"m <- h[2 * w + 1]\nw ~ dbern(0.5)", nil},
		// sizes
		{"m <- 0\nn ~ dbin(0.3, N)\nN ~ dunif(3, 20)", []string{"m.bug:2:1:", "n of n ~ dbin counts, but N need not be a whole number", "N ~ dunif takes any number from 3 to 20"}},
		{"m <- 0\nn ~ dbin(0.3, N / 2)\nN ~ dpois(3)", []string{"N / 2 need not be a whole number", "round()"}},
		{"m <- 0\nn ~ dbin(0.3, 2 * N - 1)\nN ~ dpois(3)", nil},
		{"m <- 0\nn ~ dbin(0.3, round(N))\nN ~ dunif(3, 20)", nil},
		{"m <- 0\nn ~ dbin(0.3, sum(c[2:3]))\nc[1:3] ~ dmulti(p[], 7)", nil},
		{"m <- 0\nn ~ dbin(0.3, sqrt(N))\nN ~ dpois(4)", []string{"need not be"}},
		{"m <- 0\nn ~ dbin(0.3, N ^ 2)\nN ~ dpois(4)", nil},
		{"m <- 0\nn ~ dbetabin(1, 1, N)\nN ~ dexp(1)", []string{"n of n ~ dbetabin counts", "N ~ dexp"}},
		{"m <- 0\nn ~ dhyper(5, N, 3, 1)\nN ~ dexp(1)", []string{"n2 of n ~ dhyper counts"}},
		{"m <- 0\nn[1:3] ~ dmulti(p[], N)\nN ~ dgamma(1, 1)", []string{"n[1] ~ dmulti counts", "N ~ dgamma"}},
		{"m <- 0\nn ~ dnegbin(0.5, N)\nN ~ dgamma(1, 1)", nil}, // whose size may be any number
	} {
		program := "model { " + c.program + "\n" + indexed + "}"
		if c.said != nil {
			refused(t, program, indexData, c.said...)
			continue
		}
		if _, err := compileText(t, program, indexData); err != nil {
			t.Errorf("%s: %v", c.program, err)
		}
	}
}
