package ldareport

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda"
)

var update = flag.Bool("update", false, "ask pyLDAvis again: ERGODIC_PYTHON with pyLDAvis 3.4.1")

const pyLDAvisFile = "testdata/pyldavis.json"

// The JSON is that of pyLDAvis 3.4.1 for the same shares (testdata/pyldavis.py, numpy 2.4.6, pandas 3.1.1), but for the sign of the axes, which is
// left open, and the order of a topic's words, which the page sorts.
func TestPyLDAvis(t *testing.T) {
	_, f := found(t)
	theta, lengths, frequencies := thetaOf(f)
	if *update {
		askPyLDAvis(t, f, theta, lengths)
	}
	var b bytes.Buffer
	if err := WritePyLDAvis(&b, f, frequencies, 1); err != nil {
		t.Fatal(err)
	}
	var got, want pyLDAvis
	text, err := os.ReadFile(pyLDAvisFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		text []byte
		to   *pyLDAvis
	}{{b.Bytes(), &got}, {text, &want}} {
		d := json.NewDecoder(bytes.NewReader(one.text))
		d.DisallowUnknownFields()
		if err := d.Decode(one.to); err != nil {
			t.Fatal(err)
		}
	}
	if got.R != want.R || got.Step != want.Step || fmt.Sprint(got.Options, got.Order, got.Coordinates.Topics, got.Coordinates.Cluster) !=
		fmt.Sprint(want.Options, want.Order, want.Coordinates.Topics, want.Coordinates.Cluster) {
		t.Errorf("%v %v %v %v; want %v %v %v %v", got.R, got.Step, got.Options, got.Order, want.R, want.Step, want.Options, want.Order)
	}
	near := func(what string, got, want []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d numbers, not %d", what, len(got), len(want))
		}
		for i := range got {
			if !(math.Abs(got[i]-want[i]) <= 1e-10*max(1, math.Abs(want[i]))) {
				t.Errorf("%s %d: %v, not %v", what, i, got[i], want[i])
			}
		}
	}
	near("Freq", got.Coordinates.Freq, want.Coordinates.Freq)
	near("x", upright(got.Coordinates.X), upright(want.Coordinates.X))
	near("y", upright(got.Coordinates.Y), upright(want.Coordinates.Y))
	if !slices.Equal(got.Tokens.Term, want.Tokens.Term) || !slices.Equal(got.Tokens.Topic, want.Tokens.Topic) {
		t.Errorf("token.table of %q %v; want %q %v", got.Tokens.Term, got.Tokens.Topic, want.Tokens.Term, want.Tokens.Topic)
	}
	near("token.table", got.Tokens.Freq, want.Tokens.Freq)
	g, w := got.Terms.rows(), want.Terms.rows()
	if len(g) != len(w) {
		t.Errorf("tinfo has %d rows, not %d", len(g), len(w))
	}
	for key, x := range w {
		near(key, g[key], x)
	}
}

// rows are the numbers of each topic and word.
func (t *terms) rows() map[string][]float64 {
	all := map[string][]float64{}
	for i, term := range t.Term {
		all[t.Category[i]+" "+term] = []float64{t.Freq[i], t.Total[i], t.LogProb[i], t.LogLift[i]}
	}
	return all
}

// upright is the axis with its farthest point at a positive place.
func upright(x []float64) []float64 {
	if far := slices.MaxFunc(x, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) }); far < 0 {
		for i := range x {
			x[i] = -x[i]
		}
	}
	return x
}

// thetaOf is a matrix of documents' shares of the topics of f, their lengths and the expected tokens of each topic.
func thetaOf(f *lda.Fitted) (theta [][]float64, lengths []int, frequencies []float64) {
	frequencies = make([]float64, f.K())
	for d := range 9 {
		row, sum := make([]float64, f.K()), 0.0
		for k := range row {
			row[k] = float64(1 + (d*d+3*k)%7 + k)
			sum += row[k]
		}
		lengths = append(lengths, 20+17*d)
		for k := range row {
			row[k] /= sum
			frequencies[k] += row[k] * float64(lengths[d])
		}
		theta = append(theta, row)
	}
	return theta, lengths, frequencies
}

func askPyLDAvis(t *testing.T, f *lda.Fitted, theta [][]float64, lengths []int) {
	t.Helper()
	phi, r := make([][]float64, f.K()), f.Rankings()
	for k := range phi {
		phi[k] = make([]float64, f.Words)
		r.Phi(k, phi[k])
	}
	in, err := json.Marshal(map[string]any{"phi": phi, "theta": theta, "lengths": lengths, "vocabulary": f.Vocabulary})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Getenv("ERGODIC_PYTHON"), "testdata/pyldavis.py")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pyLDAvisFile, out, 0o644); err != nil {
		t.Fatal(err)
	}
}
