package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Warning says what is wrong and what to do about it.
type Warning struct {
	Code      string `json:"code"`
	Parameter string `json:"parameter,omitempty"`
	Value     Number `json:"value"`
	Message   string `json:"message"`
}

// Thresholds of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021),
// "Rank-normalization, folding, and localization: an improved R-hat".
const (
	RhatMax     = 1.01
	ESSPerChain = 100 // effective draws, bulk and tail, per chain at least
)

// KhatMax is the Pareto shape above which a mean cannot be estimated in practice (Vehtari, Simpson, Gelman, Yao and
// Gabry 2024, "Pareto smoothed importance sampling").
const KhatMax = 0.7

// SDError is the Monte Carlo standard error of an sd, as a share of it, above which the sd is that of a few draws far out: of a normal distribution it
// is 0.035 with 400 effective draws.
const SDError = 0.2

// Codes of warnings.
const (
	CodeRhat        = "rhat"
	CodeESSBulk     = "ess_bulk"
	CodeESSTail     = "ess_tail"
	CodeDivergences = "divergences"
	CodeStuck       = "stuck_chain"
	CodeNaN         = "nan"
	CodeInfinite    = "infinite"
	CodeShort       = "too_few_draws"
	CodeKhat        = "khat"
	CodeFewFar      = "sd_error"
	CodeEnergy      = "energy"
	CodeDepth       = "tree_depth"

	// Of what the draws alone do not tell.
	CodeUnmoved   = "unmoved"
	CodeOverflow  = "overflow"
	CodeEdge      = "edge"
	CodeMissed    = "missed_mode"
	CodeLabels    = "labels"
	CodeRidge     = "ridge"
	CodeUnbound   = "unbounded"
	CodeCutOff    = "cut_off"
	CodeTied      = "tied_counts"
	CodeSwitching = "label_switching"
	CodeWAIC      = "waic"
	CodeLOO       = "loo"
	CodeCriterion = "criterion"
)

// minDraws is the length of a chain below which R-hat and the effective
// sample size do not exist: two halves of two draws.
const minDraws = 4

// perCode is how many warnings of a kind name their parameter; the worst
// come first.
const perCode = 100

// advice says what to do about warnings of a kind.
func advice(code string) string {
	switch code {
	case CodeRhat:
		return "The chains have not mixed: run longer (Settings.Warmup, Settings.Draws), start from other Job.Inits, or give these nodes another plan.Override; if it stays, the model may not identify them."
	case CodeESSBulk:
		return "Means and medians are uncertain: run longer (Settings.Draws, or Settings.Resume with more), or give these nodes another plan.Override."
	case CodeESSTail:
		return "Quantiles in the tails are uncertain: run longer (Settings.Draws, or Settings.Resume with more), or give these nodes another plan.Override."
	case CodeKhat:
		return "The tails are so heavy that the sd, and from 1 on the mean, may not exist, and their estimates and errors mislead: report the median and quantiles, or use priors with lighter tails."
	case CodeFewFar:
		return "A few draws far out make the sd, and there may be more beyond them: report the median and quantiles, run longer (Settings.Draws), or use priors with lighter tails."
	case CodeUnmoved:
		return "A continuous node that never moves is stuck, or its posterior is narrower than numbers can tell apart: check its data and prior, and start it elsewhere with Job.Inits."
	case CodeOverflow:
		return "The posterior reaches where numbers overflow, and is probably improper, as under a prior that allows a standard deviation of 0 with data that do not vary: none of the results mean anything. Check the data, or take a prior that keeps away from there."
	case CodeEdge:
		return "Numbers end at 2e-308, and beside 1 at 1e-16; what the posterior has beyond is missing from these draws, so that means lean away from there. Larger parameters of the prior (ddirch, dbeta, dgamma) keep away from the edge; a kernel named conjugate- is not affected."
	case CodeMissed:
		return "What the table says is of the other part alone, however well its chains agree: run plan.Tempered, which moves between parts, or start some chains there with Job.Inits."
	case CodeLabels:
		return "The model does not tell which element is which, and the chains kept to one order: what the table says of single elements is of that order. Use results that do not depend on it, summarise draws in one order (labels.Relabel), fix it in the model (a prior with T(,) that orders them), or run plan.Tempered, which visits all orders."
	case CodeRidge:
		return "What the table says of each is what the priors say, and means of them are uncertain: use the combination, drop one of the nodes, or give one a prior that says what is plausible."
	case CodeUnbound:
		return "The prior alone bounds it there, as where a covariate tells successes from failures without an error (separation); under a flat prior it has no posterior. Take a prior that says what is plausible, such as dnorm(0, 0.16) for a logit's coefficient of a scaled covariate, join categories, or leave the covariate out."
	case CodeWAIC:
		return "Prefer PSIS-LOO, which tells when it fails."
	case CodeLOO:
		return "Leave these observations out one by one and sample again, or make the model less sensitive to them."
	case CodeCriterion:
		return "Prefer PSIS-LOO, from the log likelihood that Job.LogLik keeps."
	case CodeCutOff:
		return "The bound decides what the table says, and data speak for values beyond it: if it is no law of nature, move it, or take a prior without a bound."
	case CodeTied:
		return "What they add up to, and nodes that depend on it, take many iterations to move: run longer, say in priors of rates and probabilities what is plausible, or write the model with fewer latent counts (a Poisson sum of counts in place of each; counts that are nothing but the number of trials of binomial data are summed out)."
	case CodeSwitching:
		return "Summarise draws in one order (labels.Relabel): what differs between chains after that has not mixed, and what does not differed in its labels alone. Use results that do not depend on the order, or fix it in the model (a prior with T(,) that orders components)."
	case CodeDivergences:
		return "The sampler met curvature it cannot follow, and the draws may miss a region: run longer warm-up, write the model with non-centred parameters, or use tighter priors."
	case CodeEnergy:
		return "Momenta change the energy too little for how much it varies, as in the tails of a heavy-tailed posterior and in funnels, which chains then follow slowly: write the model with non-centred parameters, use priors with lighter tails, or run longer (Settings.Warmup, Settings.Draws)."
	case CodeDepth:
		return "Trajectories are cut off before they turn, so that chains move slowly for what they cost: scale covariates alike, use tighter priors for what data hardly tell, or give these nodes another plan.Override."
	case CodeStuck:
		return "Chance does not explain it: the chain is stuck, so look at its trace and start it elsewhere with Job.Inits, or give the node another plan.Override."
	case CodeNaN:
		return "Some expression has no value there, such as the log of a negative number: restrict its parents or rewrite it."
	case CodeInfinite:
		return "Some expression overflows or divides by zero there: restrict its parents or rewrite it."
	case CodeShort:
		return "Ask for more Settings.Draws."
	}
	return ""
}

// finding is a warning before its words.
type finding struct {
	code      string
	parameter string
	value     float64
	fact      string
}

func (f finding) warning() Warning {
	return Warning{f.code, f.parameter, Number(f.value), f.fact + ". " + advice(f.code)}
}

// warnings looks at every row. Elements that never change in any chain are
// constants and not warned of, nor are chains that keep one value where chance explains it.
func warnings(rows Parameters, seen []oddity, chains, drawn int) []Warning {
	if len(rows) == 0 || chains == 0 {
		return nil
	}
	if drawn < minDraws {
		return wordy([]finding{{CodeShort, "", float64(drawn),
			fmt.Sprintf("%s too few to diagnose; R-hat needs at least %d", wording.Count(drawn, "draw a chain is", "draws a chain are"), minDraws)}})
	}
	var found []finding
	enough := float64(ESSPerChain * chains)
	for i, r := range rows {
		o := seen[i]
		add := func(code string, value float64, format string, args ...any) {
			found = append(found, finding{code, r.Name, value, fmt.Sprintf(format, args...)})
		}
		switch {
		case o.nan > 0:
			add(CodeNaN, float64(o.nan), "%d of %d draws of %s %s", o.nan, chains*drawn, r.Name, wording.Word(o.nan, "is not a number", "are not numbers"))
			continue
		case o.inf > 0:
			add(CodeInfinite, float64(o.inf), "%d of %d draws of %s %s infinite", o.inf, chains*drawn, r.Name, wording.Word(o.inf, "is", "are"))
		case o.constant:
			continue
		case o.chance*float64(len(rows)) >= stillLevel: // 0 where no chain is still
		case len(o.still) == chains:
			add(CodeStuck, float64(chains), "%s never moved, and chains disagree on its value", r.Name)
		case len(o.still) > 0:
			add(CodeStuck, float64(len(o.still)), "%s kept one value in %s while it moved elsewhere", r.Name, chainList(o.still))
		}
		if x := float64(r.Rhat); x > RhatMax {
			add(CodeRhat, x, "R-hat of %s is %s, above %v", r.Name, rhatText(x), RhatMax)
		}
		if x := float64(r.ESSBulk); x < enough {
			add(CodeESSBulk, x, "bulk ESS of %s is %.0f, below %.0f (%d a chain)", r.Name, x, enough, ESSPerChain)
		}
		if x := float64(r.ESSTail); x < enough {
			add(CodeESSTail, x, "tail ESS of %s is %.0f, below %.0f (%d a chain)", r.Name, x, enough, ESSPerChain)
		}
		// Of draws that follow one another the largest are few visits to a tail, which may look heavy in any distribution.
		if float64(r.ESSBulk) < enough || float64(r.ESSTail) < enough {
			continue
		}
		if x := float64(r.Khat); x > KhatMax {
			add(CodeKhat, x, "Pareto k-hat of the tails of %s is %.2f, above %v", r.Name, x, KhatMax)
		} else if x := float64(r.MCSESD / r.SD); x > SDError && !math.IsInf(x, 0) && !o.whole {
			add(CodeFewFar, x, "the sd of %s, %s, is uncertain by %.0f %%, though its effective draws are many", r.Name, digits(float64(r.SD), 3), 100*x)
		}
	}
	return wordy(found)
}

func chainList(chains []int) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(chains), " ", ", "), "[]")
	if len(chains) == 1 {
		return "chain " + text
	}
	return "chains " + text
}

// rhatText shows enough digits that a value above the threshold looks so.
func rhatText(x float64) string {
	if math.IsInf(x, 0) {
		return "infinite"
	}
	if x < 1.1 {
		return fmt.Sprintf("%.4f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// Sample statistics: divergingName is 1 where a transition diverged.
const (
	divergingName = draws.Diverging
	energyName    = "energy"
	depthName     = draws.TreeDepth
)

// trajectories are the sample statistics of Hamiltonian Monte Carlo, where a run has them: chain, draw.
type trajectories struct{ diverging, energy, depth [][]float64 }

// read takes those that there are from a source.
func (t *trajectories) read(of func(name string) ([][]float64, error)) (err error) {
	for _, x := range []struct {
		name string
		to   *[][]float64
	}{{divergingName, &t.diverging}, {energyName, &t.energy}, {depthName, &t.depth}} {
		if *x.to, err = of(x.name); err != nil {
			return err
		}
	}
	return nil
}

const (
	// energyLeast is the E-BFMI of a chain below which its momenta are told to move the energy too slowly. Stan's diagnose takes 0.3, the recommendation of Betancourt
	// (2016); it is 2 for a chain whose energies are independent.
	energyLeast = 0.2

	depthMost  = 10  // of trees, by default
	depthShare = 0.1 // of transitions that may reach it
)

// warnings count divergent transitions and those that were cut off, and look at how energies change.
func (t *trajectories) warnings() []Warning {
	var found []finding
	if n, total := count(t.diverging, func(x float64) bool { return x != 0 }); n > 0 {
		found = append(found, finding{CodeDivergences, "", float64(n), fmt.Sprintf("%d of %d transitions after warm-up diverged", n, total)})
	}
	if n, total := count(t.depth, func(x float64) bool { return x >= depthMost }); float64(n) > depthShare*float64(total) {
		found = append(found, finding{CodeDepth, "", float64(n), fmt.Sprintf("%d of %d transitions after warm-up reached the tree depth %d", n, total, depthMost)})
	}
	least := math.Inf(1)
	var low []int
	for c, x := range diag.BFMI(t.energy) {
		if x < energyLeast && len(t.energy[c]) >= ESSPerChain {
			low = append(low, c+1)
			least = min(least, x)
		}
	}
	if len(low) > 0 {
		found = append(found, finding{CodeEnergy, "", least, fmt.Sprintf("the energy Bayesian fraction of missing information (E-BFMI) of %s is %s, below %v", chainList(low), digits(least, 2), energyLeast)})
	}
	return wordy(found)
}

// count is how many numbers are such ones, and how many there are.
func count(chains [][]float64, such func(x float64) bool) (n, total int) {
	for _, chain := range chains {
		total += len(chain)
		for _, x := range chain {
			if such(x) {
				n++
			}
		}
	}
	return n, total
}

// Under a prior proportional to x^(a−1) the share of the posterior's mode at 0 that is below 2⁻¹⁰²², and of one at 1 that is
// within 2⁻⁵³, is 3 % or less where fewer than one draw in 20 is beyond these: a is then above 0.005, or 0.1 at 1.
const (
	nearZero = 1e-150
	nearOne  = 1 - 1e-9
)

// AtEdge warns of a positive node, or one below 1, that lies where numbers are too coarse for a density.
func AtEdge(p Parameter, zero, one bool) (all []Warning) {
	if q := float64(p.Q5); zero && q < nearZero && float64(p.SD) > 0 {
		all = append(all, finding{CodeEdge, p.Name, q, fmt.Sprintf("one draw in 20 of %s is below %s", p.Name, digits(q, 3))}.warning())
	}
	if q := float64(p.Q95); one && q > nearOne && float64(p.SD) > 0 {
		all = append(all, finding{CodeEdge, p.Name, q, fmt.Sprintf("one draw in 20 of %s is within %s of 1", p.Name, digits(1-q, 3))}.warning())
	}
	return all
}

// Unmoved warns of a continuous node that had the same value in every draw.
func Unmoved(p Parameter) Warning {
	return finding{CodeUnmoved, p.Name, float64(p.Mean), fmt.Sprintf("%s kept the value %s in every draw of all chains", p.Name, digits(float64(p.Mean), 6))}.warning()
}

// Far is what is known of draws where the density of a node is about to overflow.
type Far struct {
	Node, Relation string // with values at the first of them
	Draws, Looked  int    // how many, of how many that were looked at
	Chains         []int  // from 1, that had them
}

// Overflowing warns of them.
func Overflowing(f Far) Warning {
	return finding{CodeOverflow, f.Node, float64(f.Draws), fmt.Sprintf("%d of %d draws looked at in %s %s at the limit of the numbers there are, the first at %s",
		f.Draws, f.Looked, chainList(f.Chains), wording.Word(f.Draws, "is", "are"), f.Relation)}.warning()
}

// Part is a part of the posterior where no chain has been, though a probe that started from the prior stayed there.
type Part struct {
	Labels bool    // it is where the chains are, but for the order of elements
	Mass   float64 // about what share of the posterior it holds
	Where  []Excursion
}

// Excursion is an element whose values there lie outside those of the chains.
type Excursion struct {
	Name               string
	Value, Least, Most float64 // there, and in the chains
}

// excursionsShown is how many elements a message tells of.
const excursionsShown = 3

// Missing warns of a part.
func Missing(p Part) Warning {
	var where []string
	for _, e := range p.Where[:min(len(p.Where), excursionsShown)] {
		chains := fmt.Sprintf("%s to %s", digits(e.Least, 3), digits(e.Most, 3))
		if e.Least == e.Most {
			chains = digits(e.Least, 3)
		}
		where = append(where, fmt.Sprintf("%s is %s (chains: %s)", e.Name, digits(e.Value, 3), chains))
	}
	text := strings.Join(where, ", ")
	if n := len(p.Where) - excursionsShown; n > 0 {
		text += fmt.Sprintf(" and %s more", wording.Count(n, "element differs", "elements differ"))
	}
	if p.Labels {
		return finding{CodeLabels, p.Where[0].Name, p.Mass, "another order of elements is as probable, and no chain has been there: " + text}.warning()
	}
	return finding{CodeMissed, p.Where[0].Name, p.Mass, fmt.Sprintf("no chain has been where %s, and that part may hold %s of the posterior", text, shareText(p.Mass))}.warning()
}

// shareText is a share as one tells it.
func shareText(share float64) string {
	if share > 0.99 {
		return "almost all"
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// Combination is some nodes of which a weighted sum is known much better than they are.
type Combination struct {
	Nodes   []string
	Weights []float64
	Narrow  float64   // standard deviation of the sum
	Wide    []float64 // and of each node
}

// Ridge warns of a combination.
func Ridge(c Combination) Warning {
	var sum strings.Builder
	for k, name := range c.Nodes {
		if k == excursionsShown {
			fmt.Fprintf(&sum, " + ... (%s more)", wording.Count(len(c.Nodes)-k, "node", "nodes"))
			break
		}
		w := c.Weights[k]
		switch {
		case k > 0 && w < 0:
			sum.WriteString(" - ")
		case k > 0:
			sum.WriteString(" + ")
		}
		if text := digits(math.Abs(w), 3); text != "1" && text != "1.00" {
			sum.WriteString(text + "*")
		}
		sum.WriteString(name)
	}
	return finding{CodeRidge, c.Nodes[0], c.Narrow / c.Wide[0], fmt.Sprintf("data tell %s (sd %s) and not the nodes by themselves (sd %s of %s)",
		sum.String(), digits(c.Narrow, 2), digits(c.Wide[0], 2), c.Nodes[0])}.warning()
}

// Unbounded warns of a node that the likelihood does not bound above, or below.
func Unbounded(p Parameter, above bool) Warning {
	way, side := "falls", "below"
	if above {
		way, side = "rises", "above"
	}
	return finding{CodeUnbound, p.Name, float64(p.Mean), fmt.Sprintf("data do not bound %s %s: their likelihood never sinks as it %s, however far (its draws have the mean %s and the sd %s)",
		p.Name, side, way, digits(float64(p.Mean), 3), digits(float64(p.SD), 2))}.warning()
}

// CutOff warns of a node that a bound of its prior cuts off.
func CutOff(p Parameter, bound float64) Warning {
	return finding{CodeCutOff, p.Name, bound, fmt.Sprintf("draws of %s pile up at the bound %s of its prior: their median is %s", p.Name, digits(bound, 6), digits(float64(p.Median), 4))}.warning()
}

// Tied warns of chains that have not mixed where discrete nodes of some arrays depend on one another and move one at a time.
func Tied(arrays []string, count int, worst Parameter) Warning {
	return finding{CodeTied, worst.Name, float64(worst.Rhat), fmt.Sprintf("%s of %s depend on one another and are moved one at a time", wording.Count(count, "discrete node", "discrete nodes"),
		wording.Few(arrays, excursionsShown))}.warning()
}

// Switching warns of chains that differ in an element of arrays that go by the components of a mixture.
func Switching(arrays []string, worst Parameter) Warning {
	return finding{CodeSwitching, worst.Name, float64(worst.Rhat), fmt.Sprintf("chains differ in %s, and the model may not tell the components of a mixture in %s apart but by their labels",
		worst.Name, wording.Few(arrays, excursionsShown))}.warning()
}

// order of the kinds, the gravest first.
var codes = [...]string{CodeNaN, CodeInfinite, CodeShort, CodeStuck, CodeRhat, CodeESSBulk, CodeESSTail, CodeKhat, CodeFewFar, CodeDivergences, CodeEnergy, CodeDepth}

// FromDraws reports whether a warning of this code comes from the draws, so
// that diagnosing them again replaces it.
func FromDraws(code string) bool { return slices.Contains(codes[:], code) }

// wordy sorts findings by kind and gravity, adds the advice, and keeps the
// number of each kind readable.
func wordy(found []finding) []Warning {
	var out []Warning
	for _, code := range codes {
		var kind []finding
		for _, f := range found {
			if f.code == code {
				kind = append(kind, f)
			}
		}
		low := code == CodeESSBulk || code == CodeESSTail
		slices.SortStableFunc(kind, func(a, b finding) int {
			if low {
				return cmp.Compare(a.value, b.value)
			}
			return cmp.Compare(b.value, a.value)
		})
		for i, f := range kind {
			if i == perCode {
				out = append(out, Warning{Code: code, Value: Number(len(kind) - perCode),
					Message: fmt.Sprintf("and %s more, less severe. %s", wording.Count(len(kind)-perCode, "parameter", "parameters"), advice(code))})
				break
			}
			out = append(out, f.warning())
		}
	}
	return out
}

// WriteWarnings writes warnings for a person: of each kind the gravest
// facts, how many parameters more, and what to do once. words, where not nil, puts the names of settings into the
// reader's words; messages may be in them already.
func WriteWarnings(w io.Writer, list []Warning, words func(text string) string) error {
	if words == nil {
		words = func(text string) string { return text }
	}
	const shown = 3
	for from := 0; from < len(list); {
		code := list[from].Code
		to := from
		for to < len(list) && list[to].Code == code {
			to++
		}
		count := to - from
		if last := list[to-1]; count == perCode+1 {
			count = perCode + int(last.Value)
		}
		todo := words(advice(code))
		var facts []string
		for _, x := range list[from:min(to, from+shown)] {
			facts = append(facts, strings.TrimSuffix(strings.TrimSuffix(words(x.Message), todo), ". "))
		}
		text := strings.Join(facts, "; ")
		if count > shown {
			text += fmt.Sprintf("; and %s more", wording.Count(count-shown, "parameter", "parameters"))
		}
		text = "warning: " + text + ".\n"
		if todo != "" { // warnings of other jobs say themselves what to do
			text += "  " + todo + "\n"
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		from = to
	}
	return nil
}
