package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// spectrumStates is the largest chain whose eigenvalues are all computed unasked, in seconds.
const spectrumStates = 1000

// speed computes what needs the whole spectrum; for a reducible or periodic chain what is known without, for a large one
// what iteration finds.
func (r *chainResult) speed(c *chainCmd, chain markov.Chain, cl *markov.Classes) error {
	const large = "not computed: %d states; --spectrum computes it"
	skip := r.States > spectrumStates && !c.Spectrum
	switch {
	case r.Stationary == nil:
		r.Why["mixing_time"] = "where the chain ends depends on where it starts"
	case *r.Period > 1:
		r.Why["mixing_time"] = fmt.Sprintf("infinite: the chain has period %d", *r.Period)
	}
	if !r.Irreducible {
		r.Why["kemeny"] = "the chain is reducible"
	}
	one, none := 1.0, 0.0
	if r.Why["mixing_time"] != "" {
		r.SLEM, r.SpectralGap = &one, &none
	}
	if skip && r.Why["mixing_time"] == "" {
		if err := r.speedOfLarge(c, chain); err != nil {
			return err
		}
	}
	if skip {
		for key, found := range map[string]bool{"slem": r.SLEM != nil, "spectral_gap": r.SLEM != nil, "mixing_time": false, "kemeny": false} {
			if !found && r.Why[key] == "" {
				r.Why[key] = fmt.Sprintf(large, r.States)
			}
		}
		return nil
	}
	err := r.spectrum(c, chain)
	var size *markov.SizeError
	if errors.As(err, &size) {
		return fmt.Errorf("%s; without --spectrum the second eigenvalue is found by iteration", size.Reason())
	}
	return err
}

// spectrum computes what takes n³ operations.
func (r *chainResult) spectrum(c *chainCmd, chain markov.Chain) error {
	if r.SLEM == nil {
		var pi []float64
		if r.Irreducible && *r.Reversible {
			pi = r.Stationary
		}
		values, err := markov.Eigenvalues(chain, pi)
		if err != nil {
			return err
		}
		slem := markov.SLEM(values)
		gap := 1 - slem
		r.SLEM, r.SpectralGap = &slem, &gap
	}
	if r.Why["mixing_time"] == "" {
		t, err := markov.MixingTime(chain, r.Stationary, c.Epsilon)
		if err != nil {
			return err
		}
		r.MixingTime = &t
	}
	if r.Irreducible {
		k, err := markov.Kemeny(chain)
		if err != nil {
			return err
		}
		r.Kemeny = &k
	}
	return nil
}

// largeWork bounds the multiplications spent unasked on the second eigenvalue of a large chain: half a minute.
const largeWork = 5e9

// speedOfLarge finds the second eigenvalue by iteration, and from it bounds of the mixing time of a reversible chain.
func (r *chainResult) speedOfLarge(c *chainCmd, chain markov.Chain) error {
	refuse := func(why string) {
		r.Why["slem"], r.Why["spectral_gap"] = why, why
	}
	least := slices.Min(r.Stationary)
	switch {
	case !r.Irreducible:
		refuse(fmt.Sprintf("not computed: %d states, some of them transient; --spectrum computes it", r.States))
		return nil
	case least < 1e-100:
		refuse(fmt.Sprintf("not computed: %d states, and some have stationary probabilities below 1e-100; --spectrum computes it", r.States))
		return nil
	}
	products := largeWork / float64(r.Transitions+100*r.States)
	second, err := markov.SecondEigenvalue(chain, r.Stationary, int(min(max(products, 100), 5000)))
	if err != nil {
		refuse(strings.TrimPrefix(err.Error(), "markov: "))
		return nil
	}
	slem, gap := second.Modulus(), 1-second.Modulus()
	r.SLEM, r.SpectralGap, r.SLEMError = &slem, &gap, &second.Error
	if !*r.Reversible || !(gap > second.Error) {
		return nil
	}
	low, _, err := markov.MixingBounds(min(gap+second.Error, 1), least, c.Epsilon)
	if err != nil {
		return err
	}
	_, high, err := markov.MixingBounds(gap-second.Error, least, c.Epsilon)
	if err != nil {
		return err
	}
	r.MixingBounds = []float64{low, high}
	r.Why["mixing_time"] = fmt.Sprintf("not computed: %d states; between %.0f and %.0f by the spectral gap", r.States, low, high)
	return nil
}
