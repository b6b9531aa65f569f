package mrf

import (
	"context"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/path"
)

// 40 models against enumeration: the error is below six standard errors, which a normal one exceeds once in 5·10⁸, or below 1e-9
// where the base is exact. SE is itself an estimate from few runs where weights are uneven, so it is taken as 0.005 at least.
func TestLogZRandomModels(t *testing.T) {
	estimated := 0
	for n := range 40 {
		m := small(stream(4000+n).Rand, float64(n%4)/3)
		want := enumerate(m).logZ()
		res, err := LogZ(context.Background(), m, PathSettings{Entries: 5, Blocks: BlockSettings{Entries: 12}}, path.AutoSettings{Settings: path.Settings{Seed: 1, Threads: 1}, Moves: 20000})
		if err != nil {
			t.Errorf("model %d: %v", n, err)
			continue
		}
		if res.Method == "exact" {
			if !(math.Abs(res.LogZ-want) < 1e-9) {
				t.Errorf("model %d: log Z %v, not %v", n, res.LogZ, want)
			}
			continue
		}
		estimated++
		if !(math.Abs(res.LogZ-want) < 6*max(res.SE, 0.005)) {
			t.Errorf("model %d: log Z %v ± %v, not %v", n, res.LogZ, res.SE, want)
		}
	}
	if estimated < 10 {
		t.Errorf("%d models were not exact", estimated)
	}
}
