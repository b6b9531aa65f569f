package draws

import "fmt"

// Observed reads the observed data, if the folder has any.
func (r *Reader) Observed() ([]Array, error) {
	g := r.groups[ObservedData]
	if g == nil {
		return nil, nil
	}
	if err := r.plausible(ObservedData); err != nil {
		return nil, fmt.Errorf("reading observed data: %w", err)
	}
	var out []Array
	for _, v := range g.vars {
		// An observation is an array of one chain with one draw.
		one := v
		one.meta.Shape = append([]int{1, 1}, v.meta.Shape...)
		one.meta.Chunks = append([]int{1, 1}, v.meta.Chunks...)
		values, err := r.single(one)
		if err != nil {
			return nil, fmt.Errorf("reading observed data: %s: %w", v.Name, err)
		}
		out = append(out, Array{Variable: v.Variable, Values: values})
	}
	return out, nil
}

func (r *Reader) single(a readArray) ([]float64, error) {
	values := make([]float64, a.Size())
	order := a.rowMajor()
	missing, decode := a.meta.fill(), decoder(a.meta.Dtype)
	row := a.meta.chunkBytes() / itemSize(a.meta.Dtype)
	plain := a
	plain.meta.Chunks = a.meta.Chunks[2:]
	err := grid(a.meta.Shape[2:], a.meta.Chunks[2:], func(index []int) error {
		want := part{chains: 1, values: row}
		if a.crc != nil && r.checksummed {
			want.known = []known{{values: row, crc: *a.crc}}
		}
		b, _, err := r.chunk(ObservedData, plain, index, want, new([]byte))
		if err != nil {
			return err
		}
		for p := range row {
			pos := a.position(p, index)
			if pos < 0 {
				continue
			}
			x := missing
			if b != nil {
				x = decode(b, p)
			}
			values[at(order, pos)] = x
		}
		return nil
	})
	return values, err
}
