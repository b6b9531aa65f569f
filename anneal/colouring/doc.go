// Package colouring gives the nodes of a graph one of K colours each, so that as few edges as can be have both ends in one colour:
//
//	E(c) = Σ_{edges uv} [c_u = c_v],
//
// which is 0 where the graph can be coloured with K (the fixed-K annealing of Johnson, Aragon, McGeoch and Schevon, 1991). [Read] reads DIMACS's files of
// graphs, [NewGraph] takes edges; [Graph.Colours] makes the problem of K colours, an instance for package anneal. The least K lies between the sizes of [Graph.Clique] and of
// [Graph.Greedy]: as long as annealing finds E = 0, try one colour fewer.
package colouring
