package plan

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// product is exact blocks that are alike with nodes outside them that the means of the same normal nodes depend on: loadings beside factors, rates of growth beside asymptotes; or that an approximating
// block with many data has, such as the logarithms of their standard deviations, or that many precisions of its members' priors depend on. Each moves exactly, or nearly so, given the other, and both together hardly at all where there are more of them than joint moves serve.
type product struct {
	block []int32
	with  []int32 // the nodes outside
	among []bool  // of each row, whether it is a density that the block has a part in
}

// leastWith is how many nodes outside a block make such a pair. Fewer are moved with the block at once, by all-with-block.
const leastWith = 4

// products finds these pairs.
func (c *choice) products(yielding [][]int32) (found []product) {
	approximate := map[int32]bool{}
	for _, rows := range yielding {
		for _, r := range rows {
			approximate[r] = approximates(c.kernel[r])
		}
	}
	for _, k := range c.alike() {
		if near := c.beside(k, approximate); len(near) >= leastWith {
			scales := c.scales(k, near)
			k.with = slices.DeleteFunc(near, func(r int32) bool { return !approximate[r] && !scales[r] && !c.inMeans(k, r) })
		}
		if len(k.with) >= leastWith {
			found = append(found, k)
		}
	}
	return found
}

// scales are the nodes that precisions in the priors of a block's members depend on, where these are more than are moved with the block: the local scales of a horseshoe.
func (c *choice) scales(k product, near []int32) map[int32]bool {
	above := map[int32]bool{}
	for _, r := range k.block {
		t, i := c.Model.TemplateOf(r)
		for _, up := range c.above(t.Operands(i)[1]) {
			above[up] = true
		}
	}
	found := map[int32]bool{}
	for _, r := range near {
		if above[r] && c.kernel[r] != blockNormal {
			found[r] = true
		}
	}
	if len(found) <= maxHyper {
		return nil
	}
	return found
}

// alike are the exact blocks, those that begin with nodes of one relation as one: an intercept and a slope of each group.
func (c *choice) alike() (found []product) {
	at := map[*model.Template]int{}
	for _, it := range c.Items {
		if it.Kernel != blockNormal {
			continue
		}
		t, _ := c.Model.TemplateOf(it.Rows[0])
		n, ok := at[t]
		if !ok {
			n = len(found)
			at[t], found = n, append(found, product{among: make([]bool, c.Model.Rows())})
		}
		k := &found[n]
		k.block = append(k.block, it.Rows...)
		for _, r := range it.Rows {
			for d := range densitiesOf(c.Model, r) {
				k.among[d] = true
			}
		}
	}
	return found
}

// beside are the nodes that densities of a block depend on: those of approximating blocks that yield, of other exact blocks that multiply it, as two loadings on each of several factors, and single ones.
func (c *choice) beside(k product, approximate map[int32]bool) (rows []int32) {
	multiplies := map[*model.Template]bool{}
	for _, r := range k.block {
		t, _ := c.Model.TemplateOf(r)
		multiplies[t] = false
	}
	for _, r := range c.rows {
		kernel := c.kernel[r]
		if kernel == blockNormal {
			t, _ := c.Model.TemplateOf(r)
			yes, known := multiplies[t]
			if !known {
				yes = c.multiplies(k, r)
				multiplies[t] = yes
			}
			if yes {
				rows = append(rows, r)
			}
			continue
		}
		if (approximate[r] || kernel == "conjugate-normal" || slices.Contains(withoutAlgebra, kernel) && continuous(c.Model, r)) &&
			anyDensity(c.Model, []int32{r}, func(d int32) bool { return k.among[d] }) {
			rows = append(rows, r)
		}
	}
	return rows
}

// multiplies tells whether a node multiplies one of a block in the mean of a density: no block can have both.
func (c *choice) multiplies(k product, row int32) bool {
	for d := range densitiesOf(c.Model, row) {
		if !k.among[d] || !c.inMean(d, row) {
			continue
		}
		return slices.ContainsFunc(k.block, func(r int32) bool {
			if !c.inMean(d, r) {
				return false
			}
			_, ok := newStructure(c.Model, []int32{r, row})
			return !ok
		})
	}
	return false
}

// inMeans tells whether the mean of a density of the block depends on a node.
func (c *choice) inMeans(k product, row int32) bool {
	return anyDensity(c.Model, []int32{row}, func(d int32) bool { return k.among[d] && c.inMean(d, row) })
}

// inMean tells whether a node is among those that the mean of a normal density depends on.
func (c *choice) inMean(density, row int32) bool {
	t, i := c.Model.TemplateOf(density)
	if t.Stoch.Name != "dnorm" && t.Stoch.Name != "dlnorm" {
		return false
	}
	return slices.Contains(c.above(t.Operands(i)[0]), row)
}

// takeProduct takes a block and the nodes outside with the nodes that their priors depend on, and those of exact kernels that enter the same densities otherwise, such as their precision.
func (c *choice) takeProduct(k product, steps []bool) {
	if slices.ContainsFunc(k.with, func(r int32) bool { return !c.takes(r, steps) }) || !c.takeExact(k.block, steps) {
		return
	}
	for _, r := range k.with {
		c.general[r] = true
	}
	for _, r := range c.rows {
		if slices.Contains(exactAlone, c.kernel[r]) && c.takes(r, steps) && anyDensity(c.Model, []int32{r}, func(d int32) bool { return k.among[d] }) {
			c.exact[r] = true
		}
	}
}
