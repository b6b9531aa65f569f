// Package plan gives every unobserved node of a model that data reach a kernel,
// from its Markov blanket: conjugate Gibbs where the algebra allows, blocks of
// normal nodes that children connect, enumeration of finite discrete nodes,
// trajectories of the no-U-turn sampler over what is left and depends on one
// another, slices and fitted proposals for the rest. It finds initial values, and makes
// the [Job] that package mcmc runs.
package plan
