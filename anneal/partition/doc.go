// Package partition divides whole numbers a_1 … a_n into two parts whose sums are as near as can be:
//
//	E(s) = |Σ_i s_i a_i|,  s_i ∈ {−1, 1},
//
// number partitioning (Garey and Johnson, 1979, problem SP12; annealed by Johnson, Aragon, McGeoch and Schevon, 1991). [Read] reads a file of
// numbers, [New] takes them. Sums are exact, of 128 bits, for numbers up to 2⁶⁴ − 1. A [Problem] is an instance for package anneal, whose walkers move a number to the other
// part or exchange two; [Problem.Differencing] is the heuristic to beat (Karmarkar and Karp, 1982).
package partition
