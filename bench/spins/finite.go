package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// algorithm is a way to sample, with its flags.
type algorithm struct {
	name   string
	flags  string
	sweeps int
	ising  bool
	potts  bool
}

var algorithms = []algorithm{
	{"Metropolis, bits", "--algorithm metropolis", 20_000, true, false},
	{"heat bath, bits", "--algorithm heatbath", 20_000, true, false},
	{"Metropolis, checkerboard", "--algorithm metropolis", 4_000, false, true},
	{"heat bath, checkerboard", "--algorithm heatbath", 4_000, false, true},
	{"Metropolis, in order", "--algorithm metropolis --scan systematic", 4_000, true, true},
	{"Metropolis, at random", "--algorithm metropolis --scan random", 4_000, true, true},
	{"heat bath, in order", "--algorithm heatbath --scan systematic", 4_000, true, true},
	{"heat bath, at random", "--algorithm heatbath --scan random", 4_000, true, true},
	{"n-fold way", "--algorithm n-fold", 3_000, true, true},
	{"Swendsen–Wang", "--algorithm swendsen-wang", 3_000, true, true},
	{"Wolff", "--algorithm wolff", 3_000, true, true},
	{"coupling from the past", "--algorithm cftp", 100, true, true},
	{"tempering, heat bath", "--algorithm heatbath --tempering", 4_000, true, true},
}

// level is an energy with the number of states that have it.
type level struct{ energy, states float64 }

// levels reads a density of states, with energies times sign.
func levels(path string, sign float64) (all []level, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 2 || fields[0] == "#" {
			continue
		}
		e, err1 := strconv.ParseFloat(fields[0], 64)
		n, err2 := strconv.ParseFloat(fields[1], 64)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%s: %q", path, lines.Text())
		}
		all = append(all, level{sign * e, n})
	}
	return all, nil
}

// exact is the energy and the specific heat per site at an inverse temperature.
func exact(all []level, sites int, beta float64) (energy, heat float64) {
	least := math.Inf(1)
	for _, l := range all {
		least = min(least, l.energy)
	}
	z, e, e2 := 0.0, 0.0, 0.0
	for _, l := range all {
		w := l.states * math.Exp(-beta*(l.energy-least))
		z, e, e2 = z+w, e+w*l.energy, e2+w*l.energy*l.energy
	}
	e, e2 = e/z, e2/z
	n := float64(sites)
	return e / n, beta * beta * (e2 - e*e) / n
}

const temperatures = "1.5,2,2.2,2.269185314213022,2.5,3,5"

var sizes = []int{4, 8, 16, 32}

// finite compares all algorithms with the density of states of small lattices.
func (b *bench) finite(ctx context.Context, c *counted) (string, error) {
	known := map[string][]level{}
	for _, n := range sizes {
		all, err := levels(filepath.Join(b.exact, fmt.Sprintf("dos%d.txt", n)), 1)
		if err != nil {
			return "", err
		}
		known[fmt.Sprintf("%dx%d", n, n)] = all
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-28s", "largest |difference|/se:")
	for _, n := range sizes {
		fmt.Fprintf(&out, "%9s", fmt.Sprintf("L = %d", n))
	}
	fmt.Fprintf(&out, "%22s%9s\n", "energy at Tc, L = 32", "beyond 4")
	for i, a := range algorithms {
		if !a.ising {
			continue
		}
		all, err := b.simulate(ctx, fmt.Sprint("finite", i), a.sweeps, append(strings.Fields("ising --size 4,8,16,32 --temperature "+temperatures), strings.Fields(a.flags)...)...)
		if err != nil {
			return "", err
		}
		worst, beyond, critical := map[string]float64{}, c.Beyond, ""
		for _, p := range all {
			e, heat := exact(known[p.Size], siteCount(p.Size), p.Beta)
			for _, z := range []float64{math.Abs(p.Energy-e) / p.EnergySE, math.Abs(p.Heat-heat) / p.HeatSE} {
				c.add(z)
				worst[p.Size] = max(worst[p.Size], z)
			}
			if p.Size == "32x32" && (critical == "" || math.Abs(p.Temperature-2.269) < 0.01) {
				critical = fmt.Sprintf("%.4f ± %.4f", p.Energy, p.EnergySE)
			}
		}
		fmt.Fprintf(&out, "%-28s", a.name)
		for _, n := range sizes {
			fmt.Fprintf(&out, "%9.1f", worst[fmt.Sprintf("%dx%d", n, n)])
		}
		if strings.Contains(a.flags, "tempering") {
			critical = "–"
		}
		fmt.Fprintf(&out, "%22s%9d\n", critical, c.Beyond-beyond)
	}
	return out.String(), nil
}

func siteCount(size string) int {
	n := 1
	for part := range strings.SplitSeq(size, "x") {
		k, _ := strconv.Atoi(part)
		n *= k
	}
	return n
}

// potts compares with counts of states of the Potts model by satisfied bonds.
func (b *bench) potts(ctx context.Context, c *counted) (string, error) {
	var out strings.Builder
	cases := []struct{ q, length int }{{3, 3}, {3, 4}, {4, 3}}
	fmt.Fprintf(&out, "%-28s", "largest |difference|/se:")
	for _, x := range cases {
		fmt.Fprintf(&out, "%16s", fmt.Sprintf("q = %d, L = %d", x.q, x.length))
	}
	out.WriteString("\n")
	for i, a := range algorithms {
		if !a.potts {
			continue
		}
		fmt.Fprintf(&out, "%-28s", a.name)
		for _, x := range cases {
			all, err := levels(filepath.Join(b.exact, fmt.Sprintf("potts_q%d_L%d.txt", x.q, x.length)), -1)
			if err != nil {
				return "", err
			}
			points, err := b.simulate(ctx, fmt.Sprintf("potts%d-%d-%d", i, x.q, x.length), a.sweeps, append(strings.Fields(fmt.Sprintf("potts --q %d --size %d --beta 0.3,0.7,1,1.2", x.q, x.length)), strings.Fields(a.flags)...)...)
			if err != nil {
				return "", err
			}
			worst := 0.0
			for _, p := range points {
				e, heat := exact(all, x.length*x.length, p.Beta)
				for _, z := range []float64{math.Abs(p.Energy-e) / p.EnergySE, math.Abs(p.Heat-heat) / p.HeatSE} {
					c.add(z)
					worst = max(worst, z)
				}
			}
			fmt.Fprintf(&out, "%16.1f", worst)
		}
		out.WriteString("\n")
	}
	return out.String(), nil
}
