package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/model"
)

// trajectories gives nuts the nodes for which it pays: those that kernels without algebra of their own would move one after the other (adaptive, slice,
// elliptical-slice), and those of blocks whose Gaussian only approximates ([planner.yields]), where two or more of them depend on one another. With them go the nodes that
// their priors depend on, whatever kernel these have: an effect that moves while its scale stands still mixes as badly as one that moves alone; and the others of their relations.
// Nodes that do not depend on one another given the rest, even through others, go to separate kernels.
//
// So do coefficients in the means of observed vectors, which no block takes ([choice.ofVectors]).
//
// Missing and censored values take the exact block with them that their mean depends on ([choice.latent]): beside it they would be closed to nuts.
//
// Vectors of effects and exact blocks beside such nodes go with them ([choice.takeVectors]), and exact blocks with the nodes that they are multiplied by ([choice.products]).
//
// Left as they are:
//   - nodes that an override names;
//   - a node by itself, for which an independence proposal costs two evaluations;
//   - nodes that lead to a step, which trajectories do not see coming ([model.Model.Steps]), and blocks that have one;
//   - groups that share a density with another sampled node ([choice.closed]): more than a few discrete ones, a member of a block that stays, one whose conjugate children are
//     integrated out, or one that is left for the reasons above;
//   - groups with a random walk of less than leastWalk nodes, or with truncated normal nodes, of sampled precision ([planner.stuck]), and of more than mostMembers nodes, unless they
//     have an approximating block so large ([choice.large]). Longer walks, maps and autoregressions go where nuts has coordinates for them ([field]), and shorter walks with them.
//
// Vectors for which nothing but proposals from their priors would be left, such as dmt, go to it in any case, unless they lead to a step.
func trajectories(p *planner, _ []int32) {
	c := newChoice(p)
	for _, rows := range c.groups() {
		if c.stuck(c.together(rows)) && newNUTSBlock(p.Model, rows, nil).x.field == nil {
			continue
		}
		p.giveNUTS(rows, "they depend on one another, and no exact kernel moves all of them")
	}
	for _, rows := range c.left() {
		p.giveNUTS(rows, "no other kernel moves them but by proposals from their priors")
	}
}

// choice looks for nodes that go together.
type choice struct {
	*planner
	kernel  map[int32]string // of each row, joint moves aside
	general map[int32]bool   // rows of general kernels that nuts is to have
	exact   map[int32]bool   // and rows of exact ones that go with them
}

// withoutAlgebra are kernels that know nothing of a node but its density.
var withoutAlgebra = []string{"adaptive", "slice", "elliptical-slice", priorName}

// exactAlone are kernels of single nodes that go with others that depend on them.
var exactAlone = []string{"conjugate-normal", "conjugate-gamma", "conjugate-beta", "conjugate-dirichlet", "conjugate-mnormal", "conjugate-wishart"}

func newChoice(p *planner) *choice {
	c := &choice{planner: p, kernel: map[int32]string{}, general: map[int32]bool{}, exact: map[int32]bool{}}
	var found [][]int32
	n := 0
	for _, it := range p.Items {
		if slices.Contains(withoutAlgebra, it.Kernel) || approximates(it.Kernel) && (p.yields(it.Rows) || p.longWalk(it.Rows)) {
			found, n = append(found, it.Rows), n+len(it.Rows)
		}
		for _, r := range it.Rows {
			c.kernel[r] = it.Kernel
		}
	}
	for _, r := range c.ofVectors() {
		found, n = append(found, []int32{r}), n+1
	}
	linked := c.products(found)
	if n < 2 && linked == nil {
		return c
	}
	steps := p.Model.Steps()
	for _, rows := range found {
		if slices.ContainsFunc(rows, func(r int32) bool { return !c.takes(r, steps) }) {
			continue
		}
		for _, r := range rows {
			c.general[r] = true
		}
	}
	for _, k := range linked {
		c.takeProduct(k, steps)
	}
	relations := map[*model.Template]bool{}
	for _, r := range p.rows {
		if c.general[r] {
			c.takeAbove(r, steps)
			t, _ := p.Model.TemplateOf(r)
			relations[t] = true
		}
	}
	c.takeVectors(steps)
	c.takeBeside(steps)
	for _, r := range p.rows {
		if t, _ := p.Model.TemplateOf(r); relations[t] && slices.Contains(exactAlone, c.kernel[r]) && c.takes(r, steps) {
			c.exact[r] = true
		}
	}
	return c
}

// ofVectors are the nodes of conjugate-normal that share the means of observed vectors: coefficients of several outcomes, of vector autoregressions. No block takes them together, and
// one by one they mix as badly as covariates are correlated; two or three that are not have more effective draws for their time as they are.
func (c *choice) ofVectors() (rows []int32) {
	m := c.Model
	vector := func(d int32) bool {
		t, i := m.TemplateOf(d)
		return t.Stoch.Scalar == nil && strings.HasPrefix(t.Stoch.Name, "dmnorm") && m.Kinds[t.Cells(i)[0]] == model.Observed
	}
	var single []int32
	for _, it := range c.Items {
		if it.Kernel == "conjugate-normal" && anyDensity(m, it.Rows, vector) {
			single = append(single, it.Rows...)
		}
	}
	groups, _ := connectedBy(m, single, vector)
	for _, g := range groups {
		if len(g) >= leastWith || len(g) > 1 && c.collinear(g, vector) {
			rows = append(rows, g...)
		}
	}
	return rows
}

// mostCosine is that of the derivatives of means by two nodes up to which these count as not correlated.
const mostCosine = 0.9

// collinear tells whether the means of vectors have nearly proportional derivatives by two of some nodes.
func (c *choice) collinear(rows []int32, vector func(d int32) bool) bool {
	m := c.Model
	b, ok := m.BlanketWithin(cellsOf(m, rows), maxBlockRows)
	if !ok {
		return true
	}
	jac := m.NewJacobian(&b, m.Forms(&b))
	jac.Eval(c.probe())
	products := make([]float64, len(rows)*len(rows))
	for k := range rowsOf(m, b.Stoch) {
		if !vector(k.t.First + int32(k.i)) {
			continue
		}
		for _, mean := range k.in[:len(k.out)] {
			idx, val := jac.Row(mean)
			for x, i := range idx {
				for y, j := range idx {
					products[int(i)*len(rows)+int(j)] += float64(val[x] * val[y])
				}
			}
		}
	}
	for i := range rows {
		for j := range i {
			both := products[i*len(rows)+j]
			if float64(both*both) > float64(float64(mostCosine*mostCosine)*float64(products[i*len(rows)+i]*products[j*len(rows)+j])) {
				return true
			}
		}
	}
	return false
}

// takeVectors takes multivariate normal nodes of relations of several, such as intercepts and slopes of groups, where densities depend on them and on two or more of the nodes that go; and then
// exact blocks on which densities depend with these. Vectors that are drawn one after the other hold their mean and what else enters their predictors. Where all else is exact
// they stay: their steps cost little (radon_wishart_random_slopes: 2.6 times the effective draws a second that nuts has; schools 0.05 times).
func (c *choice) takeVectors(steps []bool) {
	vectors, several := map[*model.Template][]int32{}, false
	for _, it := range c.Items {
		if t, _ := c.Model.TemplateOf(it.Rows[0]); it.Kernel == "conjugate-mnormal" {
			vectors[t] = append(vectors[t], it.Rows[0])
			several = several || len(vectors[t]) > 1
		}
	}
	if !several {
		return
	}
	reached := c.reached()
	taken := false
	for _, it := range c.Items {
		if t, _ := c.Model.TemplateOf(it.Rows[0]); it.Kernel == "conjugate-mnormal" && len(vectors[t]) > 1 && c.shares(vectors[t], reached) {
			taken = c.takeExact(it.Rows, steps) || taken
		}
	}
	for _, it := range c.Items {
		if taken && it.Kernel == blockNormal && c.shares(it.Rows, reached) {
			c.takeExact(it.Rows, steps)
		}
	}
}

// reached counts the general nodes that each density depends on, elements of vectors one by one: an intercept and a slope hold a precision beside them as two nodes do.
func (c *choice) reached() map[int32]int {
	n := map[int32]int{}
	for _, r := range c.rows {
		if !c.general[r] {
			continue
		}
		t, i := c.Model.TemplateOf(r)
		for d := range densitiesOf(c.Model, r) {
			n[d] += len(t.Cells(i))
		}
	}
	return n
}

// takeBeside takes nodes of exact kernels in on which densities depend with two or more general nodes, such as the precision of a curve. One general node is enough for a conjugate-gamma, such as the
// precision of measurements of one latent value each: beside the others it would keep all of them from nuts ([choice.closed]).
func (c *choice) takeBeside(steps []bool) {
	reached := c.reached()
	for _, r := range c.rows {
		least := 2
		if c.kernel[r] == "conjugate-gamma" {
			least = 1
		}
		if slices.Contains(exactAlone, c.kernel[r]) && c.takes(r, steps) && anyDensity(c.Model, []int32{r}, func(d int32) bool { return d != r && reached[d] >= least }) {
			c.exact[r] = true
			c.takeAbove(r, steps)
		}
	}
}

// shares tells whether a density of some nodes depends on two or more general ones.
func (c *choice) shares(rows []int32, general map[int32]int) bool {
	return anyDensity(c.Model, rows, func(d int32) bool { return general[d] > 1 })
}

// takeExact takes nodes of exact kernels in, all or none, with those that their priors depend on.
func (c *choice) takeExact(rows []int32, steps []bool) bool {
	if slices.ContainsFunc(rows, func(r int32) bool { return !c.takes(r, steps) }) {
		return false
	}
	for _, r := range rows {
		c.exact[r] = true
		c.takeAbove(r, steps)
	}
	return true
}

// Blocks of fewer nodes than manyGLM yield where they have manyRows densities of data: among fewer their independent draws cost less. Those of largeGLM yield whatever
// their data: so many approximations together are seldom accepted (epil3, 301 nodes: 0.04 of the effective draws a second that nuts has, oxford, 243: 0.08, blocker, 45: 0.4 to 1.1).
const (
	manyGLM  = 4
	manyRows = 20
	largeGLM = 40
)

// approximates tells the kernels of approximating blocks.
func approximates(kernel string) bool { return kernel == blockGLM || kernel == blockVolatility }

// yields tells whether an approximating block has as many densities of data that depend on its nodes as nodes, and many of either. With fewer
// data the posterior of effects is like their prior, whose scale trajectories follow worse than joint moves that integrate a Gaussian out (bench/choice.txt).
func (p *planner) yields(rows []int32) bool {
	if len(rows) >= largeGLM {
		return true
	}
	data := map[int32]bool{}
	for _, r := range rows {
		for d := range densitiesOf(p.Model, r) {
			if t, i := p.Model.TemplateOf(d); p.Model.Kinds[t.Cells(i)[0]] == model.Observed {
				data[d] = true
			}
		}
	}
	return len(data) >= len(rows) && (len(rows) >= manyGLM || len(data) >= manyRows)
}

// stuck tells whether one of some nodes is normal with a precision that is sampled, and no effect of it in the sense of [hierarchical]: truncated, or one of a random walk: a quarter
// of its relation's nodes have another one of it as their mean (in trials of three arms the third does, and such are few). Such a precision mixes slowly beside its nodes in any form; joint moves with blocks integrate them out.
func (p *planner) stuck(rows []int32) bool {
	m := p.Model
	all, walks := map[*model.Template]int{}, map[*model.Template]int{}
	for _, r := range rows {
		t, i := m.TemplateOf(r)
		if t.Stoch.Name != "dnorm" || len(p.above(t.Operands(i)[1])) == 0 {
			continue
		}
		if t.Stoch.Truncated() {
			return true
		}
		all[t]++
		if p.walks(r) {
			walks[t]++
		}
	}
	return slices.ContainsFunc(rows, func(r int32) bool { t, _ := m.TemplateOf(r); return 4*walks[t] > all[t] })
}

// walks tells whether the mean of a normal node depends on another one of its relation.
func (p *planner) walks(row int32) bool {
	t, i := p.Model.TemplateOf(row)
	return slices.ContainsFunc(p.above(t.Operands(i)[0]), func(up int32) bool { o, _ := p.Model.TemplateOf(up); return o == t })
}

// above are the rows of the nodes that a cell depends on, itself or through logical rows.
func (p *planner) above(cell int32) (rows []int32) {
	m := p.Model
	ancestors(m, []int32{cell}, func(c int32) bool {
		if m.Kinds[c] == model.Unobserved {
			rows = append(rows, m.DefRow(c))
		}
		return m.Kinds[c] == model.Logical
	})
	return rows
}

// takes tells whether nuts can have a node, and should.
func (c *choice) takes(row int32, steps []bool) bool {
	t, i := c.Model.TemplateOf(row)
	return c.asked[row] == nil && continuous(c.Model, row) && !slices.ContainsFunc(t.Cells(i), func(cell int32) bool { return steps[cell] })
}

// takeAbove takes the nodes in that a node's prior depends on.
func (c *choice) takeAbove(row int32, steps []bool) {
	m := c.Model
	ancestors(m, parents(m, row), func(cell int32) bool {
		if m.Kinds[cell] != model.Unobserved {
			return m.Kinds[cell] == model.Logical
		}
		up := m.DefRow(cell)
		if c.kernel[up] == blockNormal && !c.exact[up] && c.latent(row) {
			c.takeExact(c.blockOf(up), steps)
		}
		if c.general[up] || !slices.Contains(exactAlone, c.kernel[up]) || !c.takes(up, steps) {
			return false
		}
		c.exact[up] = true
		return true
	})
}

// latent tells a value of a relation with data that a kernel without algebra would move: missing, or censored.
func (c *choice) latent(row int32) bool {
	t, _ := c.Model.TemplateOf(row)
	return slices.Contains(withoutAlgebra, c.kernel[row]) && partlyObserved(c.Model, t)
}

// blockOf are the nodes of the kernel that moves a node.
func (c *choice) blockOf(row int32) []int32 {
	k := slices.IndexFunc(c.Items, func(it Item) bool { return it.Kernel == c.kernel[row] && slices.Contains(it.Rows, row) })
	return c.Items[k].Rows
}

// groups are the sets of nodes that depend on one another, with two or more that no exact kernel nor a block that stays moves. Rows are in the plan's order.
func (c *choice) groups() (out [][]int32) {
	var rows []int32
	for _, r := range c.rows {
		if c.general[r] || c.exact[r] {
			rows = append(rows, r)
		}
	}
	groups, of := connected(c.Model, rows)
	fits := make([]bool, len(groups))
	for k, g := range groups {
		general := 0
		for _, r := range g {
			if c.general[r] {
				general++
			}
		}
		fits[k] = general >= 2 && (len(g) <= mostMembers || c.large(g)) && (!c.stuck(c.together(g)) || c.walking(g))
	}
	c.closed(groups, fits, of)
	for k, g := range groups {
		if fits[k] {
			out = append(out, g)
		}
	}
	return out
}

// together are nodes without those of walks that general kernels would move one by one, as no block can take them: trajectories move slowly what they depend on, and these more slowly still
// (convolution priors of a map under a Poisson likelihood, volatility with leverage: bench/gauss.txt). Areas of a map that an exact kernel could move by itself are of the walk of the others.
func (c *choice) together(rows []int32) []int32 {
	alone := c.relationsAlone(rows)
	return slices.DeleteFunc(slices.Clone(rows), func(r int32) bool {
		t, _ := c.Model.TemplateOf(r)
		return !t.Stoch.Truncated() && alone[t]
	})
}

// relationsAlone are those of nodes that kernels without algebra would move one by one.
func (c *choice) relationsAlone(rows []int32) map[*model.Template]bool {
	alone := map[*model.Template]bool{}
	for _, r := range rows {
		if slices.Contains(withoutAlgebra, c.kernel[r]) {
			t, _ := c.Model.TemplateOf(r)
			alone[t] = true
		}
	}
	return alone
}

// walking tells whether there is a long walk among the nodes that no exact block moves, and none is stuck by its truncation: nuts moves it, and shorter ones beside it, in coordinates of their own ([field]).
func (c *choice) walking(rows []int32) bool {
	alone := c.relationsAlone(rows)
	var normal []int32
	for _, r := range rows {
		t, _ := c.Model.TemplateOf(r)
		if t.Stoch.Truncated() && c.stuck([]int32{r}) {
			return false
		}
		if alone[t] || approximates(c.kernel[r]) {
			normal = append(normal, r)
		}
	}
	return c.longWalk(normal)
}

// longWalk tells whether leastWalk of some normal nodes have others of their relation in their means.
func (p *planner) longWalk(rows []int32) bool {
	n := 0
	for _, r := range rows {
		if p.walks(r) {
			n++
		}
	}
	return n >= leastWalk
}

// mostEffects bounds groups with a large approximating block.
const mostEffects = 20_000

// large tells whether more than mostMembers of some nodes are of approximating blocks, or most are of these or of walks that would be moved one by one, a long walk among them. The former take short trajectories, as their metric is
// nearly diagonal, and directions that it misses have a kernel beside ([shift]); the latter have coordinates of their own ([field]).
func (c *choice) large(rows []int32) bool {
	block, walk := 0, 0
	for _, r := range rows {
		switch {
		case approximates(c.kernel[r]):
			block++
		case slices.Contains(withoutAlgebra, c.kernel[r]) && c.stuck([]int32{r}):
			walk++
		}
	}
	return (block > mostMembers || 2*walk > len(rows) || 2*(block+walk) > len(rows) && c.walking(rows)) && len(rows) <= mostEffects
}

// left are the nodes that proposals from their priors still move, those together that depend on one another.
func (c *choice) left() [][]int32 {
	var rows []int32
	for _, it := range c.Items {
		if it.Kernel == priorName && c.asked[it.Rows[0]] == nil && continuous(c.Model, it.Rows[0]) {
			rows = append(rows, it.Rows...)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	steps := c.Model.Steps()
	groups, _ := connected(c.Model, slices.DeleteFunc(rows, func(r int32) bool { return !c.takes(r, steps) }))
	return groups
}

// connected are the groups of nodes of which some density depends on two, or on others between them, and of tells a density's.
func connected(m *model.Model, rows []int32) (groups [][]int32, of func(density int32) (group int, ok bool)) {
	return connectedThrough(m, rows, func(d int32) (int32, bool) { return d, true })
}

// connectedBy is connected by some of the densities alone.
func connectedBy(m *model.Model, rows []int32, some func(density int32) bool) (groups [][]int32, of func(density int32) (group int, ok bool)) {
	return connectedThrough(m, rows, func(d int32) (int32, bool) { return d, some(d) })
}

// connectedThrough is connected by some of the densities, each of which may stand for several.
func connectedThrough(m *model.Model, rows []int32, by func(density int32) (stands int32, ok bool)) (groups [][]int32, of func(density int32) (group int, ok bool)) {
	sets, first := newDisjoint(len(rows)), make([]int32, m.Rows()) // 1 + the node that each density was met with, 0 for none
	for k, r := range rows {
		joined := int32(0) // last, as 1 + its number
		for d := range densitiesOf(m, r) {
			d, ok := by(d)
			if !ok {
				continue
			}
			switch was := first[d]; {
			case was == 0:
				first[d] = int32(k) + 1
			case was != joined:
				sets.join(int32(k), was-1)
				joined = was
			}
		}
	}
	groups, set := sets.parts(rows)
	return groups, func(density int32) (int, bool) {
		if first[density] == 0 {
			return 0, false
		}
		return set[first[density]-1], true
	}
}

// switchShare and countShare are how many sampled discrete nodes of few values, and of many, may stand beside a group, as shares of its nodes. Where switches are more, what
// is steep under one value is flat under another, and trajectories are long and seldom right (100 beside 202 nodes of scr0_sim: not done in twenty times the time; 10 beside 31
// of exam_twenty_questions_mixture: six times as many). Densities change less with counts. Fewer than leastBeside nodes move well one by one.
const (
	switchShare, countShare = 0.4, 1
	leastBeside             = 8
)

// closed finds that groups do not fit of which a density depends on a sampled node of no group as well. There trajectories move along a part of a ridge: theta and
// sigma of an ARMA model whose other coefficients are drawn one by one stay in a far part of the posterior, which slices leave at once. Discrete nodes, which no
// trajectory moves, may be such if they are few, and so may a Gaussian process with the numbers that its kernel moves with it: it is drawn anew given the group.
func (c *choice) closed(groups [][]int32, fits []bool, of func(density int32) (group int, ok bool)) {
	beside := make([]float64, len(groups))
	for _, r := range c.rows {
		if !slices.Contains(fits, true) {
			return
		}
		if c.general[r] || c.exact[r] || c.kernel[r] == processName {
			continue
		}
		weight := c.besides(r)
		met := map[int]bool{}
		for d := range densitiesOf(c.Model, r) {
			if g, ok := of(d); ok && !met[g] {
				met[g] = true
				beside[g] += weight
				fits[g] = fits[g] && len(groups[g]) >= leastBeside && beside[g] <= float64(len(groups[g]))
			}
		}
	}
}

// besides is the number of nodes that a group must have for each sampled node like this one beside it.
func (c *choice) besides(row int32) float64 {
	t, _ := c.Model.TemplateOf(row)
	switch _, few := finiteOf(c.Model, row); {
	case t.Stoch.Scalar == nil || !t.Stoch.Scalar.Discrete:
		return math.Inf(1)
	case few:
		return 1 / switchShare
	}
	return 1 / countShare
}

// giveNUTS moves nodes from their kernels to one of trajectories, and tells why.
func (p *planner) giveNUTS(rows []int32, why string) {
	taken := map[int32]bool{}
	for _, r := range rows {
		taken[r] = true
	}
	p.Items = slices.DeleteFunc(p.Items, func(it Item) bool { return taken[it.Rows[0]] })
	p.apart = slices.DeleteFunc(p.apart, func(r int32) bool { return taken[r] })
	p.blocks = p.blocks[:0]
	for k, it := range p.Items {
		if it.Kernel == blockNormal || it.Kernel == blockGLM || it.Kernel == blockVolatility {
			p.blocks = append(p.blocks, k)
		}
	}
	p.addNUTS(rows, nil, why)
}
