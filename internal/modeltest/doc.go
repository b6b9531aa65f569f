// Package modeltest judges plans as a whole: it writes random small programs in the BUGS
// language from a grammar that has what kernels tell apart, and compares what they sample
// with answers that do not come from the kernels.
//
// A [Program] is a syntax tree. It prints itself as BUGS, and evaluates itself: values of
// its nodes, draws from its prior, its log density. The evaluation shares with the rest of
// the project only the distributions of package dist, which have tests of their own.
//
// The judges, each at a false-alarm rate that [Alpha] states:
//
//   - [Case.Agree]: compiled model and syntax tree have the same values and densities.
//   - [Case.Joint]: Geweke's successive-conditional simulator (Geweke, 2004): sweeps of
//     the plan alternate with redraws of the data, from exact draws of the joint law.
//   - [Case.Posterior]: means under the posterior from mcmc.Run against weighted draws
//     from the prior, or against enumeration and quadrature where the program is small.
//   - [Case.Plans]: general kernels forced on every node, by the simulator and by runs beside
//     the default plan's.
//
// [Shrink] makes a program that fails as small as it can.
package modeltest
