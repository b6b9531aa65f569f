// Package path estimates normalising constants along a path of densities p_β = f_β / Z_β, from a base at β = 0
// whose draws and log Z are exact to the target at β = 1.
//
// A [Family] defines the path: its density, its base, and a transition that leaves p_β invariant. Every method gives a
// [Result]: log Z, a standard error on the log scale, a 95 % interval, and warnings.
//
//   - [AIS] is annealed importance sampling (Neal 2001), [Reverse] the same from target to base, [Sandwich] both
//     (bidirectional Monte Carlo); [SMC] resamples between temperatures.
//   - [Tempered] is simulated tempering over a ladder of temperatures: RTS, TS and MBAR estimates from the same draws.
//   - [SAMS] is self-adjusted mixture sampling and [SAMC] stochastic approximation Monte Carlo, over the temperatures of
//     one or several models.
//   - [Integrate] draws at each temperature of a ladder, and [Replicas] does so by parallel tempering: thermodynamic
//     integration, stepping stones, Bennett's acceptance ratio (BAR).
//
// Work is divided by run or chain, each with a random stream of its own, so the same seed gives the same numbers with any
// number of threads.
package path
