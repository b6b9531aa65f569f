// Package gibbs samples by drawing each node of a state from its full conditional, the law
// it has given all the other nodes (Geman and Geman, 1984; Gelfand and Smith, 1990). Such a draw
// is a Metropolis–Hastings move whose proposal is always accepted, because the ratio
// π(x') π(xᵢ|x₋ᵢ) / (π(x) π(x'ᵢ|x₋ᵢ)) is 1.
//
// A state is of any type; nodes are numbered from 0, and a [Conditional] draws one of them.
//
//   - [Sampler] takes the nodes one after another, in the order of a [Scan].
//   - [Parallel] takes them colour by colour: nodes of one colour are not in each other's
//     Markov blanket, so they can be drawn at the same time. Its draws do not depend on the
//     number of threads.
//   - [Blankets] are the Markov blankets that a graph implies, and colour the nodes.
//   - [Vectors] makes a job for mcmc.Run of states that are slices of numbers.
package gibbs
