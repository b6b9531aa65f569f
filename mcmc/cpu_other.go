//go:build !unix && !windows

package mcmc

// cpuSeconds has no source here; a result then says 0.
func cpuSeconds() float64 { return 0 }
