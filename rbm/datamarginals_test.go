package rbm

import (
	"math"
	"testing"
)

func TestDataMarginalBiases(t *testing.T) {
	d := &Data{Cases: 200, Visible: 3, Units: make([]uint8, 600)}
	for n := range 200 {
		d.Units[3*n+1] = 1
		d.Units[3*n+2] = bit(n < 50)
	}
	// Two batches: 10 on and 10 off are added to each unit.
	for i, p := range []float64{10. / 220, 210. / 220, 60. / 220} {
		if got, want := d.MarginalBiases()[i], math.Log(p/(1-p)); !near(got, want, 1e-14) {
			t.Errorf("unit %d: %v, want %v", i+1, got, want)
		}
	}
}
