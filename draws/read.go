package draws

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
)

// Block is the draws of some elements of a group.
type Block struct {
	Elements []int         // positions in the order of a draw
	Columns  [][][]float64 // element, chain, draw
}

// Read reads the whole folder into memory.
func (r *Reader) Read() (Groups, error) {
	var g Groups
	sets := []struct {
		dst  **Set
		name string
	}{
		{&g.Posterior, Posterior}, {&g.SampleStats, SampleStats}, {&g.LogLikelihood, LogLikelihood},
		{&g.Warmup, WarmupPosterior}, {&g.WarmupStats, WarmupSampleStats},
	}
	var err error
	for _, s := range sets {
		if !r.Has(s.name) {
			continue
		}
		if *s.dst, err = r.ReadGroup(s.name); err != nil {
			return Groups{}, err
		}
	}
	g.Observed, err = r.Observed()
	return g, err
}

// ReadGroup reads one group into memory.
func (r *Reader) ReadGroup(group string) (*Set, error) {
	g := r.groups[group]
	if g == nil {
		return nil, fmt.Errorf("reading draws: %s has no group %s", r.dir, group)
	}
	if err := r.plausible(group); err != nil {
		return nil, fmt.Errorf("reading draws: %w", err)
	}
	s, err := NewSet(g.variables(), g.chains)
	if err != nil {
		return nil, fmt.Errorf("reading draws: %w", err)
	}
	for b, err := range r.Blocks(group, math.MaxInt) {
		if err != nil {
			return nil, err
		}
		for i, e := range b.Elements {
			s.cols[e] = b.Columns[i]
		}
	}
	return s, nil
}

// Blocks goes through the elements of a group in blocks of about the given
// number of values, so that memory need not hold all draws. Elements come in
// the order in which they lie on disk.
func (r *Reader) Blocks(group string, values int) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		g := r.groups[group]
		if g == nil {
			yield(Block{}, fmt.Errorf("reading draws: %s has no group %s", r.dir, group))
			return
		}
		if err := r.plausible(group); err != nil {
			yield(Block{}, fmt.Errorf("reading draws: %w", err))
			return
		}
		limit := max(values/max(g.chains*g.draws, 1), 1)
		var b Block
		start := 0
		for _, v := range g.vars {
			order := v.rowMajor()
			size := v.Size()
			for from := 0; from < size; {
				to := min(size, from+limit-len(b.Elements))
				cols, err := r.columns(group, v, from, to)
				if err != nil {
					yield(Block{}, fmt.Errorf("reading draws: %s: %w", v.Name, err))
					return
				}
				b.Columns = append(b.Columns, cols...)
				for i := from; i < to; i++ {
					b.Elements = append(b.Elements, start+at(order, i))
				}
				from = to
				if len(b.Elements) >= limit {
					if !yield(b, nil) {
						return
					}
					b = Block{}
				}
			}
			start += size
		}
		if len(b.Elements) > 0 {
			yield(b, nil)
		}
	}
}

func at(order []int, i int) int {
	if order == nil {
		return i
	}
	return order[i]
}

// fewElements are so few that memory for them needs no proof that the disk
// holds as many.
const fewElements = 1 << 22

// plausible returns an error when a group claims far more elements than its
// files could hold.
func (r *Reader) plausible(group string) error {
	total := 0
	for _, v := range r.groups[group].vars {
		size := v.Size() * max(r.groups[group].chains, 1)
		if total += size; total <= fewElements {
			continue
		}
		stored, err := r.storedBytes(group, v)
		if err != nil {
			return err
		}
		if stored/itemSize(v.meta.Dtype) < size {
			return fmt.Errorf("%s claims %d elements and its files do not hold as many", v.Name, v.Size())
		}
	}
	return nil
}

func (r *Reader) storedBytes(group string, v readArray) (int, error) {
	entries, err := os.ReadDir(filepath.Join(r.dir, group, v.array))
	if err != nil {
		return 0, err
	}
	total := 0
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return 0, err
		}
		total += int(info.Size())
	}
	if v.meta.Compressor != nil {
		total *= 1032 // the most that deflate gains
	}
	return total, nil
}

// grid visits the chunks of an array along the given shape.
func grid(shape, chunks []int, visit func(index []int) error) error {
	index := make([]int, len(shape))
	for k := range shape {
		if shape[k] == 0 {
			return nil
		}
	}
	for {
		if err := visit(index); err != nil {
			return err
		}
		k := len(index) - 1
		for ; k >= 0; k-- {
			index[k]++
			if index[k]*chunks[k] < shape[k] {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return nil
		}
	}
}

// columns reads the elements of a variable whose C positions are in
// [from, to).
func (r *Reader) columns(group string, a readArray, from, to int) ([][][]float64, error) {
	g := r.groups[group]
	cols := make([][][]float64, to-from)
	for i := range cols {
		cols[i] = make([][]float64, g.chains)
	}
	if len(cols)*g.chains*g.draws <= fewElements*4 {
		for i := range cols {
			for c := range cols[i] {
				cols[i][c] = make([]float64, 0, g.draws)
			}
		}
	}
	whole := a.meta.Compressor == nil && a.meta.Chunks[0] == 1
	for k, d := range a.Dims {
		whole = whole && a.meta.Chunks[2+k] == d
	}
	err := grid(a.meta.Shape[:2], a.meta.Chunks[:2], func(lead []int) error {
		w := window{chain: lead[0] * a.meta.Chunks[0], draw: lead[1] * a.meta.Chunks[1]}
		w.chains = min(a.meta.Chunks[0], g.chains-w.chain)
		w.draws = min(a.meta.Chunks[1], g.draws-w.draw)
		for i := range cols {
			for c := w.chain; c < w.chain+w.chains; c++ {
				cols[i][c] = append(cols[i][c], make([]float64, w.draws)...)
			}
		}
		if whole && to-from < a.Size() {
			return r.stripes(group, a, lead, w, from, to, cols)
		}
		return grid(a.meta.Shape[2:], a.meta.Chunks[2:], func(trail []int) error {
			return r.scatter(group, a, append(append([]int{}, lead...), trail...), w, from, cols)
		})
	})
	return cols, err
}

// window is the part of the chains and draws that a chunk covers.
type window struct{ chain, chains, draw, draws int }

// stripes reads only the wanted elements of each draw in a chunk.
func (r *Reader) stripes(group string, a readArray, lead []int, w window, from, to int, cols [][][]float64) error {
	path := r.chunkPath(group, a, append(append([]int{}, lead...), make([]int, len(a.Dims))...))
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	item, decode := itemSize(a.meta.Dtype), decoder(a.meta.Dtype)
	b := make([]byte, (to-from)*item)
	for d := range w.draws {
		if _, err := f.ReadAt(b, int64((d*a.Size()+from)*item)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for i := range cols {
			cols[i][w.chain][w.draw+d] = decode(b, i)
		}
	}
	return nil
}

// scatter distributes one chunk over the columns of the elements whose C
// positions start at from.
func (r *Reader) scatter(group string, a readArray, index []int, w window, from int, cols [][][]float64) error {
	b, err := r.chunk(group, a, index)
	if err != nil {
		return err
	}
	if b == nil && len(cols)*len(cols[0])*r.groups[group].draws > fewElements*4 {
		return fmt.Errorf("chunk %s is missing", r.chunkPath(group, a, index))
	}
	row := 1
	for _, c := range a.meta.Chunks[2:] {
		row *= c
	}
	missing, decode := a.meta.fill(), decoder(a.meta.Dtype)
	isFloat := a.meta.Dtype == float64Type
	for p := range row {
		e := a.position(p, index[2:]) - from
		if e < 0 || e >= len(cols) {
			continue
		}
		for c := range w.chains {
			dst := cols[e][w.chain+c][w.draw : w.draw+w.draws]
			at := c*a.meta.Chunks[1]*row + p
			switch {
			case b == nil:
				for d := range dst {
					dst[d] = missing
				}
			case isFloat:
				for d := range dst {
					dst[d] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*(at+d*row):]))
				}
			default:
				for d := range dst {
					dst[d] = decode(b, at+d*row)
				}
			}
		}
	}
	return nil
}

// position is the C position in the variable of place p in a row of a chunk,
// -1 where the chunk reaches over the edge.
func (a readArray) position(p int, index []int) int {
	pos, stride := 0, 1
	for k := len(a.Dims) - 1; k >= 0; k-- {
		c := a.meta.Chunks[2+k]
		i := index[k]*c + p%c
		p /= c
		if i >= a.Dims[k] {
			return -1
		}
		pos += i * stride
		stride *= a.Dims[k]
	}
	return pos
}
