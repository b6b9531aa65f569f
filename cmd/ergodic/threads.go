package main

// mostThreads is far above what a machine has, and far below what would
// exhaust one.
const mostThreads = 1 << 12

// checkThreads checks --threads.
func checkThreads(job string, n int) error {
	if n < 0 || n > mostThreads {
		return usage("%s: --threads %d: it must be from 0, for all cores, to %d", job, n, mostThreads)
	}
	return nil
}
