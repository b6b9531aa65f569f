package ensemble

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// ByWalker is the draws of one coordinate in one ensemble, walker by walker, as
// diag.IntegratedTime takes them. The name is that of the target's element, as x[2]. The slices are
// the set's own.
func (j *Job) ByWalker(set *draws.Set, chain int, name string) ([][]float64, error) {
	v, at, err := j.locate(set, name)
	if err != nil {
		return nil, err
	}
	if chain < 0 || chain >= set.Chains() {
		return nil, fmt.Errorf("ensemble: chain %d of a set of %d", chain+1, set.Chains())
	}
	out := make([][]float64, j.Walkers)
	for w := range out {
		out[w] = set.Chain(chain, at+w*v.Size())
	}
	return out, nil
}

// Average is the mean of one coordinate over the walkers of each draw, ensemble by ensemble:
// the chains whose Monte Carlo standard error is that of the coordinate's mean, however the
// walkers depend on each other. The name is that of the target's element, as x[2].
func (j *Job) Average(set *draws.Set, name string) ([][]float64, error) {
	chains := make([][]float64, set.Chains())
	for c := range chains {
		walkers, err := j.ByWalker(set, c, name)
		if err != nil {
			return nil, err
		}
		chains[c] = make([]float64, len(walkers[0]))
		for _, draws := range walkers {
			for t := range chains[c] {
				chains[c][t] += draws[t] / float64(len(walkers))
			}
		}
	}
	return chains, nil
}

// locate finds the variable of the target that has the element, and where the set has it
// for the first walker.
func (j *Job) locate(set *draws.Set, name string) (v draws.Variable, at int, err error) {
	for _, v := range j.Named {
		for k, element := range v.ElementNames() {
			if element != name {
				continue
			}
			recorded, first, ok := set.Variable(v.Name)
			if !ok || recorded.Size() != v.Size()*j.Walkers {
				return v, 0, fmt.Errorf("ensemble: the draws are not of this job: they have no %s of %d walkers", v.Name, j.Walkers)
			}
			return v, first + k, nil
		}
	}
	return draws.Variable{}, 0, fmt.Errorf("ensemble: no variable has an element %s; the first is %s", name, j.Named[0].ElementNames()[0])
}
