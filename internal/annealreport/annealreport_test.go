package annealreport

import (
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Tables of best values are read in the forms that the libraries of instances come with.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		text, instance string
		want           float64
		says           string
	}{
		{"a280 : 2579\nali535 : 202339\n", "x/a280.tsp", 2579, ""},
		{"graph,n,m,weights,best_known_literature,other\nG1,800,19176,1,11624,11620\nG6,800,19176,-1/1,2178,2175\n", "G6.txt", 2178, ""},
		{"instance,n,sln_file_value\nbur26a,26,5426670\n", "bur26a.dat", 5426670, ""},
		{"g05_60.0     536\ng05_60.1     532\n", "g05_60.1", 532, ""},
		{"# nothing\nx;7\n", "x.dat", 7, ""},
		{"a280 : 2579\n", "a281.tsp", 0, `known has no value of "a281"; did you mean "a280"?`},
		{"\nx y\n\nz abc\nx 1\nw u\n", "w", 0, `known:6: the value of "w" is "u"; write a number`},
	} {
		v, err := Known("known", []byte(c.text), c.instance)
		if v != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, %v; want %v %s", c.text, v, err, c.want, c.says)
		}
	}
}

func FuzzKnown(f *testing.F) {
	for _, text := range []string{"a280 : 2579\n", "graph,best\nG1,1\n", "G1;;\n", "G1 \xff\n", "G1,,1", "G1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if v, err := Known("known", text, "G1.txt"); err != nil && v != 0 {
			t.Error(v, err)
		}
	})
}

func TestReadValues(t *testing.T) {
	all, err := ReadValues("x", []byte("# a comment\na\t1\n\n-1\r\nb c 2.5"))
	if err != nil || len(all) != 3 || all[0] != 1 || all[1] != -1 || all[2] != 2.5 {
		t.Error(all, err)
	}
	if _, err = ReadValues("x", []byte("1\n\nb inf\n")); err == nil || err.Error() != `x:3: "inf" is no number; each line ends in the value of a variable` {
		t.Error(err)
	}
}

func FuzzReadValues(f *testing.F) {
	f.Add([]byte("a 1\n2\n"))
	f.Add([]byte("#\n\x00 nan"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := ReadValues("x", text)
		for _, v := range all {
			if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
				t.Error(v)
			}
		}
	})
}

// Values of cuts are best where they are greatest.
func TestWrite(t *testing.T) {
	r := &Result{Problem: "maxcut", Instance: "G0", Variables: 3, Value: "cut", Sign: -1, Best: 10, Checked: 10, BestKnown: 8, Method: "annealing", Schedule: "geometric", Hot: 2, Cold: 0.5,
		Stopped: "time", MovesPerS: 1.5e6, WallS: 2}
	r.SetReads([]anneal.Read{{Energy: -10, Sweeps: 5}, {Energy: -7.5, Sweeps: 9}, {Energy: -10, Sweeps: 2, Cut: true}}, []float64{10, 7.5, 10})
	var b strings.Builder
	if err := r.Write(&b, report.Screen{}); err != nil {
		t.Fatal(err)
	}
	const want = `maxcut G0: 3 variables; annealing, geometric, T from 2 to 0.5; 3 reads of up to 9 sweeps, ended by time
best cut 10, best known 8, better than that
check: the solution has cut 10 by G0
1.5e+06 moves a second and core, 2.0 s

reads  at best  best  10 %  25 %  median  75 %  worst  mean
3      2        10    10    10    10      7.5   7.5    9.166667
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := r.WriteReads(&b); err != nil || b.String() != "read,cut,sweeps,cut_short\n1,10,5,false\n2,7.5,9,false\n3,10,2,true\n" {
		t.Error(b.String(), err)
	}
	if r.Gap != -0.25 {
		t.Errorf("gap %v", r.Gap)
	}
}

// All reads are in the bars of a histogram, whatever their values.
func TestHistogram(t *testing.T) {
	for _, values := range [][]float64{{1}, {0, 0, 0}, {1, 2, 3, 1000}, {0.5, 0.25, 1e9}, {1e300, -1e300}, {math.MaxFloat64, -math.MaxFloat64}, {5, 5.5}, {1e15, 1e15 + 1}} {
		set := histogram(values)
		total := 0.0
		for _, y := range set.Y {
			total += y
		}
		if total != float64(len(values)) || len(set.X) != len(set.Y) || len(set.X) > 4*bins {
			t.Errorf("%v: %v of %v", values, set.Y, set.X)
		}
	}
}

// Pictures are drawn of whatever a run leaves.
func TestPictures(t *testing.T) {
	p := &Pictures{Title: "x", Value: "cut", Best: 3, Known: report.Number(math.NaN()), Reads: []float64{3, 1}, Tour: [][2]float64{{0, 0}, {1, 0}, {1, 1}},
		Traces: []anneal.Trace{{Sweep: []int{1, 2}, Temperature: []float64{1, 0}, Energy: []float64{0, 3}, Best: []float64{0, 3}}, {}}}
	for _, p := range []*Pictures{p, {}, {Tour: [][2]float64{{1, 1}}}, {Tour: [][2]float64{{math.NaN(), 1}}}} {
		for _, one := range p.All() {
			var b strings.Builder
			if err := one.Page.Write(&b, "svg"); err != nil || !strings.Contains(b.String(), "<svg") {
				t.Errorf("%s: %v", one.Name, err)
			}
		}
	}
}
