// Package mode finds the modes of densities with a gradient, and approximates the densities around them.
//
//   - [Climb] goes to a mode by a quasi-Newton method of limited memory, L-BFGS (Nocedal, 1980; Liu and Nocedal, 1989).
//   - [Curve] is the matrix of second derivatives there, by differences of gradients: its inverse is a covariance, and where it has none
//     it says along which coordinates the density is flat.
//   - [Laplace] draws from the normal distribution of that covariance at the mode.
//   - [Pathfinder] draws from the best of the normal distributions along the way to a mode (Zhang, Carpenter, Gelman and Vehtari, 2022,
//     "Pathfinder: parallel quasi-Newton variational inference", JMLR 23(306)).
//
// The draws of both have weights, of which package importance tells how far they can be trusted ([Approximation.Sample]).
// All is the same to the last bit on any machine.
package mode
