package plan

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// classes are individuals by what their rows are as functions of their nodes.
type classes struct {
	m     *model.Model
	list  []individualClass
	stoch []model.Seg // rows of all individuals
	owner []int32     // of each row
	data  []int32     // observed cells whose values individuals of a class share
}

// individualClass are individuals with the same law given the parameters.
type individualClass struct {
	members []int32
	size    int   // values of the discrete node
	points  []int // of the grid, by latent
	n       int   // all of them
	lanes   []individual
	det     []model.Seg // logical rows between the nodes of lanes and their rows
	prior   laneRows    // rows of latents
	others  laneRows
	steady  bool   // the rows of latents read no logical row that lanes move
	idle    []bool // by value of the discrete node: whether the other rows do not change with the latents, as far as was seen
}

// laneRows are stochastic rows and whose they are.
type laneRows struct {
	segs  []model.Seg
	owner []int32
}

const (
	// linePoints and planePoints are those of a grid in each dimension.
	linePoints, planePoints = 64, 16
	// widthOfPrior is that of a grid over a normal prior, in standard deviations to each side.
	widthOfPrior = 5
)

// newClasses finds them; rows with equal data are alike where data is true.
func newClasses(m *model.Model, members []individual, data bool) *classes {
	c := &classes{m: m}
	var cells []int32
	var tags []uint64
	var first []int32
	for k := range members {
		d := &members[k]
		first = append(first, int32(len(cells)))
		cells, tags = append(cells, d.head.cell), append(tags, uint64(d.head.size)<<32|uint64(uint32(int32(d.head.lo))))
		for j, x := range d.cells {
			cells, tags = append(cells, x), append(tags, 1<<40+uint64(j))
		}
	}
	like := m.NewLikeness(cells, tags, data)
	of := map[string]int{}
	seen := map[int32]bool{}
	logic := make([][]int32, len(members))
	var rows, owners []int32
	for k := range members {
		d := &members[k]
		var parts []string
		for _, row := range d.rows {
			a := like.Row(row)
			key := binary.AppendUvarint(nil, uint64(a.Key))
			for _, v := range a.Nodes {
				key = binary.AppendUvarint(key, uint64(v-first[k]))
			}
			parts = append(parts, string(key))
			logic[k] = append(logic[k], a.Logic...)
			rows, owners = append(rows, row), append(owners, int32(k))
			for _, x := range a.Data {
				if !seen[x] {
					seen[x] = true
					c.data = append(c.data, x)
				}
			}
		}
		slices.Sort(parts)
		var key []byte
		for _, p := range parts {
			key = append(binary.AppendUvarint(key, uint64(len(p))), p...)
		}
		at, ok := of[string(key)]
		if !ok {
			at = len(c.list)
			of[string(key)] = at
			c.list = append(c.list, newIndividualClass(d))
		}
		c.list[at].members = append(c.list[at].members, int32(k))
	}
	c.stoch, c.owner = ownedRows(m, rows, owners)
	for k := range c.list {
		c.list[k].lay(m, members, logic)
	}
	return c
}

// ownedRows are runs of rows and whose each is.
func ownedRows(m *model.Model, rows, owners []int32) ([]model.Seg, []int32) {
	order := make([]int, len(rows))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return int(rows[a]) - int(rows[b]) })
	var sorted, of []int32
	for _, k := range order {
		sorted, of = append(sorted, rows[k]), append(of, owners[k])
	}
	return runsOf(m, sorted), of
}

func newIndividualClass(d *individual) individualClass {
	c := individualClass{size: d.head.size, n: 1, idle: make([]bool, d.head.size)}
	per := linePoints
	if len(d.latents) > 1 {
		per = planePoints
	}
	for range d.latents {
		c.points = append(c.points, per)
		c.n *= per
	}
	return c
}

// lay takes as many members as there are points for lanes, each of which stands for a point in turn.
func (c *individualClass) lay(m *model.Model, members []individual, logic [][]int32) {
	var det, prior, priorOf, others, othersOf []int32
	for _, k := range c.members[:min(len(c.members), c.n)] {
		lane := int32(len(c.lanes))
		d := members[k]
		c.lanes = append(c.lanes, d)
		det = append(det, logic[k]...)
		for _, r := range d.rows {
			if slices.Contains(d.latents, r) {
				prior, priorOf = append(prior, r), append(priorOf, lane)
			} else {
				others, othersOf = append(others, r), append(othersOf, lane)
			}
		}
	}
	slices.Sort(det)
	det = slices.Compact(det)
	moves := map[int32]bool{}
	for _, r := range det {
		t, i := m.TemplateOf(r)
		for _, x := range t.Cells(i) {
			moves[x] = true
		}
	}
	c.steady = !slices.ContainsFunc(parents(m, prior...), func(x int32) bool { return moves[x] })
	c.det = m.LogicalSegs(det)
	c.prior.segs, c.prior.owner = ownedRows(m, prior, priorOf)
	c.others.segs, c.others.owner = ownedRows(m, others, othersOf)
}

// affordable are the individuals of classes whose tables cost little beside the rows of all of them, the largest classes first; nil where they are few.
func (c *classes) affordable(members []individual) (kept []individual) {
	order := make([]int, len(c.list))
	rows := 0
	for k := range order {
		order[k] = k
	}
	for _, d := range members {
		rows += len(d.rows)
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(c.list[b].members) - len(c.list[a].members) })
	cost, latents := 0, 0
	in := map[int32]bool{}
	for _, k := range order {
		l := &c.list[k]
		if len(l.points) == 0 && len(l.members) == 1 || l.n > max(linePoints, mostTable*len(l.members)) {
			continue
		}
		if cost += l.n * len(members[l.members[0]].rows); cost > mostTable*rows {
			break
		}
		for _, i := range l.members {
			in[i] = true
			latents += min(1, len(l.points))
		}
	}
	if latents < leastIndividuals {
		return nil
	}
	for k := range members {
		if in[int32(k)] {
			kept = append(kept, members[k])
		}
	}
	return kept
}

// findIdle looks for values of the discrete node at which the other rows do not change with the latents.
func (c *classes) findIdle(s *model.State) {
	t := newTables(c)
	for k := range c.list {
		l := &c.list[k]
		for v := range l.idle {
			if l.n < 3 {
				continue
			}
			t[k].window(s, l)
			t[k].set(s, l, v, 0, l.n)
			first := math.NaN()
			same := true
			for _, at := range []int{l.n / 2, l.n / 3, l.n / 5} {
				t[k].set(s, l, v, at, 1)
				s.Run(l.det)
				x := t[k].sum(s, &l.others, t[k].others)[0]
				same = same && vec.Finite(x) && (x == first || math.IsNaN(first))
				first = x
			}
			l.idle[v] = same
		}
	}
}

// table is the density of an individual of a class at the points of a grid, by value of the discrete node; between them it is linear, or bilinear.
type table struct {
	lo, h         [mostLatents]float64 // first point and distance
	w             []float64            // densities, relative to the largest
	cum           []float64            // sums of them, with the shares that points have of the grid
	dens          []float64
	prior, others []float64 // by lane
}

func newTables(c *classes) []table {
	all := make([]table, len(c.list))
	for k := range all {
		l, t := &c.list[k], &all[k]
		t.w, t.cum = make([]float64, l.size*l.n), make([]float64, l.size*l.n)
		t.dens = make([]float64, max(len(l.prior.owner), len(l.others.owner)))
		t.prior, t.others = make([]float64, len(l.lanes)), make([]float64, len(l.lanes))
	}
	return all
}

// window lays the grid: between the bounds, and where the prior is normal near its mean.
func (t *table) window(s *model.State, c *individualClass) {
	for j, r := range c.lanes[0].latents {
		m, i := s.M.TemplateOf(r)
		lo, hi := s.M.FixedBounds(m, i)
		if m.Stoch.Name == "dnorm" {
			in := m.Operands(i)
			mean, by := s.V[in[0]], widthOfPrior/math.Sqrt(s.V[in[1]])
			if a, b := max(lo, mean-by), min(hi, mean+by); a < b {
				lo, hi = a, b
			}
		}
		t.lo[j], t.h[j] = lo, (hi-lo)/float64(c.points[j]-1)
	}
}

// set puts lanes at n points from one on.
func (t *table) set(s *model.State, c *individualClass, v, from, n int) {
	for k := range min(n, len(c.lanes)) {
		d := &c.lanes[k]
		s.V[d.head.cell] = d.head.lo + float64(v)
		at := from + k
		for j, x := range d.cells {
			s.V[x] = t.lo[j] + float64(t.h[j]*float64(at%c.points[j]))
			at /= c.points[j]
		}
	}
}

// sum adds the log densities of rows by lane.
func (t *table) sum(s *model.State, rows *laneRows, to []float64) []float64 {
	clear(to)
	s.LogProbEach(rows.segs, t.dens[:len(rows.owner)])
	for k, lane := range rows.owner {
		to[lane] += t.dens[k]
	}
	return to
}

// fill computes the densities at the state's parameters. The lanes are left anyhow.
func (t *table) fill(s *model.State, c *individualClass) {
	t.window(s, c)
	for v := range c.size {
		logs := t.w[v*c.n:][:c.n]
		t.set(s, c, v, 0, len(c.lanes))
		for from := 0; from < c.n; from += len(c.lanes) {
			n := min(len(c.lanes), c.n-from)
			t.set(s, c, v, from, n)
			fresh := from == 0 || !c.idle[v]
			if fresh || !c.steady {
				s.Run(c.det)
			}
			prior := t.sum(s, &c.prior, t.prior)
			if fresh {
				t.sum(s, &c.others, t.others)
			}
			for k := range n {
				at := k
				if c.idle[v] {
					at = 0
				}
				logs[from+k] = prior[k] + t.others[at]
			}
		}
	}
	top := relative(t.w)
	columns.Exp(t.w, t.w)
	if math.IsInf(top, 0) {
		clear(t.w)
	}
	sum := 0.0
	for k, w := range t.w {
		at := k % c.n
		for _, n := range c.points {
			if g := at % n; g == 0 || g == n-1 {
				w *= 0.5
			}
			at /= n
		}
		sum += w
		t.cum[k] = sum
	}
}

// draw proposes an individual: a point with its value of the discrete node, and a place between it and its neighbours by a tent.
func (t *table) draw(r *rand.Rand, c *individualClass, d *individual, to []float64) bool {
	total := t.cum[len(t.cum)-1]
	if !(total > 0) {
		return false
	}
	u := float64(r.Float64() * total)
	k, _ := slices.BinarySearchFunc(t.cum, u, func(sum, u float64) int {
		if sum <= u {
			return -1
		}
		return 1
	})
	k = min(k, len(t.cum)-1)
	to[0] = d.head.lo + float64(k/c.n)
	at := k % c.n
	for j, n := range c.points {
		g := at % n
		at /= n
		off := r.Float64() + r.Float64() - 1
		switch g {
		case 0:
			off = math.Abs(off)
		case n - 1:
			off = -math.Abs(off)
		}
		to[1+j] = t.lo[j] + float64(t.h[j]*(float64(g)+off))
	}
	return true
}

// logQ is the log density with which draw proposes.
func (t *table) logQ(c *individualClass, d *individual, at []float64) float64 {
	total := t.cum[len(t.cum)-1]
	first, volume := int(at[0]-d.head.lo)*c.n, total
	var cell [mostLatents]int
	var share [mostLatents]float64
	for j, n := range c.points {
		u := (at[1+j] - t.lo[j]) / t.h[j]
		if !(u >= 0 && u <= float64(n-1)) {
			return math.Inf(-1)
		}
		cell[j] = min(int(u), n-2)
		share[j] = u - float64(cell[j])
		volume *= t.h[j]
	}
	q := 0.0
	for corner := range 1 << len(c.points) {
		w, k, by := 1.0, first, 1
		for j, n := range c.points {
			if corner>>j&1 == 1 {
				w, k = float64(w*share[j]), k+by*(cell[j]+1)
			} else {
				w, k = float64(w*(1-share[j])), k+by*cell[j]
			}
			by *= n
		}
		q += float64(w * t.w[k])
	}
	return vec.Log(q) - vec.Log(volume)
}

// cohort moves the individuals of a population for one chain.
type cohort struct {
	p      *population
	c      *classes
	tables [2][]table
	now    int // those of the present parameters

	at, to             []float64 // the nodes of each individual, 1 + mostLatents numbers
	lp, lq, lpTo, lqTo []float64
	dens               []float64
}

const perIndividual = 1 + mostLatents

func newCohort(p *population, c *classes) *cohort {
	n := len(p.members)
	f := func(n int) []float64 { return make([]float64, n) }
	return &cohort{p: p, c: c, tables: [2][]table{newTables(c), newTables(c)}, at: f(n * perIndividual), to: f(n * perIndividual),
		lp: f(n), lq: f(n), lpTo: f(n), lqTo: f(n), dens: f(len(c.owner))}
}

func (c *cohort) save(s *model.State) {
	for k := range c.p.members {
		d, x := &c.p.members[k], c.at[k*perIndividual:]
		x[0] = s.V[d.head.cell]
		for j, cell := range d.cells {
			x[1+j] = s.V[cell]
		}
	}
}

func (c *cohort) put(s *model.State, from []float64) {
	for k := range c.p.members {
		d, x := &c.p.members[k], from[k*perIndividual:]
		s.V[d.head.cell] = x[0]
		for j, cell := range d.cells {
			s.V[cell] = x[1+j]
		}
	}
}

// densities are those of the rows of each individual.
func (c *cohort) densities(s *model.State, to []float64) {
	s.LogProbEach(c.c.stoch, c.dens)
	clear(to)
	for k, i := range c.c.owner {
		to[i] += c.dens[k]
	}
}

func (c *cohort) tabulate(s *model.State) {
	for k := range c.c.list {
		c.tables[c.now][k].fill(s, &c.c.list[k])
	}
}

// draw proposes all individuals; those without a table stay.
func (c *cohort) draw(r *rand.Rand) {
	copy(c.to, c.at)
	for k := range c.c.list {
		l, t := &c.c.list[k], &c.tables[c.now][k]
		for _, i := range l.members {
			t.draw(r, l, &c.p.members[i], c.to[int(i)*perIndividual:])
		}
	}
}

// proposed are the log densities with which individuals are proposed at places.
func (c *cohort) proposed(at, to []float64) {
	for k := range c.c.list {
		l, t := &c.c.list[k], &c.tables[c.now][k]
		for _, i := range l.members {
			to[i] = t.logQ(l, &c.p.members[i], at[int(i)*perIndividual:])
		}
	}
}

// take makes the proposals the present.
func (c *cohort) take() {
	c.at, c.to = c.to, c.at
	c.lp, c.lpTo = c.lpTo, c.lp
	c.lq, c.lqTo = c.lqTo, c.lq
}

// settle takes the proposals of individuals by themselves, each with its own ratio, and tells how many.
func (c *cohort) settle(r *rand.Rand) (taken float64) {
	for i := range c.lp {
		u := r.Float64()
		ratio := c.lpTo[i] - c.lqTo[i] - c.lp[i] + c.lq[i]
		if !vec.Finite(c.lpTo[i]-c.lqTo[i]) || math.IsNaN(ratio) || !(u < vec.Exp(ratio)) {
			continue
		}
		taken++
		copy(c.at[i*perIndividual:][:perIndividual], c.to[i*perIndividual:][:perIndividual])
	}
	return taken
}
