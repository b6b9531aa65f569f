// Package model holds a directed graphical model as an index, not as objects:
// every relation of a program is one template, its nodes are rows of integers
// that point into one flat vector of values, and Markov blankets are lists of
// row ranges. A small interpreter evaluates templates; a later engine emits the
// same closed list of operations as machine code and keeps this one as oracle.
package model
