// Package memory keeps the program within one limit of memory. What takes
// memory by an input's say-so asks [Room] first; what nobody reckoned meets
// the watch of [Limit].
package memory
