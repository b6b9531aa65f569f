package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// bench is the whole runs, and what commands say of them.
type bench struct {
	program string
	work    string
	kinds   []kind
}

// kind is a run with others that files are taken from.
type kind struct {
	name     string
	whole    string // its folder
	older    string // the same run before it was extended; empty: none
	other    string // a run of the same model from another seed
	commands []command
	wanted   []string // what each command says of the whole run
}

const model = `model {
  for (i in 1:6) { y[i] ~ dnorm(theta[i], 1)
    theta[i] ~ dnorm(mu, tau) }
  for (i in 3:4) { b[i] ~ dnorm(mu, 1) }
  mu ~ dnorm(0, 0.01)
  tau ~ dgamma(1, 1)
}
`

const data = `{"y": [1.2, 0.3, -0.8, 2.9, 1.1, 0.4]}`

// newBench makes the runs.
func newBench(program, work string) (*bench, error) {
	b := &bench{program: program, work: work}
	for name, text := range map[string]string{"m.bug": model, "d.json": data, "cases.npy": string(cases())} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	sample := "sample m.bug --data d.json --chains 3 --warmup 60 --save-warmup --log-lik --monitor theta,mu,tau,b[3:4] --progress none --seed "
	train := "rbm train cases.npy --hidden 4 --epochs 6 --batch 20 --validation 20 --every 2 --progress none --seed "
	logz := "rbm logz train/model.npz --method ais --runs 20 --temperatures 40 --progress none --seed "
	for _, args := range []string{
		sample + "1 --draws 120 --out older", sample + "1 --draws 120 --out finished", "sample --resume finished --draws 300 --progress none",
		sample + "2 --draws 300 --out other",
		train + "1 --out train", train + "2 --out train-other", logz + "1 --out logz", logz + "2 --out logz-other",
	} {
		if r := b.ergodic(strings.Fields(args)...); r.Status != 0 {
			return nil, fmt.Errorf("ergodic %s: status %d\n%s", args, r.Status, r.Stderr)
		}
	}
	// A run that was killed before its summary was written.
	for from, to := range map[string]string{"finished": "unfinished", "older": "unfinished-older", "other": "unfinished-other"} {
		if err := os.CopyFS(b.path(to), os.DirFS(b.path(from))); err != nil {
			return nil, err
		}
		if err := os.Remove(filepath.Join(b.path(to), "summary.json")); err != nil {
			return nil, err
		}
	}
	draws := []command{summary(), csv(), coda(), asJSON(), plot(), compare(), resume("sample", "--draws", "340")}
	b.kinds = []kind{
		{name: "finished", older: "older", other: "other", commands: draws},
		{name: "unfinished", older: "unfinished-older", other: "unfinished-other", commands: draws},
		{name: "train", other: "train-other", commands: []command{summary(), machine(), resume("rbm", "train")}},
		{name: "logz", other: "logz-other", commands: []command{summary(), resume("rbm", "logz")}},
	}
	for i := range b.kinds {
		k := &b.kinds[i]
		k.whole = k.name
		for _, c := range k.commands {
			if err := b.fresh(k); err != nil {
				return nil, err
			}
			r := c.run(b)
			if r.Status != 0 {
				return nil, fmt.Errorf("%s of %s: status %d\n%s", c.name, k.name, r.Status, r.Stderr)
			}
			k.wanted = append(k.wanted, r.answer)
		}
	}
	return b, nil
}

func (b *bench) path(name string) string { return filepath.Join(b.work, name) }

// trialFolder is where folders are damaged.
const trialFolder = "trial"

// fresh puts a whole run where folders are damaged.
func (b *bench) fresh(k *kind) error {
	for _, dir := range []string{trialFolder, "written"} {
		if err := os.RemoveAll(b.path(dir)); err != nil {
			return err
		}
	}
	return os.CopyFS(b.path(trialFolder), os.DirFS(b.path(k.whole)))
}

// cases are 200 cases of nine units that depend on each other, as a file of
// numpy.
func cases() []byte {
	const rows, columns = 200, 9
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	head += strings.Repeat(" ", 64-(11+len(head))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	r := rand.New(rand.NewPCG(3, 4))
	for range rows {
		on := r.IntN(2)
		for range columns {
			x := on
			if r.IntN(5) == 0 {
				x = 1 - on
			}
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(x)))
		}
	}
	return b
}

// ran is a command that is done.
type ran struct {
	run.Process
	answer string // the numbers in what it said and wrote
}

// ergodic runs the program in the folder of the runs.
func (b *bench) ergodic(args ...string) ran {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p, err := run.Execute(ctx, b.work, b.program, args...)
	if err != nil {
		return ran{Process: run.Process{Status: -1, Stderr: err.Error()}}
	}
	return ran{Process: p}
}
