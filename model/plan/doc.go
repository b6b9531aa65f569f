// Package plan gives every unobserved node of a model a kernel: conjugate Gibbs
// where the algebra allows, enumeration for finite discrete nodes, slice or
// Metropolis for the rest.
package plan
