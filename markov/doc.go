// Package markov analyses finite Markov chains given as matrices: their classes and periods, stationary
// distributions, absorption and hitting times, speed of convergence, detailed balance, and their estimation
// from observed sequences.
//
// A [Chain] is [Dense] or [Sparse]. States are numbered from 0 in the library and have names for output.
// Distributions are row vectors x, one step is x P.
//
// Stationary distributions, absorption probabilities and expected times come from state reduction without
// subtraction (Grassmann, Taksar, Heyman, 1985), which is accurate in every entry however close to
// decomposable the chain is, or for large chains from a multilevel iteration whose error in total variation
// is estimated.
package markov
