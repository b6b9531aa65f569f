package lattice

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// WolffSweep is as many clusters of [Wolff] in a step as have about as many sites as the lattice, so that a step is worth a sweep. The number is
// learnt from the sizes of clusters in the warm-up and stays as it is after that, as it must: see Wolff. Where that is a cluster for each site,
// a step has one more in half of all cases.
type WolffSweep struct {
	wolff    *Wolff
	sites    int
	clusters int
	grown    float64 // sites, of clusters that are the more forgotten the older they are
	made     float64
	size     float64 // mean of the last step
}

// NewWolffSweep begins with one cluster a step. Wolff's errors are its own.
func NewWolffSweep(m *Model, beta float64) (*WolffSweep, error) {
	w, err := NewWolff(m, beta, 1)
	if err != nil {
		return nil, err
	}
	return &WolffSweep{wolff: w, sites: m.Graph.Sites(), clusters: 1}, nil
}

// Step makes the clusters.
func (k *WolffSweep) Step(s *State, r *rand.Rand) mcmc.Info {
	info, grown, clusters := mcmc.Info{}, 0, k.clusters
	// Where all clusters are single spins, a fixed number of flips keeps or turns the parity of the spins that are up; by chance one more mixes it.
	if clusters == k.sites {
		clusters += r.IntN(2)
	}
	for range clusters {
		i := k.wolff.Step(s, r)
		info.Accepted = info.Accepted || i.Accepted
		info.AcceptProb += i.AcceptProb
		n, _ := k.wolff.Sites()
		grown += n
	}
	info.AcceptProb /= float64(clusters)
	k.size = float64(grown) / float64(clusters)
	return info
}

// wolffMemory is the weight that the clusters of a step of the warm-up keep from one step to the next: a hundred steps or so count.
const wolffMemory = 0.99

// Adapt makes clusters until they have as many sites as the lattice, and learns: in the warm-up the number may follow the sizes, which change by orders of
// magnitude on the way to equilibrium.
func (k *WolffSweep) Adapt(s *State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	info, grown, made := mcmc.Info{}, 0, 0
	for ; grown < k.sites; made++ {
		info = k.wolff.Step(s, r)
		n, _ := k.wolff.Sites()
		grown += max(n, 1)
	}
	k.size = float64(grown) / float64(made)
	k.grown = float64(wolffMemory*k.grown) + float64(grown)
	k.made = float64(wolffMemory*k.made) + float64(made)
	k.clusters = max(1, int(math.Round(float64(k.sites)*k.made/k.grown)))
	return info
}

// Freeze ends the warm-up.
func (k *WolffSweep) Freeze() {}

// ClusterSize is the mean number of sites of the clusters of the last step.
func (k *WolffSweep) ClusterSize() float64 { return k.size }

type savedWolff struct {
	Clusters    int
	Grown, Made float64
}

// MarshalBinary is what was learnt.
func (k *WolffSweep) MarshalBinary() ([]byte, error) {
	return gobs.Marshal(savedWolff{k.clusters, k.grown, k.made})
}

// UnmarshalBinary restores it.
func (k *WolffSweep) UnmarshalBinary(b []byte) error {
	var s savedWolff
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	k.clusters, k.grown, k.made = min(max(s.Clusters, 1), k.sites), s.Grown, s.Made
	return nil
}

// ClusterSize is the mean over sites of the size of their cluster in the last step, Σ n²/N: that of a cluster of Wolff's.
func (k *SwendsenWang) ClusterSize() float64 { return k.all.Squares / float64(len(k.parent)) }
