package mrf

import (
	"math"
)

// batches are sums of numbers over batches of steps, all of one length; when there are as many as are kept, neighbours are merged.
// Fields are exported for gob.
type batches struct {
	Length int // steps of a batch
	Steps  int
	Sums   [][]float64 // the last may be unfinished
}

const mostBatches = 64

func newBatches() batches { return batches{Length: 1} }

// next is where the numbers of the next step are to be added.
func (b *batches) next(width int) []float64 {
	if b.Steps == mostBatches*b.Length {
		for k := range mostBatches / 2 {
			sum := b.Sums[2*k]
			for i, x := range b.Sums[2*k+1] {
				sum[i] += x
			}
			b.Sums[k] = sum
		}
		b.Sums = b.Sums[:mostBatches/2]
		b.Length *= 2
	}
	k := b.Steps / b.Length
	if b.Steps++; k == len(b.Sums) {
		b.Sums = append(b.Sums, make([]float64, width))
	}
	return b.Sums[k]
}

// means are those of one of the numbers in the finished batches but the first quarter.
func (b *batches) means(i int) []float64 {
	finished := b.Steps / b.Length
	var all []float64
	for _, sum := range b.Sums[finished/4 : finished] {
		all = append(all, sum[i]/float64(b.Length))
	}
	return all
}

// Estimate is what chains say of the probability of a value.
type Estimate struct {
	P    float64 // the mean of its conditional probabilities
	MCSE float64 // its standard error; NaN where there are too few steps to tell
	Rhat float64 // R-hat of the value's indicator over half chains; 1 where it does not vary
	ESS  float64 // effective sample size: of independent draws that give P as exactly
}

// estimate is from the means of the batches of each chain. What happens less often than once in all steps is likely not to be seen, so that the
// standard error is at least one over their number.
func estimate(chains [][]float64, length int) Estimate {
	var e Estimate
	e.MCSE, e.Rhat = math.NaN(), math.NaN()
	var means []float64
	within := 0.0
	for _, b := range chains {
		if len(b) < 8 {
			e.P += mean(b) / float64(len(chains))
			continue
		}
		means = append(means, mean(b[:len(b)/2]), mean(b[len(b)/2:]))
		e.P += mean(b) / float64(len(chains))
		// Long batches count dependence between steps that short ones miss, but their variance is known less well.
		within += max(variance(b)/float64(len(b)), variance(fourfold(b))/float64(len(b)/4))
	}
	if len(means) < 2*len(chains) {
		return e
	}
	n := float64(len(chains))
	batches := 0
	for _, b := range chains {
		batches += len(b)
	}
	unseen := 1 / (float64(batches) * float64(length))
	se2 := max(within/(n*n), variance(means)/float64(len(means)), float64(unseen*unseen))
	e.MCSE = math.Sqrt(se2)
	spread := 0.0
	for _, m := range means {
		spread += m * (1 - m) / float64(len(means))
	}
	e.Rhat, e.ESS = 1, math.Inf(1)
	if between := variance(means); between > 0 {
		e.Rhat = math.Sqrt(1 + between/max(spread, 1e-300))
	}
	if se2 > 0 {
		e.ESS = e.P * (1 - e.P) / se2
	}
	return e
}

// fourfold joins four batches at a time.
func fourfold(b []float64) []float64 {
	var all []float64
	for k := len(b) % 4; k < len(b); k += 4 {
		all = append(all, mean(b[k:k+4]))
	}
	return all
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, y := range x {
		sum += y
	}
	return sum / float64(len(x))
}

// variance is that of a sample, 0 of one number.
func variance(x []float64) float64 {
	m, sum := mean(x), 0.0
	for _, y := range x {
		sum += float64((y - m) * (y - m))
	}
	return sum / float64(max(len(x)-1, 1))
}
