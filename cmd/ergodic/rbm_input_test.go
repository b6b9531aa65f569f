package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/peak"
)

// npy is a numpy file of a matrix of float64.
func npy(t *testing.T, rows, columns int, x ...float64) string {
	t.Helper()
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	head += strings.Repeat(" ", 64-(11+len(head))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	file := filepath.Join(t.TempDir(), "data.npy")
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// matrix is an element of a MATLAB file: a matrix of float64, its name and its
// dimensions as they are claimed.
func matrix(name string, rows, columns int32, x ...float64) []byte {
	le := binary.LittleEndian
	var b []byte
	b = le.AppendUint32(le.AppendUint32(b, 6), 8) // flags: a matrix of doubles
	b = le.AppendUint32(le.AppendUint32(b, 6), 0)
	b = le.AppendUint32(le.AppendUint32(b, 5), 8)
	b = le.AppendUint32(le.AppendUint32(b, uint32(rows)), uint32(columns))
	b = le.AppendUint32(le.AppendUint32(b, 1), uint32(len(name)))
	b = append(b, name...)
	b = append(b, make([]byte, (8-len(name)%8)%8)...)
	b = le.AppendUint32(le.AppendUint32(b, 9), uint32(8*len(x)))
	for _, v := range x {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	return append(le.AppendUint32(le.AppendUint32(nil, 14), uint32(len(b))), b...)
}

// matlab is a MATLAB file of these elements.
func matlab(t *testing.T, name string, elements ...[]byte) string {
	t.Helper()
	b := []byte("MATLAB 5.0 MAT-file" + strings.Repeat(" ", 105))
	b = append(b, 0, 1, 'I', 'M')
	for _, e := range elements {
		b = append(b, e...)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// What is wrong with an input is said with its file, its array and the place,
// without a panic, and without the memory that a file claims to need.
func TestRBMInputs(t *testing.T) {
	good, _ := machine(t, "good.mat")
	w, a, b := matrix("parameter_W", 2, 2, 1, 2, 3, 4), matrix("parameter_a", 1, 2, 0, 0), matrix("parameter_b", 1, 2, 0, 0)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.mat")
	if err := os.WriteFile(cut, whole[:len(whole)-7], 0o666); err != nil {
		t.Fatal(err)
	}
	long := matrix("parameter_W", 2, 2, 1, 2, 3, 4)
	binary.LittleEndian.PutUint32(long[4:], 1<<31-8)
	of := func(x ...float64) string { return npy(t, len(x)/6, 6, x...) }
	for _, c := range []struct {
		want string // after the file
		file string // that is at fault
		args []string
	}{
		{"parameter_W[1,2] is NaN", matlab(t, "nan.mat", matrix("parameter_W", 2, 2, 1, 2, math.NaN(), 4), a, b), nil},
		{"parameter_b[2] is +Inf", matlab(t, "inf.mat", w, a, matrix("parameter_b", 2, 1, 0, math.Inf(1))), nil},
		{"parameter_a, the hidden bias, is 1×3, but parameter_W is 2×2", matlab(t, "shape.mat", w, matrix("parameter_a", 1, 3, 0, 0, 0), b), nil},
		{"it has no array parameter_W", matlab(t, "none.mat", a, b), nil},
		{"", cut, nil},
		{"", matlab(t, "claims.mat", matrix("parameter_W", 1<<30, 1<<30, 1, 2, 3, 4), a, b), nil},
		{"", matlab(t, "negative.mat", matrix("parameter_W", -2, -2, 1, 2, 3, 4), a, b), nil},
		{"", matlab(t, "long.mat", long), nil},
		{"", matlab(t, "head.mat"), nil},
		{"a case has 5 units and the machine 6", npy(t, 1, 5, 0, 0, 0, 0, 0, 0), []string{"loglik", good, "--test"}},
		{"its array: case 2, unit 3 is 0.5; binary units are 0 or 1", of(0, 1, 0, 1, 0, 1, 0, 1, 0.5, 1, 0, 1), []string{"loglik", good, "--test"}},
		{"its array: case 1, unit 6 is NaN", of(0, 1, 0, 1, 0, math.NaN()), []string{"loglik", good, "--test"}},
		{"a case has 4 units and the machine 6", npy(t, 1, 4, 0, 1, 0, 1), []string{"logz", good, "--base", "rates", "--train"}},
	} {
		args := append([]string{"rbm"}, append(c.args, c.file)...)
		if c.args == nil {
			args = []string{"rbm", "logz", c.file}
		}
		cmd := program(t, args...)
		r := execute(t, cmd)
		if r.status != 1 || !strings.HasPrefix(r.stderr, "ergodic: "+c.file) || !strings.Contains(r.stderr, c.want) || strings.Contains(r.stderr, "goroutine") {
			t.Errorf("%v: status %d, %s", args, r.status, r.stderr)
		}
		if mb := peak.MB(cmd.ProcessState); mb > maxResident {
			t.Errorf("%v: %d MB of memory", args, mb)
		}
	}
}

func TestRBMSchedulesOutOfOrder(t *testing.T) {
	file, _ := machine(t, "m.mat")
	for schedule, want := range map[string]string{
		"10:0.5,10:0.4":   "from β = 0.5 to 0.4",
		"10:0.5,10:0.9":   "0.9",
		"10:0.5,10:NaN":   "NaN",
		"0:0.5,10:1":      "0 steps",
		"10:0.5,-3:1":     "-3 steps",
		"10:0.5,10:1.5":   "1.5",
		"10:1e-400,10:1":  "",
		"falling":         "--schedule falling: it is uniform",
		"99999999999:1,x": "--schedule",
	} {
		r := execute(t, program(t, "rbm", "logz", file, "--method", "ais", "--schedule", schedule))
		if r.status != 1 && r.status != 2 || !strings.Contains(r.stderr, want) || r.stdout != "" {
			t.Errorf("%s: status %d, %s", schedule, r.status, r.stderr)
		}
	}
}

// From the rates of training data to the machine: log Z is known, for it has no
// weights.
func TestRBMLogzFromBaseRates(t *testing.T) {
	file, want := machine(t, "m.npz")
	data := npy(t, 4, 6,
		0, 0, 1, 1, 0, 1,
		0, 1, 1, 0, 0, 1,
		0, 0, 1, 1, 1, 1,
		0, 1, 0, 1, 0, 1)
	for _, more := range [][]string{nil, {"--straight"}} {
		args := append([]string{"rbm", "logz", file, "--base", "rates", "--train", data, "--method", "ais", "--runs", "50", "--temperatures", "200", "--seed", "1", "--json"}, more...)
		var r struct {
			LogZ float64 `json:"log_z"`
			SE   float64 `json:"se"`
		}
		if err := json.Unmarshal([]byte(must(t, args...).stdout), &r); err != nil {
			t.Fatal(err)
		}
		// 5 standard errors: a false alarm in 10⁶, were the seed not fixed.
		if !(r.SE > 0 && r.SE < 0.1 && math.Abs(r.LogZ-want) < 5*r.SE) {
			t.Errorf("%v: %v ± %v, want %v", more, r.LogZ, r.SE, want)
		}
	}
}

func TestRBMCompare(t *testing.T) {
	a, want := machine(t, "a.mat")
	b := largerMachine(t)
	dir := filepath.Join(t.TempDir(), "run")
	published := filepath.Join(t.TempDir(), "published.csv")
	if err := os.WriteFile(published, []byte(fmt.Sprintf("model,method,log_z\na,ais,%v\n", want-1)), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"rbm", "compare", a, b, "--methods", "exact,ais,samc,rts-prior,tap", "--together", "--temperatures", "10", "--seed", "1",
		"--published", published, "--out", dir, "--format", "svg"}
	if r := execute(t, program(t, args...)); r.status != 1 || !strings.Contains(r.stderr, "larger.npz has 40 visible units and "+a+" 6") || exists(dir) {
		t.Fatalf("machines of other widths together: %d %s", r.status, r.stderr)
	}
	args[6] = "--straight"
	out := must(t, args...)
	for _, line := range []string{"a       exact ", "best", "larger  samc", "larger  rts-prior", "published"} {
		if !strings.Contains(out.stdout, line) {
			t.Errorf("no %q in\n%s", line, out.stdout)
		}
	}
	if strings.Contains(out.stdout, "larger  exact") {
		t.Error("a machine that takes long is summed")
	}
	for name, text := range map[string]string{"report.md": "is -1.00 nats from exact. Weights are unbiased", "a.svg": "CPU seconds", "larger.svg": "samc", "summary.json": `"from_best"`} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(got), text) {
			t.Errorf("%s does not say %q: %v", name, text, err)
		}
	}
	again := must(t, "rbm", "compare", "--resume", dir)
	if !strings.Contains(again.stdout, "larger  samc") {
		t.Errorf("%s", again.stdout)
	}
}
