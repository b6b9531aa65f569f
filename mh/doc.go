// Package mh holds Metropolis–Hastings kernels.
//
// A proposal of density q(x'|x) is accepted with probability
// min(1, π(x') q(x|x') / (π(x) q(x'|x))) (Hastings, 1970). A log density that is NaN,
// −Inf or +Inf counts as zero density: such a proposal is rejected, and from such a point
// every proposal of finite log density is accepted, so that a chain can leave a bad start. That a proposal met NaN or +Inf is said in Info.Divergent; [Watch] says where.
//
// Ready kernels over vectors, for package mcmc's points: [RandomWalk] learns its scale and its
// covariance in warm-up, [Univariate] moves one coordinate, [Independence] proposes from a
// distribution that does not depend on the state, [Prior] from the prior.
//
// Kernels to put together, for states of any kind, each from a target and moves:
//   - [Kernel]: one move and an acceptance [Rule];
//   - [DelayedRejection]: another move where one is rejected;
//   - [MultipleTry]: one of several proposals, chosen by weight;
//   - [PseudoMarginal]: for a density that is only estimated.
//
// A [Move] is a [Walk] (normal, uniform or t increments with any covariance, four ways to learn),
// [IndependenceMove], [Multiply] and [Dilate] for scales, [Neighbours] and [Matrix] for discrete states, a
// [Mixture] or [MixtureDensity] of moves, or a function that is [Symmetric]. [CheckMove] tests it, and
// [Advise] checks the acceptance rates of a run.
package mh
