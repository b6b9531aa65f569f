package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

// images writes 600 grey images of 8×8, in MNIST's format: random lines.
func images(t *testing.T) string {
	t.Helper()
	const n, side = 600, 8
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	binary.Write(&b, binary.BigEndian, []uint32{0x803, n, side, side})
	for range n {
		line := r.IntN(side)
		for k := range side * side {
			switch {
			case k/side == line:
				b.WriteByte(255)
			case k/side == line+1:
				b.WriteByte(byte(r.IntN(256)))
			default:
				b.WriteByte(0)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "images-idx3-ubyte")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRBMTrain(t *testing.T) {
	data, dir := images(t), filepath.Join(t.TempDir(), "run")
	out := must(t, "rbm", "train", data, "--hidden", "12", "--epochs", "30", "--batch", "20", "--every", "10", "--evaluate", "ais",
		"--seed", "1", "--out", dir, "--mat", "--json", "--progress", "none")
	var r struct {
		Updates int
		Trace   []struct{ Epoch, Value, SE float64 }
	}
	if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.Updates != 30*27 || len(r.Trace) != 3 || r.Trace[2].Epoch != 30 || r.Trace[2].Value <= r.Trace[0].Value {
		t.Errorf("%s", out.stdout)
	}
	for _, f := range []string{"model.npz", "model.mat"} {
		z := must(t, "rbm", "logz", filepath.Join(dir, f), "--method", "exact", "--json")
		if !strings.Contains(z.stdout, `"converged": true`) {
			t.Errorf("%s: %s", f, z.stdout)
		}
	}
	again := execute(t, program(t, "rbm", "train", data, "--out", dir))
	if again.status != 1 || !strings.Contains(again.stderr, "finished run") {
		t.Errorf("a finished run is overwritten: %d %s", again.status, again.stderr)
	}
}

// A training that is killed again and again, and resumed with other threads,
// gives the same machine.
func TestKilledRBMTraining(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	data := images(t)
	args := []string{"rbm", "train", data, "--hidden", "16", "--epochs", "120", "--batch", "20", "--momentum", "0.5", "--average", "2",
		"--method", "fpcd", "--seed", "5", "--progress", "none"}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	began := time.Now()
	must(t, append(args, "--out", whole, "--threads", "1")...)
	took := time.Since(began)
	resumedAfterKills(t, cut, 3, took/4, append(args, "--out", cut, "--threads", "2", "--checkpoint", "5ms"),
		[]string{"rbm", "train", "--resume", cut, "--threads", "1", "--checkpoint", "5ms", "--progress", "none"})
	want, err := os.ReadFile(filepath.Join(whole, "model.npz"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(cut, "model.npz"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the machine of the killed training differs: %v", err)
	}
	for want, flags := range map[string][]string{
		"--rate is 0.3, and the run was started with the default": {"--rate", "0.3"},
		"--epochs is 121, and the run was started with 120":       {"--epochs", "121"},
		"--seed is 6, and the run was started with 5":             {"--seed", "6"},
		"keeps what is there":                                     {"--force"},
	} {
		r := execute(t, program(t, append([]string{"rbm", "train", "--resume", cut}, flags...)...))
		if r.status == 0 || !strings.Contains(r.stderr, want) {
			t.Errorf("%v: %d %s", flags, r.status, r.stderr)
		}
	}
}

// A folder of another command is told as such, and one whose run never began says what to do.
func TestResumeOfAnotherRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "rbm", "train", images(t), "--epochs", "1", "--hidden", "3", "--out", dir)
	if r := execute(t, program(t, "sample", "--resume", dir)); r.status != 1 || !strings.Contains(r.stderr, "it is a run of ergodic rbm train") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
	empty := t.TempDir()
	if err := os.Mkdir(filepath.Join(empty, "checkpoint"), 0o777); err != nil {
		t.Fatal(err)
	}
	if r := execute(t, program(t, "sample", "--resume", empty)); r.status != 1 || !strings.Contains(r.stderr, "start it again as you did") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
}

func TestRBMTrainRefuses(t *testing.T) {
	data := images(t)
	for want, args := range map[string][]string{
		"name the data":                   {},
		`there is no method "x"`:          {data, "--method", "x"},
		"epochs -1":                       {data, "--epochs=-1"},
		"a batch is 1000; it must":        {data, "--batch", "1000"},
		"600 of 600 cases cannot be":      {data, "--validation", "600"},
		"need an evaluation":              {data, "--evaluate", "none", "--patience", "3"},
		"the learning rate is -1":         {data, "--rate=-1"},
		"the data file nowhere cannot ":   {"nowhere"},
		"no learning-rate schedule \"x\"": {data, "--decline", "x"},
		"--rate NaN: it must be":          {data, "--rate", "NaN"},
		"--fast-decay 0: it must be":      {data, "--fast-decay", "0"},
		"--batch 0: it must be from 1":    {data, "--batch", "0"},
		"--hidden 99999999999: it":        {data, "--hidden", "99999999999"},
		"--threshold 7: it must be":       {data, "--threshold", "7"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		r := execute(t, program(t, append([]string{"rbm", "train", "--out", dir}, args...)...))
		if r.status == 0 || !strings.Contains(r.stderr, want) || exists(dir) {
			t.Errorf("%v: %d %s", args, r.status, r.stderr)
		}
	}
}

func TestRBMSample(t *testing.T) {
	file, _ := machine(t, "m.npz")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	cases := at("cases-idx2-ubyte")
	if err := os.WriteFile(cases, append([]byte{0, 0, 8, 2, 0, 0, 0, 3, 0, 0, 0, 6}, make([]byte, 18)...), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"rbm", "sample", file, "--shape", "2x3", "--images", "5", "--across", "2", "--sweeps", "10", "--seed", "1", "--data", cases, "--cases", "2:9",
		"--filters", at("f.png"), "--reconstructions", at("r.png")}
	must(t, append(args, "--out", at("s.png"), "--threads", "1")...)
	must(t, append(args, "--out", at("t.png"), "--threads", "2")...)
	for name, size := range map[string][2]int{"s.png": {9, 10}, "f.png": {9, 7}, "r.png": {9, 7}} {
		b, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(bytes.NewReader(b))
		if err != nil || c.Width != size[0] || c.Height != size[1] {
			t.Errorf("%s: %d×%d, %v; want %v", name, c.Width, c.Height, err, size)
		}
	}
	s, _ := os.ReadFile(at("s.png"))
	u, _ := os.ReadFile(at("t.png"))
	if !bytes.Equal(s, u) {
		t.Error("the samples depend on the number of threads")
	}
	for want, more := range map[string][]string{
		"--shape 3x3":              {"--shape", "3x3"},
		"--images 0 --sweeps 10":   {"--images", "0"},
		"--cases 0:1":              {"--cases", "0:1"},
		"there is no folder":       {"--filters", filepath.Join(dir, "no", "f.png")},
		"is a folder; name a file": {"--out", dir},
		"that could be replaced":   {"--out", os.DevNull},
		"a picture holds at most":  {"--images", "99999999999"},
	} {
		r := execute(t, program(t, append(args, more...)...))
		if r.status == 0 || !strings.Contains(r.stderr, want) {
			t.Errorf("%v: %d %s", more, r.status, r.stderr)
		}
	}
	if r := execute(t, program(t, "rbm", "sample", file, "--reconstructions", at("x.png"))); r.status != job.Usage || !strings.Contains(r.stderr, "needs --data") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
}
