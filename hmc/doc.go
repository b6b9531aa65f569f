// Package hmc holds Hamiltonian Monte Carlo kernels for targets with a gradient, over vectors of unbounded real numbers.
//
// A momentum r ~ N(0, I) joins the position x. The energy H(x, r) = −log π(x) + ½ |r|² is nearly kept by the leapfrog integrator
//
//	r ← r + ½ε Aᵀ∇log π(x),   x ← x + ε A r,   r ← r + ½ε Aᵀ∇log π(x),
//
// which is reversible and keeps volume, so that choosing among the states of a trajectory by e^{−H} leaves π invariant (Duane et al.,
// 1987; Neal, 2011). A Aᵀ is the inverse mass matrix, an estimate of the covariance of π; see [Metric].
//
//   - [NUTS] chooses the length of the trajectory by itself (Hoffman and Gelman, 2014), and the state by its weight
//     (Betancourt, 2017).
//   - [WALNUTS] is NUTS whose steps are divided where the energy would not be kept (Bou-Rabee, Carpenter, Kleppe and Liu, 2025): for
//     densities whose scales change from place to place, such as funnels.
//   - [Static] takes a trajectory of given length, of random length where that is asked for, or a single step: the
//     Metropolis-adjusted Langevin algorithm.
//   - [ChEES] learns how long such trajectories should be (Hoffman, Radul and Sountsov, 2021).
//
// In warm-up all tune the step size and the metric; see [Adaptation].
package hmc
