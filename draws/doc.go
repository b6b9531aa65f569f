// Package draws holds what chains visited: in memory as a [Set], on disk as a
// Zarr v2 folder that ArviZ opens, and in the field's exchange formats.
//
// Elements of a variable are named and ordered as BUGS does: theta[1],
// Sigma[1,2], the first index moving fastest.
package draws
