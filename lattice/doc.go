// Package lattice samples spins on lattices and graphs: the Ising model (Lenz 1920, Ising 1925), whose spins are −1 and 1, and
// the Potts model (Potts 1952), whose spins are one of q colours.
//
// A [Graph] has the sites and the bonds between them with their couplings; a [Geometry] makes the graph of a regular lattice. A
// [Model] is a graph with fields and has the energy
//
//	E = −Σ_(i,j) J_ij s_i s_j − Σ_i h_i s_i          Ising
//	E = −Σ_(i,j) J_ij δ(s_i, s_j) − Σ_i h_i δ(s_i, 0)  Potts
//
// over bonds (i, j), each once. States have probability exp(−βE)/Z at the inverse temperature β, in units where Boltzmann's
// constant is 1.
//
// Every algorithm is a [mcmc.Kernel] over *[State] for one model and one β, and leaves that distribution invariant.
package lattice
