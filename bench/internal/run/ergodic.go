// Package run starts the programs that the benchmarks measure.
package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Root finds the folder of go.mod, from the working directory upwards.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the working directory: run this inside the repository")
		}
		dir = up
	}
}

// Shared finds test material that is not part of the repository: a folder
// below $ERGODIC_SHARED, or below shared beside the repository.
func Shared(parts ...string) (string, error) {
	base := os.Getenv("ERGODIC_SHARED")
	if base == "" {
		root, err := Root()
		if err != nil {
			return "", err
		}
		base = filepath.Join(root, "..", "shared")
	}
	dir := filepath.Join(append([]string{base}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("no test material at %s: set ERGODIC_SHARED", dir)
	}
	return dir, nil
}

// Build compiles the command line into dir and gives the program's path.
func Build(dir string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "ergodic")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/ergodic")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
}

// Program is the command line that was named, or where none was, one that is compiled into dir.
func Program(dir, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	return Build(dir)
}

// Job is one call of ergodic sample, or of its continuation.
type Job struct {
	Model   string
	Data    []string
	Inits   []string
	Monitor []string
	Seed    uint64
	Chains  int
	Warmup  int
	Draws   int
	Threads int
	Out     string
	Resume  bool // extend the run in Out to Draws

	Samplers   []string // NODES=KERNEL
	SaveWarmup bool

	Modules []string // that JAGS loads
}

func (j Job) args() []string {
	args := []string{"sample", "--progress", "none", "--draws", strconv.Itoa(j.Draws), "--threads", strconv.Itoa(j.Threads)}
	if j.Resume {
		return append(args, "--resume", j.Out)
	}
	args = append(args, j.Model, "--out", j.Out, "--force",
		"--seed", strconv.FormatUint(j.Seed, 10), "--chains", strconv.Itoa(j.Chains), "--warmup", strconv.Itoa(j.Warmup))
	for _, f := range j.Data {
		args = append(args, "--data", f)
	}
	for _, f := range j.Inits {
		args = append(args, "--inits", f)
	}
	if len(j.Monitor) > 0 {
		args = append(args, "--monitor", strings.Join(j.Monitor, ","))
	}
	for _, o := range j.Samplers {
		args = append(args, "--sampler", o)
	}
	if j.SaveWarmup {
		args = append(args, "--save-warmup")
	}
	return args
}

// Usage is what a process took.
type Usage struct {
	CPU, Wall time.Duration // CPU: user and system
}

// Summary is the part of summary.json that the benchmarks read; what the file
// has as null is absent (NaN does not exist in it).
type Summary struct {
	Run struct {
		Draws int `json:"draws"`
		CPU   struct {
			Warmup   float64 `json:"warmup"`
			Sampling float64 `json:"sampling"`
		} `json:"cpu_s"`
	} `json:"run"`
	Samplers []struct {
		Kernel string `json:"kernel"`
		Nodes  int    `json:"nodes"`
	} `json:"samplers"`
	Parameters map[string]Parameter `json:"parameters"`
	Warnings   []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"warnings"`
}

// Parameter is the summary of one element.
type Parameter struct {
	Mean     *float64 `json:"mean"`
	SD       *float64 `json:"sd"`
	MCSEMean *float64 `json:"mcse_mean"`
	MCSESD   *float64 `json:"mcse_sd"`
	Q5       *float64 `json:"q5"`
	Median   *float64 `json:"median"`
	Q95      *float64 `json:"q95"`
	ESSBulk  *float64 `json:"ess_bulk"`
	ESSTail  *float64 `json:"ess_tail"`
	Rhat     *float64 `json:"rhat"`
}

// Failure is a run that ended with an error message.
type Failure struct {
	Program string
	Message string
}

func (f *Failure) Error() string { return f.Program + ": " + f.Message }

// Sample runs the job and reads its summary.
func Sample(ctx context.Context, program string, j Job) (Summary, Usage, error) {
	var s Summary
	usage, _, err := Command(ctx, "", program, j.args()...)
	if err != nil {
		return s, usage, err
	}
	b, err := os.ReadFile(filepath.Join(j.Out, "summary.json"))
	if err != nil {
		return s, usage, err
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, usage, fmt.Errorf("summary.json: %w", err)
	}
	return s, usage, nil
}

// Begun is when the run in a folder began to sample.
func Begun(dir string) (time.Time, error) {
	b, err := os.ReadFile(filepath.Join(dir, "log.jsonl"))
	if err != nil {
		return time.Time{}, err
	}
	for line := range bytes.Lines(b) {
		var e struct {
			Event string
			Time  time.Time
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return time.Time{}, fmt.Errorf("log.jsonl: %w", err)
		}
		if e.Event == "start" {
			return e.Time, nil
		}
	}
	return time.Time{}, errors.New("log.jsonl has no start")
}

// Probed is the CPU time in seconds of the search for modes that no chain has met, at the end of the run in a folder.
func Probed(dir string) (float64, error) {
	b, err := os.ReadFile(filepath.Join(dir, "log.jsonl"))
	if err != nil {
		return 0, err
	}
	took := 0.0
	for line := range bytes.Lines(b) {
		var e struct {
			Probe float64 `json:"probe_cpu_s"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return 0, fmt.Errorf("log.jsonl: %w", err)
		}
		took += e.Probe
	}
	return took, nil
}

// Command runs a program in dir and gives what it took and what it printed. A
// run past the deadline of ctx ends it.
func Command(ctx context.Context, dir, program string, args ...string) (Usage, string, error) {
	p, err := Execute(ctx, dir, program, args...)
	fail := func(format string, args ...any) error {
		return &Failure{filepath.Base(program), fmt.Sprintf(format, args...)}
	}
	switch text := strings.TrimSpace(p.Stderr); {
	case p.Late:
		err = fail("not done after %.0f s", p.Wall.Seconds())
	case err != nil:
		err = fail("%v", err)
	case p.Status != 0 && text == "":
		err = fail("exit status %d", p.Status)
	case p.Status != 0:
		err = fail("%s", text)
	}
	return p.Usage, p.Stdout, err
}
