package mcmc

import "time"

// Phase is the part of its life that a chain is in.
type Phase int

// The phases of a chain, in order.
const (
	Warming Phase = iota
	Sampling
	Done
)

func (p Phase) String() string {
	switch p {
	case Warming:
		return "warmup"
	case Sampling:
		return "sampling"
	}
	return "done"
}

// Progress is a look at a run under way.
type Progress struct {
	Elapsed time.Duration // since Run was called
	Chains  []ChainProgress
}

// ChainProgress is how far one chain is.
type ChainProgress struct {
	Phase       Phase
	Iterations  int     // done, warm-up included
	Total       int     // to do in all, warm-up included
	Rate        float64 // iterations per second lately
	Divergences int     // after warm-up
}

// Result is what a run reports besides its draws. Times and counts include those of the
// runs that it resumed.
type Result struct {
	Chains []ChainResult
	Wall   time.Duration // of this call of Run only
	CPU    CPUTime       // sum over chains
}

// ChainResult is the account of one chain.
type ChainResult struct {
	Iterations  int     // done, warm-up included
	Warmup      int     // warm-up iterations handed to the recorder
	Draws       int     // draws handed to the recorder
	AcceptProb  float64 // mean acceptance probability after warm-up; NaN before the first step
	Accepted    int     // steps accepted after warm-up
	Divergences int     // divergent steps after warm-up
	Evals       int     // evaluations of the log density, warm-up included
	CPU         CPUTime
}

// CPUTime is processor time in seconds by phase: the time the process used, system calls
// and garbage collection included, shared out in proportion to the time chains ran.
type CPUTime struct {
	Warmup, Sampling float64
}
