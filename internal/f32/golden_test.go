package f32

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"testing"
)

// golden freezes the bits of every loop over 120 lengths: they reach draws, so they must be the same on every machine
// and in every release. Run the test on arm64 too, where the compiler may fuse.
var golden = map[string]uint64{
	"addRows":        0x254e5279832f6bdd,
	"axpy":           0xa92e58a73910a2b9,
	"bernoulli":      0x37a1494d7004e478,
	"bernoulliAlong": 0x03dc4faf4497959d,
	"line":           0xf924d936bafd14bd,
	"dot":            0x7adc0dd8dcc33751,
	"panels":         0x00c66dae1f69575e,
	"sigmoid":        0x24c10f504e4ca816,
	"softplus":       0x9adeffc755558b29,
	"sumRows":        0xb7114f0ea99794e6,
	"sumSoftplus":    0x9118604fdd8569bc,
	"sumStep":        0x801e62a1593786db,
}

func TestGolden(t *testing.T) {
	for name, loop := range loops {
		for _, s := range sets() {
			h := fnv.New64a()
			for n := range 120 {
				o := &room{r: rand.New(rand.NewPCG(9, uint64(n))), scale: 3}
				for _, v := range loop(s, o, n) {
					h.Write(binary.LittleEndian.AppendUint64(nil, v))
				}
			}
			if got := h.Sum64(); got != golden[name] {
				t.Errorf("%q on %v: %#x, want %#x", name, s, got, golden[name])
			}
		}
	}
}
