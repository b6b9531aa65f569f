package lda

import (
	"fmt"
	"slices"
	"strings"
)

// Sampler moves the topics of a model.
type Sampler interface {
	// Sweep moves the topic of each token once, in O(tokens) times what the method says; it does not allocate after the
	// first. The draws depend on the seed, the method and the number of sweeps that the model has done, not on threads.
	Sweep()
}

// Options are what some samplers can be told. The zero value works.
type Options struct {
	Steps     int  // light: proposals from the word, and as many from the document, for a token; alias: proposals. 0: 1
	CountSelf bool // warp: the target's counts include the token, as in the paper: slower at first, closer to the posterior's likelihood in the end
	Parts     int  // sparse: parts of the documents that see of each other the counts before the sweep; 0: 1, and exact; approximate for more
	Threads   int  // warp, and sparse with parts: goroutines at a time; 0: 1. Draws do not depend on it
}

// methods are the samplers by name, the exact ones first.
var methods = []struct {
	name string
	make func(m *Model, o Options) (Sampler, error)
}{
	{"gibbs", newGibbs},
	{"sparse", newSparse},
	{"alias", newAlias},
	{"light", newLight},
	{"warp", newWarp},
}

// Methods are the names of the samplers.
func Methods() []string {
	names := make([]string, len(methods))
	for i, row := range methods {
		names[i] = row.name
	}
	return names
}

// NewSampler makes the sampler of this name, one of Methods. Several may move one model by turns; each that comes on
// another's topics counts them first, in O(tokens).
func NewSampler(method string, m *Model, o Options) (Sampler, error) {
	if o.Steps < 0 || o.Parts < 0 || o.Threads < 0 {
		return nil, fmt.Errorf("lda: steps = %d, parts = %d and threads = %d must not be negative", o.Steps, o.Parts, o.Threads)
	}
	o.Steps, o.Parts, o.Threads = max(o.Steps, 1), max(o.Parts, 1), max(o.Threads, 1)
	i := slices.Index(Methods(), method)
	if i < 0 {
		return nil, fmt.Errorf("lda: there is no sampler %q; there are %s", method, strings.Join(Methods(), ", "))
	}
	return methods[i].make(m, o)
}
