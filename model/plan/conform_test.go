package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

type conformance struct {
	name, model, data string
	kernel            string // that some node must get
	force             string // or that is asked for, for all nodes named x…, or a… and b… where it is a block
}

func cases() []conformance {
	return []conformance{
		{"normal mean", `model { x ~ dnorm(1, 0.5); for (i in 1:3) { m[i] <- 2 - x * a[i]; y[i] ~ dnorm(m[i], t) } }`, `a <- c(1,-2,0.5); t <- 2; y <- c(0,0,0)`, "conjugate-normal", ""},
		{"normal, varying slope", `model { x ~ dnorm(0, 1); b ~ dnorm(1, 2); for (i in 1:2) { y[i] ~ dnorm(b * x + i, 3) } }`, `y <- c(0,0)`, "conjugate-normal", ""},
		{"normal, lognormal child, truncated", `model { x ~ dnorm(0, 1) T(-0.5, 2); y ~ dlnorm(x / 2, 4) }`, `y <- 1`, "conjugate-normal", ""},
		{"normal, dmnorm child", `model { x ~ dnorm(0, 1); m[1] <- x; m[2] <- 1 - 2 * x; y[1:2] ~ dmnorm(m[], O[,]) }`, `O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- c(0,0)`, "conjugate-normal", ""},
		{"normal, mixture index", `model { for (k in 1:2) { x[k] ~ dnorm(k, 1) } z ~ dcat(p[]); y ~ dnorm(x[z], 2) }`, `p <- c(0.3,0.7); y <- 0`, "conjugate-normal", "conjugate-normal"},
		{"normal, censored", `model { x ~ dnorm(0, 1); c ~ dinterval(x, k[]); y ~ dnorm(x, 1) }`, `k <- c(-0.3, 0.8); c <- 1; y <- 0`, "conjugate-normal", ""},
		{"gamma precision", `model { x ~ dgamma(3, 2); for (i in 1:3) { y[i] ~ dnorm(0, x * a[i]) } }`, `a <- c(1,2,0.5); y <- c(0,0,0)`, "conjugate-gamma", ""},
		{"gamma rates", `model { x ~ dgamma(2, 1); u ~ dpois(3 * x); v ~ dexp(x / 2); w ~ dgamma(1.5, x); q ~ dweib(1.3, x); d ~ ddexp(0, x); l ~ dlnorm(0, x) }`, `u <- 1; v <- 1; w <- 1; q <- 1; d <- 1; l <- 1`, "conjugate-gamma", ""},
		{"gamma, truncated", `model { x ~ dgamma(2, 1) T(0.5, 3); y ~ dpois(x) }`, `y <- 1`, "conjugate-gamma", ""},
		{"exponential and chi-squared", `model { x ~ dexp(2); z ~ dchisqr(3); y ~ dpois(x); w ~ dexp(z) }`, `y <- 1; w <- 1`, "conjugate-gamma", ""},
		{"gamma, mixture index", `model { for (k in 1:2) { x[k] ~ dgamma(2, k) } z ~ dcat(p[]); y ~ dpois(x[z]) }`, `p <- c(0.3,0.7); y <- 1`, "conjugate-gamma", ""},
		{"gamma as Pareto shape", `model { x ~ dgamma(3, 2); y ~ dpar(x, 1.5) }`, `y <- 2`, "conjugate-gamma", ""},
		{"beta", `model { x ~ dbeta(2, 3); y ~ dbin(x, 5); z ~ dbern(1 - x); w ~ dnegbin(x, 2) }`, `y <- 1; z <- 1; w <- 1`, "conjugate-beta", ""},
		{"beta, truncated", `model { x ~ dbeta(2, 3) T(0.2, 0.6); y ~ dbin(x, 5) }`, `y <- 1`, "conjugate-beta", ""},
		{"beta times indicator", `model { x ~ dunif(0, 1); f ~ dunif(0, 1); z ~ dbern(0.6); y ~ dbern(z * x); w ~ dbern(z * x + (1 - z) * f) }`, `y <- 1; w <- 1`, "conjugate-beta", ""},
		{"beta, fallback", `model { x ~ dunif(0, 1); q ~ dunif(0, 1); y ~ dbin(q * x, 3) }`, `y <- 1`, "", ""},
		{"beta, mixture index", `model { for (k in 1:2) { x[k] ~ dbeta(1, k) } z ~ dbern(0.4); y ~ dbin(x[z + 1], 4) }`, `y <- 1`, "conjugate-beta", ""},
		{"Dirichlet", `model { x[1:3] ~ ddirch(a[]); y ~ dcat(x[]); w[1:3] ~ dmulti(x[], 4) }`, `a <- c(1,2,0.5); y <- 1; w <- c(1,2,1)`, "conjugate-dirichlet", ""},
		{"Dirichlet, picked", `model { for (k in 1:2) { x[k,1:2] ~ ddirch(a[]) } z ~ dcat(p[]); y ~ dcat(x[z,]) }`, `a <- c(1,2); p <- c(0.5,0.5); y <- 1`, "conjugate-dirichlet", ""},
		{"multivariate normal", `model { x[1:2] ~ dmnorm(m[], O[,]); y ~ dnorm(x[1] - 2 * x[2], 1); w[1:2] ~ dmnorm(x[], O[,]) }`, `m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- 0; w <- c(0,0)`, "conjugate-mnormal", ""},
		{"Wishart", `model { x[1:2,1:2] ~ dwish(R[,], 4); for (i in 1:2) { y[i,1:2] ~ dmnorm(m[], x[,]) } }`, `m <- c(0,1); R <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- structure(c(0,0,0,0), .Dim=c(2,2))`, "conjugate-wishart", ""},
		{"finite", `model { x ~ dcat(p[]); b ~ dbern(0.3); n ~ dbin(0.4, 6); y ~ dnorm(x + 2 * b - n, 1) }`, `p <- c(1,2,3); y <- 0`, "ffbs", ""},
		{"count by slice", `model { x ~ dpois(4); y ~ dbin(0.3, x) }`, `y <- 0`, "slice", ""},
		{"adaptive, bounded", `model { x ~ dunif(-1, 2); y ~ dpois(exp(x)) }`, `y <- 1`, "", ""},
		{"adaptive, heavy tail", `model { x ~ dt(0, 1, 2); y ~ dnorm(x, 1) }`, `y <- 1`, "", ""},
		{"slice for a conjugate node", `model { x ~ dnorm(1, 0.5); y ~ dnorm(x, 2) }`, `y <- 1`, "slice", "slice"},
		{"doubling slice", `model { x ~ dnorm(1, 0.5); y ~ dpois(exp(x)) }`, `y <- 1`, "slice-doubling", "slice-doubling"},
		{"random walk", `model { x ~ dgamma(2, 1); y ~ dpois(x) }`, `y <- 1`, "metropolis", "metropolis"},
		{"proposals from the prior", `model { x ~ dpois(3); y ~ dbin(0.4, x) }`, `y <- 1`, "prior", "prior"},
		{"elliptical", `model { x[1:2] ~ dmnorm(m[], O[,]); y ~ dpois(exp(x[1] + x[2])) }`, `m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- 1`, "elliptical-slice", ""},
		{"simplex", `model { x[1:3] ~ ddirch(a[]); y ~ dnorm(x[1] * x[2], 30) }`, `a <- c(1,2,1.5); y <- 0`, "simplex-slice", ""},
		{"block, normal", `model { a ~ dnorm(0, 1); b ~ dnorm(a, 2); for (i in 1:3) { m[i] <- a + b * x[i]; y[i] ~ dnorm(m[i], 2) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-normal", ""},
		{"block, varying slopes", `model { s ~ dunif(0.5, 2); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(0, 1); y[i] ~ dnorm(a + s * b[i], 3) } }`, `y <- c(0,0,0)`, "block-normal", ""},
		{"block, random walk", `model { t ~ dgamma(4, 2); x[1] ~ dnorm(0, 1); for (i in 2:5) { x[i] ~ dnorm(x[i-1], t) } for (i in 1:5) { y[i] ~ dnorm(2 * x[i], 1) } }`, `y <- c(0,0,0,0,0)`, "block-normal", ""},
		{"block, logistic", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { logit(p[i]) <- a + b * x[i]; y[i] ~ dbin(p[i], 5) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-glm", ""},
		{"block, Poisson with effects", `model { t ~ dgamma(4, 2); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(0, t); log(l[i]) <- a + b[i]; y[i] ~ dpois(l[i]) } }`, `y <- c(0,0,0)`, "block-glm", "block-glm"},
		{"block, Student", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { y[i] ~ dt(a + b * x[i], 2, 3) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-glm", ""},
		{"block, by differences", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { cloglog(p[i]) <- a + b * x[i]; y[i] ~ dbin(p[i], 5); z[i] ~ dgamma(2, exp(a - b)) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0); z <- c(1,1,1)`, "block-glm", ""},
		{"joint, normal block", `model { t ~ dgamma(4, 2); m ~ dnorm(0, 1); for (i in 1:3) { x[i] ~ dnorm(m, t); y[i] ~ dnorm(x[i], 2) } }`, `y <- c(0,0,0)`, "joint-with-block", ""},
		{"all with a normal block", `model { s ~ dunif(0.2, 2); t ~ dgamma(4, 2); k ~ dnorm(1, 4); m ~ dnorm(0, 1); for (i in 1:3) { x[i] ~ dnorm(m, 1 / s^2); y[i] ~ dnorm(k * x[i], t) } }`, `y <- c(0,0,0)`, "all-with-block", ""},
		{"joint, sd of a Poisson block", `model { s ~ dunif(0.2, 2); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(0, 1 / s^2); log(l[i]) <- a + b[i]; y[i] ~ dpois(l[i]) } }`, `y <- c(0,0,0)`, "joint-with-block", "block-glm"},
		{"joint, by differences", `model { r ~ dgamma(8, 8); t ~ dgamma(4, 2); a ~ dnorm(0, 2); for (i in 1:3) { b[i] ~ dnorm(0, t); log(m[i]) <- a + b[i]; y[i] ~ dweib(r, m[i]) } c ~ dinterval(z, 0.7); z ~ dweib(r, m[1]) }`, `y <- c(1,1,1); c <- 1`, "joint-with-block", "block-glm"},
		{"joint, scaled effects, logistic", `model { s ~ dunif(0, 3); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(0, 1); logit(p[i]) <- a + s * b[i]; y[i] ~ dbin(p[i], 4) } }`, `y <- c(1,1,1)`, "joint-with-block", "block-glm"},
		{"joint, Student's scale and degrees", `model { n ~ dgamma(3, 1); t ~ dgamma(4, 2); a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { y[i] ~ dt(a + b * x[i], t, n) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "joint-with-block", ""},
		{"joint, truncated children", `model { t ~ dgamma(4, 2); a ~ dnorm(0, 1); for (i in 1:3) { b[i] ~ dnorm(a, t); y[i] ~ dnorm(b[i], 2) T(-1, 2) } }`, `y <- c(0,0,0)`, "joint-with-block", "block-glm"},
		{"block, zero inflation", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); q ~ dbeta(2, 2); for (i in 1:3) { z[i] ~ dbern(q); log(l[i]) <- a + b * x[i]; y[i] ~ dpois(z[i] * l[i] + 0.01) } }`, `x <- c(-1,0.5,2); y <- c(0,1,0)`, "block-glm", ""},
		{"block, shared predictor", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); e <- a - b; for (i in 1:3) { y[i] ~ dpois(exp(e)); w[i] ~ dbern(ilogit(e)) } v ~ dnorm(a + 2 * b, 1) }`, `y <- c(0,1,0); w <- c(0,1,0); v <- 0`, "block-glm", ""},
		{"block, lognormal and missing data", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { u[i] ~ dlnorm(a + b * x[i], 3); y[i] ~ dpois(u[i]) } w ~ dlnorm(a, 2) }`, `x <- c(-1,0.5,2); y <- c(0,1,0); w <- 1`, "block-normal", ""},
		{"hidden Markov chain", `model { for (k in 1:2) { P[k,1:2] ~ ddirch(a[]); m[k] ~ dnorm(k, 2) } z[1] ~ dcat(p[]); for (t in 2:4) { z[t] ~ dcat(P[z[t-1],]) } for (t in 1:4) { y[t] ~ dnorm(m[z[t]], 3) } }`, `a <- c(1,2); p <- c(0.5,0.5); y <- c(0,0,0,0)`, "ffbs", ""},
		{"finite, alone", `model { x ~ dcat(p[]); y ~ dnorm(x, 1); n ~ dbin(0.4, 6) T(0.5, 4.5); w ~ dpois(n) T(1,) }`, `p <- c(1,2,3); y <- 0; w <- 1`, "enumerate", ""},
		{"hidden Markov chain, node by node", `model { for (k in 1:2) { P[k,1:2] ~ ddirch(a[]); m[k] ~ dnorm(k, 2) } x[1] ~ dcat(p[]); for (t in 2:4) { x[t] ~ dcat(P[x[t-1],]) } for (t in 1:4) { y[t] ~ dnorm(m[x[t]], 3) } }`, `a <- c(1,2); p <- c(0.5,0.5); y <- c(0,0,0,0)`, "enumerate", "enumerate"},
		{"capture histories", `model { phi ~ dunif(0, 1); q ~ dunif(0, 1); for (i in 1:3) { z[i,1] <- 1; for (t in 2:4) { z[i,t] ~ dbern(phi * z[i,t-1]); y[i,t] ~ dbern(q * z[i,t]) } } }`, `y <- structure(c(1,1,1,1,0,0,0,0,0,1,0,0), .Dim=c(3,4))`, "ffbs", ""},
		{"chains with a continuous child and a shared switch", `model { g ~ dbern(0.4); for (i in 1:2) { z[i,1] ~ dbern(0.5); for (t in 2:3) { z[i,t] ~ dbern(0.2 + 0.3*z[i,t-1] + 0.3*g) } for (t in 1:3) { u[i,t] ~ dnorm(z[i,t] - g, 2); y[i,t] ~ dpois(exp(u[i,t])) } } }`, `y <- structure(c(1,1,1,1,0,0), .Dim=c(2,3))`, "ffbs", ""},
		{"collapsed, two parents share children", `model { a ~ dgamma(4, 2); b ~ dgamma(4, 2); for (i in 1:3) { p[i] ~ dbeta(a, b); y[i] ~ dbin(p[i], 4); w[i] ~ dnegbin(p[i], 2) } d ~ dnorm(a, 1) }`, `y <- c(1,1,1); w <- c(1,1,1); d <- 0`, "collapsed", ""},
		{"joint, change point", `model { c ~ dunif(0, 4); a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:4) { y[i] ~ dnorm(a + b * step(i - c) * (i - c), 2) } }`, `y <- c(0,0,0,0)`, "joint-with-block", ""},
		{"with normals, a scale", `model { v ~ dnorm(0, 1); for (i in 1:3) { x[i] ~ dnorm(1, exp(-v)); y[i] ~ dnorm(2 * x[i], 1) } w[1:2] ~ dmnorm(m[], O[,]); m[1] <- x[1]; m[2] <- 1 }`, `y <- c(0,0,0); w <- c(0,0); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2))`, "joint-with-normals", ""},
		{"with normals, a curve", `model { x[1] ~ dnorm(0, 1); x[2] ~ dnorm(0, 1); y ~ dnorm(x[2] + pow(x[1], 2), 4); w ~ dlnorm(x[2] * s, 1); s ~ dunif(0, 2) }`, `y <- 0; w <- 1`, "joint-with-normals", ""},
		{"with normals, a product", `model { a ~ dnorm(0, 1); b ~ dnorm(1, 1); for (i in 1:2) { y[i] ~ dnorm(a * b, 4) } z ~ dcat(p[]); w ~ dnorm(q[z], 1); q[1] <- a; q[2] <- b }`, `y <- c(0,0); w <- 0; p <- c(1,2)`, "joint-with-normals", ""},
		{"with normals, mean and scale", `model { k ~ dgamma(2, 2) T(0.1, 5); for (i in 1:3) { x[i] ~ dnorm(k, 1 / k); y[i] ~ dnorm(x[i] * k, 2); u[i] ~ dpois(k) } }`, `y <- c(0,0,0); u <- c(1,1,1)`, "joint-with-normals", ""},
		{"collapsed beta", `model { m ~ dunif(0, 1); k ~ dgamma(3, 1); for (i in 1:3) { p[i] ~ dbeta(m * k, (1 - m) * k); y[i] ~ dbin(p[i], 5) } }`, `y <- c(1,1,1)`, "collapsed", ""},
		{"collapsed truncated beta", `model { m ~ dunif(0, 1); for (i in 1:3) { p[i] ~ dbeta(2 * m, 2 - 2 * m) T(, 0.9); y[i] ~ dbin(p[i], 5) } }`, `y <- c(1,1,1)`, "collapsed", ""},
		{"collapsed gamma", `model { a ~ dexp(1); b ~ dgamma(2, 1); for (i in 1:3) { th[i] ~ dgamma(a, b); y[i] ~ dpois(2 * th[i]) } }`, `y <- c(1,1,1)`, "collapsed", ""},
		{"simplex, structural zero", `model { x[1:4] ~ ddirch(a[]); y ~ dnorm(x[2] * x[3], 30) }`, `a <- c(1,2,0,0.2); y <- 0`, "simplex-slice", ""},
		{"simplex, what elements leave", `model { x[1:3] ~ ddirch(a[]); q <- 1 - x[3] - x[1]; y ~ dbern(q); z ~ dcat(x[]) }`, `a <- c(1,2,0.05); y <- 0; z <- 1`, "simplex-slice", ""},
		{"Dirichlet, a column", `model { for (k in 1:2) { x[k,1:2] ~ ddirch(a[]) } z ~ dcat(p[]); y ~ dcat(x[,z]) }`, `a <- c(1,2); p <- c(0.3,0.7); y <- 1`, "simplex-slice", ""},
		{"Dirichlet, index follows", `model { for (k in 1:2) { x[k,1:2] ~ ddirch(a[]) } z <- 1 + step(x[1,1] - 0.5); y ~ dcat(x[z,]) }`, `a <- c(1,2); y <- 1`, "simplex-slice", ""},
		{"Dirichlet, picked through a copy", `model { for (k in 1:2) { x[k,1:2] ~ ddirch(a[]); for (j in 1:2) { w[k,j] <- x[k,j] / 2 } } z ~ dcat(p[]); y ~ dcat(w[z,]) }`, `a <- c(1,2); p <- c(0.5,0.5); y <- 1`, "simplex-slice", ""},
		{"collapsed, children share a child", `model { a ~ dunif(0.5, 4); for (i in 1:3) { l[i] ~ dgamma(a, 2) } y ~ dpois(l[1] * l[2]); w ~ dpois(l[3]) }`, `y <- 0; w <- 1`, "collapsed", ""},
		{"collapsed, one child bounded by the node", `model { m ~ dunif(0, 0.9); p ~ dbeta(2, 2) T(m,); q ~ dbeta(1 + m, 2); y ~ dbin(p, 5); w ~ dbin(q, 5) }`, `y <- 1; w <- 1`, "collapsed", ""},
		{"block, Student's precision follows", `model { a ~ dnorm(2, 1); b ~ dnorm(0, 4); for (i in 1:3) { m[i] <- a + b * x[i]; y[i] ~ dt(m[i], exp(m[i]), 4) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-glm", ""},
		{"block, Student's degrees follow", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { m[i] <- a + b * x[i]; y[i] ~ dt(m[i], 2, 5 + m[i] * m[i]) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-glm", ""},
		{"block, trials follow", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); for (i in 1:3) { m[i] <- a + b * x[i]; logit(p[i]) <- m[i]; n[i] <- 3 + 2 * step(m[i]); y[i] ~ dbin(p[i], n[i]) } }`, `x <- c(-1,0.5,2); y <- c(0,0,0)`, "block-glm", ""},
		{"block, a vector shared with others", `model { s ~ dnorm(1, 4) T(0,); b ~ dnorm(0, 1); a ~ dnorm(0, 1); m[1:3] <- c(a + b, s, b * b); y ~ dnorm(m[1], 2); w ~ dpois(m[2]); v ~ dnorm(m[3], 1) }`, `y <- 0; w <- 0; v <- 0`, "", ""},
		{"normal, curved beside straight", `model { x ~ dnorm(0, 1); m[1:2] <- c(x, x * x); y ~ dnorm(m[1], 1); pred ~ dnorm(m[2], 100) }`, `y <- 0`, "conjugate-normal", ""},
		{"normal, vector with other children", `model { x ~ dnorm(0, 1); t ~ dgamma(3, 2); m[1:2] <- c(x, t); y ~ dnorm(m[1], 1); z ~ dexp(m[2]) }`, `y <- 0; z <- 1`, "conjugate-normal", ""},
		{"finite, fractional bounds", `model { n ~ dbin(0.4, 6) T(0.5, 4.5); k ~ dpois(3) T(0.5, 7.2); y ~ dnorm(n - k, 1) }`, `y <- 0`, "ffbs", ""},
		{"gamma that is rate and bound", `model { x ~ dgamma(3,2); w ~ dexp(x) T(,x); y ~ dpois(w*x) }`, `y <- 0`, "", ""},
		{"beta that bounds a beta", `model { x ~ dbeta(3,2); w ~ dbeta(2,2) T(,x); y ~ dbin(w,3); z ~ dbin(x,2) }`, `y <- 0;z<-1`, "", ""},
		{"gamma, mixture index and by name", `model { for (k in 1:2) { x[k] ~ dgamma(2,k) } z ~ dcat(p[]); y ~ dnorm(0, x[z]*x[1]); w ~ dpois(x[z] + x[1]); v ~ dpois(x[z]) }`, `y <- 0; w<-0; v<-1; p <- c(1,1)`, "", ""},
		{"multivariate normal, mixture index", `model { for (k in 1:2) { b[k,1:2] ~ dmnorm(m[],O[,]) } z ~ dcat(p[]); for (i in 1:2) { y[i] ~ dnorm(b[z,1] + b[z,2]*x[i], 1); w[i] ~ dnorm(b[1,i], 2) } }`, `y <- c(0,0); w <- c(0,0); x <- c(1,2); m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); p <- c(1,2)`, "conjugate-mnormal", ""},
		{"collapsed, a chain of gammas", `model { a ~ dgamma(4,2); l ~ dgamma(a, a); q ~ dgamma(l, 2); y ~ dpois(q); w ~ dpois(a*l) }`, `y <- 0; w<-0`, "collapsed", ""},
		{"Dirichlet, picked forwards and backwards", `model { for (k in 1:2) { x[k,1:3] ~ ddirch(a[k,]); for (j in 1:3) { a[k,j] ~ dgamma(3,1) } } z ~ dcat(p[]); y ~ dcat(x[z,]); w[1:3] ~ dmulti(x[3-z,], 3); v ~ dcat(x[1,]) }`, `y <- 1; w<-c(1,1,1); v<-2; p<-c(1,1)`, "conjugate-dirichlet", ""},
		{"block, bounds that are members", `model { a ~ dnorm(0,1); b ~ dnorm(0,1); for (i in 1:2) { y[i] ~ dnorm(a+b*x[i],1) T(b,) } }`, `y <- c(0,0); x<-c(1,2)`, "", ""},
		{"block, missing covariates", `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); m ~ dnorm(0, 1); for (i in 1:4) { x[i] ~ dnorm(m, 1); y[i] ~ dnorm(a + b * x[i], 2); w[i] ~ dbern(ilogit(b * x[i] - a)) } }`, `x <- c(NA,1,NA,-1); y <- c(0,0,0,0); w <- c(1,0,1,1)`, "block-glm", ""},
		{"block, a vector of predictor and mean", `model { a ~ dnorm(0,1); b ~ dnorm(0,1); v[1:2] <- c(exp(a+b), a+b); y ~ dpois(v[1]); w ~ dpois(exp(v[2])); u ~ dt(v[2], v[1], 4) }`, `y <- 1; w<-0;u<-1`, "", ""},
		{"block, indices into effects and precisions", `model { for (k in 1:2) { a[k] ~ dnorm(0,1); t[k] ~ dgamma(3,2) } z ~ dcat(p[]); z2 ~ dcat(p[]); y ~ dt(a[z], t[z2], 4+z); w ~ dbin(ilogit(a[z2]), 2+z); u ~ dnorm(a[1]+a[2], t[z]) }`, `y <- 1; w<-0;u<-1;p<-c(1,2)`, "", ""},
		{"Dirichlet whose parameters are a Dirichlet's", `model { p[1:3] ~ ddirch(al[]); q[1:3] ~ ddirch(be[]); for (i in 1:3) { be[i] <- 0.5 + 3*p[i]; al[i] <- i } y ~ dcat(q[]); w[1:3] ~ dmulti(q[], 2); v ~ dbern(p[1]) }`, `y<-1;w<-c(1,1,0);v<-1`, "", ""},
		{"beta picked with its complement", `model { x ~ dbeta(2,2); z ~ dcat(p[]); q[1] <- x; q[2] <- 1-x; q[3] <- 0.3; y ~ dbin(q[z], 3); w ~ dnegbin(q[4-z], 2) }`, `y<-1;w<-1;p<-c(1,1,1)`, "", ""},
		{"nuts, hierarchy", `model { xm ~ dnorm(0, 1); xs ~ dunif(0.2, 3); for (i in 1:4) { x[i] ~ dnorm(xm, 1 / xs^2); y[i] ~ dbin(ilogit(x[i]), 4) } }`, `y <- c(1,1,1,1)`, "nuts", "nuts"},
		{"walnuts, a funnel", `model { x1 ~ dnorm(0, 1); for (i in 1:3) { x[i] ~ dnorm(0, exp(-2 * x1)); y[i] ~ dnorm(x[i], 1) } }`, `y <- c(0,0,0)`, "walnuts", "walnuts"},
		{"nuts, a scale of each", `model { t ~ dgamma(3, 2); for (i in 1:3) { l[i] ~ dgamma(2, 2); x[i] ~ dnorm(0, 1 / (l[i] * t)^2); y[i] ~ dnorm(x[i], 2) } }`, `y <- c(1,1,1)`, "nuts", "nuts"},
		{"chees, hierarchy", `model { xm ~ dnorm(0, 1); xs ~ dunif(0.2, 3); for (i in 1:4) { x[i] ~ dnorm(xm, 1 / xs^2); y[i] ~ dbin(ilogit(x[i]), 4) } }`, `y <- c(1,1,1,1)`, "chees", "chees"},
		{"static, hierarchy", `model { xm ~ dnorm(0, 1); xs ~ dunif(0.2, 3); for (i in 1:4) { x[i] ~ dnorm(xm, 1 / xs^2); y[i] ~ dbin(ilogit(x[i]), 4) } }`, `y <- c(1,1,1,1)`, "static", "static"},
		{"mala beside an index", `model { for (k in 1:2) { x[k] ~ dnorm(k, 1) } z ~ dcat(p[]); t ~ dgamma(3, 2); y ~ dnorm(x[z], t) }`, `p <- c(0.3,0.7); y <- 0`, "mala", "mala"},
		{"nuts beside an index", `model { for (k in 1:2) { x[k] ~ dnorm(k, 1) } z ~ dcat(p[]); t ~ dgamma(3, 2); y ~ dnorm(x[z], t) }`, `p <- c(0.3,0.7); y <- 0`, "nuts", "nuts"},
		{"nuts, bounds of all kinds", `model { x1 ~ dgamma(3, 2); x2 ~ dbeta(2, 3); x3 ~ dnorm(0, 1) T(, 1); x4 ~ dunif(0, x1); x5 ~ dweib(1.5, 1); c ~ dinterval(x5, 0.8); x6[1:2] ~ dmnorm(m[], O[,]); y ~ dnorm(x1 * x2 + x3 - x4 + x6[1] * x6[2], 1) T(x3 - 3,) }`, `y <- 0; c <- 1; m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2))`, "nuts", "nuts"},
		{"nuts, ordered", `model { x[1] ~ dnorm(0, 1); for (k in 2:4) { x[k] ~ dnorm(0, 1) T(x[k-1],) } for (k in 1:4) { y[k] ~ dnorm(x[k], 2) } }`, `y <- c(0,0,0,0)`, "nuts", "nuts"},
		{"nuts, bounds that nodes share", `model { x1 ~ dnorm(0, 1); x2 ~ dnorm(0, 1) T(x1,); x3 ~ dnorm(0, 2) T(,x1); x4 ~ dunif(x3, x2); x5 ~ dpar(3, x6); x6 ~ dgamma(2, 2); y ~ dnorm(x4 - x5, 1) T(x3 - 1,) }`, `y <- 0`, "nuts", "nuts"},
		{"nuts, bounds that are functions", `model { x1 ~ dgamma(3, 2); x2 ~ dunif(0.1, 2); lo <- -x1 * x2; hi <- exp(x2) + lo; x3 ~ dnorm(0, 1) T(lo, hi); mid <- (x3 + hi) / 2; x4 ~ dnorm(x3, 1) T(mid - x1, mid + hi * hi); x5 ~ dlogis(0, 1) T(lo + x4, ); x6 ~ dgamma(2, 1) T(max(x1, x2), 9); y ~ dnorm(x4 * x5 + x6, 1) }`, `y <- 0`, "nuts", "nuts"},
		{"nuts, bounds of data", `model { x1 ~ dgamma(3, 2); x2 ~ dnorm(0, 1) T(,x1); x3 ~ dgamma(2, 2); for (i in 1:3) { y[i] ~ dunif(x2, x1); w[i] ~ dpar(3, x3); v[i] ~ dnorm(0, 1) T(x2,) } n ~ dpois(3) T(x2,) }`, `y <- c(0,0,0); w <- c(9,9,9); v <- c(1,1,1); n <- 5`, "nuts", "nuts"},
		{"nuts, bounds of others", `model { x1 ~ dgamma(3, 2); x2 ~ dnorm(0, 1) T(,x1); z ~ dunif(x2, x1); k ~ dpois(2) T(,x1 + 2); x3 ~ dunif(x2, z); y ~ dnorm(z * x3 + k, 1) }`, `y <- 0`, "nuts", "nuts"},
		{"nuts, cut points", `model { x[1] ~ dnorm(-1, 1); x[2] ~ dnorm(0, 1) T(x[1],); for (i in 1:3) { x[2+i] ~ dnorm(0, 1); y[i] ~ dinterval(x[2+i], x[1:2]); w[i] ~ dnorm(x[2+i], 1) } }`, `y <- c(0,1,2); w <- c(0,0,0)`, "nuts", "nuts"},
		{"nuts, cut points of others", `model { x[1] ~ dnorm(-1, 1); x[2] ~ dnorm(0, 1) T(x[1],); for (i in 1:3) { t[i] ~ dnorm(0, 1); y[i] ~ dinterval(t[i], x[]); w[i] ~ dnorm(t[i], 1) } }`, `y <- c(0,1,2); w <- c(0,0,0)`, "nuts", "nuts"},
		{"nuts, cut by what it cuts", `model { x1 ~ dnorm(0, 1); x2 ~ dnorm(x1, 1) T(x1,); y ~ dinterval(x1, x2); c <- x2 - x1; v ~ dinterval(x2, c); w ~ dnorm(x1 + x2, 1) }`, `y <- 0; v <- 1; w <- 0`, "nuts", "nuts"},
		{"nuts, Dirichlet", `model { x4 ~ dgamma(2, 1); a[1] <- x4; a[2] <- 1; a[3] <- 0.7; x[1:3] ~ ddirch(a[]); x5 ~ dunif(x[1], 1); x6 ~ dnorm(0, 1) T(,x[2] - x[3]); y ~ dcat(x[]); w ~ dnorm(x5 * x6, 1); v ~ dbern(1 - x[1] - x[3]) }`, `y <- 1; w <- 0; v <- 1`, "nuts", "nuts"},
		{"nuts, Dirichlet with zeros", `model { x[1:4] ~ ddirch(a[]); q[1:2] ~ ddirch(b[]); k ~ dcat(q[]); y ~ dbin(x[k+1], 4); w ~ dnorm(x[4], 4) }`, `a <- c(0,1,2,0.5); b <- c(0,1); y <- 1; w <- 0`, "nuts", "nuts"},
		{"nuts, Dirichlet with zeros that move", `model { z ~ dbern(0.5); k ~ dbern(0.5); a[1] <- 2 * k; a[2] <- 1; a[3] <- 0.7 * z; a[4] <- 1.5; x[1:4] ~ ddirch(a[]); x5 ~ dnorm(0, 1); y ~ dnorm(x5 + x[1] - x[3] + x[4], 4) }`, `y <- 0`, "nuts", "nuts"},
		{"nuts, Wishart", `model { x[1:3,1:3] ~ dwish(R[,], 4.5); for (i in 1:3) { y[i,1:3] ~ dmnorm(m[], x[,]) } w ~ dnorm(x[1,2] - x[3,1], x[2,2]); x4 ~ dunif(0, x[1,1]); v ~ dpois(x4) }`, `m <- c(0,1,0); R <- structure(c(2,0.5,0.1,0.5,1,0,0.1,0,3), .Dim=c(3,3)); y <- structure(c(0,0,0,0,0,0,0,0,0), .Dim=c(3,3)); w <- 0; v <- 1`, "nuts", "nuts"},
		{"nuts, Wishart and covariance", `model { x[1:2,1:2] ~ dwish(R[,], 3); S[1:2,1:2] <- inverse(x[,]); x3[1:2] ~ dmnorm.vcov(m[], S[,]); x4[1:2] ~ dmt(x3[], x[,], 4); y ~ dnorm(x4[1] - x4[2], 1) }`, `m <- c(0,1); R <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- 0`, "nuts", "nuts"},
		{"nuts, truncated children", `model { x1 ~ dgamma(3, 2); x2 ~ dbeta(2, 2); x3 ~ dbeta(3, 2); x4 ~ dgamma(4, 3); x5 ~ dnorm(0, 1); y ~ dpois(x1) T(1,); w ~ dbin(x2, 5) T(1,4); v ~ dnegbin(x3, x4) T(,6); l ~ dlnorm(x5, x1) T(0.5,3); g ~ dgamma(x4, x1) T(0.2,); b ~ dbeta(x4, 2) T(,0.7); q ~ dweib(x4, x1) T(0.2,2); t ~ dt(x5, x1, 4) T(-1,) }`, `y <- 1; w <- 2; v <- 1; l <- 1; g <- 1; b <- 0.5; q <- 1; t <- 0`, "nuts", "nuts"},
		{"nuts, bounds that no transform knows", `model { x1 ~ dbeta(4, 1); x2 ~ dnorm(0, 1); x3 ~ dgamma(3, 2); for (i in 1:3) { y[i] ~ dunif(2, 2 + x1); w[i] ~ dpar(2, exp(x2)); v[i] ~ dunif(-x1 - x3, 1); u[i] ~ dgamma(2, 1) T(x2 * x2, x2 * x2 + x3) } k ~ dpois(x1) T(x3 - 1,); c ~ dinterval(x1 + x2, 0.5) }`, `y <- c(2.1,2.1,2.1); w <- c(9,9,9); v <- c(0,0,0); u <- c(1,1,1); k <- 3; c <- 1`, "nuts", "nuts"},
		{"nuts, kinks and steps", `model { for (k in 1:3) { x[k] ~ dnorm(0, 1) } s[1:3] <- sort(x[]); x4 ~ dnorm(0, 1) T(s[2],); x5 ~ dunif(0, ifelse(x[1] > 0, 2, 0.5)); x6 ~ dnorm(step(x4 - 1), 1) T(, max(x[1], abs(x[2]))); y ~ dnorm(x5 + round(x6) * s[1], 1) }`, `y <- 0`, "nuts", "nuts"},
		{"nuts, beside a switch and a count", `model { k ~ dpois(4); g ~ dbern(0.4); m ~ dunif(0.3, 0.9); for (j in 1:4) { q[j] ~ dbeta(2, 2) } for (i in 1:3) { v[i] ~ dbeta(m * (k + 1), (1 - m) * (k + 1)) } u[1] <- g * v[1] + (1 - g) * 0.5; u[2] <- v[2]; u[3] <- v[3]; for (i in 1:3) { for (j in 1:4) { y[i,j] ~ dbern(q[j] * u[i]) } } }`, `y <- structure(c(1,0,1,1,1,0,0,1,1,1,0,1), .Dim=c(3,4))`, "nuts", ""},
		{"hierarchy", `model { mu ~ dnorm(0, 1); tau ~ dgamma(3, 2); for (i in 1:3) { x[i] ~ dnorm(mu, tau); y[i] ~ dbin(ilogit(x[i]), 4) } }`, `y <- c(1,1,1)`, "block-glm", ""},
		{"indicator of a coefficient", `model { for (j in 1:2) { x[j] ~ dbern(0.4); b[j] ~ dnorm(j, 2); w[j] <- x[j] * b[j] } for (i in 1:3) { y[i] ~ dnorm(w[1] + w[2] * a[i], 2) } }`, `a <- c(1,-2,0.5); y <- c(0,0,0)`, "indicator-with-normal", ""},
		{"indicator in the predictor, coefficient with two children", `model { x ~ dcat(p[]); b ~ dnorm(c, 2); c ~ dnorm(0, 1); for (i in 1:3) { y[i] ~ dnorm(equals(x, 2) * b * a[i] + x, 2) } z ~ dnorm(b, 3) }`, `a <- c(1,-2,0.5); y <- c(0,0,0); z <- 0; p <- c(0.5,0.3,0.2)`, "", ""},
		{"indicator that is an index of means", `model { for (k in 1:2) { m[k] ~ dnorm(k, 1) } s ~ dunif(0.3, 2); z[1] ~ dcat(p[]); for (i in 2:3) { z[i] ~ dcat(q[z[i-1],]) } for (i in 1:3) { y[i] ~ dnorm(m[z[i]], s) } for (i in 1:2) { w[i] ~ dnorm(m[i] * c[z[i]], s) } }`, `p <- c(0.6,0.4); c <- c(1,2,3); q <- structure(c(0.3,0.6,0.7,0.4), .Dim=c(2,2)); y <- c(0,0,0); z <- c(NA,2,2)`, "indicator-with-normal", ""},
		{"indicator of a narrow prior", `model { x ~ dbern(0.4); t <- ifelse(x == 1, 0.5, 30); b ~ dnorm(0.2 * x, t); for (i in 1:3) { y[i] ~ dnorm(b * a[i], 2) } }`, `a <- c(1,-2,0.5); y <- c(0,0,0)`, "indicator-with-normal", ""},
		{"indicator of an effect in a vector", `model { x ~ dbern(0.4); b ~ dnorm(0, 1); m[1] <- x * b; m[2] <- 1; y[1:2] ~ dmnorm(m[], O[,]); u ~ dpois(exp(x)) }`, `O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- c(0,0); u <- 1`, "indicator-with-normal", ""},
		{"counts summed out", `model { l ~ dgamma(4, 1); b ~ dnorm(0, 4); q ~ dbeta(2, 2); for (i in 1:3) { N[i] ~ dpois(l * exp(b * a[i])); for (j in 1:2) { y[i,j] ~ dbin(q, N[i]) } } s <- sum(N[]); }`, `a <- c(-1,0,1); y <- structure(c(1,1,1,1,1,1), .Dim=c(3,2))`, "nuts", ""},
		{"negative binomial counts summed out", `model { r ~ dgamma(4, 2); p ~ dbeta(3, 2); for (i in 1:3) { logit(q[i]) <- e[i]; e[i] ~ dnorm(0, 1); N[i] ~ dnegbin(p, r); for (j in 1:3) { y[i,j] ~ dbin(q[i], N[i]) } } w ~ dpois(r) }`, `w <- 1; y <- structure(c(1,1,1,1,1,1,1,1,1), .Dim=c(3,3))`, "nuts", ""},
		{"counts beside a switch, a chain of counts and an occupancy", `model { l ~ dgamma(4, 2); q ~ dbeta(2, 2); k ~ dbern(0.4); for (i in 1:2) { N[i] ~ dpois(l * (1 + k)); y[i] ~ dbin(q, N[i]); M[i] ~ dpois(l + N[i]); u[i] ~ dbin(q / 2, M[i]); z[i] ~ dbern(q); v[i] ~ dbern(z[i] * q) } }`, `y <- c(1,1); u <- c(1,1); v <- c(1,0)`, "joint-with-counts", ""},
		{"multinomial", `model { p[1:3] ~ ddirch(a[]); x[1:3] ~ dmulti(p[], 6); y ~ dpois(x[1] + 0.5); w ~ dnorm(x[2] * x[3], 0.1) }`, `a <- c(1,2,1.5); y <- 1; w <- 0`, "exchange", ""},
		{"multinomial of many", `model { x[1:4] ~ dmulti(p[], 200); y ~ dbin(q, 9); q <- x[1] / 200; w ~ dnorm(x[2] - x[3], 0.001) }`, `p <- c(1,2,1.5,0); y <- 1; w <- 0`, "exchange", ""},
		{"sample without replacement", `model { for (i in 1:4) { p[i] ~ dgamma(3, 1) } x[1:4] ~ dsample(p[], 2); for (i in 1:4) { y[i] ~ dnorm(x[i] * i, 1) } }`, `y <- c(0,0,0,0)`, "exchange", ""},
		{"mixture, spreads by component", `model { for (k in 1:2) { mu[k] ~ dnorm(0, 0.5); sd[k] ~ dgamma(3, 3) T(0.2,) } for (i in 1:3) { z[i] ~ dcat(p[]); y[i] ~ dnorm(mu[z[i]], sd[z[i]]^-2) } }`, `p <- c(0.3,0.7); y <- c(0,0,0)`, "adaptive", ""},
		{"sticks, by ratios", `model { a ~ dgamma(3, 2); for (k in 1:2) { v[k] ~ dbeta(1, a) } v[3] <- 1; p[1] <- v[1]; for (k in 2:3) { p[k] <- v[k] * (1 - v[k-1]) * p[k-1] / v[k-1] } for (i in 1:4) { z[i] ~ dcat(p[]); y[i] ~ dnorm(m[z[i]], 2) } }`, `m <- c(-1,0,2); y <- c(0,0,0,0)`, "collapsed", ""},
		{"sticks, by products and logarithms, counts and a bound", `model { for (k in 1:2) { v[k] ~ dbeta(2, k) T(0.1,) } p[1] <- v[1]; p[2] <- exp(log(v[2]) + log(1 - v[1])); p[3] <- prod(1 - v[]); for (i in 1:2) { y[i] ~ dcat(p[]) } c[1:3] ~ dmulti(p[], 4); w ~ dbin(1 - v[1], 3) }`, `y <- c(1,1); c <- c(1,1,2); w <- 1`, "conjugate-beta", ""},
		{"sticks whose weights have another sum", `model { for (k in 1:3) { v[k] ~ dbeta(2, 2) } p[1] <- v[1]; p[2] <- v[2] * (1 - v[1]); p[3] <- v[3] * (1 - v[2]) * (1 - v[1]); for (i in 1:4) { y[i] ~ dcat(p[]) } }`, `y <- c(1,1,2,3)`, "", ""},
		{"states of a tree", `model { psi ~ dunif(0, 1); r ~ dunif(0, 1); p[1] <- 1 - psi; p[2] <- psi * (1 - r); p[3] <- psi * r; for (i in 1:3) { z[i] ~ dcat(p[]); y[i] ~ dbern(q[z[i]]) } }`, `q <- c(0.1,0.5,0.8); y <- c(1,1,1)`, "conjugate-beta", ""},
		{"allocations in one pass", `model { for (k in 1:3) { mu[k] ~ dnorm(0, 1); t[k] ~ dgamma(2, k) } for (i in 1:16) { z[i] ~ dcat(p[]); y[i] ~ dnorm(mu[z[i]], t[z[i]]) } }`, `p <- c(0.2,0.3,0.5); y <- c(0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,1.1,1.2,1.3,1.4,1.5)`, "ffbs", ""},
		{"exposures in one pass", `model { a ~ dnorm(0, 1); q ~ dbeta(2, 2); for (i in 1:18) { x[i] ~ dbern(q); logit(r[i]) <- a + x[i] - 0.1 * i; y[i] ~ dbern(r[i]); w[i] ~ dcat(s[x[i] + 1, ]) } }`, `s <- structure(c(0.6,0.1,0.3,0.2,0.1,0.7), .Dim=c(2,3)); y <- c(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1); w <- c(1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3)`, "ffbs", "ffbs"},
		{"labels of a stick", `model { a ~ dgamma(3, 2); for (k in 1:3) { v[k] ~ dbeta(1, a) } for (k in 1:4) { mu[k] ~ dnorm(b[k], t[k]); t[k] ~ dgamma(3, k); s[k] <- t[k] * 2 } p[1] <- v[1]; p[2] <- v[2] * (1 - v[1]); p[3] <- v[3] * (1 - v[2]) * (1 - v[1]); p[4] <- prod(1 - v[]); for (i in 1:4) { z[i] ~ dcat(p[]); y[i] ~ dnorm(mu[z[i]], s[z[i]]) } }`, `b <- c(0,1,0,0); y <- c(0,0,0,0)`, "exchange-of-labels", ""},
		{"collapsed, sticks of two, one with another sum", `model { a ~ dgamma(3, 2); b ~ dgamma(3, 2); for (k in 1:2) { v[k] ~ dbeta(1, a); u[k] ~ dbeta(b, 2) } p[1] <- v[1]; p[2] <- v[2] * (1 - v[1]); p[3] <- (1 - v[2]) * (1 - v[1]); q[1] <- u[1]; q[2] <- u[2] * (1 - u[1]); for (i in 1:4) { y[i] ~ dcat(p[]); w[i] ~ dcat(q[]) } c[1:3] ~ dmulti(p[], 4) }`, `y <- c(1,1,2,3); w <- c(1,2,1,2); c <- c(1,1,2)`, "collapsed", ""},
		{"split-merge, Dirichlet weights, two data each", `model { p[1:3] ~ ddirch(a[]); h ~ dgamma(3, 2); for (k in 1:3) { mu[k] ~ dnorm(b[k], t[k]); t[k] ~ dgamma(3, h) } for (i in 1:4) { z[i] ~ dcat(p[]); y[i] ~ dnorm(mu[z[i]], 2); u[i] ~ dnorm(mu[z[i]] + 1, t[z[i]]) } w ~ dcat(p[]); c[1:3] ~ dmulti(p[], 2) }`, `a <- c(1,2,0.5); b <- c(0,1,0); y <- c(0,0,0,0); u <- c(0,0,0,0); w <- 2; c <- c(1,1,0)`, "split-merge", ""},
		{"split-merge, stick, vectors", `model { a ~ dgamma(3, 2); m ~ dnorm(0, 1); for (k in 1:2) { v[k] ~ dbeta(k, a) } p[1] <- v[1]; p[2] <- v[2] * (1 - v[1]); p[3] <- (1 - v[2]) * (1 - v[1]); for (k in 1:3) { for (j in 1:2) { b[k,j] <- m * j }; x[k,1:2] ~ dmnorm(b[k,], O[,]); q[k] ~ dbeta(2, k) } for (i in 1:4) { z[i] ~ dcat(p[]); y[i,1:2] ~ dmnorm(x[z[i],], O[,]); u[i] ~ dbin(q[z[i]], 4) } }`, `O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- structure(c(0,0,0,0,0,0,0,0), .Dim=c(4,2)); u <- c(1,1,1,1)`, "split-merge", ""},
		{"split-merge, given weights with a zero, no conjugate parameters", `model { for (k in 1:3) { mu[k] ~ dt(k, 1, 3); s[k] ~ dunif(0.3, 2); r[k] ~ dgamma(2, 1) T(0.1,); l[k] ~ dnorm(0, 1) T(-1, 2) } for (i in 1:4) { z[i] ~ dcat(p[i,]); y[i] ~ dnorm(mu[z[i]] + l[z[i]], 1 / s[z[i]]^2) T(-6, 6); u[i] ~ dpois(r[z[i]] * s[z[i]]) } v ~ dnorm(mu[1] - mu[2], 1) }`, `p <- structure(c(1,1,0,1, 1,0,1,2, 0,1,1,3), .Dim=c(4,3)); y <- c(0,0,0,0); u <- c(1,1,1,1); v <- 0`, "split-merge", ""},
		{"split-merge, categories, weights by group, a latent that is shared", `model { for (g in 1:2) { p[g,1:2] ~ ddirch(a[g,]) } for (k in 1:2) { q[k,1:3] ~ ddirch(b[k,]) } e ~ dnorm(0, 1); for (k in 1:2) { mu[k] ~ dnorm(e, 2) } for (i in 1:4) { z[i] ~ dcat(p[x[i],]); y[i] ~ dcat(q[z[i],]); u[i] ~ dnorm(mu[z[i]] + e, 1); w[i] ~ dnorm(mu[z[5-i]] - mu[z[i]], 1) } }`, `x <- c(1,2,1,2); a <- structure(c(1,2,2,1), .Dim=c(2,2)); b <- structure(c(1,2,0.5,1,0.7,1), .Dim=c(2,3)); y <- c(1,2,3,1); u <- c(0,0,0,0); w <- c(0,0,0,0)`, "split-merge", ""},
		{"labels of a stick, some of them data, vectors", `model { for (k in 1:2) { v[k] ~ dbeta(k, 2) } p[1] <- v[1]; p[2] <- v[2] * (1 - v[1]); p[3] <- (1 - v[2]) * (1 - v[1]); for (k in 1:3) { m[k,1:2] ~ dmnorm(b[k,], O[,]); q[k] ~ dbeta(2, k) } for (i in 1:3) { z[i] ~ dcat(p[]); y[i,1:2] ~ dmnorm(m[z[i],], O[,]); u[i] ~ dbin(q[z[i]], 4) } w ~ dcat(p[]); c[1:3] ~ dmulti(p[], 3) }`, `b <- structure(c(0,1,0,1,0,0), .Dim=c(3,2)); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- structure(c(0,0,0,0,0,0), .Dim=c(3,2)); u <- c(1,1,1); w <- 2; c <- c(1,1,1)`, "exchange-of-labels", ""},
		{"few sites, summed out", `model { psi ~ dunif(0, 1); r ~ dunif(0, 1); for (j in 1:2) { q[j] ~ dbeta(2, j) } f[1] <- 1 - psi; f[2] <- psi * (1 - r); f[3] <- psi * r; p[1] <- 0; p[2] <- q[1]; p[3] <- q[2]; for (i in 1:16) { z[i] ~ dcat(f[]); y[i] ~ dbern(p[z[i]]) } }`, `y <- c(0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1)`, "nuts", ""},
		{"nodes of one density with steps, at once", `model { a ~ dbeta(2, 2); b ~ dbeta(2, 3) T(0.1,); c ~ dunif(-1, 1); w ~ dgamma(3, 2); d ~ dnorm(0, 1); p <- 0.1 + 0.8 * a * b * step(a - abs(c)); y ~ dbin(p, 5); u ~ dnorm(b * w + step(c - 0.2) * d, 2); z ~ dpois(1 + w * step(d)) }`, `y <- 1; u <- 0; z <- 1`, "joint-adaptive", ""},
		{"nodes of one density with a discrete one and a vector, at once", `model { k ~ dcat(p[]); for (i in 1:3) { t[i] ~ dgamma(3, 2) } s ~ dunif(0, 3); v[1:2] ~ dmnorm(m[], O[,]); for (i in 1:3) { y[i] ~ dnorm(step(i - k) * s + v[1] * step(s - 1), t[i] + s * step(s - 2)) } }`, `p <- c(0.3,0.3,0.4); m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- c(0,0,0)`, "joint-adaptive", ""},
		{"parents of gammas at once", `model { a ~ dexp(1); b ~ dgamma(2, 1); for (i in 1:3) { l[i] ~ dgamma(a, b); y[i] ~ dpois(l[i] * (1 + i)) } w ~ dpois(b) }`, `y <- c(1,1,1); w <- 1`, "joint-adaptive", ""},
		{"parents of a narrow gamma at once", `model { s ~ dunif(20, 60); m ~ dgamma(2, 1); l ~ dgamma(s, s / m); y ~ dpois(0.2 * l) }`, `y <- 1`, "joint-adaptive", ""},
		{"parents of gammas with a regression, at once", `model { a ~ dgamma(4, 2); b ~ dnorm(0, 1); c ~ dnorm(0, 1); for (i in 1:3) { m[i] <- exp(b + c * x[i]); l[i] ~ dgamma(a, a / m[i]); y[i] ~ dpois(l[i]) } w ~ dnorm(b, 1) }`, `x <- c(-1,0.5,1); y <- c(1,1,1); w <- 0`, "joint-adaptive", ""},
		{"parents of betas at once, one bounded by them", `model { m ~ dunif(0.1, 0.9); k ~ dgamma(3, 1); for (i in 1:2) { p[i] ~ dbeta(m * k, (1 - m) * k); y[i] ~ dbin(p[i], 4) } q ~ dbeta(k, 2) T(, m); w ~ dbin(q, 3); u ~ dbern(m) }`, `y <- c(1,1); w <- 1; u <- 1`, "joint-adaptive", ""},
		{"parents of gammas at once, one in two densities", `model { a ~ dgamma(4, 2); b ~ dgamma(3, 2); for (i in 1:3) { l[i] ~ dgamma(a, b) } y ~ dpois(l[1] * l[2]); w ~ dpois(l[3]); u ~ dpois(l[3] * b); v ~ dexp(l[1]) }`, `y <- 0; w <- 1; u <- 1; v <- 1`, "joint-adaptive", ""},
		{"parents of precisions at once", `model { a ~ dgamma(4, 2); b ~ dgamma(3, 2); m ~ dnorm(0, 1); for (i in 1:3) { t[i] ~ dgamma(a, b); y[i] ~ dnorm(m, t[i]) } }`, `y <- c(0,1,-1)`, "joint-adaptive", ""},
		{"parents of Dirichlets at once", `model { for (k in 1:3) { a[k] ~ dgamma(2, k) } for (i in 1:3) { p[i,1:3] ~ ddirch(a[]); y[i,1:3] ~ dmulti(p[i,], 4); z[i] ~ dcat(p[i,]) } w ~ dpois(a[1]) }`, `y <- structure(c(1,0,2,1,4,1,2,0,1), .Dim=c(3,3)); z <- c(1,2,NA); w <- 1`, "joint-adaptive", ""},
		{"Dirichlets whose parameters are a Dirichlet's, times a scale", `model { m[1:3] ~ ddirch(g[]); s ~ dgamma(3, 1); for (k in 1:3) { a[k] <- 0.5 + m[k] * s } for (i in 1:2) { p[i,1:3] ~ ddirch(a[]); y[i,1:3] ~ dmulti(p[i,], 4) } w ~ dbern(m[1]) }`, `g <- c(1,2,1); y <- structure(c(1,0,2,2,1,2), .Dim=c(2,3)); w <- 1`, "collapsed", ""},
		{"Dirichlets integrated out, with zeros that move", `model { a ~ dgamma(3, 2); k ~ dbern(0.5); b[1] <- a * k; b[2] <- a; b[3] <- 2; p[1:3] ~ ddirch(b[]); y[1:3] ~ dmulti(p[], 4) }`, `y <- c(0,1,3)`, "collapsed", ""},
		{"probabilities that switches pick, and what is above them, at once", `model { f ~ dbeta(2, 2); a ~ dgamma(3, 1); b ~ dgamma(4, 2); for (i in 1:3) { z[i] ~ dbern(f); x[i] ~ dbeta(a, 2); v[i] ~ dbeta(a, b); y[i] ~ dbin(z[i] * x[i] + (1 - z[i]) * v[i], 4) } w ~ dpois(b) }`, `y <- c(1,1,1); w <- 1`, "joint-adaptive", ""},
		{"probabilities that a category picks, with other children", `model { a ~ dgamma(3, 1); b ~ dgamma(3, 1); p[1:3] ~ ddirch(o[]); for (i in 1:2) { z[i] ~ dcat(p[]); x[i,1] ~ dbeta(a, b); x[i,2] ~ dbeta(b, 1); x[i,3] ~ dbeta(1, a); y[i] ~ dbin(x[i, z[i]], 3); u[i] ~ dbern(x[i, z[i]]); m[i] ~ dnorm(z[i] * a, 1) } q ~ dexp(a) }`, `o <- c(2,1,1); y <- c(1,1); u <- c(1,0); m <- c(0,0); q <- 1`, "indicator-with-latent", ""},
		{"probabilities that switches pick at some values of another node alone", `model { a ~ dexp(0.3); b ~ dgamma(4, 2); k ~ dbern(0.7); for (i in 1:3) { z[i] ~ dbern(0.4); x[i] ~ dbeta(a, b); y[i] ~ dbin(z[i] * x[i] * (1 - 0.5 * k), 20) } w ~ dpois(b) }`, `y <- c(1,0,1); w <- 1`, "joint-adaptive", ""},
		{"probabilities that two switches have in common", `model { a ~ dgamma(3, 1); b ~ dgamma(3, 1); f ~ dbeta(1, a); for (i in 1:2) { z[i] ~ dbern(f); x[i] ~ dbeta(a, b); for (j in 1:2) { c[i,j] ~ dbern(0.3 + 0.4 * z[i]); y[i,j] ~ dbern(z[i] * c[i,j] * x[i] + (1 - z[i]) * 0.3) } } w ~ dpois(a) }`, `y <- structure(c(1,0,1,1), .Dim=c(2,2)); w <- 1`, "", ""},
		{"latent that an indicator includes", `model { z ~ dbern(0.4); x ~ dgamma(3, 2); for (i in 1:3) { y[i] ~ dpois(1 + z * x) } }`, `y <- c(1,1,1)`, "indicator-with-latent", ""},
		{"latent of a category that includes it, with other tails and a bound", `model { z ~ dcat(p[]); x ~ dt(0.2, t[z], 5) T(-1,); y ~ dnorm(x * equals(z, 2), 1); v[1:2] ~ dmnorm(m[], O[,]); m[1] <- x * step(z - 2.5); m[2] <- z }`, `p <- c(0.3,0,0.3,0.4); t <- c(0.5,1,4,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); v <- c(0,0); y <- 0`, "indicator-with-latent", ""},
		{"latents of individuals some of whom were seen", `model { psi ~ dbeta(2, 2); s ~ dgamma(4, 2); for (i in 1:3) { z[i] ~ dbern(psi); d[i] ~ dunif(0, 3); mu[i] <- z[i] * exp(-d[i]^2 / (2 * s^2)); y[i] ~ dbern(mu[i]) } N <- sum(z[]); w ~ dpois(1 + N) }`, `y <- c(1,0,0); w <- 2`, "indicator-with-latent", ""},
		{"joint, stochastic volatility", `model { t ~ dgamma(4, 2); f ~ dunif(-0.9, 0.9); b ~ dnorm(0, 1); a[1] ~ dnorm(b, t); for (i in 2:5) { a[i] ~ dnorm(b + f * (a[i-1] - b), t) } for (i in 1:5) { y[i] ~ dnorm(0, exp(-a[i])) } }`, `y <- c(1,1,1,1,1)`, "block-volatility", "block-volatility"},
		{"joint, log precisions of normal and lognormal children, a mean and a value missing", `model { m ~ dnorm(0, 1); t ~ dgamma(4, 2); for (i in 1:3) { b[i] ~ dnorm(a, t); s[i] <- exp(b[i] / 2 + 0.3); y[i] ~ dnorm(m, 1 / (s[i] * s[i])); w[i] ~ dlnorm(m, pow(s[i], -4)); v[i] ~ dnorm(b[i] - m, 2) } a ~ dnorm(0, 1); u ~ dnorm(y[3], 1) }`, `y <- c(1,1,NA); w <- c(1,1,1); v <- c(0,0,0); u <- 0`, "block-volatility", "block-volatility"},
		{"all with log precisions", `model { s ~ dunif(0.3, 2); f ~ dunif(-0.9, 0.9); m ~ dt(0, 1, 5); a[1] ~ dnorm(m, 1); for (i in 2:5) { a[i] ~ dnorm(f * a[i-1], pow(s, -2)) } for (i in 1:5) { y[i] ~ dnorm(m, exp(-a[i])) } }`, `y <- c(1,1,1,1,1)`, "block-volatility", "block-volatility"},
		{"all with log precisions of Student children", `model { s ~ dunif(0.3, 2); f ~ dunif(-0.9, 0.9); k ~ dunif(3, 9); a[1] ~ dnorm(0, k); for (i in 2:4) { a[i] ~ dnorm(f * a[i-1], pow(s, -2)) } for (i in 1:4) { y[i] ~ dt(0, exp(-a[i]), k) } }`, `y <- c(1,1,1,1)`, "block-volatility", "block-volatility"},
		{"block, log precisions by label", `model { b ~ dnorm(0, 1); for (k in 1:2) { a[k] ~ dnorm(b, 1) } for (i in 1:3) { z[i] ~ dcat(p[]); y[i] ~ dnorm(0, exp(1 - a[z[i]])) } }`, `p <- c(0.3,0.7); y <- c(1,1,1)`, "block-volatility", "block-volatility"},
		{"superpopulation, entry that is once for all", `model { psi ~ dbeta(2, 2); phi ~ dbeta(2, 1); q ~ dbeta(2, 2); for (t in 1:5) { e[t] ~ dgamma(2, 1) } for (t in 1:5) { b[t] <- e[t] / sum(e[]) } nu[1] <- b[1]; for (t in 2:5) { nu[t] <- b[t] / (1 - sum(b[1:(t-1)])) } for (i in 1:4) { w[i] ~ dbern(psi); z[i,1] ~ dbern(nu[1]); for (t in 2:5) { z[i,t] ~ dbern(phi * z[i,t-1] + nu[t] * prod(1 - z[i,1:(t-1)])) } for (t in 1:5) { y[i,t] ~ dbern(z[i,t] * w[i] * q) } } }`, `y <- structure(c(0,0,0,1,0,0,0,1,0,0,0,0,0,0,1,1,0,0,0,0), .Dim=c(4,5))`, "", ""},
		{"entry by a count, transitions of each individual", `model { for (k in 1:2) { P[k,1:2] ~ ddirch(a[]); m[k] ~ dnorm(k, 2) } g ~ dbeta(2, 2); for (i in 1:2) { z[i,1] ~ dcat(a[]); for (t in 2:5) { r[i,t] <- 1 + step(sum(z[i,1:(t-1)]) - 1.5 * (t-1)); for (k in 1:2) { T[i,t,k] <- P[r[i,t],k] * (g + (1 - g) * equals(z[i,t-1], k)) } z[i,t] ~ dcat(T[i,t,]) } for (t in 1:5) { y[i,t] ~ dnorm(m[z[i,t]], i) } } }`, `a <- c(1,2); y <- structure(c(0,0,0,0,0,0,0,0,0,0), .Dim=c(2,5))`, "ffbs", ""},
		{"many individuals, distances", `model { psi ~ dbeta(2, 2); s ~ dgamma(4, 2); for (i in 1:16) { z[i] ~ dbern(psi); d[i] ~ dunif(0, 3); mu[i] <- z[i] * exp(-d[i]^2 / (2 * s^2)); y[i] ~ dbern(mu[i]) } w ~ dpois(s) }`, `y <- c(1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1); w <- 2`, "individuals", ""},
		{"many individuals, truncated effects", `model { psi ~ dbeta(2, 2); mu ~ dnorm(0, 1); t ~ dgamma(4, 2); for (i in 1:16) { z[i] ~ dbern(psi); e[i] ~ dnorm(mu, t) T(-1, 2); y[i] ~ dbin(z[i] * ilogit(e[i]), 3) } }`, `y <- c(1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1)`, "individuals", ""},
		{"many individuals of three kinds, on which the prior of the latent depends", `model { p[1:3] <- c(q * r, q * (1 - r), 1 - q); q ~ dbeta(2, 2); r ~ dbeta(2, 2); a ~ dnorm(0, 1); for (i in 1:18) { z[i] ~ dcat(p[]); v[i] ~ dnorm(a + z[i], 1); y[i] ~ dpois(exp(v[i] * step(z[i] - 1.5) / 2)) } }`, `y <- c(1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,2,2)`, "individuals", ""},
		{"individuals that may not be there, with latents", `model { psi ~ dbeta(2, 2); mu ~ dnorm(0, 1); t ~ dgamma(4, 2); b ~ dnorm(0, 1); for (i in 1:4) { z[i] ~ dbern(psi); e[i] ~ dnorm(mu, t); logit(p[i]) <- b * e[i]; for (j in 1:2) { y[i,j] ~ dbern(z[i] * p[i]) } } N <- sum(z[]) }`, `y <- structure(c(1,1,1,1,1,1,1,1), .Dim=c(4,2))`, "nuts", ""},
		{"individuals whose covariate is known of some, states that latents choose", `model { mu ~ dnorm(0, 1); s ~ dunif(0.3, 2); for (i in 1:3) { u[i] ~ dnorm(mu, s^-2); logit(psi[i]) <- u[i]; z[i] ~ dbern(psi[i]); y[i] ~ dpois(z[i] * exp(x[i] / 2)) } for (i in 1:2) { x[i] ~ dnorm(mu, 1) } x[3] ~ dnorm(mu, 1); w ~ dnorm(x[3] + u[1], 1) }`, `x <- c(0.5,-1,NA); y <- c(1,0,1); w <- 0`, "nuts", ""},
		{"vector with bounds of its elements", `model { x[1:3] ~ dmnorm(m[], O[,]); y[1] ~ dinterval(x[1], 0); y[2] ~ dinterval(x[3], k[1:2]); k[1] ~ dnorm(-1, 4); k[2] ~ dnorm(0, 4) T(k[1],); v ~ dinterval(x[3], -0.5); m[1] <- b; m[2] <- -b; m[3] <- 1; b ~ dnorm(0, 1); w[1:2] ~ dmnorm(x[2:3], O[1:2,1:2]); u ~ dnorm(x[1] * s - x[2], 1); s ~ dnorm(1, 1) }`, `O <- structure(c(2,0.5,0.1,0.5,1,0.2,0.1,0.2,3), .Dim=c(3,3)); y <- c(1,1); v <- 1; w <- c(0,0); u <- 0`, "truncated-mnormal", "truncated-mnormal"},
		{"vectors with bounds of their elements, a matrix", `model { O[1:2,1:2] ~ dwish(R[,], 5); for (i in 1:2) { x[i,1:2] ~ dmnorm(b[], O[,]); for (k in 1:2) { y[i,k] ~ dinterval(x[i,k], 0.3) } } for (k in 1:2) { b[k] ~ dnorm(0, 1) } }`, `R <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- structure(c(0,1,1,1), .Dim=c(2,2))`, "truncated-mnormal", ""},
		{"nuts, elements of vectors between cut points that are others", `model { x[1:2] ~ dmnorm(m[], O[,]); y ~ dinterval(x[1], x[2]); v[1:2] ~ dmt(x[], O[,], 6); for (i in 1:2) { c[i] ~ dinterval(v[i], k) } k ~ dnorm(0, 1); q[1:2] ~ dmnorm.vcov(v[], O[,]); d ~ dinterval(q[2], v[1]); w ~ dnorm(q[1] * q[2], 1); x3 ~ dunif(x[2] - 9, x[2] + q[1] * q[1]); u ~ dpois(exp(x3)) }`, `m <- c(0,1); O <- structure(c(2,0.5,0.5,1), .Dim=c(2,2)); y <- 0; c <- c(0,1); d <- 1; w <- 0; u <- 1`, "", ""},
		{"counts, open population", `model { lambda ~ dgamma(4, 1); gamma ~ dunif(0, 3); omega ~ dbeta(2, 2); p ~ dunif(0, 1); for (i in 1:2) { N[i,1] ~ dpois(lambda); for (t in 2:3) { S[i,t] ~ dbin(omega, N[i,t-1]); G[i,t] ~ dpois(gamma); N[i,t] <- S[i,t] + G[i,t] } for (t in 1:3) { y[i,t] ~ dbin(p, N[i,t]) } } }`, `y <- structure(c(1,1,1,1,1,1), .Dim=c(2,3))`, "joint-with-counts", ""},
		{"counts, stages that are seen together", `model { l ~ dgamma(3, 2); w ~ dbeta(2, 2); r ~ dgamma(3, 3); for (k in 1:2) { p[k] ~ dunif(0.2, 1) } for (i in 1:2) { A[i] ~ dpois(l * a[i]); B[i] ~ dnegbin(0.7, 1 + r); S[i] ~ dbin(w, B[i]); R[i] ~ dnegbin(0.6, r); T[i] <- S[i] + R[i]; for (j in 1:2) { y[i,j] ~ dbin(p[j], A[i] + B[i]) } u[i] ~ dbin(p[1] * w, T[i]); v[i] ~ dbin(p[2], T[i] + C[i]); C[i] ~ dpois(r) } total <- sum(A[]) + sum(B[]) }`, `a <- c(1,2); y <- structure(c(1,1,1,1), .Dim=c(2,2)); u <- c(1,1); v <- c(1,NA)`, "joint-with-counts", ""},
		{"counts, a chain that may die out", `model { g ~ dgamma(4, 4); p ~ dbeta(3, 2); N[1] ~ dpois(2); for (t in 2:4) { N[t] ~ dpois(g * N[t-1]); y[t] ~ dbin(p, N[t]); w[t] ~ dpois(g + N[t]) } }`, `y <- c(NA,1,1,1); w <- c(NA,1,1,1)`, "joint-with-counts", ""},
		{"counts, on which nodes depend that move with them", `model { A ~ dpois(2); B ~ dbin(0.6, A); for (i in 1:3) { x[i] ~ dexp(0.1 + 3 * B); y[i] ~ dpois(x[i] * (0.1 + A)) } }`, `y <- c(1,1,1)`, "joint-with-counts", ""},
		{"counts, of which some are known, with covariates", `model { a ~ dnorm(0, 2); b ~ dnorm(0, 4); r ~ dgamma(4, 2); p ~ dbeta(2, 2); for (i in 1:2) { e[i] ~ dnorm(0, 4); N[i,1] ~ dnegbin(0.4, r); for (t in 2:4) { logit(s[i,t]) <- a + b * x[i,t] + e[i]; S[i,t] ~ dbin(s[i,t], N[i,t-1]); G[i,t] ~ dpois(exp(b) * z[t]); I[i,t] ~ dnegbin(0.6, r); N[i,t] <- S[i,t] + G[i,t] + I[i,t] + m[i]; y[i,t] ~ dbin(p * v[t], N[i,t]) } } }`, `x <- structure(c(NA,NA,1,-1,0,0.5,0.3,2), .Dim=c(2,4)); z <- c(NA,0,1,0.5); m <- c(0,1); v <- c(NA,1,0.5,1); y <- structure(c(NA,NA,1,NA,1,1,1,1), .Dim=c(2,4)); G <- structure(c(NA,NA,0,0,1,NA,NA,NA), .Dim=c(2,4))`, "joint-with-counts", ""},
		{"counts, classes that feed one another", `model { l ~ dgamma(4, 3); g ~ dgamma(2, 4); w ~ dbeta(2, 2); v ~ dbeta(3, 2); for (k in 1:2) { p[k] ~ dbeta(3, 2) } for (i in 1:2) { A[i,1] ~ dpois(l); B[i,1] ~ dpois(a[i]); for (t in 2:3) { A[i,t] ~ dpois(g * B[i,t-1] + 0.2); S[i,t] ~ dbin(w, A[i,t-1]); U[i,t] ~ dbin(v, B[i,t-1]); B[i,t] <- S[i,t] + U[i,t] + m[i] } for (t in 1:3) { for (j in 1:2) { y[i,t,j] ~ dbin(p[1], A[i,t] + B[i,t]) } u[i,t] ~ dbin(p[2] * h[i], B[i,t]) } } total <- sum(B[,3]) }`, `a <- c(1,2); m <- c(0,1); h <- c(1,0.4); y <- structure(c(1,0,1,1,2,1,1,1,NA,1,1,1), .Dim=c(2,3,2)); u <- structure(c(1,0,NA,1,1,1), .Dim=c(2,3))`, "joint-with-counts", ""},
		{"counts, in graphs with factors of a rate", `model { l ~ dunif(0.2, 1.5); r ~ dgamma(4, 4); w ~ dbeta(2, 2); p ~ dunif(0.3, 1); b ~ dnorm(0, 4); A ~ dnegbin(0.6, r); B ~ dbin(w, A + 1); C ~ dpois(l * (A + 2 * B) * exp(b * 0.5)); D ~ dbin(0.3, B + C); E ~ dbin(w, C + D); y[1] ~ dbin(p, B + D + 1); y[2] ~ dbin(p * w, C); y[3] ~ dbin(0.5, A + C); z ~ dnorm(b, 4) }`, `y <- c(1,1,1); z <- 0.3`, "joint-with-counts", ""},
		{"counts, growth that depends on density", `model { r ~ dnorm(0.3, 9); k ~ dunif(4, 9); w ~ dbeta(4, 4); p ~ dbeta(3, 3); N[1] ~ dpois(k); for (t in 2:4) { S[t] ~ dbin(w, N[t-1]); G[t] ~ dpois(N[t-1] * exp(r * (1 - N[t-1] / k)) * (1 - w)); N[t] <- S[t] + G[t]; y[t] ~ dbin(p, N[t]); u[t] ~ dpois(0.3 * N[t] + w) } }`, `y <- c(NA,1,1,1); u <- c(NA,1,1,1)`, "joint-with-counts", ""},
		{"two regressions, summed out", `model { w ~ dunif(0, 1); for (k in 1:2) { a[k] ~ dnorm(k, 2); b[k] ~ dnorm(0, 4) } t ~ dgamma(3, 2); for (i in 1:16) { z[i] ~ dbern(w); y[i] ~ dnorm(a[z[i]+1] + b[z[i]+1] * x[i], t) } s <- sum(z[]) }`, `x <- c(1,-2,0.5,0.1,-0.3,1.7,0.2,-1,0.8,0.4,-0.6,2,0.9,-0.2,-1.4,0.3); y <- c(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0)`, "nuts", ""},
		{"zeros of two kinds, summed out", `model { c ~ dnorm(0, 1); a ~ dnorm(0, 2); r ~ dgamma(4, 2); for (k in 1:3) { u[k] ~ dnorm(0, 3) } for (i in 1:16) { z[i] ~ dbern(ilogit(c + x[i])); log(m[i]) <- a + u[g[i]]; p[i] <- r / (r + z[i] * m[i] + 0.001); y[i] ~ dnegbin(p[i], r) } s <- sum(z[]) }`, `g <- c(1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1); x <- c(1,-2,0.5,0.1,-0.3,1.7,0.2,-1,0.8,0.4,-0.6,2,0.9,-0.2,-1.4,0.3); y <- c(0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1)`, "nuts", ""},
		{"field, a walk in means and precisions", `model { r ~ dunif(-0.9, 0.9); t ~ dgamma(4, 2); m ~ dnorm(0, 1); x[1] ~ dnorm(m, 1); for (i in 2:24) { x[i] ~ dnorm(m + 0.5 * (x[i-1] - m) + r * sin(x[i-1]), t / (1 - r * r)) } for (i in 1:24) { y[i] ~ dnorm(0, exp(2 * sin(x[i] / 2))) } }`, `y <- c(0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1)`, "joint-with-field", ""},
		{"field, less its mean, with effects", `model { s ~ dunif(0.2, 2); t ~ dgamma(4, 2); a ~ dnorm(0, 1); x[1] ~ dnorm(0, 1); for (i in 2:24) { x[i] ~ dnorm(x[i-1], t) } for (i in 1:24) { v[i] ~ dnorm(0, 1 / s^2); e[i] <- a + x[i] - mean(x[]) + v[i]; y[i] ~ dnorm(exp(e[i] / 4), exp(-e[i] / 2)) } }`, `y <- c(0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1)`, "joint-with-field", ""},
		{"mean between bounds after nuts, beside switches and counts", `model { m ~ dunif(0.3, 0.9); k ~ dpois(4); for (i in 1:3) { z[i] ~ dbern(0.5); p[i] ~ dbeta(m * (k + 1), (1 - m) * (k + 1)); t[i] <- 0.3 * equals(z[i], 0) + equals(z[i], 1) * p[i]; for (j in 1:9) { y[i,j] ~ dbern(q[j] * t[i]) } } for (j in 1:9) { q[j] ~ dbeta(2, 1) } }`, `y <- structure(c(0,1,0,0,1,1,0,0,1,0,0,1,0,0,0,0,0,1,1,1,1,0,0,0,0,1,1), .Dim=c(3,9))`, "adaptive-after-nuts", ""},
		{"field, an autoregression from its stationary law", `model { r ~ dunif(-0.9, 0.9); s ~ dunif(0.3, 1.5); t <- pow(s, -2); b ~ dnorm(0, 1); x[1] ~ dnorm(0, t * (1 - r * r)); for (i in 2:24) { x[i] ~ dnorm(r * x[i-1], t) } for (i in 1:24) { y[i] ~ dbern(ilogit(b + x[i] * s)) } }`, `y <- c(0,1,0,1,0,0,1,0,1,1,0,1,0,1,0,1,0,0,1,0,1,1,0,1)`, "with-innovations", ""},
		{"process, covariances by a length scale, counts", `model { s ~ dunif(0.5, 1.5); rho ~ dunif(0.3, 2); b ~ dnorm(0, 4); for (i in 1:8) { mu[i] <- b * i; for (j in 1:8) { S[i,j] <- s^2 * exp(-abs(i - j) / (3 * rho)) + 0.05 * equals(i, j) } } f[1:8] ~ dmnorm.vcov(mu[], S[,]); for (i in 1:7) { y[i] ~ dpois(exp(f[i] / 2 + a)) } a ~ dnorm(0, 4) }`, `y <- c(1,1,0,2,1,0,1)`, "gaussian-process", ""},
		{"process, an inverse, sums of elements, a scale of the noise", `model { t ~ dgamma(4, 2); rho ~ dbeta(2, 2); h ~ dexp(1); e ~ dgamma(2 + h, 2); for (i in 1:8) { mu[i] <- 0; for (j in 1:8) { S[i,j] <- (rho^abs(i - j) + 0.1 * equals(i, j)) / t } } P[1:8,1:8] <- inverse(S[,]); f[1:8] ~ dmnorm(mu[], P[,]); for (i in 1:7) { y[i] ~ dnorm(f[i] + f[i+1] / 2, e) } w ~ dexp(exp(f[8])) }`, `y <- c(0.1,0.2,-0.3,1,0.5,-0.2,0.4)`, "gaussian-process", ""},
		{"process, beside moving indices and other vectors", `model { r ~ dunif(-0.2, 1); q ~ dgamma(3, 2); for (i in 1:8) { mu[i] <- 0; for (j in 1:8) { P[i,j] <- q * ((1 + r) * equals(i, j) - r * 0.4 * equals(abs(i - j), 1)) } } f[1:8] ~ dmnorm(mu[], P[,]); z ~ dcat(w[]); g[1:2] ~ dmnorm(mu[1:2], I[,]); for (i in 1:6) { y[i] ~ dbern(ilogit(2 * f[z+i-1] + g[1] - g[2])) } v ~ dnorm(f[1] * f[2], q) T(f[8] - 1,) }`, `y <- c(0,1,1,0,1,0); w <- c(1,2); I <- structure(c(2,1,1,2), .Dim = c(2,2))`, "gaussian-process", ""},
		{"processes with an intercept in common, beside effects of groups that nuts has", `model { b ~ dnorm(0, 2); s ~ dunif(0.3, 1.5); for (k in 1:9) { a[k] ~ dnorm(0, 1 / s^2) } for (h in 1:2) { r[h] ~ dunif(0.3, 2) } for (i in 1:9) { mu[i] <- 0; for (j in 1:9) { for (h in 1:2) { S[h,i,j] <- exp(-abs(x[h,i] - x[h,j]) / r[h]) / 2 + 0.05 * equals(i, j) } } } for (h in 1:2) { f[h,1:9] ~ dmnorm.vcov(mu[], S[h,,]) } for (i in 1:9) { for (k in 1:2) { y[i,k] ~ dpois(exp(b + f[1,i] + f[2,i] / 2 + a[g[i,k]])) } } }`, `x <- structure(c(1,3,2,1,3,9,4,2,5,7,6,5,7,4,8,8,9,6), .Dim=c(2,9)); g <- structure(c(1,2,3,4,5,6,7,8,9,2,3,4,5,6,7,8,9,1), .Dim=c(9,2)); y <- structure(c(1,0,1,0,2,1,0,1,0,1,1,0,0,1,2,0,1,0), .Dim=c(9,2))`, "gaussian-process", ""},
	}
}

// overrides asks for a kernel where the case forces one.
func (tc *conformance) overrides() []*plan.Override {
	if tc.force == "" {
		return nil
	}
	names := "x"
	if tc.force == "block-glm" || tc.force == "block-volatility" {
		names = "ab" // its members
	}
	return []*plan.Override{{Pattern: names, Kernel: tc.force, Match: func(s string) bool { return strings.ContainsRune(names, rune(s[0])) }}}
}

func compileText(t testing.TB, src, data string) *bugs.Compiled {
	t.Helper()
	prog, err := bugs.Parse("test.bug", src)
	if err != nil {
		t.Fatal(err)
	}
	d, err := bugs.ReadData("data.R", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	c, err := bugs.Compile(prog, d, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestKernelsKeepTheJointDistribution puts every kernel through the conformance
// suite's joint-distribution test: all unobserved elements and their products with one another
// and with the data are compared, at a false-alarm rate of 10⁻⁶ for each model, and
// every logical cell must agree with its parents after the steps.
func TestKernelsKeepTheJointDistribution(t *testing.T) {
	n := 8000 * *soak
	if testing.Short() {
		n = 2000
	}
	for k, tc := range cases() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			conform(t, tc, n, uint64(k))
		})
	}
}

// TestNUTSKeepsTheJointDistribution asks for nuts wherever it can be had in the same models, with all they bring: steps, changing bounds,
// indices, censoring.
func TestNUTSKeepsTheJointDistribution(t *testing.T) {
	n := 1500 * *soak
	if testing.Short() {
		n = 500
	}
	for k, tc := range cases() {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := compileText(t, tc.model, tc.data)
			names := continuousNodes(c.Model)
			if len(names) == 0 {
				return
			}
			over := []*plan.Override{{Pattern: "all", Kernel: "nuts", Match: func(s string) bool { return slices.Contains(names, s) }}}
			p, err := plan.New(c.Model, over)
			if err != nil {
				t.Fatal(err)
			}
			joint := jointModel(t, c.Model)
			joint.Kernel = tuned(p, joint, uint64(k), 400)
			if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: uint64(k), Replicates: n, Steps: 3}); err != nil {
				t.Error(err)
			}
		})
	}
}

// continuousNodes are the names of those that nuts can move.
func continuousNodes(m *model.Model) (names []string) {
	for _, row := range m.Topological() {
		t, i := m.TemplateOf(row)
		if t.Stoch == nil || m.Kinds[t.Cells(i)[0]] != model.Unobserved || !m.Informed(row) {
			continue
		}
		if slices.Contains([]string{"dmnorm", "dmnorm.vcov", "dmt", "dwish", "ddirch"}, t.Stoch.Name) && !oneShare(m, t, i) || t.Stoch.Scalar != nil && !t.Stoch.Scalar.Discrete {
			names = append(names, m.CellName(t.Cells(i)[0]))
		}
	}
	return names
}

// oneShare tells a Dirichlet node that cannot move: all alphas but one are zero.
func oneShare(m *model.Model, t *model.Template, i int) bool {
	zeros := 0
	for _, c := range t.Operands(i) {
		if m.Kinds[c] == model.Constant && m.Init[c] == 0 {
			zeros++
		}
	}
	return t.Stoch.Name == "ddirch" && zeros == len(t.Operands(i))-1
}

func conform(t *testing.T, tc conformance, n int, seed uint64) {
	c := compileText(t, tc.model, tc.data)
	p, err := plan.New(c.Model, tc.overrides())
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, it := range p.Items {
		found = found || it.Kernel == tc.kernel || tc.kernel == ""
	}
	if !found {
		t.Fatalf("no node got the kernel %s: %+v", tc.kernel, p.Items)
	}
	if tc.kernel == "individuals" { // whose tables, of data that differ, cost as much as all else here
		n /= 4
	}
	total := 400
	if strings.HasPrefix(tc.name, "joint") {
		// A joint move is made seldom where the node moves well without it, as
		// it does here: with warm-up cut short in its first quarter it is not.
		total = 1700
	}
	joint := jointModel(t, c.Model)
	sweep := tuned(p, joint, seed, total)
	joint.Kernel = sweep
	if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed, Replicates: n, Steps: 3}); err != nil {
		t.Error(err)
	}
	if sweep.JoinNormals() > 0 {
		if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed + 2, Replicates: n, Steps: 3}); err != nil {
			t.Errorf("with normal nodes integrated out: %v", err)
		}
	}
	if sweep.JoinAll() > 0 {
		if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed + 3, Replicates: n, Steps: 3}); err != nil {
			t.Errorf("with all nodes at once: %v", err)
		}
	}
	if sweep.JoinAdaptives() > 0 {
		if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed + 5, Replicates: n, Steps: 3}); err != nil {
			t.Errorf("with nodes of a density at once: %v", err)
		}
	} else if tc.kernel == "joint-adaptive" {
		t.Error("nodes of a density were not moved at once")
	}
	if sweep.HoldInnovations() > 0 {
		if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed + 7, Replicates: n, Steps: 3}); err != nil {
			t.Errorf("with innovations held: %v", err)
		}
	}
	if sweep.TrySplits() > 0 {
		if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed + 6, Replicates: n, Steps: 3}); err != nil {
			t.Errorf("with splits and mergers: %v", err)
		}
	}
	if sweep.BluntMixtures() > 0 {
		if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed + 4, Replicates: n, Steps: 3}); err != nil {
			t.Errorf("with a mixture beside the point: %v", err)
		}
	}
	if sweep.ShortenBlocks() == 0 {
		return
	}
	if err := kerneltest.Geweke(joint, kerneltest.Settings{Seed: seed + 1, Replicates: n, Steps: 3}); err != nil {
		t.Errorf("with short moves of blocks: %v", err)
	}
}

// tuned warms a sweep up on draws from the joint distribution and freezes it.
func tuned(p *plan.Plan, j kerneltest.Joint[*model.State], seed uint64, total int) *plan.Sweep {
	r := rand.New(rand.NewPCG(seed, 17))
	w := p.Sweep()
	for i := range 400 {
		w.Adapt(j.Draw(r), r, mcmc.Warmup{Iteration: i, Total: total})
	}
	w.Freeze()
	return w
}

// jointModel simulates parameters and data from a compiled model.
func jointModel(t *testing.T, m *model.Model) kerneltest.Joint[*model.State] {
	var free, data []int32
	for c, k := range m.Kinds {
		switch k {
		case model.Unobserved:
			free = append(free, int32(c))
		case model.Observed:
			data = append(data, int32(c))
		}
	}
	order := m.Topological()
	return kerneltest.Joint[*model.State]{
		Draw: func(r *rand.Rand) *model.State {
			s := m.NewState()
			if cell, msg := s.SimulateAll(r); cell >= 0 {
				t.Fatal(m.CellName(cell), msg)
			}
			return s
		},
		// Nodes that no data reach are drawn with the data. Data with sampled nodes below them
		// are not served.
		Redraw: func(s *model.State, r *rand.Rand) {
			for _, row := range order {
				t, i := m.TemplateOf(row)
				switch {
				case t.Stoch == nil:
					s.RunRow(t, i)
				case m.Kinds[t.Cells(i)[0]] == model.Observed || !m.Informed(row):
					s.SampleRow(t, i, r)
				}
			}
			s.RunAllLive()
		},
		Clone: func(s *model.State) *model.State {
			c := m.NewState()
			copy(c.V, s.V)
			return c
		},
		Stats: func(s *model.State) []float64 {
			var out []float64
			for k, c := range free {
				out = append(out, s.V[c])
				for _, d := range data {
					out = append(out, s.V[c]*s.V[d])
				}
				for _, d := range free[:k] { // a node that no longer fits another, though both fit the data
					out = append(out, s.V[c]*s.V[d])
				}
			}
			return out
		},
		Check: func(s *model.State) error { return consistent(m, s) },
	}
}

// consistent tells a live logical cell that does not agree with its parents.
func consistent(m *model.Model, s *model.State) error {
	was := slices.Clone(s.V)
	s.RunAllLive()
	for c, x := range s.V {
		if math.Abs(x-was[c]) > 1e-9*(1+math.Abs(x)) {
			return fmt.Errorf("%s is %v in the state and %v from its parents", m.CellName(int32(c)), was[c], x)
		}
	}
	return nil
}
