// Package jagsscript reads scripts of JAGS, and carries them out: what is compiled, sampled and monitored is kept between commands, and the
// files that they write have the form that R's coda and the packages that call JAGS read.
package jagsscript
