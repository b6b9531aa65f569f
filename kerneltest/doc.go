// Package kerneltest judges kernels, as testing/fstest judges file systems: the conformance suite that every
// kernel of this module passes, for the tests of those that others write.
//
// All checks rest on independent replicates that start from exact draws of the target, so
// that there is no autocorrelation to allow for: under a kernel that leaves its target
// invariant the null distribution of each comparison is known exactly (binomial, or
// the two-sample Kolmogorov–Smirnov law of Gnedenko and Korolyuk), and with Bonferroni's
// correction over the comparisons the probability of a false alarm is at most
// Settings.Alpha. A check returns nil, or an error that says which comparison failed.
//
//   - [Exact] and [DetailedBalance]: finite targets, by enumeration.
//   - [Reaches] and [Converges]: from a fixed start the kernel gets to all of the target. A
//     kernel that stays where it is leaves everything invariant, and is caught here.
//   - [Invariant]: targets that can be sampled exactly.
//   - [Geweke]: the joint-distribution test (Geweke, 2004).
//   - [SBC]: simulation-based calibration (Talts et al., 2018).
//
// A kernel deserves two of them at least: one for invariance, at the place where it is used, and [Reaches] or
// [Converges], because invariance alone does not make it move.
package kerneltest
