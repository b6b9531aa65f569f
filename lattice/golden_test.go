package lattice

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The draws of a seed are frozen, for each way in which spins are drawn: in continuous time, by Metropolis and heat bath in three scans, in exchanges.
func TestGoldenSingleSpins(t *testing.T) {
	square := must(Geometry{Size: []int{40, 30}}.Graph(1))
	cube := must(Geometry{Size: []int{10, 10, 12}, Boundary: Open}.Graph(-0.5))
	triangular := must(Geometry{Kind: Triangular, Size: []int{30, 40}, Boundary: Helical}.Graph(1))
	honeycomb := must(Geometry{Kind: Honeycomb, Size: []int{20, 30}}.Graph(1))
	fields := must(GaussianField(1200, 0, 0.7, 3))
	models := []struct {
		name  string
		model *Model
		beta  float64
	}{
		{"Ising", &Model{Graph: square}, 0.44},
		{"cubic antiferromagnet in a field", &Model{Graph: cube, Field: UniformField(1200, 0.3)}, 0.5},
		{"±J", &Model{Graph: must(square.PlusMinus(1, 0.5, 7))}, 0.8},
		{"Gaussian couplings and fields", &Model{Graph: must(triangular.Gaussian(0.2, 1, 7)), Field: fields}, 0.6},
		{"Potts of 3", &Model{Graph: square, Q: 3}, 1},
		{"Potts of 10", &Model{Graph: square, Q: 10}, 1.4},
		{"Potts of 20, triangular", &Model{Graph: triangular, Q: 20}, 0.9},
		{"Potts of 4, antiferromagnet", &Model{Graph: must(Geometry{Size: []int{40, 30}}.Graph(-1)), Q: 4}, 1},
		{"Potts of 3, fields", &Model{Graph: honeycomb, Q: 3, Field: PlusMinusField(1200, 0.5, 7)}, 1.2},
	}
	want := map[string]string{
		"Ising":                            "f5c5e273 e2cbe6f0 072982a7 bdb8abe5 42e0c89e c14bd04a 2fa361cd d6bea7a9",
		"cubic antiferromagnet in a field": "cc282239 b7e62ee7 3451a78b c7fd962e 157b9471 4bfd1b8c d0791d1c a4943b06",
		"±J":                               "e70d394e d80b7fd2 0b6fee58 8b51c6c1 d9d5feae 3a1a18ec 6cc39582 063708b7",
		"Gaussian couplings and fields":    "bdd061a0 1a97357e 3795b4f8 0bb808a3 e9ae0e85 bf2c0398 ba0addf5 872c59e2",
		"Potts of 3":                       "731c2a80 7e0110c0 b2650464 265d9dba 21154367 9b68fe24 d6d1c05f 671763b2",
		"Potts of 10":                      "9b4dab0d 60e75d12 500305e6 0ed12fa7 5874981f a8ab161d ec24d9f4 970beeb3",
		"Potts of 20, triangular":          "dddb94ea 469dcaad 4e929db8 2065fd55 8ec8ff9d 4bd1a18c 205d25d7 97f15005",
		"Potts of 4, antiferromagnet":      "71d0c9f8 b7468529 3de1b8c8 a2c619d2 1845dd93 f2a53c9c b3745b40 70db551d",
		"Potts of 3, fields":               "3c788da7 c3e55fe0 7b937fdc 685d4573 b862a8a7 c8fb6cb7 4503b4c9 9527a509",
	}
	for _, m := range models {
		kernels := singleSpins()
		kernels = append(kernels, energyKernel{"Kawasaki", func(m *Model, beta float64) (mcmc.Kernel[*State], error) { return NewKawasaki(m, beta) }})
		var all []string
		for _, kernel := range kernels {
			sum := sha256.Sum256([]byte(after(m.model, must(kernel.make(m.model, m.beta)), 20)))
			all = append(all, hex.EncodeToString(sum[:4]))
		}
		if got := strings.Join(all, " "); got != want[m.name] {
			t.Errorf("%q: %q,", m.name, got)
		}
	}
}
