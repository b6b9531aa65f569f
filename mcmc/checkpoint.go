package mcmc

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
)

// identity is what must be the same for a run to be gone on with.
type identity struct {
	Seed        uint64
	Chains      int
	Warmup      int
	Thin        int
	SaveWarmup  bool
	Variables   string
	Fingerprint []Ingredient
}

// differs names the first thing in which b, of the run to resume, is not what a is.
func (a identity) differs(b identity) error {
	err := checksummed.Same([]checksummed.Property{
		{Name: "seed", Was: b.Seed, Asked: a.Seed},
		{Name: "number of chains", Was: b.Chains, Asked: a.Chains},
		{Name: "warm-up length", Was: b.Warmup, Asked: a.Warmup},
		{Name: "thinning", Was: b.Thin, Asked: a.Thin},
		{Name: "keeping of the warm-up", Was: b.SaveWarmup, Asked: a.SaveWarmup},
		{Name: "list of recorded variables", Was: b.Variables, Asked: a.Variables},
	})
	if err != nil {
		return err
	}
	return differs(a.Fingerprint, b.Fingerprint)
}

func differs(asks, was []Ingredient) error {
	for _, w := range was {
		i := slices.IndexFunc(asks, w.named)
		if i < 0 {
			return fmt.Errorf("%s was part of the run and is not any more", w.Name)
		}
		if asks[i].Hash != w.Hash {
			return fmt.Errorf("%s differs: the run has %s, and %s is asked for", w.Name, w.Hash, asks[i].Hash)
		}
	}
	for _, a := range asks {
		if !slices.ContainsFunc(was, a.named) {
			return fmt.Errorf("%s was not part of the run", a.Name)
		}
	}
	return nil
}

func (i Ingredient) named(other Ingredient) bool { return i.Name == other.Name }

// snapshot is a chain at rest.
type snapshot struct {
	Run                          identity
	Origin                       origin
	Chain, Iteration             int
	Kept                         [2]int
	Digest                       []byte // of these draws, from the recorder
	Tally                        tally
	State, Kernel, Steps, Extras []byte
}

// snapshot takes the chain's picture between two iterations. cpu is the processor time
// of a second of running.
func (c *chain[S]) snapshot(id identity, cpu float64) (*snapshot, error) {
	s := &snapshot{Run: id, Origin: c.origin, Chain: c.id, Iteration: c.iter, Kept: c.kept, Digest: c.digest, Tally: c.tally}
	s.Tally.CPU, s.Tally.Busy = c.tally.cpu(cpu), [2]float64{}
	var err error
	if s.State, err = c.job.MarshalState(c.state); err != nil {
		return nil, fmt.Errorf("the state cannot be marshalled: %w", err)
	}
	if s.Kernel, err = tunings.Marshal(c.kernel); err != nil {
		return nil, err
	}
	if s.Steps, err = c.steps.MarshalBinary(); err != nil {
		return nil, err
	}
	s.Extras, err = c.extras.MarshalBinary()
	return s, err
}

// restore puts the chain where the snapshot was taken.
func (c *chain[S]) restore(s *snapshot) error {
	state, err := c.job.UnmarshalState(c.id, s.State)
	if err != nil {
		return err
	}
	if err := tunings.Unmarshal(c.kernel, s.Kernel); err != nil {
		return err
	}
	if err := c.steps.UnmarshalBinary(s.Steps); err != nil {
		return err
	}
	if err := c.extras.UnmarshalBinary(s.Extras); err != nil {
		return err
	}
	c.origin = s.Origin
	c.state, c.iter, c.kept, c.durable, c.tally = state, s.Iteration, s.Kept, s.Kept, s.Tally
	c.savedAt = s.Iteration
	c.begin()
	return nil
}

// cpu shares the processor time of this process out to the time the chain ran in it.
func (t *tally) cpu(perBusy float64) [2]float64 {
	out := t.CPU
	for i, b := range t.Busy {
		out[i] += float64(b * perBusy)
	}
	return out
}

// checkpoint is the kind of a file that holds a snapshot.
func checkpoint() checksummed.Kind { return checksummed.Kind{Name: "checkpoint", Version: 2} }

func checkpointFile(dir string, chain int) string {
	return filepath.Join(dir, fmt.Sprintf("chain-%d.ckpt", chain+1))
}

// writeCheckpoint replaces the chain's checkpoint.
func writeCheckpoint(dir string, s *snapshot) error {
	return checkpoint().Write(checkpointFile(dir, s.Chain), s)
}

// readCheckpoint returns nil without an error where the chain has no checkpoint yet.
func readCheckpoint(dir string, chain int) (*snapshot, error) {
	name := checkpointFile(dir, chain)
	s := new(snapshot)
	there, err := checkpoint().ReadIfThere(name, s)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; remove it and this chain starts again with the same draws", err)
	case !there:
		return nil, nil
	}
	if s.Chain != chain {
		return nil, fmt.Errorf("%s is of chain %d; the files of this folder have been renamed", name, s.Chain+1)
	}
	return s, nil
}

// Kept is how many draws a chain had, of warm-up and after it, when its checkpoint in a
// folder was written. ok is false where there is none that can be read.
func Kept(dir string, chain int) (warmup, draws int, ok bool) {
	s, err := readCheckpoint(dir, chain)
	if s == nil || err != nil {
		return 0, 0, false
	}
	return s.Kept[warming], s.Kept[sampling], true
}

// clearCheckpoints removes what an earlier run left in the folder, so that no later
// resume can mix the two.
func clearCheckpoints(dir string) error {
	for _, pattern := range []string{"chain-*.ckpt*", ".chain-*.ckpt*"} { // whole, and being written when the process died
		old, err := fs.Glob(os.DirFS(dir), pattern) // the folder's own name is no pattern
		if err != nil {
			return err
		}
		for _, f := range old {
			if err := os.Remove(filepath.Join(dir, f)); err != nil {
				return err
			}
		}
	}
	return nil
}
