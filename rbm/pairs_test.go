package rbm_test

import (
	"testing"

	"github.com/ergodic-mcmc/ergodic/rbm"
)

// Three pairs, two in a row, are four rows: white above black, and blank where there is no third pair's neighbour.
func TestDrawPairs(t *testing.T) {
	above := (&rbm.Data{Cases: 3, Visible: 4, Units: []uint8{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}).Pictures()
	below := (&rbm.Data{Cases: 3, Visible: 4, Units: make([]uint8, 12)}).Pictures()
	g := rbm.SquareGrid(4)
	g.Across, g.High = 2, 1
	im, err := g.DrawPairs(above, below)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][2]uint8{{255, 255}, {0, 0}, {255, 0}, {0, 0}} {
		for j, level := range want {
			if got := im.GrayAt(1+3*j, 1+3*k).Y; got != level {
				t.Errorf("row %d, picture %d: %d, want %d", k+1, j+1, got, level)
			}
		}
	}
	if g := rbm.SquareGrid(20); g.Rows != 1 || g.Columns != 20 {
		t.Errorf("%+v", g)
	}
}
