package markov

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// spectrumStates is the largest chain whose eigenvalues are all computed unasked, in seconds.
const spectrumStates = 1000

// speed finds how fast the stationary distribution is reached: from the whole spectrum, or for a large chain by iteration.
func (a *Analysis) speed() error {
	one, none := 1.0, 0.0
	switch {
	case a.Stationary == nil:
		a.Why["mixing_time"] = "where the chain ends depends on where it starts"
		a.SLEM, a.SpectralGap = &one, &none
	case *a.Period > 1:
		a.Why["mixing_time"] = fmt.Sprintf("infinite: the chain has period %d", *a.Period)
		a.SLEM, a.SpectralGap = &one, &none
	}
	if !a.Irreducible {
		a.Why["kemeny"] = "the chain is reducible"
	}
	if a.States > spectrumStates && !a.set.Spectrum {
		return a.speedOfLarge()
	}
	err := a.spectrum()
	var size *SizeError
	if errors.As(err, &size) {
		size.Advice = "without AnalysisSettings.Spectrum the second eigenvalue is found by iteration"
	}
	return err
}

// spectrum computes what takes n³ operations.
func (a *Analysis) spectrum() error {
	if a.SLEM == nil {
		var pi []float64
		if a.Irreducible && *a.Reversible {
			pi = a.Stationary
		}
		values, err := Eigenvalues(a.chain, pi)
		if err != nil {
			return err
		}
		slem := SLEM(values)
		gap := 1 - slem
		a.SLEM, a.SpectralGap = &slem, &gap
	}
	if a.Why["mixing_time"] == "" {
		t, err := MixingTime(a.chain, a.Stationary, a.set.Epsilon)
		if err != nil {
			return err
		}
		a.MixingTime = &t
	}
	if a.Irreducible {
		k, err := Kemeny(a.chain)
		if err != nil {
			return err
		}
		a.Kemeny = &k
	}
	return nil
}

// speedOfLarge finds what iteration finds, and says of the rest why it is missing.
func (a *Analysis) speedOfLarge() error {
	if a.SLEM == nil {
		if err := a.gap(); err != nil {
			return err
		}
	}
	missing := []string{"mixing_time", "kemeny"}
	if a.SLEM == nil {
		missing = append(missing, "slem", "spectral_gap")
	}
	for _, key := range missing {
		if a.Why[key] == "" {
			a.Why[key] = fmt.Sprintf("not computed: %d states; AnalysisSettings.Spectrum computes it", a.States)
		}
	}
	return nil
}

// largeWork bounds the multiplications spent unasked on the second eigenvalue of a large chain: half a minute.
const largeWork = 5e9

// gap finds the second eigenvalue by iteration, and from it bounds of the mixing time of a reversible chain.
func (a *Analysis) gap() error {
	refuse := func(why string) error {
		a.Why["slem"], a.Why["spectral_gap"] = why, why
		return nil
	}
	least := slices.Min(a.Stationary)
	switch {
	case !a.Irreducible:
		return refuse(fmt.Sprintf("not computed: %d states, some of them transient; AnalysisSettings.Spectrum computes it", a.States))
	case least < 1e-100:
		return refuse(fmt.Sprintf("not computed: %d states, and some have stationary probabilities below 1e-100; AnalysisSettings.Spectrum computes it", a.States))
	}
	products := largeWork / float64(a.Transitions+100*a.States)
	second, err := SecondEigenvalue(a.chain, a.Stationary, int(min(max(products, 100), 5000)))
	if err != nil {
		return refuse(strings.TrimPrefix(err.Error(), "markov: "))
	}
	slem, gap := second.Modulus(), 1-second.Modulus()
	a.SLEM, a.SpectralGap, a.SLEMError = &slem, &gap, &second.Error
	if !*a.Reversible || !(gap > second.Error) {
		return nil
	}
	low, _, err := MixingBounds(min(gap+second.Error, 1), least, a.set.Epsilon)
	if err != nil {
		return err
	}
	_, high, err := MixingBounds(gap-second.Error, least, a.set.Epsilon)
	if err != nil {
		return err
	}
	a.MixingBounds = []float64{low, high}
	a.Why["mixing_time"] = fmt.Sprintf("not computed: %d states; between %.0f and %.0f by the spectral gap", a.States, low, high)
	return nil
}
