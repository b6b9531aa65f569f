package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// peer is another program that sweeps when it is told to.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// compile makes Mallet.class in dir and gives the command line that runs it.
func compile(ctx context.Context, dir string) ([]string, error) {
	class, err := run.MALLET(ctx, dir, "lda/Mallet.java")
	if err != nil {
		return nil, err
	}
	return []string{"java", "-Xmx8g", "-XX:+UseSerialGC", "-Djava.util.logging.config.file=" + os.DevNull, "-cp", class, "Mallet"}, nil
}

// python is the command line of a driver; module is what it imports.
func python(ctx context.Context, module, driver string) ([]string, error) {
	if err := exec.CommandContext(ctx, run.Python(), "-c", "import "+module).Run(); err != nil {
		return nil, fmt.Errorf("%w: no %s; ERGODIC_PYTHON may name a Python that has it", run.ErrMissing, module)
	}
	root, err := run.Root()
	return []string{run.Python(), filepath.Join(root, "bench", "lda", driver)}, err
}

// open starts a peer on a collection, from the topics in a file or from its own.
func (c *collection) open(ctx context.Context, command []string, start string) (*peer, error) {
	args := append(command[1:len(command):len(command)], c.file, strconv.Itoa(c.topics), "50", strconv.FormatFloat(beta, 'g', -1, 64), start)
	cmd := exec.CommandContext(ctx, command[0], args...)
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{cmd, in, bufio.NewScanner(out)}, cmd.Start()
}

// sweep asks for sweeps, and the topics after them in a file or "-", and returns the CPU seconds.
func (p *peer) sweep(sweeps int, file string) (float64, error) {
	if _, err := fmt.Fprintln(p.in, sweeps, file); err != nil {
		return 0, err
	}
	if !p.out.Scan() {
		return 0, errors.Join(errors.New("a peer ended before it answered"), p.out.Err())
	}
	return strconv.ParseFloat(strings.TrimSpace(p.out.Text()), 64)
}

func (p *peer) close() error {
	p.in.Close()
	return p.cmd.Wait()
}
