// Package slice samples by drawing uniformly from the region under a density: a level
// below the density at the current point, then a point of the slice on which the density
// exceeds that level. It needs no proposal scale to be right, only to be fast.
//
// [Univariate] is one coordinate, continuous or integer, by stepping out or doubling
// (Neal, 2003). [Coordinates] applies it to each coordinate of a vector, and
// [Elliptical] moves a vector with a normal prior as a whole (Murray, Adams and MacKay, 2010),
// [Hyperrectangle] any vector, by a box that shrinks (Neal, 2003).
package slice
