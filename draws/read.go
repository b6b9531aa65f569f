package draws

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// Read reads the whole folder into memory.
func (r *Reader) Read() (Groups, error) {
	var g Groups
	sets := []struct {
		dst  **Set
		name string
	}{
		{&g.Posterior, Posterior}, {&g.SampleStats, SampleStats}, {&g.LogLikelihood, LogLikelihood}, {&g.Sampled, SampledNodes},
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
	pieces, err := r.Pieces(group, math.MaxInt)
	if err != nil {
		return nil, err
	}
	g := r.groups[group]
	s, err := NewSet(g.variables(), g.chains)
	if err != nil {
		return nil, fmt.Errorf("reading draws: %w", err)
	}
	for _, p := range pieces {
		columns, err := r.ReadPiece(p, nil)
		if err != nil {
			return nil, err
		}
		for i, e := range p.Elements {
			s.cols[e] = columns[i]
		}
	}
	return s, nil
}

// ReadVariable reads one variable of a group: element, chain, draw. It is nil
// where the group has none of that name.
func (r *Reader) ReadVariable(group, name string) ([][][]float64, error) {
	pieces, err := r.Pieces(group, math.MaxInt)
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		if p.array.Name == name {
			return r.ReadPiece(p, nil)
		}
	}
	return nil, nil
}

// Piece is elements of one variable, which are read together.
type Piece struct {
	Elements []int // positions in the order of a draw
	group    string
	array    readArray
	from     int // C position of the first element
}

// Pieces cuts the elements of a group into pieces of at most the given number
// of values, so that memory need not hold all draws, but of one element at
// least. They come in the order in which they lie on disk.
func (r *Reader) Pieces(group string, values int) ([]Piece, error) {
	g := r.groups[group]
	if g == nil {
		return nil, fmt.Errorf("reading draws: %s has no group %s", r.dir, group)
	}
	if err := r.plausible(group); err != nil {
		return nil, fmt.Errorf("reading draws: %w", err)
	}
	limit := max(values/max(g.chains*g.draws, 1), 1)
	var pieces []Piece
	start := 0
	for _, v := range g.vars {
		order, size := v.rowMajor(), v.Size()
		for from := 0; from < size; from += limit {
			p := Piece{group: group, array: v, from: from}
			for i := from; i < size && i-from < limit; i++ {
				p.Elements = append(p.Elements, start+at(order, i))
			}
			pieces = append(pieces, p)
			if size-from <= limit {
				break // from += limit may overflow
			}
		}
		start += size
	}
	return pieces, nil
}

// Columns is memory that draws are read into. The zero value is ready.
type Columns struct {
	values []float64
	chains [][]float64
	list   [][][]float64
	chunk  []byte
}

// ReadPiece reads the draws of a piece: element, chain, draw. With mem they
// are in its memory, until the next piece is read into it; mem may be nil.
func (r *Reader) ReadPiece(p Piece, mem *Columns) ([][][]float64, error) {
	own := mem == nil
	if own {
		mem = new(Columns)
	}
	cols, err := r.columns(p, mem)
	if err != nil {
		return nil, fmt.Errorf("reading draws: %s: %w", p.array.Name, r.damage(p, err))
	}
	for i := range cols {
		for c := range cols[i] {
			if own { // may be appended to
				cols[i][c] = slices.Clip(cols[i][c])
			}
		}
	}
	return cols, nil
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

// plausible returns an error when a group claims far more values than its files
// could hold. Another program leaves chunks out whose values are all alike, so a
// variable may hold fewer than it claims where others prove as many draws.
func (r *Reader) plausible(group string) error {
	g := r.groups[group]
	draws := float64(max(g.chains, 1)) * float64(max(g.draws, 1))
	total := 0.0
	for _, v := range g.vars {
		total += float64(v.Size()) * draws
	}
	if r.checksummed || total <= fewElements {
		return nil
	}
	proven := false // the number of draws
	var bare []readArray
	for _, v := range g.vars {
		stored, err := r.storedBytes(group, v)
		if err != nil {
			return err
		}
		values := stored / float64(itemSize(v.meta.Dtype))
		proven = proven || values >= draws
		if values < float64(v.Size())*draws {
			bare = append(bare, v)
		}
	}
	total = 0
	for _, v := range bare {
		total += float64(v.Size())
		if !proven || total > fewElements/16 {
			return fmt.Errorf("%s claims %s in %.0f draws, and its files do not hold as many", v.Name, wording.Count(v.Size(), "element", "elements"), draws)
		}
	}
	return nil
}

// storedBytes is what the files of a variable hold, unpacked, at most.
func (r *Reader) storedBytes(group string, v readArray) (float64, error) {
	total := 0.0
	err := filepath.WalkDir(filepath.Join(r.dir, group, v.array), func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			total += float64(info.Size())
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if v.meta.Compressor != nil {
		total *= 1032 // the most that deflate gains
	}
	return total, err
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

// columns reads the elements of a piece.
func (r *Reader) columns(p Piece, mem *Columns) ([][][]float64, error) {
	g, a := r.groups[p.group], p.array
	cols, granted := mem.grant(len(p.Elements), g.chains, g.draws)
	whole := a.meta.Compressor == nil
	for k, d := range a.Dims {
		whole = whole && a.meta.Chunks[2+k] == d
	}
	// Reading some bytes too many costs less than a call for every draw.
	stripes := whole && (a.Size()-len(cols))*itemSize(a.meta.Dtype) > 4096
	err := grid(a.meta.Shape[:2], a.meta.Chunks[:2], func(lead []int) error {
		w := a.window(lead, g)
		for i := range cols {
			for c := w.chain; c < w.chain+w.chains && !granted; c++ {
				cols[i][c] = append(cols[i][c], make([]float64, w.draws)...)
			}
		}
		if stripes {
			return r.stripes(p, lead, w, cols, mem)
		}
		return grid(a.meta.Shape[2:], a.meta.Chunks[2:], func(trail []int) error {
			return r.scatter(p, append(append([]int{}, lead...), trail...), w, cols, mem)
		})
	})
	return cols, err
}

// grant returns columns of full length, the chains of an element side by side, or empty ones where they would be so
// large that the disk must first prove to hold as many values.
func (m *Columns) grant(elements, chains, draws int) (cols [][][]float64, granted bool) {
	m.list, m.chains = resize(m.list, elements), resize(m.chains, elements*chains)
	granted = elements*chains*draws <= fewElements*4
	if granted {
		m.values = resize(m.values, elements*chains*draws)
	}
	for i := range m.chains {
		m.chains[i] = nil
		if granted {
			m.chains[i] = m.values[i*draws : (i+1)*draws : (i/chains+1)*chains*draws]
		}
	}
	for i := range m.list {
		m.list[i] = m.chains[i*chains : (i+1)*chains : (i+1)*chains]
	}
	return m.list, granted
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// window is the part of the chains and draws that a chunk covers.
type window struct{ chain, chains, draw, draws int }

func (a readArray) window(lead []int, g *readGroup) window {
	w := window{chain: lead[0] * a.meta.Chunks[0], draw: lead[1] * a.meta.Chunks[1]}
	w.chains = min(a.meta.Chunks[0], g.chains-w.chain)
	w.draws = min(a.meta.Chunks[1], g.draws-w.draw)
	return w
}

// stripes reads only the wanted elements of each draw in a chunk.
func (r *Reader) stripes(p Piece, lead []int, w window, cols [][][]float64, mem *Columns) error {
	a := p.array
	index := append(append([]int{}, lead...), make([]int, len(a.Dims))...)
	f, err := r.openChunk(p.group, a, index)
	if err != nil {
		return err
	}
	if f == nil {
		return r.scatter(p, index, w, cols, mem)
	}
	defer f.Close()
	if err := r.verifyOnce(f, a, index, w); err != nil {
		return err
	}
	item, decode := itemSize(a.meta.Dtype), decoder(a.meta.Dtype)
	mem.chunk = resize(mem.chunk, len(cols)*item)
	for c := range w.chains {
		for d := range w.draws {
			row := c*a.meta.Chunks[1] + d
			if _, err := f.ReadAt(mem.chunk, int64((row*a.Size()+p.from)*item)); err != nil {
				return fmt.Errorf("%s: %w", f.Name(), err)
			}
			for i := range cols {
				cols[i][w.chain+c][w.draw+d] = decode(mem.chunk, i)
			}
		}
	}
	return nil
}

// scatter distributes one chunk over the columns.
func (r *Reader) scatter(p Piece, index []int, w window, cols [][][]float64, mem *Columns) error {
	a := p.array
	row := 1
	for _, c := range a.meta.Chunks[2:] {
		row *= c
	}
	b, stride, err := r.chunk(p.group, a, index, part{w.chains, w.draws * row, r.known(a, index, w)}, &mem.chunk)
	if err != nil {
		return err
	}
	if b == nil && memory.Product(a.Size(), len(cols[0]), r.groups[p.group].draws) > fewElements*16 { // of the whole array: pieces are small
		return fmt.Errorf("chunk %s is missing", r.chunkPath(p.group, a, index))
	}
	missing, decode := a.meta.fill(), decoder(a.meta.Dtype)
	isFloat := a.meta.Dtype == float64Type
	for place := range row {
		e := a.position(place, index[2:]) - p.from
		if e < 0 || e >= len(cols) {
			continue
		}
		for c := range w.chains {
			dst := cols[e][w.chain+c][w.draw : w.draw+w.draws]
			at := c*stride + place
			switch {
			case b == nil:
				for d := range dst {
					dst[d] = missing
				}
			case isFloat:
				floats(dst, b[8*at:], row)
			default:
				for d := range dst {
					dst[d] = decode(b, at+d*row)
				}
			}
		}
	}
	return nil
}

// floats decodes every row-th number of b.
func floats(dst []float64, b []byte, row int) {
	if row == 1 {
		b = b[:8*len(dst)]
		for d := range dst {
			dst[d] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*d : 8*d+8]))
		}
		return
	}
	for d := range dst {
		dst[d] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		if d < len(dst)-1 {
			b = b[8*row:]
		}
	}
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
