package main

import (
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// leastMemory is what every command needs.
const leastMemory = 64e6

// limitMemory keeps the program within the given bytes, or when there are none
// within three quarters of what there is.
func limitMemory(bytes float64) (limit float64, err error) {
	has, bound := memory.Machine()
	limit = 0.75 * has
	if bytes > 0 && (bound == "" || bytes < limit) {
		limit = bytes
	}
	if limit >= leastMemory {
		memory.Limit(limit, func() { os.Exit(outOfMemory(limit)) })
		return limit, nil
	}
	if limit == bytes {
		return limit, usage("--memory %s is too little: every command needs %s", wording.Bytes(bytes), wording.Bytes(leastMemory))
	}
	if bound != "" {
		more := (leastMemory - limit) / 0.75 / 1024
		return limit, fmt.Errorf("%s leaves the program %s of memory, and it needs %s: raise it by %.0f kB", bound, wording.Bytes(limit), wording.Bytes(leastMemory), math.Ceil(more))
	}
	return limit, fmt.Errorf("three quarters of the memory there is are %s, and the program needs %s: --memory SIZE takes more of it", wording.Bytes(limit), wording.Bytes(leastMemory))
}

// outOfMemory ends the program where memory was taken that nobody reckoned.
func outOfMemory(limit float64) int {
	fmt.Fprintf(os.Stderr, "\nergodic: the limit of memory, %s, is reached; --memory SIZE sets another. What a run has saved stays, and --resume goes on from there.\n", wording.Bytes(limit))
	return 1
}

// advise says how to raise the limit where it was in the way.
func advise(err error, limit float64) error {
	var room *memory.Error
	if !errors.As(err, &room) {
		return err
	}
	return fmt.Errorf("%w\n  The limit is %s; --memory SIZE sets another", err, wording.Bytes(limit))
}
