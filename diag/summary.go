package diag

import "math"

// Row is what a table of parameters says of one scalar. A number that does
// not exist is NaN.
type Row struct {
	Mean, SD, MCSEMean, MCSESD float64
	Q5, Median, Q95            float64
	ESSBulk, ESSTail, Rhat     float64
	ParetoK                    float64 // of both tails; see [ParetoK]
}

// Summary is all that is said of one scalar.
type Summary struct {
	Row
	MCSEQ5, MCSEMedian, MCSEQ95 float64
	MAD                         float64
	ESSMean, ESSSD, ESSMedian   float64
	RhatBulk, RhatFolded        float64
}

// Tabulate summarises one scalar: the same numbers as the single functions, for
// the cost of one sort and autocovariances as far as they are needed. It
// keeps nothing of chains; work may be nil, and when it is reused nothing is
// allocated.
func Tabulate(chains [][]float64, work *Work) Row {
	if work == nil {
		work = new(Work)
	}
	s, _, _ := tabulate(chains, work)
	work.x = nil
	return s.Row
}

// Summarize is [Tabulate] and more.
func Summarize(chains [][]float64, work *Work) Summary {
	if work == nil {
		work = new(Work)
	}
	w := work
	s, ess5, ess95 := tabulate(chains, w)
	defer func() { w.x = nil }()
	if w.hasNaN || len(w.x) == 0 {
		return s
	}
	s.MAD = w.mad(s.Median)
	if !w.valued() {
		return s
	}
	s.ESSMedian = w.essBelow(s.Median)
	s.MCSEQ5 = w.mcseQuantile(0.05, ess5)
	s.MCSEMedian = w.mcseQuantile(0.5, s.ESSMedian)
	s.MCSEQ95 = w.mcseQuantile(0.95, ess95)
	return s
}

// tabulate fills the Row and what comes with it.
func tabulate(chains [][]float64, w *Work) (s Summary, ess5, ess95 float64) {
	w.load(chains)
	s, ess5, ess95 = blank(), math.NaN(), math.NaN()
	s.Mean = w.mean
	if w.hasNaN || len(w.x) == 0 {
		return s, ess5, ess95
	}
	s.RhatBulk, s.ESSBulk = w.bulk()
	s.Q5, s.Median, s.Q95 = quantile(w.sorted, 0.05), quantile(w.sorted, 0.5), quantile(w.sorted, 0.95)
	s.RhatFolded = w.folded(s.Median)
	s.Rhat = greater(s.RhatBulk, s.RhatFolded)
	s.ESSSD = w.essSD()
	s.SD = w.sd()
	if !w.valued() {
		s.ESSSD = math.NaN()
		return s, ess5, ess95
	}
	s.ESSMean = w.essMean()
	s.MCSEMean = s.SD / math.Sqrt(s.ESSMean)
	s.MCSESD = w.mcseSD(s.ESSSD)
	ess5, ess95 = w.essBelow(s.Q5), w.essBelow(s.Q95)
	s.ESSTail = min(ess5, ess95)
	s.ParetoK = w.paretoK(s.ESSTail, BothTails)
	return s, ess5, ess95
}

func blank() Summary {
	nan := math.NaN()
	return Summary{
		Row:    Row{nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan},
		MCSEQ5: nan, MCSEMedian: nan, MCSEQ95: nan,
		MAD:     nan,
		ESSMean: nan, ESSSD: nan, ESSMedian: nan,
		RhatBulk: nan, RhatFolded: nan,
	}
}
