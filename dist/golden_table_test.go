package dist

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// goldenTable freezes the bits of log densities, derivatives, tails, quantiles and draws, plain and truncated, of the
// continuous distributions: they are the same on every machine.
var goldenTable = map[string]uint64{
	"dbeta":         0x7f0a46d92374adad,
	"dchisqr":       0xb76fe1bc5a5845a8,
	"ddexp":         0x09ef9c05c0cf2e88,
	"dexp":          0x426e22c40e9a84a9,
	"df":            0xc821745a8759d558,
	"dgamma":        0xb5721ef043625d3e,
	"dgen.gamma":    0x4006864aef7d5f82,
	"dlnorm":        0xbacba0cd8889912f,
	"dlogis":        0xad4cb42f49289bc8,
	"dnchisqr":      0x48461a7050d1dc51,
	"dnorm":         0xb332c726d8bc62ec,
	"dnt":           0x6c80ace445b82622,
	"dpar":          0x054307960b8f2940,
	"dscaled.gamma": 0x49491b7082a47341,
	"dt":            0xb5767021442ac173,
	"dunif":         0x9f0f36cf198c068f,
	"dgev":          0x4eef5bc9d468b390,
	"dgpar":         0xc0ce88d0271b46ab,
	"dinvgamma":     0x369747a8bb622204,
	"dweib":         0xd405f74e269f00cf,
}

func TestGoldenTable(t *testing.T) {
	for _, d := range continuous() {
		h := fnv.New64a()
		write := func(v float64) {
			if v != v {
				v = math.NaN() // the bits of NaN are the machine's own
			}
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
		r := testRand(8)
		for _, p := range tableCases[d.Name] {
			dp := make([]float64, len(p))
			lo, hi := d.Quantile(0.9, p), d.Quantile(0.99, p)
			for range 30 {
				x := d.Sample(r, p)
				write(x)
				write(d.LogProb(x, p))
				write(d.Grad(x, p, dp))
				for _, v := range dp {
					write(v)
				}
				write(d.LogCDF(x, p))
				write(d.LogSF(x, p))
				write(d.Quantile(uniform(r), p))
				write(d.SampleT(r, p, lo, hi))
				write(d.LogProbT(x, p, math.Inf(-1), hi))
			}
		}
		if got := h.Sum64(); got != goldenTable[d.Name] {
			t.Errorf("\t%q: %#016x,", d.Name, got)
		}
	}
	if len(goldenTable) != len(continuous()) {
		t.Errorf("%d distributions are frozen, there are %d", len(goldenTable), len(continuous()))
	}
}
