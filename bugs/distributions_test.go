package bugs_test

import (
	"math"
	"testing"
)

const prior2 = "O <- structure(c(2, 0.5, 0.5, 1), .Dim = c(2, 2)); v <- c(0.5, -1); w <- c(1, 2, 3)"

// distributions are all that may stand after ~ in JAGS, each as the prior of x and as the likelihood of a parameter.
var distributions = []struct {
	name, program, data string
	jags                bool
}{
	{"dbern", "x ~ dbern(0.3)\np ~ dbeta(2, 2)\ny ~ dbern(p)", "y <- 1", true},
	{"dbeta", "x ~ dbeta(2, 3)\na ~ dgamma(3, 2)\ny ~ dbeta(a, 2)", "y <- 0.7", true},
	{"dbin", "x ~ dbin(0.3, 7)\np ~ dbeta(2, 2)\ny ~ dbin(p, 7)\nn ~ dpois(9)\nz ~ dbin(0.4, n)", "y <- 4; z <- 3", true},
	{"dcat", "x ~ dcat(w)\na ~ dgamma(3, 2)\nq[1] <- a\nq[2] <- 1\ny ~ dcat(q)", prior2 + "; y <- 1", true},
	{"dchisqr", "x ~ dchisqr(3)\nk ~ dgamma(4, 1)\ny ~ dchisqr(k)", "y <- 2.5", true},
	{"ddexp", "x ~ ddexp(1, 2)\nm ~ dnorm(0, 1)\ny ~ ddexp(m, 2)", "y <- 1.5", true},
	{"ddirch", "x[1:3] ~ ddirch(w)\na ~ dgamma(3, 1)\nb[1] <- a\nb[2] <- 1\ny[1:2] ~ ddirch(b)", prior2 + "; y <- c(0.3, 0.7)", true},
	{"dexp", "x ~ dexp(2)\na ~ dgamma(3, 1)\ny ~ dexp(a)", "y <- 0.7", true},
	{"df", "x ~ df(6, 20)\na ~ dgamma(8, 2)\ny ~ df(a, 9)", "y <- 1.4", true},
	{"dgamma", "x ~ dgamma(3, 2)\na ~ dexp(1)\ny ~ dgamma(a, 2)\nb ~ dexp(1)\nz ~ dgamma(2, b)", "y <- 1.4; z <- 1.1", true},
	{"dgen.gamma", "x ~ dgen.gamma(2, 1, 1.5)\na ~ dgamma(3, 1)\ny ~ dgen.gamma(2, a, 1.5)", "y <- 1.2", true},
	{"dhyper", "x ~ dhyper(6, 7, 5, 1.5)\na ~ dgamma(3, 2)\ny ~ dhyper(6, 7, 5, a)", "y <- 3", true},
	{"dinterval", "t ~ dexp(a)\na ~ dgamma(3, 1)\nb ~ dinterval(t, w)", prior2 + "; b <- 2", false}, // jags finds no start for it by itself
	{"dlnorm", "x ~ dlnorm(0, 4)\nm ~ dnorm(0, 1)\ny ~ dlnorm(m, 4)", "y <- 1.5", true},
	{"dlogis", "x ~ dlogis(1, 2)\nm ~ dnorm(0, 1)\ny ~ dlogis(m, 2)", "y <- 1.5", true},
	{"dmnorm", "x[1:2] ~ dmnorm(v, O)\nm[1:2] ~ dmnorm(v, O)\ny[1:2] ~ dmnorm(m, O)", prior2 + "; y <- c(1, 2)", true},
	{"dmnorm.vcov", "x[1:2] ~ dmnorm.vcov(v, O)\nm[1:2] ~ dmnorm.vcov(v, O)\ny[1:2] ~ dmnorm.vcov(m, O)", prior2 + "; y <- c(1, 2)", true},
	{"dmt", "x[1:2] ~ dmt(v, O, 9)\nm[1:2] ~ dmnorm(v, O)\ny[1:2] ~ dmt(m, O, 5)", prior2 + "; y <- c(1, 2)", true},
	{"dmulti", "x[1:3] ~ dmulti(w, 5)\na ~ dgamma(3, 2)\nq[1] <- a\nq[2] <- 1\ny[1:2] ~ dmulti(q, 5)", prior2 + "; y <- c(3, 2)", true},
	{"dnchisqr", "x ~ dnchisqr(3, 2)\nd ~ dgamma(3, 1)\ny ~ dnchisqr(3, d)", "y <- 4", true},
	{"dnegbin", "x ~ dnegbin(0.4, 3)\np ~ dbeta(2, 2)\ny ~ dnegbin(p, 2.5)", "y <- 4", true},
	{"dnorm", "x ~ dnorm(1, 4)\nm ~ dnorm(0, 1)\ntau ~ dgamma(3, 2)\ny ~ dnorm(m, tau)", "y <- 1.5", true},
	{"dnt", "x ~ dnt(0.5, 1, 9)\nm ~ dnorm(0, 1)\ny ~ dnt(m, 2, 5)", "y <- 1.5", true},
	{"dpar", "x ~ dpar(8, 1)\na ~ dgamma(3, 1)\ny ~ dpar(a, 1)", "y <- 1.7", true},
	{"dpois", "x ~ dpois(3)\na ~ dgamma(3, 1)\ny ~ dpois(a)", "y <- 4", true},
	{"drw1", "tau ~ dgamma(3, 2)\ny[1:4] ~ drw1(tau, g)", "y <- c(1, 2, 1.5, 0.5); g <- c(0, 1, 2, 3)", true},
	{"dround", "m ~ dnorm(0, 1)\nt ~ dnorm(m, 1)\ny ~ dround(t, 0)", "y <- 1", false}, // nor for this
	{"dsample", "a ~ dgamma(3, 2)\nq[1] <- a\nq[2] <- 1\nq[3] <- 2\ns[1:3] ~ dsample(q, 2)", "s <- c(1, 0, 1)", true},
	{"dsum", "a ~ dpois(3)\nb ~ dpois(2)\ny ~ dsum(a, b)", "y <- 6", true},
	{"sum", "a ~ dnorm(0, 1)\nb ~ dnorm(0, 4)\ny ~ sum(a, b)", "y <- 1.2", true},
	{"dt", "x ~ dt(1, 2, 9)\nm ~ dnorm(0, 1)\ny ~ dt(m, 2, 3)", "y <- 1.5", true},
	{"dunif", "x ~ dunif(1, 3)\nb ~ dunif(1, 4)\ny ~ dunif(0, b)", "y <- 0.5", true},
	{"dweib", "x ~ dweib(2, 1.5)\na ~ dgamma(3, 2)\ny ~ dweib(2, a)", "y <- 0.7", true},
	{"dwish", "X[1:2,1:2] ~ dwish(O, 6)\nk ~ dunif(3, 9)\nY[1:2,1:2] ~ dwish(O, k)", prior2 + "; Y <- structure(c(2, 1, 1, 3), .Dim = c(2, 2))", true},
	{"dordered.logit", "x ~ dordered.logit(0.4, w)\nm ~ dnorm(0, 1)\ny ~ dordered.logit(m, w)", prior2 + "; y <- 3", true},
	{"dordered.probit", "x ~ dordered.probit(0.4, w)\nm ~ dnorm(0, 1)\ny ~ dordered.probit(m, w)", prior2 + "; y <- 3", true},
	{"dscaled.gamma", "x ~ dscaled.gamma(2, 5)\ny ~ dnorm(0, x)", "y <- 1.5", true},
	{"dscaled.wishart", "O[1:2,1:2] ~ dscaled.wishart(s, 5)\ny[1:2] ~ dmnorm(m, O)\nr <- log(O[1,1])", "s <- c(1, 2); m <- c(0, 0); y <- c(1, 0.5)", true},
	{"dnormmix", "x ~ dnormmix(mu, tau, q)\nm ~ dnorm(0, 1)\nu[1] <- m\nu[2] <- 2\ny ~ dnormmix(u, tau, q)", "mu <- c(-1, 1); tau <- c(1, 4); q <- c(0.3, 0.7); y <- 0.5", true},
	{"dbetabin", "x ~ dbetabin(2, 3, 7)\na ~ dgamma(3, 1)\ny ~ dbetabin(a, 3, 7)", "y <- 4", true},
	{"dpick", "p ~ dbeta(2, 3)\ny ~ dpick(p, 1, 4)", "y <- 4", true},
	{"dmstate", "x ~ dmstate(1, 2, Q)\ns ~ dexp(1)\ny ~ dmstate(2, s, Q)", "Q <- structure(c(-1, 0.5, 1, -0.5), .Dim = c(2, 2)); y <- 1", true},
	{"T(,)", "x ~ dnorm(0, 1) T(0.5,)\nm ~ dnorm(0, 1)\ny ~ dnorm(m, 1) T(0,2)\nz ~ dgamma(2, a) T(,3)\na ~ dexp(1)\nk ~ dpois(3) T(1,5)\nb ~ dpois(4)\nj ~ dbin(0.5, 9) T(b,)", "y <- 0.4; z <- 1.2; j <- 6", true},
	{"I(,)", "x ~ dnorm(0, 1) I(0.5,)", "", true},
	{"mixture index", "z ~ dcat(w)\nm[1] ~ dnorm(0, 1)\nm[2] ~ dnorm(3, 1)\nm[3] ~ dnorm(-3, 1)\ny ~ dnorm(m[z], 1)", prior2 + "; y <- 1", true},
	{"missing data", "for (i in 1:3) { y[i] ~ dnorm(m, 1) }\nm ~ dnorm(0, 1)", "y <- c(1, NA, 2)", true},
	{"linear regression", "for (i in 1:4) { y[i] ~ dnorm(a + b * u[i], tau) }\na ~ dnorm(0, 0.1)\nb ~ dnorm(0, 0.1)\ntau ~ dgamma(3, 1)", "y <- c(1, 2, 2.5, 4); u <- c(-1, 0, 1, 2)", true},
	{"links", "for (i in 1:4) { y[i] ~ dbern(p[i])\nlogit(p[i]) <- a * u[i]\nz[i] ~ dpois(l[i])\nlog(l[i]) <- b * u[i]\nx[i] ~ dbern(q[i])\nprobit(q[i]) <- d * u[i]\ns[i] ~ dbern(r[i])\ncloglog(r[i]) <- e * u[i] }\na ~ dnorm(0, 1)\nb ~ dnorm(0, 1)\nd ~ dnorm(0, 1)\ne ~ dnorm(0, 1)",
		"u <- c(-1, 0, 1, 2); y <- c(0, 1, 1, 1); z <- c(0, 1, 2, 3); x <- c(0, 1, 0, 1); s <- c(0, 0, 1, 1)", true},
}

// Every distribution compiles in both places, and its nodes move to finite values.
func TestLanguageDistributions(t *testing.T) {
	for _, c := range distributions {
		t.Run(c.name, func(t *testing.T) {
			names, _ := compileProgram(t, "model { "+c.program+" }", c.data).DefaultMonitors()
			for name, s := range draw(t, "model { "+c.program+" }", c.data, names, 20) {
				if math.IsNaN(s.Mean) || math.IsInf(s.Mean, 0) {
					t.Errorf("%s has mean %v", name, s.Mean)
				}
			}
		})
	}
}
