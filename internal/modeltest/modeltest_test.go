package modeltest

import (
	"fmt"
	"testing"
)

// TestPrograms lets all judges see programs of fixed seeds. A right plan fails a program
// with probability below 10⁻⁸ (Alpha times the comparisons of its exact tests), the 200
// with less than 10⁻⁶.
func TestPrograms(t *testing.T) {
	programs := 200
	if testing.Short() {
		programs = 30
	}
	for part := range 4 {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for seed := part; seed < programs; seed += 4 {
				res := Check(uint64(seed), Short())
				switch res.Verdict {
				case Failed:
					t.Errorf("%v\n%v", res.Err, res.Case)
				case Refusal, Doubtful:
					t.Logf("%s: %v\n%v", res.Verdict, res.Err, res.Case)
				}
			}
		})
	}
}

// A plan with a planted fault is told: the program's data are not those of the model.
func TestPlantedData(t *testing.T) {
	for seed := range uint64(200) {
		c, err := NewCase(Random(seed), seed)
		if err != nil {
			continue
		}
		p, err := c.plan(nil)
		if err != nil || len(p.Items) == 0 || c.dataAreRead() {
			continue
		}
		c.Program.Rels[0].args[0] = num(3) // the tree says another thing than the model
		if c.Agree(20) != nil {
			return
		}
	}
	t.Error("no judge saw that a program's tree was changed behind the compiled model")
}
