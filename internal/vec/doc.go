// Package vec holds elementary and special functions that give the same bits on every machine; package columns has loops of
// them over slices. Package math promises no such thing: some of its functions are assembly on one processor and Go on
// another, and the compiler may fuse a product and a sum.
package vec
