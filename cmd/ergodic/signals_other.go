//go:build !unix

package main

// failedWritesAreErrors is how it is where no signal says so.
func failedWritesAreErrors() {}

// endAtClosedPipe leaves it to the error.
func endAtClosedPipe(error) {}
