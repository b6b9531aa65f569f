package diag

import "math"

// Summary is what a table says of one scalar. A number that does not exist is NaN.
type Summary struct {
	Mean, SD, MCSEMean, MCSESD                  float64
	Q5, Median, Q95                             float64
	MCSEQ5, MCSEMedian, MCSEQ95                 float64
	MAD                                         float64
	ESSBulk, ESSTail, ESSMean, ESSSD, ESSMedian float64
	Rhat, RhatBulk, RhatFolded                  float64
}

// Summarize judges one scalar: the same numbers as the single functions, for
// little more than the cost of one sort. It keeps nothing of chains; work may
// be nil, and when it is reused nothing is allocated.
func Summarize(chains [][]float64, work *Work) Summary {
	if work == nil {
		work = new(Work)
	}
	w := work
	w.load(chains)
	s := blank()
	s.Mean = w.mean
	if w.hasNaN || len(w.x) == 0 {
		return s
	}
	m, h := 2*w.chains, w.half()
	s.SD = math.Sqrt(variance(w.x, w.mean))

	w.sort()
	w.sortHalves()
	s.Q5, s.Median, s.Q95 = quantile(w.sorted, 0.05), quantile(w.sorted, 0.5), quantile(w.sorted, 0.95)
	s.MAD = w.mad(s.Median)

	w.seq = w.scores(w.seq, w.halfSorted, w.halfOrder)
	s.RhatBulk = w.rhat(w.seq, m, h)
	s.ESSBulk = w.ess(w.seq, m, h)
	s.RhatFolded = w.rhatFolded(s.Median)
	s.Rhat = greater(s.RhatBulk, s.RhatFolded)
	if !w.valued() {
		return s
	}

	s.ESSMean = w.essMean()
	s.MCSEMean = s.SD / math.Sqrt(s.ESSMean)
	s.ESSSD = w.essSD()
	s.MCSESD = w.mcseSD(s.ESSSD)
	ess5, ess95 := w.essBelow(s.Q5), w.essBelow(s.Q95)
	s.ESSMedian = w.essBelow(s.Median)
	s.ESSTail = min(ess5, ess95)
	s.MCSEQ5 = w.mcseQuantile(0.05, ess5)
	s.MCSEMedian = w.mcseQuantile(0.5, s.ESSMedian)
	s.MCSEQ95 = w.mcseQuantile(0.95, ess95)
	return s
}

func blank() Summary {
	nan := math.NaN()
	return Summary{
		nan, nan, nan, nan,
		nan, nan, nan,
		nan, nan, nan,
		nan,
		nan, nan, nan, nan, nan,
		nan, nan, nan,
	}
}
