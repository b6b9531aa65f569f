// Package ensemble samples a density over vectors with an ensemble of walkers. Proposals for a walker use
// the positions of the others, which show the scale and covariance of the target, so that there is nothing
// to tune.
//
// The state of a chain is the whole ensemble, and its target is the product of one copy of
// the density a walker. A [Move] proposes a new position for one walker from those of the
// complementary ensemble, whose walkers do not move meanwhile: [Stretch] and [Walk] (Goodman and Weare 2010), and
// [DifferentialEvolution] and [Snooker] (ter Braak 2006; ter Braak and Vrugt 2008). All but
// snooker are invariant under affine maps. Moves are mixed with
// weights by mcmc.Mixture over a [Kernel] each.
//
// The walkers of an ensemble are not independent chains: each is moved by where the others
// are. Chains of a run are independent ensembles. So R-hat is valid for a coordinate of one
// walker over the chains, not over walkers; and the standard error of a mean is that of the average over
// walkers, one number for each step and ensemble ([Job.Average]). The autocorrelation time that emcee reports is diag.IntegratedTime of
// [Job.ByWalker].
//
// A log density that is NaN, −Inf or +Inf counts as zero density, as in package mh.
package ensemble
