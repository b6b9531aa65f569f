package rbm

import (
	"image"
	"math"
)

// SquareGrid is for pictures of so many units: squares, or lines where they make no square.
func SquareGrid(units int) Grid {
	if side := int(math.Sqrt(float64(units))); side*side == units {
		return Grid{Rows: side, Columns: side}
	}
	return Grid{Rows: 1, Columns: units}
}

// Pictures are the cases as [Grid.Draw] takes them.
func (d *Data) Pictures() [][]float64 {
	all := make([][]float64, d.Cases)
	for n := range all {
		for _, u := range d.Case(n) {
			all[n] = append(all[n], float64(u))
		}
	}
	return all
}

// DrawPairs puts each picture above its counterpart, in pairs of rows of at most ten unless the grid says how many.
func (g Grid) DrawPairs(above, below [][]float64) (*image.Gray, error) {
	if g.Across == 0 {
		g.Across = min(10, len(above))
	}
	blank := make([]float64, g.Rows*g.Columns)
	var all [][]float64
	for at := 0; at < len(above); at += g.Across {
		for _, rows := range [][][]float64{above, below} {
			row := rows[at:min(at+g.Across, len(rows))]
			all = append(all, row...)
			for range g.Across - len(row) {
				all = append(all, blank)
			}
		}
	}
	return g.Draw(all)
}
