package draws

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// checkedChain is the checksums of a chain.
type checkedChain struct {
	counts [2]int
	sums   [][]uint32 // by column and chunk; the last chunk may not be full
	digest []byte
}

// tracks are the groups that have checksums, in the order of the columns.
func tracks() [2][]string {
	return [2][]string{sampling: {Posterior, LogLikelihood, SampledNodes, SampleStats}, warmup: {WarmupPosterior, WarmupSampleStats}}
}

// openChecksums reads the checksums of all draws, where the folder has them. It
// is they that say how many draws there are: the metadata are written after
// them and may lag behind.
func (r *Reader) openChecksums() error {
	if !r.checksummed {
		return nil
	}
	var layout [2][]group
	var columns [2]int
	chains, shown := 0, 0
	number := 0
	for t, names := range tracks() {
		for _, name := range names {
			g := r.groups[name]
			if g == nil {
				continue
			}
			chains, shown = max(chains, g.chains), max(shown, g.draws)
			vars := make([]disk, len(g.vars))
			for i := range g.vars {
				v := &g.vars[i]
				v.column, v.track = number, t
				number++
				vars[i] = disk{Variable: v.Variable, array: v.array, dtype: v.meta.Dtype, rows: v.meta.Chunks[1]}
			}
			columns[t] += len(vars)
			layout[t] = append(layout[t], group{name, vars})
		}
	}
	hash := layoutHash(r.origin, chains, layout)
	for c := range chains {
		s, err := readChainSums(r.dir, c, hash, columns)
		if errors.Is(err, fs.ErrNotExist) {
			if shown > 0 {
				return fmt.Errorf("%s is missing; restore it from a copy", checksumFile(r.dir, c))
			}
			s, err = &chainSums{open: [2][]uint32{make([]uint32, columns[0]), make([]uint32, columns[1])}}, nil
		}
		if err != nil {
			return err
		}
		sums, err := s.byColumn(r.dir, c)
		if err != nil {
			return err
		}
		r.chains = append(r.chains, checkedChain{s.counts, sums, checksumKind().Sum(s.marshal())})
	}
	return r.countDraws()
}

// countDraws gives every group as many draws as each of its chains has.
func (r *Reader) countDraws() error {
	for t, names := range tracks() {
		for _, name := range names {
			g := r.groups[name]
			if g == nil || len(g.vars) == 0 {
				continue
			}
			shown := g.draws
			g.draws = r.chains[0].counts[t]
			for c := range r.chains {
				n := r.chains[c].counts[t]
				if n < shown {
					return fmt.Errorf("%s knows %d draws and %s %d: the one is older than the other; restore both from one copy",
						checksumFile(r.dir, c), n, filepath.Join(r.dir, metadataFile), shown)
				}
				g.draws = min(g.draws, n)
			}
			for i := range g.vars {
				m := &g.vars[i].meta
				m.Shape = append([]int{m.Shape[0], g.draws}, m.Shape[2:]...)
				if err := m.check(); err != nil { // no run made so many
					return fmt.Errorf("%s knows %d draws: %w", checksumFile(r.dir, 0), g.draws, err)
				}
			}
		}
	}
	return nil
}

// known is the checksums of chains in a chunk, nil if there are none.
func (r *Reader) known(a readArray, index []int, w window) []known {
	if !r.checksummed {
		return nil
	}
	all := make([]known, w.chains)
	row := 1
	for _, c := range a.meta.Chunks[2:] {
		row *= c
	}
	for i := range all {
		chain := &r.chains[w.chain+i]
		rows := min(chain.counts[a.track]-w.draw, a.meta.Chunks[1])
		all[i] = known{chain: w.chain + i + 1, values: rows * row}
		if sums := chain.sums[a.column]; index[1] < len(sums) {
			all[i].crc = sums[index[1]]
		}
	}
	return all
}

// verifyOnce reads a chunk and holds it against its checksums, unless that has
// been done.
func (r *Reader) verifyOnce(f *os.File, a readArray, index []int, w window) error {
	if _, done := r.whole.Load(f.Name()); done {
		return nil
	}
	item := itemSize(a.meta.Dtype)
	chain := a.meta.chunkBytes() / a.meta.Chunks[0]
	for i, k := range r.known(a, index, w) {
		h := crc32.New(crcTable())
		if _, err := io.CopyBuffer(h, io.NewSectionReader(f, int64(i*chain), int64(k.values*item)), make([]byte, 1<<16)); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		if h.Sum32() != k.crc {
			return k.mismatch(f.Name())
		}
	}
	r.whole.Store(f.Name(), nil)
	return nil
}

// Digests stand for the draws of each chain: equal digests, equal draws. They are nil
// where the folder has no checksums.
func (r *Reader) Digests() (all [][]byte) {
	for c := range r.chains {
		all = append(all, r.chains[c].digest)
	}
	return all
}

// Kept is how many draws of a chain, of warm-up and after it, have checksums:
// each chain may have more than all have. It is 0 where there are no checksums.
func (r *Reader) Kept(chain int) (warmUp, draws int) {
	if chain >= len(r.chains) {
		return 0, 0
	}
	n := r.chains[chain].counts
	return n[warmup], n[sampling]
}

// Origin is what a [Layout] said of where the draws come from.
func (r *Reader) Origin() string { return r.origin }
