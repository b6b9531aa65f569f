package main

import (
	"encoding/json"
	"image/gif"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// latticePoint is what the interface promises of a result.
type latticePoint struct {
	Size             string   `json:"size"`
	Q                int      `json:"q"`
	Beta             *float64 `json:"beta"`
	Algorithm        string   `json:"algorithm"`
	Sweeps           int      `json:"sweeps"`
	Energy           *float64 `json:"energy"`
	EnergySE         *float64 `json:"energy_se"`
	Magnetisation    *float64 `json:"magnetisation"`
	MagnetisationSE  *float64 `json:"magnetisation_se"`
	AbsMagnetisation *float64 `json:"abs_magnetisation"`
	SpecificHeat     *float64 `json:"specific_heat"`
	SpecificHeatSE   *float64 `json:"specific_heat_se"`
	Susceptibility   *float64 `json:"susceptibility"`
	Binder           *float64 `json:"binder"`
	TauEnergy        *float64 `json:"tau_energy"`
	TauMagnetisation *float64 `json:"tau_magnetisation"`
	FlipsPerNs       *float64 `json:"flips_per_ns"`
	WallS            *float64 `json:"wall_s"`
	CPUS             *float64 `json:"cpu_s"`
}

// near holds an estimate to an exact value: chance exceeds 5.5 standard errors once in 26 million.
func near(t *testing.T, what string, got, se *float64, want float64) {
	t.Helper()
	if got == nil || se == nil || !(math.Abs(*got-want) < 5.5**se) || !(*se < 0.05) {
		t.Errorf("%s: %v ± %v, exact %v", what, got, se, want)
	}
}

// The energies and specific heats of the 4 × 4 lattice at T = 2 and 2.5 are sums over its density of states (shared/lattice/exact/dos4.txt), and those of the chain
// of 8 are −(t + t⁷)/(1 + t⁸) with t = tanh β (Ising 1925).
func TestLatticeIsing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"lattice", "ising", "--size", "4x4", "--temperature", "2", "--sweeps", "40000", "--warmup", "200", "--seed", "1", "--out", dir, "--progress", "none"}
	r := must(t, append(args, "--json")...)
	var p latticePoint
	if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
		t.Fatal(err)
	}
	if p.Size != "4x4" || p.Q != 2 || *p.Beta != 0.5 || p.Algorithm != "metropolis" || p.Sweeps != 40000 || p.AbsMagnetisation == nil || p.Magnetisation == nil ||
		p.MagnetisationSE == nil || p.Susceptibility == nil || p.Binder == nil || !(*p.TauEnergy > 0) || p.TauMagnetisation == nil || !(*p.FlipsPerNs > 0) || p.WallS == nil || p.CPUS == nil {
		t.Errorf("%s", r.stdout)
	}
	near(t, "energy", p.Energy, p.EnergySE, -1.7553802887774346)
	near(t, "specific heat", p.SpecificHeat, p.SpecificHeatSE, 0.6055326572100556)
	for _, file := range []string{"points.csv", "spins.png", "summary.json", "log.jsonl", "run.json", "draws.zarr"} {
		if !exists(filepath.Join(dir, file)) {
			t.Errorf("there is no %s", file)
		}
	}
	if s := must(t, "summary", dir); !strings.Contains(s.stdout, "size 4x4, β = 0.5") || !strings.Contains(s.stdout, "magnetisation") {
		t.Errorf("summary says %q", s.stdout)
	}
	must(t, "plot", dir, "--kind", "trace")
	if s := must(t, "export", dir, "--format", "csv", "--out", filepath.Join(dir, "draws.csv")); s.status != 0 {
		t.Error(s.stderr)
	}
	r = must(t, "lattice", "ising", "--lattice", "chain", "--size", "8", "--beta", "0.4", "--algorithm", "heatbath", "--scan", "random", "--sweeps", "20000", "--thin", "2",
		"--seed", "1", "--out", filepath.Join(t.TempDir(), "chain"), "--progress", "none", "--json")
	if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
		t.Fatal(err)
	}
	th := math.Tanh(0.4)
	near(t, "energy of the chain", p.Energy, p.EnergySE, -(th+math.Pow(th, 7))/(1+math.Pow(th, 8)))
}

// energyOf4 is the energy per site of the 4 × 4 lattice, by the number of its states of each energy (shared/lattice/exact/dos4.txt; the other half by symmetry).
func energyOf4(beta float64) float64 {
	z, e := 0.0, 0.0
	for _, level := range [][2]float64{{32, 2}, {24, 32}, {20, 64}, {16, 424}, {12, 1728}, {8, 6688}, {4, 13568}, {0, 20524}} {
		for sign := -1.0; sign <= 1; sign += 2 {
			n := level[1]
			if level[0] == 0 {
				n /= 2
			}
			w := n * math.Exp(-beta*sign*level[0])
			z += w
			e += w * sign * level[0] / 16
		}
	}
	return e / z
}

// Several sizes and temperatures in one run, tempered, have a point each; all that shows a run shows this one.
func TestLatticeScan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, "lattice", "ising", "--size", "4,6x6", "--beta", "0.3:0.5:3", "--tempering", "--reweight", "0.45", "--sweeps", "3000", "--seed", "1", "--out", dir, "--progress", "none", "--json")
	var all []struct {
		latticePoint
		Swaps      *float64 `json:"swap_acceptance"`
		Trips      int      `json:"round_trips"`
		Reweighted []latticePoint
	}
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 6 || all[5].Size != "6x6" || *all[0].Beta != 0.3 || *all[2].Beta != 0.5 || all[3].Swaps == nil || all[2].Swaps != nil || all[4].Trips < 100 {
		t.Fatalf("%s", r.stdout)
	}
	near(t, "energy of 4 × 4 at T = 2", all[2].Energy, all[2].EnergySE, -1.7553802887774346)
	// The temperature nearest to it has what was asked for.
	if n := len(all[0].Reweighted) + len(all[1].Reweighted) + len(all[2].Reweighted); n != 1 {
		t.Errorf("%d reweighted: %s", n, r.stderr)
	}
	for _, p := range append(all[1].Reweighted, all[2].Reweighted...) {
		near(t, "reweighted energy", p.Energy, p.EnergySE, energyOf4(0.45))
	}
	for _, file := range []string{"points.csv", "points.png", "reweighted.csv", "spins-6x6-beta-0.5.png"} {
		if !exists(filepath.Join(dir, file)) {
			t.Errorf("there is no %s", file)
		}
	}
	f, err := os.Open(filepath.Join(dir, "points.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
	if s := must(t, "summary", dir, "--wide"); !strings.Contains(s.stdout, "energy[3,2]") || !strings.Contains(s.stdout, "6x6") {
		t.Errorf("summary says %q", s.stdout)
	}
}

// A run that is killed goes on to the draws of an undisturbed one, on any threads; it is extended, and refuses what differs.
func TestLatticeIsResumed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file is not removed while a killed process lets go of it")
	}
	args := []string{"lattice", "ising", "--size", "12,16", "--beta", "0.35:0.45:4", "--tempering", "--warmup", "1000", "--sweeps", "4000", "--chains", "2", "--seed", "4", "--progress", "none"}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	began := time.Now()
	must(t, append(args, "--threads", "1", "--out", whole)...)
	took := time.Since(began)
	killed := resumedAfterKills(t, cut, 4, took/4, append(args, "--threads", "2", "--out", cut, "--checkpoint", "1ms"),
		[]string{"lattice", "ising", "--resume", cut, "--checkpoint", "1ms", "--progress", "none"})
	if killed == 0 {
		t.Error("never killed")
	}
	sameDraws(t, "killed", cut, whole)
	for _, name := range []string{"points.csv", "spins-16x16-beta-0.45.png"} {
		a, b := fileOf(t, whole, name), fileOf(t, cut, name)
		if name == "points.csv" { // but for the times, which come last
			a, b = timeless(a), timeless(b)
		}
		if a != b {
			t.Errorf("%s differs:\n%s\n%s", name, a, b)
		}
	}
	longer := filepath.Join(t.TempDir(), "longer")
	must(t, append(args, "--sweeps", "4100", "--out", longer)...)
	must(t, "lattice", "ising", "--resume", cut, "--sweeps", "4100", "--boundary", "periodic", "--field", "0", "--progress", "none") // two as they are by default
	sameDraws(t, "extended", cut, longer)
	refused(t, []string{"lattice", "ising", "--resume", cut}, map[string]string{"--beta 0.3": "--beta is 0.3, and the run was started with 0.35:0.45:4", "--sweeps 5": "which may only grow", "--seed 5": "--seed is 5",
		"--algorithm heatbath": "--algorithm is heatbath", "--chains 3": "--chains is 3"})
	if end := execute(t, program(t, "lattice", "potts", "--resume", cut)); end.status != 1 || !strings.Contains(end.stderr, "it is a run of ergodic lattice ising") {
		t.Errorf("another model: status %d, %s", end.status, end.stderr)
	}
}

func fileOf(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Clusters have the energies of the density of states; on a square lattice G(1) is −e/2 in every state.
func TestLatticeClusters(t *testing.T) {
	for _, algorithm := range []string{"swendsen-wang", "wolff", "cftp"} {
		r := must(t, "lattice", "ising", "--size", "4", "--beta", "0.45", "--algorithm", algorithm, "--correlation", "--sweeps", "5000", "--seed", "1", "--out", filepath.Join(t.TempDir(), "run"),
			"--progress", "none", "--json")
		var p struct {
			latticePoint
			Length      float64 `json:"correlation_length"`
			ClusterSize float64 `json:"cluster_size"`
			Correlation []struct{ R, Value float64 }
		}
		if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
			t.Fatal(err)
		}
		near(t, algorithm, p.Energy, p.EnergySE, energyOf4(0.45))
		if !(p.Length > 0) || (algorithm != "cftp") != (p.ClusterSize > 1 && p.ClusterSize < 16) || len(p.Correlation) != 2 || math.Abs(p.Correlation[0].Value+*p.Energy/2) > 1e-12 {
			t.Errorf("%s: %s", algorithm, r.stdout)
		}
	}
}

// The density of states has the exact energy and ln Z of the 4 × 4 lattice, within 16 standard errors: those between 8 walkers have a t distribution of 7 degrees, which is
// beyond 16 once in a million. Walkers that are stopped and resumed, or extended, write the same bytes.
func TestLatticeDensity(t *testing.T) {
	dir := t.TempDir()
	args := []string{"lattice", "ising", "--size", "4", "--beta", "0.2,0.5", "--algorithm", "wang-landau", "--chains", "8", "--seed", "1", "--progress", "none"}
	r := must(t, append(args, "--sweeps", "20000", "--out", filepath.Join(dir, "whole"), "--json")...)
	var all []struct {
		latticePoint
		LogZ   float64 `json:"log_z"`
		LogZSE float64 `json:"log_z_se"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if want := energyOf4(*p.Beta); !(math.Abs(*p.Energy-want) < 16**p.EnergySE) || !(*p.EnergySE < 0.02) || p.Magnetisation != nil {
			t.Errorf("β = %v: energy %v ± %v, exact %v", *p.Beta, *p.Energy, *p.EnergySE, want)
		}
	}
	// ln Z at β = 0.5, T = 2 (shared/lattice/exact/ising_exact_finite.csv).
	if p := all[1]; !(math.Abs(p.LogZ-17.105367118731582) < 16*p.LogZSE) || !(p.LogZSE < 0.1) {
		t.Errorf("ln Z %v ± %v", p.LogZ, p.LogZSE)
	}
	if strings.Contains(r.stderr, "warning") {
		t.Errorf("a long run warns: %s", r.stderr)
	}
	if short := must(t, append(args, "--sweeps", "50", "--out", filepath.Join(dir, "short"))...); !strings.Contains(short.stderr, "crossed the range of energies") {
		t.Errorf("a short run says only: %s", short.stderr)
	}
	must(t, append(args, "--sweeps", "12000", "--threads", "2", "--out", filepath.Join(dir, "longer"))...)
	must(t, "lattice", "ising", "--resume", filepath.Join(dir, "longer"), "--sweeps", "20000", "--progress", "none")
	if a, b := fileOf(t, dir, "whole/density.csv"), fileOf(t, dir, "longer/density.csv"); a != b {
		t.Errorf("extended:\n%s\n%s", b, a)
	}
	if s := must(t, "summary", filepath.Join(dir, "whole")); !strings.Contains(s.stdout, "ln Z") {
		t.Errorf("summary says %q", s.stdout)
	}
	for flags, says := range map[string]string{"--size 4,8": "for one size", "--chains 1": "2 or more", "--field 1": "energies that are levels", "--tempering": "--tempering, --correlation", "--beta inf": "above 0"} {
		end := execute(t, program(t, append(append(args, "--out", filepath.Join(dir, "no")), strings.Fields(flags)...)...))
		if end.status != 2 || !strings.Contains(end.stderr, says) {
			t.Errorf("%s: status %d: %s", flags, end.status, end.stderr)
		}
	}
}

// Temperatures that hardly overlap have their points, and no curve between them.
func TestLatticeFarApart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, "lattice", "ising", "--size", "64", "--beta", "0.1,1", "--reweight", "0.3", "--sweeps", "200", "--seed", "1", "--out", dir, "--progress", "none")
	if !strings.Contains(r.stderr, "note: size 64x64") || exists(filepath.Join(dir, "reweighted.csv")) || !exists(filepath.Join(dir, "points.png")) {
		t.Errorf("%s", r.stderr)
	}
}

// timeless leaves the last three columns out.
func timeless(csv string) string {
	var b strings.Builder
	for line := range strings.Lines(csv) {
		cells := strings.Split(line, ",")
		b.WriteString(strings.Join(cells[:len(cells)-3], ",") + "\n")
	}
	return b.String()
}

// A film has the frames asked for, and the same ones whatever the threads.
func TestLatticeFilm(t *testing.T) {
	dir := t.TempDir()
	var films []string
	for _, threads := range []string{"1", "2"} {
		file := filepath.Join(dir, threads+".gif")
		must(t, "lattice", "potts", "--q", "4", "--size", "20x10", "--beta", "1", "--warmup", "3", "--sweeps", "10", "--seed", "2", "--out", filepath.Join(dir, threads), "--progress", "none",
			"--film", file, "--film-frames", "12", "--film-every", "2", "--threads", threads)
		films = append(films, fileOf(t, dir, threads+".gif"))
	}
	g, err := gif.DecodeAll(strings.NewReader(films[0]))
	if err != nil || len(g.Image) != 12 || films[0] != films[1] {
		t.Errorf("%v, %d frames, the same %v", err, len(g.Image), films[0] == films[1])
	}
}

func TestLatticeRefuses(t *testing.T) {
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"ising":          {2, "name a --size"},
		"ising --size 8": {2, "Give --beta or --temperature"},
		"ising --size 8 --beta 1 --temperature 1":                        {2, "give one of them"},
		"ising --size 0 --beta 1":                                        {2, "--size 0: a size has lengths of 1 or more"},
		"ising --size 8x --beta 1":                                       {2, "--size 8x: a size has lengths"},
		"ising --size -8 --beta 1":                                       {2, "--size -8: a size has lengths"},
		"ising --size 99999999 --beta 1":                                 {1, "there may be 2147483647 sites"},
		"ising --size 40000 --beta 1 --memory 100M --scan random":        {1, "would be needed"},
		"ising --size 20000 --beta 1 --chains 1 --memory 300M":           {1, "copies for a checkpoint"},
		"ising --size 8 --beta -1":                                       {2, "--beta -1: a temperature is 0 or more"},
		"ising --size 8 --temperature -0.5":                              {2, "--temperature -0.5: a temperature is 0 or more"},
		"ising --size 8 --beta nan":                                      {2, "nan"},
		"ising --size 8 --beta 0.1:0.2":                                  {2, "FROM:TO:NUMBER"},
		"ising --size 8 --beta 0.1:0.2:1":                                {2, "2 to 4096 of them"},
		"ising --size 8 --beta 0.1,0.1":                                  {2, "the same temperature twice"},
		"ising --size 8 --beta 1 --tempering":                            {2, "needs several temperatures"},
		"ising --size 8 --beta 0.1,inf --tempering":                      {2, "temperatures above 0"},
		"ising --size 8 --beta 1 --algorithm magic":                      {2, "there are metropolis"},
		"ising --size 8 --beta 1 --lattice diamond":                      {2, "there are chain, square"},
		"ising --size 8x8x8 --beta 1 --lattice square":                   {2, "a square lattice has 2 directions"},
		"ising --size 8 --beta 1 --q 3":                                  {2, "--q"},
		"potts --size 8 --beta 1 --q 1":                                  {2, "--q 1: it must be from 2 to 255"},
		"potts --size 8 --beta 1 --q 300":                                {2, "--q 300"},
		"ising --size 8 --beta 1 --sweeps 10 --thin 3":                   {2, "no multiple of --thin 3"},
		"ising --size 8 --beta 1 --sweeps 0":                             {2, "--sweeps 0"},
		"ising --size 8 --beta 1 --coupling inf":                         {2, "--coupling +Inf: it must be a finite number"},
		"ising --size 8 --beta 1 --disorder-seed 3":                      {2, "needs --disorder"},
		"ising --size 8 --beta 1 --checkpoint 0s":                        {2, "--checkpoint"},
		"ising --size 8,16 --beta 1 --film x.gif":                        {2, "--film is for one size and temperature"},
		"ising --size 8 --beta 1 --film nowhere/x.gif":                   {1, "there is no folder"},
		"ising --edges testdata/nofile --beta 1":                         {1, "nofile"},
		"ising --edges testdata/edges.bad --beta 1":                      {1, "testdata/edges.bad:3: "},
		"ising --edges testdata/edges.bad --size 8 --beta 1":             {2, "either --size or --edges"},
		"ising --size 8 --beta 1 --magnetisation 0":                      {2, "is for kawasaki"},
		"ising --size 8 --beta 1 --algorithm kawasaki --magnetisation 2": {2, "from -1 to 1"},
		"potts --size 8 --beta 1 --algorithm kawasaki --scan random":     {2, "--scan is for"},
		"ising --edges testdata/edges.bad --beta 1 --correlation":        {2, "a graph has none"},
		"ising --size 8 --beta 1 --coupling -1 --algorithm cftp":         {1, "needs a ferromagnet"},
		"ising --size 8 --beta 1 --start ordered --algorithm cftp":       {2, "do not depend on a --start"},
		"ising --size 8 --beta 1,2 --tempering --algorithm cftp":         {2, "--tempering would add nothing"},
		"ising --size 0x8 --beta 1":                                      {2, "--size 0x8: a size has lengths"},
		"potts --size 8 --beta 1 --coupling -1 --algorithm wolff":        {1, "makes no clusters"},
		"ising --size 8 --beta 1 --film-frames 3":                        {2, "need --film"},
	} {
		end := execute(t, program(t, append([]string{"lattice"}, append(strings.Fields(args), "--out", filepath.Join(t.TempDir(), "r"), "--progress", "none")...)...))
		if end.status != want.status || !strings.Contains(end.stderr, want.says) {
			t.Errorf("%s: status %d, not %d, with %q: %s", args, end.status, want.status, want.says, end.stderr)
		}
	}
}

// At temperature 0 no move raises the energy, and a small lattice from an ordered start stays there; --strict counts the warning that nothing moves.
func TestLatticeColdest(t *testing.T) {
	for _, at := range []string{"--temperature=0", "--beta=inf"} {
		r := must(t, "lattice", "ising", "--size", "6", at, "--start", "ordered", "--sweeps", "100", "--warmup", "0", "--seed", "1", "--out", filepath.Join(t.TempDir(), "r"), "--json", "--progress", "none")
		var p latticePoint
		if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
			t.Fatal(err)
		}
		if p.Beta != nil || *p.Energy != -2 || *p.AbsMagnetisation != 1 {
			t.Errorf("%s", r.stdout)
		}
	}
	end := execute(t, program(t, "lattice", "ising", "--size", "6", "--beta", "3", "--start", "ordered", "--sweeps", "20", "--seed", "1", "--out", filepath.Join(t.TempDir(), "r"), "--strict"))
	if end.status != 3 || !strings.Contains(end.stderr, "warning") {
		t.Errorf("status %d: %s", end.status, end.stderr)
	}
}

// Exact draws are no chains: that all have the same energy, or that few of them differ, is no reason to distrust them. A summary of the folder gives the
// warnings of the run, not those of a model's parameters.
func TestLatticeWarnings(t *testing.T) {
	r := must(t, "lattice", "ising", "--size", "16", "--beta", "5", "--algorithm", "cftp", "--sweeps", "20", "--seed", "1", "--out", filepath.Join(t.TempDir(), "r"), "--progress", "none")
	if strings.Contains(r.stderr, "nothing moves") || strings.Contains(r.stderr, "R-hat") {
		t.Error(r.stderr)
	}
	dir := filepath.Join(t.TempDir(), "run")
	ran := must(t, "lattice", "ising", "--size", "16", "--beta", "0.44:0.5:3", "--sweeps", "200", "--seed", "1", "--out", dir, "--progress", "none")
	r = must(t, "summary", dir)
	if w := strings.Count(r.stderr, "warning: "); w == 0 || w != strings.Count(ran.stderr, "warning: ") || strings.Contains(r.stderr, "--") {
		t.Errorf("%s\nafter a run that said\n%s", r.stderr, ran.stderr)
	}
}

// 16384² spins as bits are 34 MB; a byte for each, which only pictures need, would be 268 MB.
func TestLatticeInLittleMemory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, "lattice", "ising", "--size", "16384", "--beta", "0.3", "--chains", "1", "--warmup", "0", "--sweeps", "1", "--seed", "1", "--out", dir, "--memory", "300M", "--progress", "none")
	if _, err := os.Stat(filepath.Join(dir, "spins.png")); err == nil || !strings.Contains(r.stderr, "no picture of the spins of size 16384x16384") {
		t.Errorf("%v: %s", err, r.stderr)
	}
}

// Spins on a graph of four bonds in a ring are the chain of 4: ⟨e⟩ = −(t + t³)/(1 + t⁴). Fields and couplings of the file are resumed, and a file that changed is
// refused. Kawasaki keeps the magnetisation.
func TestLatticeGraph(t *testing.T) {
	file, dir := filepath.Join(t.TempDir(), "ring.txt"), filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(file, []byte("0 1\n1 2 1\n2 3\n3 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var p latticePoint
	for _, algorithm := range []string{"metropolis", "heatbath", "n-fold"} {
		r := must(t, "lattice", "ising", "--edges", file, "--beta", "0.4", "--algorithm", algorithm, "--sweeps", "20000", "--seed", "1", "--out", dir, "--force", "--progress", "none", "--json")
		if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
			t.Fatal(err)
		}
		th := math.Tanh(0.4)
		near(t, algorithm, p.Energy, p.EnergySE, -(th+th*th*th)/(1+th*th*th*th))
	}
	must(t, "lattice", "ising", "--resume", dir, "--sweeps", "20001", "--progress", "none")
	if err := os.WriteFile(file, []byte("0 1\n1 2\n2 3\n3 0 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if end := execute(t, program(t, "lattice", "ising", "--resume", dir)); end.status != 1 || !strings.Contains(end.stderr, "is not what the run was started with") {
		t.Errorf("another graph: status %d, %s", end.status, end.stderr)
	}
	r := must(t, "lattice", "ising", "--size", "10", "--beta", "0.4", "--algorithm", "kawasaki", "--magnetisation", "0.5", "--sweeps", "100", "--seed", "1", "--out", dir, "--force", "--json")
	if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
		t.Fatal(err)
	}
	if *p.Magnetisation != 0.5 || *p.MagnetisationSE != 0 {
		t.Errorf("%s", r.stdout)
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string][]float64{"0.5": {0.5}, "1,2,inf": {1, 2, math.Inf(1)}, "0.40:0.48:3": {0.40, 0.44, 0.48}, "0,1:2:2": {0, 1, 2}} {
		got, err := numbers(text)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %v, %v", text, got, err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v, not %v", text, got, want)
			}
		}
	}
	for _, text := range []string{"", "x", "1:2", "1:2:3:4", "1:2:0", "1:inf:3", "nan", "1,,2", "1:2:5000", "0:1:4096,2"} {
		if got, err := numbers(text); err == nil {
			t.Errorf("%s is %v", text, got)
		}
	}
}
