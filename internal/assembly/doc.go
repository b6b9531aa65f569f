// Package assembly is a module of its own, whose programs write the assembly of other packages with avo, which the product does not depend on. Each has the name
// of the package that it writes for; the go:generate lines there run it.
package assembly
