package memory

import "testing"

func TestLarge(t *testing.T) {
	for _, n := range []int{0, 1, 1<<18 - 1, 1 << 20, 3<<20 + 5} {
		s := Large[uint32](n)
		if len(s) != n || cap(s) != n {
			t.Fatalf("%d and room for %d of %d", len(s), cap(s), n)
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("element %d of %d is %d", i, n, s[i])
			}
			s[i] = uint32(i)
		}
		for i, v := range s {
			if v != uint32(i) {
				t.Fatalf("element %d of %d holds %d", i, n, v)
			}
		}
	}
}
