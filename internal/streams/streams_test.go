package streams

import "testing"

// The first outputs of xoroshiro128++ from the state (1, 2), by the reference code's recurrence worked by hand:
// 17-bit rotation of 3 plus 1 is 393217; the state after it is (rotl(1, 49) ^ 3 ^ 3·2²¹, rotl(3, 28)).
func TestRecurrence(t *testing.T) {
	u, s := Stream{1, 2}.Next()
	if u != 3<<17+1 {
		t.Errorf("first output %d", u)
	}
	if want := (Stream{1<<49 ^ 3 ^ 3<<21, 3 << 28}); s != want {
		t.Errorf("state %v, want %v", s, want)
	}
}

// Streams of a name are frozen: kernels' draws hang on them.
func TestGolden(t *testing.T) {
	u, _ := New(1, "streams", 2).At(3).Stream(4).Next()
	if u != 0x987be2b1f3a45623 {
		t.Errorf("%#x", u)
	}
}

func TestIndicesDiffer(t *testing.T) {
	n, seen := New(1, "streams"), map[uint64]bool{}
	for i := range uint64(1000) {
		u, _ := n.Stream(i).Next()
		v, _ := n.At(i).Stream(0).Next()
		if seen[u] || seen[v] || u == v {
			t.Fatalf("index %d repeats an output", i)
		}
		seen[u], seen[v] = true, true
	}
}
