package path_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/path"
)

// hill goes from the standard normal density to exp(−8x²), whose integral is √(π/8). A move is an exact draw.
type hill struct{}

func (hill) New() *float64                              { return new(float64) }
func (hill) Copy(dst, src *float64)                     { *dst = *src }
func (hill) Base(x *float64, r *rand.Rand)              { *x = r.NormFloat64() }
func (hill) LogZBase() float64                          { return math.Log(2*math.Pi) / 2 }
func (hill) precision(beta float64) float64             { return 1 - beta + 16*beta }
func (h hill) LogDensity(x *float64, b float64) float64 { return -*x * *x / 2 * h.precision(b) }
func (h hill) Move(x *float64, beta float64, r *rand.Rand) {
	*x = r.NormFloat64() / math.Sqrt(h.precision(beta))
}

func ExampleAIS() {
	s, err := path.Geometric(200, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := path.AIS(context.Background(), path.Family[*float64](hill{}), s, path.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log Z = %.2f, exactly %.2f; %.0f of %d runs are effective\n", r.LogZ, math.Log(math.Pi/8)/2, r.EffectiveRuns, r.Runs)
	// Output: log Z = -0.49, exactly -0.47; 97 of 100 runs are effective
}

func ExampleAuto() {
	r, err := path.Auto(context.Background(), path.Family[*float64](hill{}), path.AutoSettings{Moves: 100_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log Z = %.2f\n", r.LogZ)
	// Output: log Z = -0.47
}

func ExampleTempered() {
	ladder, err := path.Geometric(10, 0.02)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := path.Tempered(context.Background(), path.Family[*float64](hill{}), ladder, path.TemperedSettings{Rounds: 2000, Moves: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log Z = %.1f by RTS, with a standard error below 0.03: %v\n", r.RTS.LogZ, r.RTS.SE < 0.03)
	// Output: log Z = -0.5 by RTS, with a standard error below 0.03: true
}

func ExampleIntegrate() {
	ladder, err := path.Geometric(20, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := path.Integrate(context.Background(), path.Family[*float64](hill{}), ladder, path.IntegrateSettings{Draws: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log Z = %.2f by BAR, %d warnings\n", r.BAR.LogZ, len(r.BAR.Warnings))
	// Output: log Z = -0.46 by BAR, 0 warnings
}

func ExampleSAMS() {
	ladder, err := path.Geometric(10, 0.02)
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := path.Ladder(path.Family[*float64](hill{}), ladder)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := path.SAMS(context.Background(), labels, path.SelfAdjustedSettings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log Z = %.1f\n", a.LogZ().LogZ)
	// Output: log Z = -0.5
}
