package lcg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng/lcg"
)

var _ rand.Source = (*lcg.Stream)(nil)

func start(t *testing.T, g lcg.Generator, seed uint64) *lcg.Stream {
	t.Helper()
	s, err := g.Start(seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The first values of nextInt() of new Random(0) and new Random(42) in Java, which its documentation fixes.
func TestJava(t *testing.T) {
	for seed, want := range map[int64][]int32{
		0:  {-1155484576, -723955400, 1033096058, -1690734402},
		42: {-1170105035, 234785527, -1360544799, 205897768},
	} {
		s := start(t, lcg.Java(), lcg.JavaSeed(seed))
		for i, w := range want {
			if got := int32(uint32(s.Next())); got != w {
				t.Errorf("seed %d: output %d is %d, want %d", seed, i+1, got, w)
			}
		}
	}
	// A word is two of them, the first in front.
	s, words := start(t, lcg.Java(), lcg.JavaSeed(42)), start(t, lcg.Java(), lcg.JavaSeed(42))
	for range 100 {
		if want := s.Next()<<32 | s.Next(); words.Uint64() != want {
			t.Fatal("Uint64 is not two outputs of 32 bits")
		}
	}
}

// Park and Miller (1988), section 3: from 1, the ten-thousandth state is 1043618065.
func TestMINSTD(t *testing.T) {
	s := start(t, lcg.MINSTD(), 1)
	x := uint64(0)
	for range 10_000 {
		x = s.Next()
	}
	if x != 1043618065 {
		t.Errorf("state 10000 is %d, want 1043618065", x)
	}
}

// The recurrence against products of 128 bits taken apart by hand, at the largest modulus.
func TestLargestModulus(t *testing.T) {
	g := lcg.Generator{Modulus: math.MaxUint64, Multiplier: math.MaxUint64 - 1, Increment: math.MaxUint64 - 1}
	s := start(t, g, 5)
	for _, want := range []uint64{math.MaxUint64 - 6, 5, math.MaxUint64 - 6} { // x' = −x − 1
		if x := s.Next(); x != want {
			t.Errorf("next is %d, want %d", x, want)
		}
	}
}

// Every word of Uint64 is the binary fraction of its outputs, whatever their number: a generator with full period
// gives each leading digit equally often.
func TestWords(t *testing.T) {
	for _, g := range []lcg.Generator{{Modulus: 2, Multiplier: 1, Increment: 1}, {Modulus: 10, Multiplier: 1, Increment: 3}, {Modulus: 1 << 8, Multiplier: 5, Increment: 1, Drop: 4}} {
		s, again := start(t, g, 0), start(t, g, 0)
		n := (g.Modulus-1)>>g.Drop + 1
		for range 100 {
			word, want, scale := s.Uint64(), 0.0, 1.0
			for reach := 1.0; reach < 0x1p64; reach *= float64(n) {
				scale /= float64(n)
				want += scale * float64(again.Next())
			}
			if got := float64(word) / 0x1p64; math.Abs(got-want) > 1e-15 {
				t.Fatalf("modulus %d: word %v, want %v", g.Modulus, got, want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for want, g := range map[string]lcg.Generator{
		"modulus 0":        {},
		"modulus 1":        {Modulus: 1},
		"multiplier 7":     {Modulus: 7, Multiplier: 7},
		"increment 9":      {Modulus: 7, Multiplier: 3, Increment: 9},
		"dropping 3":       {Modulus: 8, Multiplier: 5, Increment: 1, Drop: 3},
		"dropping -1":      {Modulus: 8, Multiplier: 5, Increment: 1, Drop: -1},
		"seed 8 must":      {Modulus: 8, Multiplier: 5, Increment: 1},
		"dimensions; they": {Modulus: 8, Multiplier: 5, Increment: 1},
	} {
		_, startErr := g.Start(8)
		_, _, periodErr := g.Period(8)
		_, one := g.Lattice(1)
		_, many := g.Lattice(13)
		switch want {
		case "seed 8 must":
			one, many = startErr, startErr
		case "dimensions; they":
			startErr, periodErr = one, one
		}
		for _, err := range []error{startErr, periodErr, one, many} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: error %v, want one with %q", g, err, want)
			}
		}
	}
}

func ExampleGenerator() {
	g := lcg.RANDU()
	_, period, _ := g.Period(1)
	fmt.Println("period", period)
	lattice, _ := g.Lattice(3)
	fmt.Println("normal", lattice.Normal, "planes", lattice.Planes)

	// The planes in its output: 9u − 6u' + u'' is whole, and takes 15 values.
	s, err := g.Start(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	planes := map[float64]int{}
	for range 100_000 {
		u, v, w := s.Float64(), s.Float64(), s.Float64()
		planes[9*u-6*v+w]++
	}
	fmt.Println("seen", len(planes), planes[0.5])
	// Output:
	// period 536870912
	// normal [9 -6 1] planes 15
	// seen 15 0
}

func ExampleGenerator_Start() {
	g := lcg.Generator{Modulus: 100, Multiplier: 21, Increment: 7}
	s, _ := g.Start(0)
	fmt.Println(s.Next(), s.Next(), s.Next(), s.Float64())
	_, err := g.Start(100)
	fmt.Println(err)
	// Output:
	// 7 54 41 0.68
	// lcg: seed 100 must be below the modulus 100
}

func ExampleGenerator_Period() {
	_, full, _ := lcg.Generator{Modulus: 100, Multiplier: 21, Increment: 7}.Period(0)
	tail, short, _ := lcg.Generator{Modulus: 100, Multiplier: 22, Increment: 7}.Period(0) // 22 shares a factor with 100
	fmt.Println(full, tail, short)
	// Output:
	// 100 2 20
}

func ExampleGenerator_Lattice() {
	for d := 2; d <= 6; d++ {
		l, _ := lcg.MINSTD().Lattice(d)
		fmt.Printf("%d: ν² = %.0f, μ = %.2f\n", d, l.Nu*l.Nu, l.Merit)
	}
	// Output:
	// 2: ν² = 282475250, μ = 0.41
	// 3: ν² = 408197, μ = 0.51
	// 4: ν² = 21682, μ = 1.08
	// 5: ν² = 4439, μ = 3.22
	// 6: ν² = 895, μ = 1.73
}
