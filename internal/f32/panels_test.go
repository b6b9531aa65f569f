package f32

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// runPanels adds rows by as many lists as make one or two passes.
func runPanels(s set, o *room, n int) []uint64 {
	if n == 0 {
		return nil
	}
	height := 1 + o.r.IntN(9)
	stride := n + o.r.IntN(5)
	p := NewPanels(o.slice((height-1)*stride+n), stride, height, n)
	acc, lists := o.lists(1+o.r.IntN(9), height, n)
	addPanels(s, p, acc, lists)
	var bits []uint64
	for _, x := range acc {
		bits = append(bits, bitsOf(x)...)
	}
	return bits
}

// lists makes sums of n columns with the room that panels need behind them, and lists of rows.
func (o *room) lists(count, height, n int) (acc [][]float32, lists [][]int32) {
	for range count {
		rows := make([]int32, o.r.IntN(height+1), height)
		for i := range rows {
			rows[i] = int32(o.r.IntN(height))
		}
		acc, lists = append(acc, o.slice(Stride(n))[:n]), append(lists, rows)
	}
	return acc, lists
}

// What a list gets does not depend on the lists beside it: it is what AddRows gives.
func TestPanelsAddWhatAddRowsAdds(t *testing.T) {
	for _, s := range sets() {
		for _, n := range []int{1, 16, 64, 65, 79, 80, 81, 300} {
			for _, count := range []int{1, 3, 4, 5, pass, pass + 1, 2*pass + 7} {
				o := &room{r: rand.New(rand.NewPCG(uint64(count), uint64(n))), scale: 1}
				const height = 30
				w := o.slice(height * n)
				p := NewPanels(w, n, height, n)
				acc, lists := o.lists(count, height, n)
				want := make([][]uint64, count)
				for k := range acc {
					x := slices.Clone(acc[k])
					AddRows(x, w, n, lists[k])
					want[k] = bitsOf(x)
				}
				addPanels(s, p, acc, lists)
				for k := range acc {
					if !slices.Equal(bitsOf(acc[k]), want[k]) {
						t.Fatalf("%v, %d columns: list %d of %d has other bits", s, n, k, count)
					}
				}
				if err := o.check(); err != nil {
					t.Errorf("%v, %d columns: %v", s, n, err)
				}
			}
		}
	}
}

func TestPanelsHaveNoSuchRow(t *testing.T) {
	for _, n := range []int{10, 100} {
		p := NewPanels(make([]float32, 5*n), n, 5, n)
		acc := [][]float32{make([]float32, n, Stride(n))}
		for _, bad := range []int32{-1, 5, 1 << 30} {
			if !panics(func() { p.AddRows(acc, [][]int32{{0, bad}}) }) {
				t.Errorf("row %d of 5 is summed, %d columns", bad, n)
			}
		}
		if !panics(func() { p.AddRows(acc, nil) }) {
			t.Error("sums without lists pass")
		}
	}
}

func TestPanelsDoNotAllocate(t *testing.T) {
	const n, height = 100, 20
	o := &room{r: rand.New(rand.NewPCG(1, 1)), scale: 1}
	p := NewPanels(o.slice(height*n), n, height, n)
	acc, lists := o.lists(9, height, n)
	if n := testing.AllocsPerRun(50, func() { p.AddRows(acc, lists) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkPanels sums over both layers of a machine of 784 by 500 units, as a sweep does, for so many lists.
func BenchmarkPanels(b *testing.B) {
	const visible, hidden = 784, 500
	o := &room{r: rand.New(rand.NewPCG(1, 1)), scale: 1}
	up, down := NewPanels(o.slice(hidden*visible), visible, hidden, visible), NewPanels(o.slice(visible*hidden), hidden, visible, hidden)
	for _, s := range sets() {
		for _, count := range []int{1, 4, 16, 64} {
			above, on := o.lists(count, hidden, visible)
			input, lit := o.lists(count, visible, hidden)
			for k := range on {
				on[k], lit[k] = on[k][:min(len(on[k]), 235)], lit[k][:min(len(lit[k]), 51)]
			}
			b.Run(fmt.Sprintf("%v/%d", s, count), func(b *testing.B) {
				for b.Loop() {
					addPanels(s, up, above, on)
					addPanels(s, down, input, lit)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/list")
			})
		}
	}
}
