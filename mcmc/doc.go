// Package mcmc runs Markov chains: the kernel contract, the composition of
// kernels, and one runner for every kind of state.
//
// A [Kernel] is a random move that leaves a distribution invariant. A [Job] says
// where a chain starts, which kernel moves it and what is kept of it; [Run] takes
// the chains through warm-up and sampling on all cores, hands draws, and what a
// kernel says of them ([Info], [Teller]), to a [Recorder], and writes checkpoints from which a killed run goes on byte for
// byte. Draws depend on the seed and on nothing else: not on the number of
// threads, the time of day or how often the run was interrupted.
package mcmc
