package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// onsager is the energy per site of the infinite square lattice (Onsager 1944):
// −coth 2β (1 + (2/π)(2 tanh² 2β − 1) K(k)), k = 2 sinh 2β/cosh² 2β, with the complete elliptic integral by the arithmetic-geometric mean.
func onsager(beta float64) float64 {
	t := math.Tanh(2 * beta)
	k := 2 * math.Sinh(2*beta) / (math.Cosh(2*beta) * math.Cosh(2*beta))
	a, g := 1.0, math.Sqrt(1-k*k)
	for math.Abs(a-g) > 1e-15 {
		a, g = (a+g)/2, math.Sqrt(a*g)
	}
	return -(1 + (2*t*t-1)/a) / t
}

// yang is the spontaneous magnetisation (Yang 1952).
func yang(beta float64) float64 {
	s := math.Sinh(2 * beta)
	return math.Pow(1-1/(s*s*s*s), 1./8)
}

// infinite compares L = 256 with the infinite lattice, at temperatures where the correlation length is a few sites.
func (b *bench) infinite(ctx context.Context, c *counted) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-18s%6s%24s%12s%22s%12s\n", "", "T", "energy", "Onsager", "|m|", "Yang")
	for i, a := range []struct {
		name, flags string
		sweeps      int
	}{
		{"Metropolis", "--algorithm metropolis --start ordered", 6_000},
		{"heat bath", "--algorithm heatbath --start ordered", 6_000},
		{"Swendsen–Wang", "--algorithm swendsen-wang", 300},
		{"Wolff", "--algorithm wolff", 300},
	} {
		all, err := b.simulate(ctx, fmt.Sprint("infinite", i), a.sweeps, append(strings.Fields("ising --size 256 --temperature 1.8,2,2.1,2.6,3"), strings.Fields(a.flags)...)...)
		if err != nil {
			return "", err
		}
		for k := len(all) - 1; k >= 0; k-- {
			p := all[k]
			e := onsager(p.Beta)
			c.add(math.Abs(p.Energy-e) / p.EnergySE)
			m, exact := "", ""
			if p.Temperature < 2.269 {
				want := yang(p.Beta)
				c.add(math.Abs(p.Abs-want) / p.AbsSE)
				m, exact = fmt.Sprintf("%.6f ± %.6f", p.Abs, p.AbsSE), fmt.Sprintf("%.6f", want)
			}
			fmt.Fprintf(&out, "%-18s%6.4g%24s%12.6f%22s%12s\n", a.name, p.Temperature, fmt.Sprintf("%.6f ± %.6f", p.Energy, p.EnergySE), e, m, exact)
		}
	}
	return out.String(), nil
}

// speed is how far algorithms move near the critical temperature, and what that costs.
func (b *bench) speed(ctx context.Context, _ *counted) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-24s%14s%14s%18s%30s\n", "L = 128, T = Tc", "tau of e", "tau of |m|", "spins/ns of CPU", "independent |m| a CPU second")
	for i, a := range []struct {
		name, flags string
		sweeps      int
	}{
		{"Metropolis, bits", "--algorithm metropolis", 100_000},
		{"heat bath, bits", "--algorithm heatbath", 100_000},
		{"Metropolis, in order", "--algorithm metropolis --scan systematic", 5_000},
		{"Swendsen–Wang", "--algorithm swendsen-wang", 2_000},
		{"Wolff", "--algorithm wolff", 1_000},
	} {
		all, err := b.simulate(ctx, fmt.Sprint("speed", i), a.sweeps, append(strings.Fields("ising --size 128 --temperature 2.269185314213022 --threads 1"), strings.Fields(a.flags)...)...)
		if err != nil {
			return "", err
		}
		p := all[0]
		independent := float64(p.Chains*p.Sweeps) / p.TauMagnetisation / (p.CPU * float64(p.Sweeps) / float64(p.Sweeps+p.Warmup))
		fmt.Fprintf(&out, "%-24s%14.4g%14.4g%18.3g%30.3g\n", a.name, p.TauEnergy, p.TauMagnetisation, p.FlipsPerNs, independent)
	}
	return out.String(), nil
}

// scaling runs the command of the page and keeps its pictures.
func (b *bench) scaling(ctx context.Context, _ *counted) (string, error) {
	if _, err := b.simulate(ctx, "scaling", 2_000, strings.Fields("ising --size 16,32,64 --beta 0.40:0.48:17 --algorithm swendsen-wang")...); err != nil {
		return "", err
	}
	if err := b.keep("scaling/points.png", "lattice.png"); err != nil {
		return "", err
	}
	if _, err := b.simulate(ctx, "spins", 1000, strings.Fields("ising --size 512 --temperature 2.269185314213022 --chains 1 --algorithm swendsen-wang")...); err != nil {
		return "", err
	}
	if err := b.keep("spins/spins.png", "spins.png"); err != nil {
		return "", err
	}
	csv, err := os.ReadFile(filepath.Join(b.dir, "scaling", "found.csv"))
	return string(csv), err
}

// keep copies a file of a run to the pages.
func (b *bench) keep(from, to string) error {
	data, err := os.ReadFile(filepath.Join(b.dir, from))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.to, to), data, 0o666)
}
