// Package qap minimises quadratic assignments: n facilities go to n places, one each, so that the sum over all pairs of their flow times
// the distance of their places is least,
//
//	E(p) = Σ_i Σ_j a_ij b_{p(i) p(j)},
//
// for any two square matrices a and b of whole numbers (Koopmans and Beckmann, 1957). [Read] reads the files of QAPLIB (Burkard, Karisch and
// Rendl, 1997); [New] takes matrices. A [Problem] is an instance for package anneal, whose walkers exchange the places of two facilities.
package qap
