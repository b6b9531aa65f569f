package plan

import (
	"container/heap"
	"encoding/binary"
	"slices"
)

// elimination sums a product of tables over nodes, one after the other: in its turn a node is summed out of the product of all that depends on it,
// which leaves a message, a table over those of its neighbours that are left (Zhang and Poole 1994). For chains it is the recursion of the
// forward–backward algorithm (Baum et al. 1970), from the last node to the first.
type elimination struct {
	sizes  []int
	seq    []int32 // nodes in order of their elimination, group by group
	groups []group
	left   [][]int32 // of each node the neighbours that are left in its turn, sorted
	at     []int32   // the bucket of each node

	buckets []bucket // each after those whose messages it reads
	shapes  [][]int32
	roots   []root
	probs   int // entries of all buckets
	widest  int // values of a node
}

// group are nodes that depend on one another: seq[from:to].
type group struct{ from, to int }

// bucket is a sum over one node. Nodes whose sums are alike share it.
type bucket struct {
	size, cfg int // values of the node, and of its neighbours together
	terms     []term
	msg       int // of the logs of the sums, one for each value of the neighbours together
	prob      int // of the node's probabilities given its neighbours
}

// term is a table in a product: its entries are at + shapes[shape], by the node's value, the fastest, and those of its neighbours; at + value
// where shape is −1.
type term struct {
	at, shape int32
	of        int32 // the number of the table, or behind those of the tables that of the bucket whose message it is
}

// root is a bucket whose message is a group's sum, and how many groups share it.
type root struct {
	bucket, groups int32
}

// maxBucket bounds the entries of a bucket.
const maxBucket = 1 << 13

// degrees is the graph of nodes that share a row, with what is left of it.
type degrees struct {
	sizes []int
	adj   [][]int32
	left  []int32 // how many neighbours a node has left
	gone  []bool
	queue []entry
}

// entry is a node with its number of neighbours when it was queued.
type entry struct{ degree, node int32 }

func newDegrees(sizes []int) *degrees {
	n := len(sizes)
	return &degrees{sizes: sizes, adj: make([][]int32, n), left: make([]int32, n), gone: make([]bool, n)}
}

func (g *degrees) join(a, b int32) {
	if len(g.adj[a]) > len(g.adj[b]) {
		a, b = b, a
	}
	if !slices.Contains(g.adj[a], b) {
		g.adj[a], g.adj[b] = append(g.adj[a], b), append(g.adj[b], a)
		g.left[a]++
		g.left[b]++
	}
}

// neighbours are those that are left, sorted.
func (g *degrees) neighbours(v int32) []int32 {
	g.adj[v] = slices.DeleteFunc(g.adj[v], func(u int32) bool { return g.gone[u] })
	slices.Sort(g.adj[v])
	return g.adj[v]
}

func (g *degrees) Len() int { return len(g.queue) }
func (g *degrees) Less(i, j int) bool {
	a, b := g.queue[i], g.queue[j]
	return a.degree < b.degree || a.degree == b.degree && a.node < b.node
}
func (g *degrees) Swap(i, j int) { g.queue[i], g.queue[j] = g.queue[j], g.queue[i] }
func (g *degrees) Push(x any)    { g.queue = append(g.queue, x.(entry)) }
func (g *degrees) Pop() any {
	n := len(g.queue) - 1
	x := g.queue[n]
	g.queue = g.queue[:n]
	return x
}

// remove takes a node away, whose neighbours are near, and queues them anew.
func (g *degrees) remove(v int32, near []int32) {
	g.gone[v] = true
	for _, u := range near {
		g.left[u]--
		heap.Push(g, entry{g.left[u], u})
	}
}

// eliminate takes next the node with the fewest neighbours, and of these the first; out are nodes to hold fixed instead, the best connected around
// sums that would be too large, or nil.
func (g *degrees) eliminate() (e elimination, out []bool) {
	n := len(g.sizes)
	e = elimination{sizes: g.sizes, left: make([][]int32, n)}
	var seq []int32
	for v := range int32(n) {
		g.queue = append(g.queue, entry{g.left[v], v})
	}
	heap.Init(g)
	for g.Len() > 0 {
		x := heap.Pop(g).(entry)
		v := x.node
		if g.gone[v] || g.left[v] != x.degree {
			continue
		}
		near := g.neighbours(v)
		if hub := g.hub(v, near); hub >= 0 {
			if out == nil {
				out = make([]bool, n)
			}
			out[hub] = true
			g.remove(hub, g.neighbours(hub))
			continue
		}
		e.left[v] = slices.Clone(near)
		seq = append(seq, v)
		for k, u := range near {
			for _, w := range near[:k] {
				g.join(u, w)
			}
		}
		g.remove(v, e.left[v])
	}
	e.grouped(seq)
	return e, out
}

// hub is the best connected of a node and its neighbours where a sum over them is too large, else −1.
func (g *degrees) hub(v int32, near []int32) int32 {
	size, hub := g.sizes[v], v
	for _, u := range near {
		size = min(size*g.sizes[u], maxBucket+1)
		if g.left[u] > g.left[hub] {
			hub = u
		}
	}
	if size > maxBucket {
		return hub
	}
	return -1
}

// grouped orders the sequence by groups.
func (e *elimination) grouped(seq []int32) {
	of := make([]int32, len(e.sizes))
	var count []int
	for _, v := range slices.Backward(seq) {
		if len(e.left[v]) == 0 {
			of[v] = int32(len(count))
			count = append(count, 0)
		} else {
			of[v] = of[e.left[v][0]]
		}
		count[of[v]]++
	}
	at := 0
	e.groups = make([]group, len(count))
	for k, n := range count {
		e.groups[k] = group{at, at}
		at += n
	}
	e.seq = make([]int32, len(seq))
	for _, v := range seq {
		g := &e.groups[of[v]]
		e.seq[g.to] = v
		g.to++
	}
}

// summer makes the buckets.
type summer struct {
	e      *elimination
	items  []item
	of     [][]int32 // items of each node
	shapes map[string]int32
	ids    map[string]int32 // buckets by what they sum
	place  []int            // of nodes among a bucket's
}

// item is a table that takes part, of a row or a message.
type item struct {
	at    int
	of    int32
	nodes []int32
	done  bool
}

func newSummer(e *elimination) *summer {
	return &summer{e: e, of: make([][]int32, len(e.sizes)), shapes: map[string]int32{}, ids: map[string]int32{}, place: make([]int, len(e.sizes))}
}

// add takes table number of, whose first entry is at, over nodes, the first the fastest.
func (s *summer) add(of int32, at int, nodes []int32) {
	for _, v := range nodes {
		s.of[v] = append(s.of[v], int32(len(s.items)))
	}
	s.items = append(s.items, item{of: of, at: at, nodes: slices.Clone(nodes)})
}

// finish makes the buckets; their messages lie behind the entries of the tables. It returns the number of all.
func (s *summer) finish(tables, entries int) int {
	e := s.e
	defer func() {
		for k := range e.buckets {
			for j := range e.buckets[k].terms {
				if t := &e.buckets[k].terms[j]; t.of < 0 {
					t.of = int32(tables) + ^t.of
				}
			}
		}
	}()
	e.at = make([]int32, len(e.sizes))
	shared := map[int32]int{}
	for _, g := range e.groups {
		for k, v := range e.seq[g.from:g.to] {
			entries = s.eliminate(v, entries)
			if k == g.to-g.from-1 {
				b := e.at[v]
				at, ok := shared[b]
				if !ok {
					at = len(e.roots)
					shared[b] = at
					e.roots = append(e.roots, root{bucket: b})
				}
				e.roots[at].groups++
			}
		}
	}
	return entries
}

// eliminate makes or finds the bucket of a node.
func (s *summer) eliminate(v int32, entries int) int {
	e := s.e
	left := e.left[v]
	s.place[v] = 0
	key := binary.AppendUvarint(nil, uint64(e.sizes[v]))
	cfg := 1
	for k, u := range left {
		s.place[u] = k + 1
		cfg *= e.sizes[u]
		key = binary.AppendUvarint(key, uint64(e.sizes[u]))
	}
	var terms []term
	for _, k := range s.of[v] {
		if it := &s.items[k]; !it.done {
			it.done = true
			terms = append(terms, term{int32(it.at), s.shape(v, left, it.nodes), it.of})
		}
	}
	slices.SortFunc(terms, func(a, b term) int {
		if a.shape != b.shape {
			return int(a.shape) - int(b.shape)
		}
		return int(a.at) - int(b.at)
	})
	for _, t := range terms {
		key = binary.AppendVarint(binary.AppendUvarint(key, uint64(t.at)), int64(t.shape))
	}
	id, ok := s.ids[string(key)]
	if !ok {
		id = int32(len(e.buckets))
		s.ids[string(key)] = id
		e.buckets = append(e.buckets, bucket{size: e.sizes[v], cfg: cfg, terms: terms, msg: entries, prob: e.probs})
		entries += cfg
		e.probs += cfg * e.sizes[v]
		e.widest = max(e.widest, e.sizes[v])
	}
	e.at[v] = id
	if len(left) > 0 {
		s.add(^id, e.buckets[id].msg, left)
	}
	return entries
}

// shape gives the places in a table over nodes by the value of v and those of its neighbours.
func (s *summer) shape(v int32, left, nodes []int32) int32 {
	if len(nodes) == 1 {
		return -1
	}
	e := s.e
	stride := make([]int32, len(left)+1)
	by := int32(1)
	for _, u := range nodes {
		stride[s.place[u]] = by
		by *= int32(e.sizes[u])
	}
	size := []int{e.sizes[v]}
	for _, u := range left {
		size = append(size, e.sizes[u])
	}
	var key []byte
	for k := range size {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(size[k])), uint64(stride[k]))
	}
	if id, ok := s.shapes[string(key)]; ok {
		return id
	}
	places := []int32{0}
	for k, n := range size {
		inner := len(places)
		for x := 1; x < n; x++ {
			for j := range inner {
				places = append(places, places[j]+int32(x)*stride[k])
			}
		}
	}
	id := int32(len(e.shapes))
	e.shapes = append(e.shapes, places)
	s.shapes[string(key)] = id
	return id
}
