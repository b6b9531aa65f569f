package report

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// Joint reads draws of some elements of the posterior of a run on disk, of each the same: those of one chain after another, thinned so that they
// are about most.
func Joint(r *draws.Reader, names []string, most, threads int) ([][]float64, error) {
	place := map[string]int{}
	for k, n := range names {
		place[n] = k
	}
	at, element := map[int]int{}, 0
	for _, v := range r.Variables(draws.Posterior) {
		for _, n := range v.ElementNames() {
			if k, ok := place[n]; ok {
				at[element] = k
			}
			element++
		}
	}
	if len(at) != len(names) {
		return nil, fmt.Errorf("%d of %d elements are among the draws", len(at), len(names))
	}
	scan, err := scanElements(r, draws.Posterior, threads, func(e int) bool { _, ok := at[e]; return ok })
	if err != nil {
		return nil, err
	}
	every := (r.Chains(draws.Posterior)*r.Draws(draws.Posterior)-1)/max(most, 1) + 1
	out := make([][]float64, len(names))
	err = scan.each(threads, func(_ *diag.Work, e int, chains [][]float64) error {
		k, ok := at[e]
		if !ok {
			return nil
		}
		out[k] = make([]float64, 0, len(chains)*((len(chains[0])-1)/every+1))
		for _, chain := range chains {
			for i := 0; i < len(chain); i += every {
				out[k] = append(out[k], chain[i])
			}
		}
		return nil
	})
	return out, err
}
