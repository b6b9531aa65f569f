// Package mh holds Metropolis–Hastings kernels: random walks that learn their scale and
// then their covariance in warm-up, for one coordinate ([Univariate]) and for a vector
// ([RandomWalk]), proposals independent of the state ([Independence]), and proposals from the
// prior ([Prior]).
//
// A proposal of density q(x'|x) is accepted with probability
// min(1, π(x') q(x|x') / (π(x) q(x'|x))) (Hastings, 1970). A log density that is NaN,
// −Inf or +Inf counts as zero density: such a proposal is rejected, and from such a point
// every proposal of finite log density is accepted, so that a chain with a bad start finds its way.
package mh
