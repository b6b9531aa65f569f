// Package function minimises, or maximises, a function of real variables within bounds. The function is a file in the BUGS language: each variable has
// a uniform distribution, whose ends are its bounds, and the relation of minimise or maximise is the function,
//
//	for (i in 1:2) { x[i] ~ dunif(-5.12, 5.12) }
//	minimise <- 20 + sum(x^2 - 10*cos(2*pi*x))
//
// with the expressions, loops, arrays and data blocks that models have, and pi. [Read] makes it a [Problem], an instance for package anneal.
//
// Walkers move one coordinate at a time by Gaussian steps, reflected at the bounds, half of them of a tuned length and half of any length between that and the
// width; and all at once by a Gaussian step whose covariance is learnt from the steps that were accepted (Gaussian adaptation; Kjellström
// and Taxén, 1981). Steps are tuned in the first sweeps at each temperature, and stay as they are from then on, so that a walker that is kept at a temperature comes to the density e^{−f/T}.
// A value that is not finite is never accepted.
package function
