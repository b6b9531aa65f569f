package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// noisyDisc is a picture of a disc with flipped pixels, and the pixels of the disc itself.
func noisyDisc(t *testing.T, side int) (file string, clean []bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	m := image.NewGray(image.Rect(0, 0, side, side))
	clean = make([]bool, side*side)
	for i := range clean {
		x, y := i%side-side/2, i/side-side/2
		clean[i] = 9*(x*x+y*y) < side*side
		if clean[i] != (r.Float64() < 0.1) {
			m.Pix[i] = 255
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "disc.png")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, clean
}

func TestMRFDenoise(t *testing.T) {
	const side = 60
	file, clean := noisyDisc(t, side)
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, "mrf", "denoise", file, "--seed", "1", "--out", dir, "--json", "--write-image", filepath.Join(t.TempDir(), "out.png"))
	var got struct {
		Noise     string
		Share     float64
		Levels    []float64
		ModeExact bool    `json:"mode_exact"`
		Updates   float64 `json:"updates_per_s"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		t.Fatal(err)
	}
	if got.Noise != "flips" || got.Share < 0.08 || got.Share > 0.12 || len(got.Levels) != 2 || got.Levels[0] != 0 || got.Levels[1] != 255 || !got.ModeExact || !(got.Updates > 0) {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"restored.png", "mode.png"} {
		wrong := 0
		m := readPNG(t, filepath.Join(dir, name))
		for i, on := range clean {
			if (color.GrayModel.Convert(m.At(i%side, i/side)).(color.Gray).Y == 255) != on {
				wrong++
			}
		}
		if wrong > side*side/50 {
			t.Errorf("%s: %d wrong pixels are left of about %d", name, wrong, side*side/10)
		}
	}
	for _, name := range []string{"mean.png", "doubt.png", "panels.png"} {
		if b := readPNG(t, filepath.Join(dir, name)).Bounds(); b.Dy() != side {
			t.Errorf("%s is %v", name, b)
		}
	}
	if s := must(t, "summary", dir); !strings.Contains(s.stdout, "disc.png: 60 × 60 pixels, Ising prior of coupling 0.881.\nGrey levels 0 255, noise that changes") {
		t.Error(s.stdout)
	}
}

func readPNG(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A restoration that is killed goes on to the images of an undisturbed one, with any number of threads.
func TestMRFDenoiseIsResumed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file is not removed while a killed process lets go of it")
	}
	file, _ := noisyDisc(t, 128)
	args := []string{"mrf", "denoise", file, "--seed", "2", "--sweeps", "1000", "--progress", "none"}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	began := time.Now()
	must(t, append(args, "--out", whole, "--threads", "1")...)
	took := time.Since(began)
	killed := resumedAfterKills(t, cut, 3, took/4, append(args, "--out", cut, "--checkpoint", "5ms", "--threads", "2"),
		[]string{"mrf", "denoise", "--resume", cut, "--checkpoint", "5ms", "--progress", "none"})
	for _, name := range []string{"restored.png", "mode.png", "mean.png", "doubt.png"} {
		a, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(cut, name)); err != nil || killed == 0 || !bytes.Equal(a, b) {
			t.Errorf("killed %d times: another %s (%v)", killed, name, err)
		}
	}
	if end := execute(t, program(t, "mrf", "denoise", "--resume", cut, "--coupling", "2")); end.status != 1 || !strings.Contains(end.stderr, "--coupling is 2") {
		t.Errorf("status %d, %s", end.status, end.stderr)
	}
}

func TestMRFDenoiseMistakesAreExplained(t *testing.T) {
	file, _ := noisyDisc(t, 9)
	text := filepath.Join(t.TempDir(), "x.png")
	if err := os.WriteFile(text, []byte("no such thing"), 0o666); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(t.TempDir(), "short.png")
	if err := os.WriteFile(short, b[:len(b)-30], 0o666); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(t.TempDir(), "large.png") // whose header claims 2³⁰ × 2³⁰ pixels
	claim := bytes.Clone(b)
	copy(claim[16:], []byte{0x40, 0, 0, 0, 0x40, 0, 0, 0})
	if err := os.WriteFile(large, claim, 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"":                                    {2, "name an image, or a run to --resume"},
		text:                                  {1, text + " is no image that can be read"},
		short:                                 {1, short + " cannot be read"},
		large:                                 {1, large},
		file + " --levels 1":                  {2, `--levels "1": it must be a number from 2 to 254`},
		file + " --levels 5,x":                {2, `"x" is no grey from 0 to 255`},
		file + " --levels 9,5":                {2, "greys must rise"},
		file + " --noise x":                   {2, `--noise "x": there are gaussian, flips`},
		file + " --sd 0":                      {2, "--sd 0: it must be more than 0"},
		file + " --sd 5 --noise flips":        {2, "--sd is of gaussian noise"},
		file + " --share .1 --noise gaussian": {2, "--share is of flips"},
		file + " --share 1":                   {2, "--share 1: it must be more than 0"},
		file + " --coupling -1":               {2, "--coupling -1: it must be from 0 to 50"},
		file + " --sweeps 1":                  {2, "--sweeps 1: it must be from 2"},
		file + " --write-image " + text:       {1, "exists; choose another"},
	} {
		out := execute(t, program(t, append([]string{"mrf", "denoise", "--out", filepath.Join(t.TempDir(), "run")}, strings.Fields(args)...)...))
		if out.status != want.status || !strings.Contains(out.stderr, want.says) || strings.Contains(out.stderr, "panic") {
			t.Errorf("%s: status %d, %s; want %d, %s", args, out.status, out.stderr, want.status, want.says)
		}
	}
}
