//go:build !unix

package main

// fileTooLargeIsAnError has nothing to do where files have no limit of size.
func fileTooLargeIsAnError() {}
