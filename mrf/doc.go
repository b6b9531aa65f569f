// Package mrf is inference in discrete graphical models given as factors: Markov random fields and Bayesian networks. A state x
// has a value for each variable and the probability
//
//	p(x) = 1/Z Π_a f_a(x_a),
//
// where factor a is a table of non-negative numbers over the variables of its scope.
package mrf
