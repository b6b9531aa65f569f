// Package dist holds probability distributions with the names, the parameters and the parameter order of the BUGS
// language: log density and its partial derivatives, sampling, distribution function and quantile, moments.
package dist
