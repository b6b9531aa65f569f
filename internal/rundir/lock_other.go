//go:build !unix

package rundir

import "os"

// acquire takes no lock where the system has none that ends with the process.
func acquire(path string) (*os.File, error) { return os.Create(path) }

func release(f *os.File) { f.Close() }
