// Package labels undoes label switching: where a posterior stays the same when the elements of some arrays are exchanged together,
// such as the means, precisions and shares of a mixture's components, draws from all orders average to the same for each element.
// [Relabel] puts each draw in the order that brings it nearest to the others.
package labels
