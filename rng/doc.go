// Package rng gives independent, reproducible, serialisable streams of random numbers.
//
// A stream is named by a seed, a purpose and indices (chain, site, block …), and the name alone fixes
// its numbers: they do not depend on the machine, on the number of threads or on the order in which
// streams are made.
package rng
