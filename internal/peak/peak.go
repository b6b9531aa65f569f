// Package peak tells how much memory a process had, for tests and benchmarks.
package peak

import "os"

// MB is the most memory that a finished process had, 0 where that is not known.
func MB(s *os.ProcessState) int64 { return bytes(s) >> 20 }
