// Package tempering runs replicas of a chain side by side at rising inverse temperatures β and
// swaps neighbours, so that the coldest, which is the one recorded, travels between modes
// that no kernel of its own would leave (Geyer 1991).
//
// A [Family] is all that is asked of a target: its log density at a β, for states of any kind.
// [Kernel] moves each replica with a kernel made for its β, then proposes to swap the replicas
// at β_i and β_{i+1}, which is accepted with
//
//	min(1, f(x_{i+1}; β_i) f(x_i; β_{i+1}) / (f(x_i; β_i) f(x_{i+1}; β_{i+1}))),
//
// for even i in one step and for odd i in the next: this deterministic order is not reversible,
// carries replicas from end to end in a time proportional to their number, and loses nothing when there are
// more of them (Okabe et al. 2001; Syed, Bouchard-Côté, Deligiannidis and Doucet 2022, cited as
// SBDD below: "Non-reversible parallel tempering: a scalable highly parallel MCMC scheme",
// Journal of the Royal Statistical Society B 84). In warm-up the ladder of β is spaced so that all swaps
// are rejected as often (SBDD).
//
// A run's [Report] holds the swaps' acceptance, the global communication barrier, round trips, and
// an estimate of log Z between the ends of the ladder.
package tempering
