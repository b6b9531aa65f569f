// Package tempering is parallel tempering (replica exchange): replicas of a chain run at increasing
// inverse temperatures β and neighbours are swapped, so that the coldest replica, which is the one
// recorded, moves between modes that its kernel alone would not leave (Geyer 1991).
//
// A target is given as a [Family]: its log density at any β, for states of any kind.
// [Kernel] moves each replica with a kernel for its β, then proposes to swap the replicas
// at β_i and β_{i+1}, which is accepted with probability
//
//	min(1, f(x_{i+1}; β_i) f(x_i; β_{i+1}) / (f(x_i; β_i) f(x_{i+1}; β_{i+1}))),
//
// for even i in one step and for odd i in the next. This deterministic even-odd scheme is not
// reversible, carries replicas from end to end in a time proportional to their number, and its
// round-trip rate does not fall as replicas are added (Okabe et al. 2001; Syed, Bouchard-Côté,
// Deligiannidis and Doucet 2022, cited as SBDD below: "Non-reversible parallel tempering: a scalable
// highly parallel MCMC scheme", Journal of the Royal Statistical Society B 84). In warm-up the ladder
// of β is adapted until all neighbours have the same rejection rate (SBDD).
//
// A run's [Report] holds the acceptance rates of swaps, the global communication barrier, round trips,
// and an estimate of log Z between the ends of the ladder.
package tempering
