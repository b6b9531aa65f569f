package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// ErrNoJAGS says that the other engine is not on this machine.
var ErrNoJAGS = errors.New("jags is not installed: nothing to compare with (on Debian: apt-get install jags)")

// JAGS runs the same job with JAGS, with the job's modules beside those that it
// always has, and reads its draws. The job's threads and output folder are not
// used; dir is scratch.
func JAGS(ctx context.Context, dir string, j Job) (*draws.Set, Usage, error) {
	program, err := exec.LookPath("jags")
	if err != nil {
		return nil, Usage{}, ErrNoJAGS
	}
	script := filepath.Join(dir, "script.cmd")
	if err := os.WriteFile(script, []byte(jagsScript(j)), 0o644); err != nil {
		return nil, Usage{}, err
	}
	usage, out, err := Command(ctx, dir, program, script)
	if err != nil {
		return nil, usage, err
	}
	set, err := readCODA(dir, j.Chains)
	if err != nil {
		return nil, usage, fmt.Errorf("%w\n%s", err, out)
	}
	return set, usage, nil
}

func jagsScript(j Job) string {
	var b strings.Builder
	for _, m := range j.Modules {
		fmt.Fprintf(&b, "load %s\n", m)
	}
	fmt.Fprintf(&b, "model in %q\n", j.Model)
	for _, f := range j.Data {
		fmt.Fprintf(&b, "data in %q\n", f)
	}
	fmt.Fprintf(&b, "set seed %d\ncompile, nchains(%d)\n", j.Seed, j.Chains)
	for i, f := range j.Inits {
		if len(j.Inits) == 1 {
			fmt.Fprintf(&b, "parameters in %q\n", f)
			break
		}
		fmt.Fprintf(&b, "parameters in %q, chain(%d)\n", f, i+1)
	}
	fmt.Fprintf(&b, "initialize\nupdate %d\n", j.Warmup)
	for _, m := range j.Monitor {
		fmt.Fprintf(&b, "monitor %s\n", m)
	}
	fmt.Fprintf(&b, "update %d\ncoda *\nexit\n", j.Draws)
	return b.String()
}

func readCODA(dir string, chains int) (*draws.Set, error) {
	index, err := os.Open(filepath.Join(dir, "CODAindex.txt"))
	if err != nil {
		return nil, err
	}
	defer index.Close()
	readers := make([]io.Reader, chains)
	for c := range readers {
		f, err := os.Open(filepath.Join(dir, fmt.Sprintf("CODAchain%d.txt", c+1)))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		readers[c] = f
	}
	return draws.ReadCODA(index, readers...)
}
