package main

import (
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Greys of the picture of the examples, and the noise that is added to it.
var greys = []float64{50, 110, 170, 230}

const noiseSD = 35

// lighthouse is the level of a pixel of a made-up picture: a lighthouse on a hill at night, its beam, the moon, and the sea.
func lighthouse(x, y, width, height int) int {
	u, v := float64(x)/float64(width), float64(y)/float64(height)
	inside := func(cx, cy, r float64) bool { return math.Hypot((u-cx)*float64(width)/float64(height), v-cy) < r }
	hill := 0.72 + 0.9*(u-0.33)*(u-0.33)
	tower := math.Abs(u-0.33) < 0.035+0.03*(v-0.3) && v > 0.3 && v < hill+0.02
	switch {
	case tower && int((v-0.3)/0.085)%2 == 0:
		return 3
	case tower:
		return 1
	case math.Abs(u-0.33) < 0.028 && v > 0.22 && v <= 0.3:
		return 3
	case math.Abs(u-0.33) < 0.028-0.35*(0.22-v) && v > 0.15 && v <= 0.22:
		return 2
	case v > hill:
		return 1
	case u > 0.36 && math.Abs(v-0.26-0.12*(u-0.36)) < 0.012+0.13*(u-0.36) && v < 0.74:
		return 2
	case inside(0.12, 0.18, 0.09) && !inside(0.15, 0.15, 0.08):
		return 3
	case v > 0.74 && math.Sin(90*v)+math.Sin(23*u+40*v) > 1:
		return 2
	}
	return 0
}

// writePicture writes the picture with noise.
func writePicture(file string) error {
	const width, height = 240, 160
	r := rand.New(rng.New(1, "noise of a picture"))
	m := image.NewGray(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		g := greys[lighthouse(i%width, i/width, width, height)] + noiseSD*r.NormFloat64()
		m.Pix[i] = uint8(math.Round(max(0, min(255, g))))
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := png.Encode(f, m); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
