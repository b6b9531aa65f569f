// Package spins minimises energies of Ising spins, which are as well quadratic functions of binary variables (QUBO) and cuts of graphs:
//
//	Ising    E(s) = c + Σ_i h_i s_i + Σ_{i<j} J_ij s_i s_j,   s_i ∈ {−1, 1}
//	QUBO     E(x) = c + Σ_i a_i x_i + Σ_{i<j} b_ij x_i x_j,   x_i ∈ {0, 1}
//	MaxCut   E(s) = c − Σ_{i<j} w_ij [s_i ≠ s_j]
//
// A [Model] is one of them, and converts to each other one: x = (1 + s)/2, J = b/4, w = 2J, and a spin more stands for the fields of
// a graph that has none (Barahona, Jünger & Reinelt 1989). [Read] knows the files of G-set and rudy, of the Biq Mac library, and of
// dimod.
//
// An [Instance] of a model makes walkers for package anneal that sweep 32 replicas at a time, as lanes of vectors (internal/spinlanes).
package spins
