package mcmc

// ProcessCPU is the processor time in seconds, user and system, that this
// process has used so far.
func ProcessCPU() float64 { return cpuSeconds() }
