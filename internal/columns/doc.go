// Package columns holds loops over columns of float64: arithmetic, sums, elementary functions, products with the columns of a matrix, and passes
// over likelihoods that give a log density and its derivative by the predictor.
//
// Every function gives the same bits on every machine. On amd64 the loops are assembly, AVX-512 or AVX2 as the processor has it, which the program
// columns of internal/assembly writes; elsewhere, and under the build tag noasm, they are the Go twins that tests hold the assembly to. No
// product is fused with a sum. Elementary functions have the bits of internal/vec. What NaN's sign and payload are is left open.
//
// Sums run in sixteen lanes: row i is added to lane i mod 16, and a fixed tree adds up the lanes at the end. Accumulators carry the lanes from
// block to block, so that a column may be cut into blocks at any multiples of sixteen rows and its sum has the same bits.
//
// No function allocates. Columns of one call have the length of the first one; shorter ones are programming errors and panic. A destination may be
// one of the sources, but may not overlap it in part.
package columns
