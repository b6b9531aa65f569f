package f32

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// runPanels sums rows by as many lists as make one or two passes.
func runPanels(s set, o *room, n int) []uint64 {
	if n == 0 {
		return nil
	}
	height := 1 + o.r.IntN(3*partRows)
	stride := n + o.r.IntN(5)
	p := NewPanels(o.slice((height-1)*stride+n), stride, height, n)
	dst, lists := o.lists(1+o.r.IntN(9), height, n)
	from := o.slice(Stride(n))[:n]
	if o.r.IntN(2) == 0 {
		from = nil
	}
	sumPanels(s, p, dst, from, lists, new(Workspace))
	var bits []uint64
	for _, x := range dst {
		bits = append(bits, bitsOf(x)...)
	}
	return bits
}

// lists makes sums of n columns with the room that panels need behind them, and ascending lists of rows.
func (o *room) lists(count, height, n int) (dst [][]float32, lists [][]int32) {
	for range count {
		dst, lists = append(dst, o.slice(Stride(n))[:n]), append(lists, o.rows(height, o.r.Float64()))
	}
	return dst, lists
}

// rows are about this share of all.
func (o *room) rows(height int, share float64) (rows []int32) {
	for i := range height {
		if o.r.Float64() < share {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// What a list gets does not depend on the lists beside it: it is what AddRows gives.
func TestPanelsAddWhatAddRowsAdds(t *testing.T) {
	for _, s := range sets() {
		work := new(Workspace) // what one call leaves is nothing to the next
		for _, n := range []int{17, 32, 33, 48, 49, 64, 79, 80, 81, 300} {
			for _, count := range []int{1, 3, 4, 5, pass, pass + 1, 2*pass + 7} {
				o := &room{r: rand.New(rand.NewPCG(uint64(count), uint64(n))), scale: 1}
				height := 30 + 300*(count%3)
				w := o.slice(height * n)
				p := NewPanels(w, n, height, n)
				dst, lists := o.lists(count, height, n)
				from := o.slice(Stride(n))[:n]
				want := make([][]uint64, count)
				for k := range dst {
					x := slices.Clone(from)
					AddRows(x, w, n, lists[k])
					want[k] = bitsOf(x)
				}
				sumPanels(s, p, dst, from, lists, work)
				for k := range dst {
					if !slices.Equal(bitsOf(dst[k]), want[k]) {
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
		for _, s := range sets() {
			p := NewPanels(make([]float32, 300*n), n, 300, n)
			dst := [][]float32{make([]float32, n, Stride(n))}
			for _, bad := range [][]int32{{0, -1}, {-1}, {0, 300}, {1 << 30}, {5, 4, 200, 100}, {150, 149}} {
				if !panics(func() { sumPanels(s, p, dst, nil, [][]int32{bad}, new(Workspace)) }) {
					t.Errorf("rows %d of 300 are summed, %d columns, %v", bad, n, s)
				}
			}
			if !panics(func() { sumPanels(s, p, dst, nil, nil, new(Workspace)) }) {
				t.Error("sums without lists pass")
			}
		}
	}
}

func TestPanelsDoNotAllocate(t *testing.T) {
	const n, height = 100, 20
	o := &room{r: rand.New(rand.NewPCG(1, 1)), scale: 1}
	p := NewPanels(o.slice(height*n), n, height, n)
	dst, lists := o.lists(9, height, n)
	work := new(Workspace)
	if n := testing.AllocsPerRun(50, func() { p.SumRows(dst, nil, lists, work) }); n != 0 {
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
				on[k], lit[k] = o.rows(hidden, 0.47), o.rows(visible, 0.07)
			}
			work := new(Workspace)
			b.Run(fmt.Sprintf("%v/%d", s, count), func(b *testing.B) {
				for b.Loop() {
					sumPanels(s, up, above, nil, on, work)
					sumPanels(s, down, input, nil, lit, work)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/list")
			})
		}
	}
}
