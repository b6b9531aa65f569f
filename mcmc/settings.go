package mcmc

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"time"
)

// Settings say how long a run is and where it keeps what it needs to go on. The zero
// value works: it gives what Stan and its interfaces give, 4 chains of 1000 warm-up
// iterations and 1000 draws.
type Settings struct {
	Seed   uint64
	Chains int // 0: 4
	Warmup int // iterations of warm-up in each chain; 0: 1000, negative: none
	Draws  int // draws kept of each chain after warm-up; 0: 1000, negative: none
	Thin   int // keep every Thin-th iteration, so a chain runs Draws × Thin of them; 0: 1

	Threads    int  // goroutines that chains run on; 0: all cores. Draws do not depend on it
	SaveWarmup bool // keep every Thin-th iteration of the warm-up too

	Dir        string        // folder of the checkpoints; "": none are written
	Checkpoint time.Duration // time between checkpoints of a chain; 0: 30 s, negative: only at the end
	Resume     bool          // go on from the checkpoints in Dir; a chain that has none starts
	// Fingerprint is what the draws depend on besides these settings. A run without one is known by its
	// kernels and, if the job is [Weighed], by the log densities at which its chains started.
	Fingerprint []Ingredient

	// More is asked when all chains have made their draws, which are durable then, how many each shall have: the run goes on to that number,
	// and asks again, until it is no more than they have. nil: Draws it is. What it says of a number of draws must be the same
	// in a run that is resumed.
	More func(draws int) (int, error)
	// Enough, when it is closed, ends a run early: chains catch up with the one that has most draws, so that all have as many. nil: never.
	Enough <-chan struct{}
}

// Ingredient is one thing that determines the draws, such as the model or a data file,
// and its hash. A run resumed with another hash is refused, and the error names it.
type Ingredient struct {
	Name, Hash string
}

const (
	defaultChains     = 4
	defaultLength     = 1000
	defaultCheckpoint = 30 * time.Second
	maxChains         = 1 << 20
)

// WithDefaults replaces each zero by the default it stands for and each negative
// length by zero.
func (s Settings) WithDefaults() Settings {
	s.Chains = cmp.Or(s.Chains, defaultChains)
	s.Warmup = max(cmp.Or(s.Warmup, defaultLength), 0)
	s.Draws = max(cmp.Or(s.Draws, defaultLength), 0)
	s.Thin = cmp.Or(s.Thin, 1)
	s.Threads = cmp.Or(s.Threads, runtime.GOMAXPROCS(0))
	s.Checkpoint = cmp.Or(s.Checkpoint, defaultCheckpoint)
	return s
}

// Kept is the number of warm-up iterations and of draws that a finished run with these
// settings has handed to the recorder for each chain.
func (s Settings) Kept() (warmup, draws int) {
	s = s.WithDefaults()
	if s.SaveWarmup {
		warmup = s.Warmup / s.Thin
	}
	return warmup, s.Draws
}

// check validates settings that WithDefaults has filled in.
func (s Settings) check() error {
	switch {
	case s.Chains < 1 || s.Chains > maxChains:
		return fmt.Errorf("mcmc: %d chains; the number of chains must be from 1 to %d", s.Chains, maxChains)
	case s.Thin < 1:
		return fmt.Errorf("mcmc: thin = %d must be 1 or more", s.Thin)
	case s.Threads < 1:
		return fmt.Errorf("mcmc: threads = %d must be 0 (all cores) or more", s.Threads)
	case s.Draws > (math.MaxInt/2-s.Warmup)/s.Thin:
		return fmt.Errorf("mcmc: %d draws thinned by %d are more iterations than can be counted", s.Draws, s.Thin)
	case s.Resume && s.Dir == "":
		return fmt.Errorf("mcmc: to resume a run, name the folder of its checkpoints (Settings.Dir)")
	}
	return nil
}
