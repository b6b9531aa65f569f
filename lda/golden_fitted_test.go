package lda

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// Fitted priors, inferred shares and estimates of a likelihood have the same bits everywhere.
func TestFittedGolden(t *testing.T) {
	c := bars(5, 100, 20)
	m := sampled(t, "sparse", c, Settings{Alpha: append([]float64{0.7}, Symmetric(2, 9)...), Beta: 0.05, Seed: 1}, Options{}, 10)
	m.OptimisePriors(false)
	f := m.Fitted()
	var b bytes.Buffer
	sum := func() uint32 { defer b.Reset(); return crc32.ChecksumIEEE(b.Bytes()) }
	put := func(v any) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	put(f.Alpha)
	put(f.Beta)
	if got := sum(); got != 0x13318e1d {
		t.Errorf("priors: %#x", got)
	}
	shares, err := f.Infer(context.Background(), c, Inference{Chains: 2, Sweeps: 10, BurnIn: 2, Seed: 3})
	if err == nil {
		err = shares.Write(&b, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := sum(); got != 0xf3cc8ada {
		t.Errorf("shares: %#x", got)
	}
	for method, want := range map[string]uint32{"left-to-right": 0x943613df, "completion": 0x3d105a0d} {
		h, err := f.Evaluate(context.Background(), c, Evaluation{Method: method, Runs: 2, Particles: 5, Sweeps: 10, BurnIn: 2, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		put(h.LogP)
		put(h.SE)
		if got := sum(); got != want {
			t.Errorf("%s: %#x", method, got)
		}
	}
}
