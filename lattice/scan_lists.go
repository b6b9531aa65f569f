package lattice

import "sync"

// scans is what kernels make of a graph, once for all of them.
type scans struct {
	strides struct {
		once sync.Once
		of   *strides
	}
	colours struct {
		once sync.Once
		of   []siteList
		err  error
	}
	order struct {
		once sync.Once
		of   siteList
	}
	fourAlike struct {
		once sync.Once
		of   *[1 << 16]uint8
	}
}

// siteList is sites in ascending order, in blocks of blockSize.
type siteList struct {
	sites []int32 // nil: all
	runs  []run   // the same; nil: they are too short to be worth it
	at    []int32 // where in runs each block begins, and the last ends
	count int
	first uint64 // number of the first block
}

func (l *siteList) blocks() int { return (l.count + blockSize - 1) / blockSize }

// block is the sites of a block.
func (l *siteList) block(b int) []int32 {
	return l.sites[b*blockSize : min((b+1)*blockSize, l.count)]
}

// blockRuns are the runs of a block; nil: it has none.
func (l *siteList) blockRuns(b int) []run {
	if l.runs == nil {
		return nil
	}
	return l.runs[l.at[b]:l.at[b+1]]
}

// long is the least mean length of runs that are worth it.
const long = 4

// cut finds the runs of the list.
func (l *siteList) cut(s *strides, site func(k int) int32) {
	if s == nil {
		return
	}
	runs := s.runs(l.count, site)
	if long*len(runs) > l.count {
		return
	}
	l.runs = runs
	sites := 0
	for k, r := range runs {
		if sites%blockSize == 0 {
			l.at = append(l.at, int32(k))
		}
		sites += int(r.count)
	}
	l.at = append(l.at, int32(len(runs)))
}

// inOrder is all sites.
func (g *Graph) inOrder() siteList {
	g.scans.order.once.Do(func() {
		l := siteList{count: g.Sites()}
		l.cut(g.patterns(), func(k int) int32 { return int32(k) })
		g.scans.order.of = l
	})
	return g.scans.order.of
}

// byColour lists the sites by colour.
func (g *Graph) byColour() ([]siteList, error) {
	g.scans.colours.once.Do(func() {
		colours, err := g.Colour()
		if err != nil {
			g.scans.colours.err = err
			return
		}
		g.scans.colours.of = siteLists(colours, g.patterns())
	})
	return g.scans.colours.of, g.scans.colours.err
}

// siteLists lists the sites by colour and numbers the blocks.
func siteLists(colours []uint8, s *strides) []siteList {
	var sizes [256]int
	for _, c := range colours {
		sizes[c]++
	}
	var all []siteList
	first := uint64(0)
	for c, n := range sizes {
		if n == 0 {
			break
		}
		l := siteList{sites: make([]int32, 0, n), count: n, first: first}
		for i, d := range colours {
			if int(d) == c {
				l.sites = append(l.sites, int32(i))
			}
		}
		l.cut(s, func(k int) int32 { return l.sites[k] })
		first += uint64(l.blocks())
		all = append(all, l)
	}
	return all
}
