// Package tsp is the travelling salesman problem for annealing: instances in the form of TSPLIB, with distances exactly as it defines
// them, and a Markov chain over tours by 2-opt and segment insertion that leaves e^{−length/T} invariant.
package tsp
