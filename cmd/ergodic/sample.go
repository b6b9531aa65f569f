package main

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

// runFlags are the flags of every job that samples. A nil pointer is a flag
// not given: its default, or on --resume what the run was started with.
type runFlags struct {
	Chains     *int   `help:"Chains (4)." placeholder:"N"`
	Warmup     *int   `help:"Warm-up iterations of each chain (1000)." placeholder:"N"`
	Draws      *int   `help:"Draws kept of each chain after warm-up and thinning (1000). With --resume a larger number extends a finished run." placeholder:"N"`
	Thin       *int   `help:"Keep every N-th iteration (1)." placeholder:"N"`
	SaveWarmup *bool  `help:"Keep the draws of the warm-up too." negatable:""`
	Out        string `help:"The run's folder; default MODEL-run, with a number when that exists." placeholder:"DIR"`
	Strict     bool   `help:"Exit with status 3 when a diagnostic warns."`
	resumable
	wideFlag
}

func (c *sampleCmd) check() error {
	if err := c.resumable.check(sampleJob, "a model", c.Model != "", c.Out); err != nil {
		return err
	}
	return c.checkSampler("sample")
}

type sampleCmd struct {
	Model string `arg:"" optional:"" help:"Model in the BUGS language."`
	modelInput
	Inits   []string `help:"Initial values; one file serves all chains, several are one a chain." placeholder:"FILE" sep:","`
	Monitor []string `help:"What to record: beta,theta[1:3],deviance; and the criteria dic, pD, popt, waic. Default: all unobserved nodes and computed quantities of at most 100 elements." placeholder:"NAMES" sep:"none"`
	LogLik  *bool    `name:"log-lik" help:"Keep the pointwise log likelihood, for LOO and WAIC." negatable:""`
	runFlags
	untilFlags
}

// Run samples a model.
func (c *sampleCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *sampleCmd) run(v *job.Notices) error {
	began := time.Now()
	if err := c.check(); err != nil {
		return err
	}
	s := &sampling{Run: &job.Run{Name: sampleJob, Version: version, Say: v}, cmd: c, each: [2]string{"chain", "chains"}}
	s.timing.began = began
	if err := s.open(); err != nil {
		return err
	}
	defer s.Close()
	return s.sample()
}

func systemSeed() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// splitMonitors cuts a,b[1:3],c[,2] at the commas outside brackets.
func splitMonitors(specs []string) []string {
	var out []string
	for _, s := range specs {
		depth, from := 0, 0
		for i, r := range s {
			switch {
			case r == '[':
				depth++
			case r == ']':
				depth--
			case r == ',' && depth == 0:
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
		out = append(out, strings.TrimSpace(s[from:]))
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// outFolder is the folder of a new run: the one asked for, or MODEL-run with
// the first number that is free.
func outFolder(out, modelFile string) string {
	if out != "" {
		return out
	}
	base := strings.TrimSuffix(filepath.Base(modelFile), filepath.Ext(modelFile)) + "-run"
	out = base
	for k := 2; exists(out); k++ {
		out = fmt.Sprintf("%s-%d", base, k)
	}
	return out
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
