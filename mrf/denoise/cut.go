package denoise

// cut finds minimum cuts of a grid: two trees grow from the ends until they meet, paths are filled, and what falls off is taken up
// again (Boykov and Kolmogorov, 2004). Nodes have a frame around them that no arc leads to.
type cut struct {
	nodes  int
	offset [4]int
	rest   []int64 // of the arc to each neighbour: right, left, below, above
	ends   []int64 // of the arc from the first end, or, negative, to the second
	parent []int8
	second []bool // of which tree
	time   []int32
	far    []int32
	queued []bool
	now    int32

	active, orphans []int32 // queues
	front           int
}

// Parents that are no neighbours.
const (
	rootless int8 = -1
	atEnd    int8 = 4
	orphaned int8 = 5
)

func newCut(width, height int) *cut {
	n := (width + 2) * (height + 2)
	return &cut{nodes: n, offset: [4]int{1, -1, width + 2, -width - 2}, rest: make([]int64, 4*n), ends: make([]int64, n), parent: make([]int8, n),
		second: make([]bool, n), time: make([]int32, n), far: make([]int32, n), queued: make([]bool, n)}
}

// to is the neighbour that an arc leads to, and back the arc back.
func (c *cut) to(i int32, d int) int32 { return i + int32(c.offset[d]) }

func (c *cut) back(i int32, d int) int { return 4*int(c.to(i, d)) + (d ^ 1) }

// find fills the arcs. Afterwards side tells of each node on which side of the cut it is.
func (c *cut) find() {
	c.active, c.front, c.now = c.active[:0], 0, 1
	for i := range c.nodes {
		c.parent[i], c.queued[i], c.time[i], c.far[i] = rootless, false, 1, 1
		if e := c.ends[i]; e != 0 {
			c.parent[i], c.second[i] = atEnd, e < 0
			c.wake(int32(i))
		}
	}
	for c.front < len(c.active) {
		i := c.active[c.front]
		if c.parent[i] == rootless {
			c.done()
			continue
		}
		from, d, met := c.grow(i)
		if !met {
			c.done()
			continue
		}
		c.now++
		c.augment(from, d)
		c.adopt()
	}
}

// side is whether a node is with the second end.
func (c *cut) side(i int) bool { return c.parent[i] != rootless && c.second[i] }

func (c *cut) wake(i int32) {
	if !c.queued[i] {
		c.queued[i] = true
		c.active = append(c.active, i)
	}
}

func (c *cut) done() {
	c.queued[c.active[c.front]] = false
	c.front++
	if c.front > 1<<16 && 2*c.front > len(c.active) { // what is done goes
		c.active = append(c.active[:0], c.active[c.front:]...)
		c.front = 0
	}
}

// grow takes free neighbours into a node's tree, until one is in the other tree: the arc from the first tree to the second.
func (c *cut) grow(i int32) (from int32, d int, met bool) {
	for d := range 4 {
		room := c.rest[4*int(i)+d]
		if c.second[i] {
			room = c.rest[c.back(i, d)]
		}
		if room == 0 {
			continue
		}
		j := c.to(i, d)
		switch {
		case c.parent[j] == rootless:
			c.parent[j], c.second[j], c.time[j], c.far[j] = int8(d^1), c.second[i], c.time[i], c.far[i]+1
			c.wake(j)
		case c.second[j] != c.second[i]:
			if c.second[i] {
				return j, d ^ 1, true
			}
			return i, d, true
		case c.time[j] <= c.time[i] && c.far[j] > c.far[i]: // a shorter way to the end
			c.parent[j], c.time[j], c.far[j] = int8(d^1), c.time[i], c.far[i]+1
		}
	}
	return 0, 0, false
}

// augment fills the path through an arc between the trees.
func (c *cut) augment(from int32, d int) {
	room := c.rest[4*int(from)+d]
	i := from
	for ; c.parent[i] != atEnd; i = c.to(i, int(c.parent[i])) {
		room = min(room, c.rest[c.back(i, int(c.parent[i]))])
	}
	room = min(room, c.ends[i])
	to := c.to(from, d)
	for i = to; c.parent[i] != atEnd; i = c.to(i, int(c.parent[i])) {
		room = min(room, c.rest[4*int(i)+int(c.parent[i])])
	}
	room = min(room, -c.ends[i])

	c.rest[4*int(from)+d] -= room
	c.rest[c.back(from, d)] += room
	for i = from; c.parent[i] != atEnd; {
		p := int(c.parent[i])
		b := c.back(i, p)
		c.rest[4*int(i)+p] += room
		next := c.to(i, p)
		if c.rest[b] -= room; c.rest[b] == 0 {
			c.orphan(i)
		}
		i = next
	}
	if c.ends[i] -= room; c.ends[i] == 0 {
		c.orphan(i)
	}
	for i = to; c.parent[i] != atEnd; {
		p := int(c.parent[i])
		a := 4*int(i) + p
		c.rest[c.back(i, p)] += room
		next := c.to(i, p)
		if c.rest[a] -= room; c.rest[a] == 0 {
			c.orphan(i)
		}
		i = next
	}
	if c.ends[i] += room; c.ends[i] == 0 {
		c.orphan(i)
	}
}

func (c *cut) orphan(i int32) {
	c.parent[i] = orphaned
	c.orphans = append(c.orphans, i)
}

// adopt finds parents for nodes whose arc to theirs is full, or sets them free.
func (c *cut) adopt() {
	for k := 0; k < len(c.orphans); k++ {
		i := c.orphans[k]
		best, least := -1, int32(1<<30)
		for d := range 4 {
			if !c.feeds(i, d) {
				continue
			}
			if n, ok := c.origin(c.to(i, d)); ok && n < least {
				best, least = d, n
			}
		}
		if best >= 0 {
			c.parent[i], c.time[i], c.far[i] = int8(best), c.now, least+1
			continue
		}
		c.parent[i] = rootless
		for d := range 4 {
			j := c.to(i, d)
			if c.parent[j] == rootless || c.second[j] != c.second[i] {
				continue
			}
			if c.feeds(i, d) {
				c.wake(j)
			}
			if c.parent[j] == int8(d^1) {
				c.orphan(j)
			}
		}
	}
	c.orphans = c.orphans[:0]
}

// feeds tells whether a neighbour is in a node's tree and has room on the arc that would join them.
func (c *cut) feeds(i int32, d int) bool {
	j := c.to(i, d)
	if c.parent[j] == rootless || c.second[j] != c.second[i] {
		return false
	}
	if c.second[i] {
		return c.rest[4*int(i)+d] > 0
	}
	return c.rest[c.back(i, d)] > 0
}

// origin is how far a node is from its end; false where an orphan is on the way.
func (c *cut) origin(j int32) (far int32, ok bool) {
	i := j
	for n := int32(0); ; n++ {
		if c.time[i] == c.now {
			far = n + c.far[i]
			break
		}
		switch c.parent[i] {
		case atEnd:
			c.time[i], c.far[i] = c.now, 1
			far = n + 1
		case orphaned, rootless:
			return 0, false
		default:
			i = c.to(i, int(c.parent[i]))
			continue
		}
		break
	}
	for i, n := j, far; c.time[i] != c.now; n-- { // marked for those that ask next
		c.time[i], c.far[i] = c.now, n
		i = c.to(i, int(c.parent[i]))
	}
	return far, true
}
