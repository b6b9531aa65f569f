package modeltest

import (
	"flag"
	"fmt"
	"slices"
	"sync/atomic"
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

var (
	trajectories = flag.Int("trajectories", 30, "programs whose nodes nuts moves")
	first        = flag.Int("first", 30, "seed of the first of them")
)

// TestTrajectories lets nuts move all that it can in programs of fixed seeds. False alarms are as in TestPrograms. About half of the programs give it nodes to move.
func TestTrajectories(t *testing.T) {
	programs := *trajectories
	if testing.Short() {
		programs = min(programs, 20)
	}
	var moved atomic.Int32
	t.Run("", func(t *testing.T) {
		for part := range 2 {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				for seed := *first + part; seed < *first+programs; seed += 2 {
					res := CheckTrajectories(uint64(seed), Short())
					switch res.Verdict {
					case Failed, Refusal:
						t.Errorf("%v\n%v", res.Err, res.Case)
					case Doubtful:
						t.Logf("%s: %v\n%v", res.Verdict, res.Err, res.Case)
					}
					if slices.Contains(res.Judged, "by the simulator") {
						moved.Add(1)
					}
				}
			})
		}
	})
	if t.Logf("%d of %d programs judged", moved.Load(), programs); int(moved.Load()) < programs*2/5 {
		t.Errorf("only %d of %d programs were judged", moved.Load(), programs)
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

// TestColumns compares compiled blocks with their rows, in random programs.
func TestColumns(t *testing.T) { columnsOf(t, Random, *columnPrograms, 5) }

// TestColumnsOfManyRows compares the passes over likelihoods of many rows, and rows that repeat.
func TestColumnsOfManyRows(t *testing.T) { columnsOf(t, RandomRows, *columnPrograms/8, 2) }

func columnsOf(t *testing.T, random func(seed uint64) *Program, programs, points int) {
	t.Helper()
	compared := 0
	for seed := range uint64(programs) {
		c, err := NewCase(random(seed), seed)
		if err != nil {
			continue
		}
		n, err := c.Columns(points)
		if compared += n; err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	}
	if t.Logf("%d derivatives compared", compared); compared < 2*programs {
		t.Errorf("only %d derivatives were compared", compared)
	}
}

var columnPrograms = flag.Int("columns", 400, "programs whose blocks are compared with their rows")

// TestGuards holds the rows that depend on a node as indices now stand to all rows around it, in random programs.
func TestGuards(t *testing.T) {
	moves := 0
	for seed := range uint64(1500) {
		c, err := NewCase(Random(seed), seed)
		if err != nil {
			continue
		}
		n, err := c.Guards(10)
		if moves += n; err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	}
	if t.Logf("%d moves", moves); moves < 3000 {
		t.Errorf("only %d moves", moves)
	}
}

// TestBlankets compares what a change of nodes reaches with a walk by single rows, in random programs.
func TestBlankets(t *testing.T) {
	rows := 0
	for seed := range uint64(1500) {
		random := Random
		if seed%5 == 0 {
			random = RandomRows
		}
		c, err := NewCase(random(seed), seed)
		if err != nil {
			continue
		}
		n, err := c.Blankets()
		if rows += n; err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	}
	if t.Logf("%d rows", rows); rows < 50000 {
		t.Errorf("only %d rows", rows)
	}
}
