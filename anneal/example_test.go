package anneal_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ergodic-mcmc/ergodic/anneal"
)

// queens are n queens on a board, one in each column; the state has their rows, a permutation. The energy counts pairs on a diagonal.
type queens int

func (n queens) Size() int                  { return int(n) }
func (n queens) Start(r *rand.Rand) []int   { return r.Perm(int(n)) }
func (n queens) Apply(rows []int, m [2]int) { rows[m[0]], rows[m[1]] = rows[m[1]], rows[m[0]] }
func (n queens) Undo(rows []int, m [2]int)  { n.Apply(rows, m) }
func (n queens) Copy(to, from []int)        { copy(to, from) }

func (n queens) Energy(rows []int) (attacks float64) {
	for c, row := range rows {
		for k := range c {
			if d := row - rows[k]; d == c-k || d == k-c {
				attacks++
			}
		}
	}
	return attacks
}

// Propose swaps two rows, to see what that changes; Undo takes it back.
func (n queens) Propose(rows []int, r *rand.Rand) (m [2]int, d float64) {
	m = [2]int{r.IntN(int(n)), r.IntN(int(n))}
	before := n.Energy(rows)
	n.Apply(rows, m)
	return m, n.Energy(rows) - before
}

// A problem of one's own: eight queens that do not attack each other.
func ExampleMinimise() {
	rows, res, err := anneal.Minimise(context.Background(), queens(8), anneal.Settings{Seed: 1, Sweeps: 100, Reads: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("attacks:", res.Best, "in", len(res.Reads), "reads")
	for _, row := range rows {
		fmt.Println(strings.Repeat(". ", row) + "Q" + strings.Repeat(" .", len(rows)-1-row))
	}
	// Output:
	// attacks: 0 in 4 reads
	// Q . . . . . . .
	// . . . . Q . . .
	// . . . . . . . Q
	// . . . . . Q . .
	// . . Q . . . . .
	// . . . . . . Q .
	// . Q . . . . . .
	// . . . Q . . . .
}
