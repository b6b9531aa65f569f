// Kills starts runs of every kind, kills each ten times at random moments, resumes it after each, and compares what it has at the
// end with an undisturbed run: the draws byte for byte, estimates to the last digit.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

func main() {
	kills := flag.Int("kills", 10, "times that a run is killed")
	seed := flag.Uint64("seed", 1, "of the moments")
	flag.Parse()
	if err := bench(*kills, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// job is a command.
type job struct{ command, method, args string }

func jobs() []job {
	all := []job{
		{"sample", "", "examples/hives.bug --data examples/hives.R --draws 20000 --warmup 5000"},
		{"rbm train", "", "cases.npy --hidden 60 --epochs 60 --validation 100 --every 5 --patience 50"},
	}
	for _, m := range []string{
		"ais --temperatures 6000 --runs 100", "sandwich --temperatures 3000", "smc --temperatures 300 --particles 60",
		"rts --temperatures 30 --rounds 3000", "ts --temperatures 30 --rounds 3000", "mbar --temperatures 20 --rounds 800",
		"sams --temperatures 30 --rounds 30000", "samc --temperatures 30 --rounds 30000", "ti --temperatures 30 --rounds 2000",
		"stepping --temperatures 30 --rounds 2000", "bridge --temperatures 30 --rounds 2000", "pt --temperatures 30 --rounds 2000",
		"tap --runs 3000",
	} {
		name, _, _ := strings.Cut(m, " ")
		all = append(all, job{"rbm logz", name, "machine.npz --method " + m})
	}
	for _, m := range lda.Methods() {
		all = append(all, job{"lda train", m, "words.txt --topics 20 --sweeps 150 --sampler " + m})
	}
	return append(all, job{"lda train", "chains", "words.txt --topics 20 --sweeps 100 --chains 3 --optimize-interval 5 --optimize-burn-in 10 --average-from 50"})
}

type folder struct{ program, root, work string }

func bench(kills int, seed uint64) error {
	work, err := os.MkdirTemp("", "kills")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	root, err := run.Root()
	if err != nil {
		return err
	}
	program, err := run.Build(work)
	if err != nil {
		return err
	}
	if err := material(work); err != nil {
		return err
	}
	f := folder{program, root, work}
	r := rand.New(rand.NewPCG(seed, 0))
	bad := 0
	for i, j := range jobs() {
		killed, took, err := f.try(j, i, kills, r)
		verdict := "the digits of the undisturbed run"
		if err != nil {
			bad++
			verdict = err.Error()
		}
		fmt.Printf("%-18s %5.1f s, killed %2d times: %s\n", j.command+" "+j.method, took.Seconds(), killed, verdict)
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d differ", bad, len(jobs()))
	}
	return nil
}

// material is a machine that no sum finds log Z of, cases for a training, and documents.
func material(work string) error {
	r := rand.New(rand.NewPCG(1, 2))
	m := rbm.New(60, 40)
	for k := range m.W {
		m.W[k] = 0.3 * r.NormFloat64()
	}
	if err := rbm.WriteModel(filepath.Join(work, "machine.npz"), m); err != nil {
		return err
	}
	const rows, columns = 2000, 64
	head := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns)
	head += strings.Repeat(" ", 127-10-len(head)) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	for range rows {
		shift := r.IntN(columns)
		for c := range columns {
			b = append(b, byte(((c+shift)/8+r.IntN(2))%2))
		}
	}
	if err := os.WriteFile(filepath.Join(work, "cases.npy"), b, 0o666); err != nil {
		return err
	}
	b = b[:0]
	for range 500 {
		shift := r.IntN(30)
		for range 60 {
			b = fmt.Appendf(b, "word%d ", shift+r.IntN(10))
		}
		b = append(b, '\n')
	}
	return os.WriteFile(filepath.Join(work, "words.txt"), b, 0o666)
}

// try kills one job and compares. It says how often a process died before its end.
func (f folder) try(j job, i, kills int, r *rand.Rand) (killed int, took time.Duration, err error) {
	whole, cut := filepath.Join(f.work, fmt.Sprint("whole", i)), filepath.Join(f.work, fmt.Sprint("cut", i))
	args := strings.Fields(j.command + " " + j.args + " --seed 7 --progress none --checkpoint 20ms --threads ")
	for k, a := range args {
		if strings.HasPrefix(a, "examples/") {
			args[k] = filepath.Join(f.root, a)
		}
	}
	began := time.Now()
	if _, err := f.ergodic(0, append(args, "2", "--out", whole)...); err != nil {
		return 0, 0, err
	}
	took = time.Since(began)
	next := append(args, "2", "--out", cut)
	for range kills {
		died, err := f.ergodic(time.Duration(float64(took)*1.6*r.Float64()/float64(kills))+5*time.Millisecond, next...)
		if err != nil {
			return killed, took, err
		}
		if !died {
			break
		}
		killed++
		if _, err := os.Stat(filepath.Join(cut, "run.json")); errors.Is(err, fs.ErrNotExist) {
			continue // before the folder was there
		}
		next = append(strings.Fields(j.command), "--resume", cut, "--progress", "none", "--checkpoint", "20ms", "--threads", fmt.Sprint(1+killed%2))
	}
	if _, err := f.ergodic(0, next...); err != nil {
		return killed, took, err
	}
	return killed, took, same(whole, cut)
}

// ergodic runs the program, and kills it after a time; 0 is never.
func (f folder) ergodic(after time.Duration, args ...string) (died bool, err error) {
	ctx := context.Background()
	if after > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, after)
		defer cancel()
	}
	p, err := run.Execute(ctx, f.work, f.program, args...)
	if err == nil && !p.Late && p.Status != 0 {
		err = fmt.Errorf("ergodic %s: status %d\n%s", strings.Join(args, " "), p.Status, p.Stderr)
	}
	return p.Status == -1, err
}

// same compares what two runs left, except for times.
func same(whole, cut string) error {
	return filepath.WalkDir(whole, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(whole, path)
		switch {
		case name == "summary.json":
			return sameSummary(path, filepath.Join(cut, name))
		case d.IsDir() || !strings.HasPrefix(name, "draws.zarr") && name != "model.npz" && name != "state.gz" && name != "topics.model" && filepath.Ext(name) != ".tsv":
			return nil
		}
		a, errA := os.ReadFile(path)
		b, errB := os.ReadFile(filepath.Join(cut, name))
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if !bytes.Equal(a, b) {
			return fmt.Errorf("%s DIFFERS", name)
		}
		return nil
	})
}

func sameSummary(a, b string) error {
	var text [2]string
	for i, file := range []string{a, b} {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var all map[string]any
		if err := json.Unmarshal(raw, &all); err != nil {
			return err
		}
		keep := map[string]any{}
		for _, key := range []string{"result", "scores", "parameters", "warnings"} {
			keep[key] = withoutTimes(all[key])
		}
		b, err := json.Marshal(keep)
		if err != nil {
			return err
		}
		text[i] = string(b)
	}
	if text[0] != text[1] {
		return fmt.Errorf("the summary DIFFERS:\n%s\n%s", text[0], text[1])
	}
	return nil
}

// withoutTimes drops what is measured in seconds or per second, and the names of files.
func withoutTimes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			if key == "model" || strings.HasSuffix(key, "_s") || strings.Contains(key, "per_s") || strings.Contains(key, "seconds") {
				delete(v, key)
			} else {
				v[key] = withoutTimes(v[key])
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutTimes(v[i])
		}
	}
	return v
}
