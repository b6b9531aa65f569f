// Command rbmtrain measures the training of a restricted Boltzmann machine in Ergodic and by scikit-learn's
// BernoulliRBM, in one run, in turns: persistent contrastive divergence with one sweep an update, the same cases,
// batches and sizes, one thread each. It uses the python3 named by ERGODIC_PYTHON, or the one on the PATH, and installs nothing.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// settings are the same for both.
type settings struct {
	cases, hidden, batch, epochs, repeat int
	rate                                 float64
}

func main() {
	var s settings
	flag.IntVar(&s.cases, "cases", 10000, "first cases of MNIST, thresholded")
	flag.IntVar(&s.hidden, "hidden", 500, "hidden units")
	flag.IntVar(&s.batch, "batch", 100, "cases an update")
	flag.IntVar(&s.epochs, "epochs", 4, "passes through the cases")
	flag.IntVar(&s.repeat, "repeat", 3, "repetitions; medians are printed")
	flag.Float64Var(&s.rate, "rate", 0.05, "learning rate")
	flag.Parse()
	run.Main("rbmtrain", func(ctx context.Context, dir string) error { return measure(ctx, dir, s) })
}

var errNoPeer = errors.New("no scikit-learn; name a Python that has it in ERGODIC_PYTHON")

// python is the interpreter of the peer.
func python(ctx context.Context) (string, error) {
	p := run.Python()
	if exec.CommandContext(ctx, p, "-c", "import sklearn.neural_network").Run() != nil {
		return "", errNoPeer
	}
	return p, nil
}

func measure(ctx context.Context, dir string, s settings) error {
	interpreter, err := python(ctx)
	if errors.Is(err, errNoPeer) {
		fmt.Println("SKIPPED:", err)
		return nil
	}
	shared, err := run.Shared("rbm", "models", "train.mat")
	if err != nil {
		return err
	}
	d, err := rbm.ReadData(shared, rbm.Binary{})
	if err != nil {
		return err
	}
	d = &rbm.Data{Cases: s.cases, Visible: d.Visible, Units: d.Units[:s.cases*d.Visible]}
	file := filepath.Join(dir, "units")
	if err := os.WriteFile(file, d.Units, 0o666); err != nil {
		return err
	}
	speeds := map[string][]float64{}
	var version string
	for range s.repeat {
		for name, set := range ours {
			x, err := s.own(d, set)
			if err != nil {
				return err
			}
			speeds[name] = append(speeds[name], x)
		}
		for _, dtype := range []string{"float32", "float64"} {
			p, err := s.peer(ctx, interpreter, file, d, dtype)
			if err != nil {
				return err
			}
			speeds[dtype] = append(speeds[dtype], float64(p.Updates)/p.Seconds)
			version = p.Version
		}
	}
	fmt.Println(run.Machine())
	fmt.Printf("scikit-learn %s; %d×%d units, batches of %d, %d updates, one thread each, medians of %d repetitions in turns\n\n",
		version, d.Visible, s.hidden, s.batch, s.epochs*s.cases/s.batch, s.repeat)
	report(speeds)
	return nil
}

// ours are the trainings measured: what scikit-learn does, and the default.
var ours = map[string]rbm.Training{"plain": {Plain: true}, "centred": {}}

// own is our updates per second of the processor.
func (s settings) own(d *rbm.Data, set rbm.Training) (float64, error) {
	set.Epochs, set.Batch, set.Rate, set.RateSchedule, set.Seed = s.epochs, s.batch, s.rate, rbm.Constant, 1
	t, err := rbm.NewTrainer(d.GreyLevels(), s.hidden, set)
	if err != nil {
		return 0, err
	}
	began := cputime.Process()
	_, all := t.Updates()
	for range all {
		t.Update()
	}
	return float64(all) / (cputime.Process() - began), nil
}

// outcome is what the peer prints.
type outcome struct {
	Seconds float64
	Updates int
	Version string
}

func (s settings) peer(ctx context.Context, interpreter, file string, d *rbm.Data, dtype string) (o outcome, err error) {
	root, err := run.Root()
	if err != nil {
		return o, err
	}
	cmd := exec.CommandContext(ctx, interpreter, filepath.Join(root, "bench", "rbmtrain", "sklearn_peer.py"), file,
		strconv.Itoa(d.Cases), strconv.Itoa(d.Visible), strconv.Itoa(s.hidden), strconv.Itoa(s.batch), strconv.Itoa(s.epochs),
		strconv.FormatFloat(s.rate, 'g', -1, 64), dtype)
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return o, fmt.Errorf("the peer: %w", err)
	}
	return o, json.Unmarshal(out, &o)
}

func report(speeds map[string][]float64) {
	fmt.Printf("%-26s %22s\n", "updates per CPU second", "median (range)")
	for _, row := range [][2]string{{"plain", "ergodic, plain"}, {"centred", "ergodic, centred"}, {"float32", "scikit-learn, float32"}, {"float64", "scikit-learn, float64"}} {
		x := speeds[row[0]]
		fmt.Printf("%-26s %7.0f (%.0f to %.0f)\n", row[1], run.Median(x), slices.Min(x), slices.Max(x))
	}
	fmt.Printf("\nratio to float32: %.2f plain, %.2f centred; to float64, its default: %.2f, %.2f (bar: 3)\n",
		run.Median(speeds["plain"])/run.Median(speeds["float32"]), run.Median(speeds["centred"])/run.Median(speeds["float32"]),
		run.Median(speeds["plain"])/run.Median(speeds["float64"]), run.Median(speeds["centred"])/run.Median(speeds["float64"]))
}
