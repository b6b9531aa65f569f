// Package ensemble samples a density over vectors with an ensemble of walkers that propose
// for each other: the shape of the target is read off the other walkers, so that there is no
// scale or covariance to tune.
//
// The state of a chain is the whole ensemble, and its target is the product of one copy of
// the density a walker. A [Move] proposes a new place for one walker from the places of
// others that stand still meanwhile: [Stretch] and [Walk] (Goodman and Weare 2010), and
// [DifferentialEvolution] and [Snooker] (ter Braak 2006; ter Braak and Vrugt 2008). All but
// snooker propose the same after any affine map of the space. Moves are mixed with
// weights by mcmc.Mixture over a [Kernel] each.
//
// The walkers of an ensemble are not independent chains: each is moved by where the others
// are. Chains of a run are independent ensembles. So R-hat of one walker's coordinate over the
// chains is what it says, but walkers must not be handed to it as chains; and the standard error
// of a mean is that of the walkers' average, one number a step and ensemble
// ([Job.Average]). The autocorrelation time that emcee reports is diag.IntegratedTime of
// [Job.ByWalker].
//
// A log density that is NaN, −Inf or +Inf counts as zero density, as in package mh.
package ensemble
