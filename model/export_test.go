package model

// HalfLog2Pi is that of normal densities.
const HalfLog2Pi = -halfLog2Pi

var passNames = [...]string{noDensity: "none", formulaDensity: "formula", normalDensity: "normal", bernoulliLogit: "Bernoulli logit", bernoulliProbit: "Bernoulli probit",
	binomialLogit: "binomial logit", poissonLog: "Poisson log", negBinLog: "negative binomial", orderedLogit: "ordered logit", orderedProbit: "ordered probit"}

// GroupRows are how many rows a block's groups of densities have left.
func (k *Block) GroupRows() (rows []int) {
	for _, p := range k.stoch {
		if p.group != nil {
			rows = append(rows, p.group.n)
		}
	}
	return rows
}

// Wholes is how many of a block's groups of densities are done at once.
func (k *Block) Wholes() (n int) {
	for _, p := range k.stoch {
		if p.group != nil && len(p.group.passes) == 1 && p.group.passes[0].code == wholePass {
			n++
		}
	}
	return n
}

// Passes names how the densities of a block's groups are found.
func (k *Block) Passes() (names []string) {
	for _, p := range k.stoch {
		if p.group != nil {
			names = append(names, passNames[p.group.den.kind])
		}
	}
	return names
}
