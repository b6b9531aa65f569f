package main

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

func TestLDAEvaluate(t *testing.T) {
	dir, _ := orchard(t)
	file := write(t, "new.txt", "plum pear plum cherry apple quince plum pear\nspanner\nbolt and nut and nut and washer rivet screw bolt\nplum\n")
	for _, method := range []string{"left-to-right", "completion"} {
		out := filepath.Join(t.TempDir(), "scores.tsv")
		args := []string{"lda", "evaluate", dir, file, "--method", method, "--seed", "1", "--progress", "none"}
		r := must(t, append(args, "--json", "--out", out)...)
		var got struct {
			Method                                    string
			Log                                       float64 `json:"log_likelihood_per_token"`
			Perplexity, SE                            float64
			Documents, Tokens, Unknown, Empty, Scored int
		}
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatal(err)
		}
		scored := map[string]int{"left-to-right": 16, "completion": 9}[method]
		if got.Method != method || got.Documents != 4 || got.Tokens != 16 || got.Unknown != 4 || got.Empty != 1 || got.Scored != scored || (got.SE > 0) != (method == "left-to-right") {
			t.Errorf("%+v", got)
		}
		// Two chains of completion see the same topics, for no word has two. Each subject has five words of about one share: ln 5 a token, and the first says which subject it is.
		if math.Abs(got.Log+math.Log(5)) > 0.5 || math.Abs(got.Perplexity-math.Exp(-got.Log)) > 1e-6*got.Perplexity {
			t.Errorf("%+v", got)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		lines, sum := strings.Split(strings.TrimSpace(string(b)), "\n"), 0.0
		for _, line := range lines[1:] {
			x, err := strconv.ParseFloat(strings.Split(line, "\t")[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += x
		}
		if len(lines) != 5 || math.Abs(sum/float64(scored)-got.Log) > 1e-6 {
			t.Errorf("%s: documents sum to %v of\n%s", method, sum, b)
		}
		text := must(t, append(args, "--threads", "1")...).stdout
		if again := must(t, append(args, "--threads", "3")...).stdout; again != text || !strings.Contains(text, "perplexity "+strconv.FormatFloat(got.Perplexity, 'f', 2, 64)+", by "+method) {
			t.Errorf("%q, then %q", text, again)
		}
	}
	if text := must(t, "lda", "evaluate", dir, file, "--runs", "1", "--seed", "1", "--json").stdout; !strings.Contains(text, `"se": null`) {
		t.Errorf("one run: %s", text)
	}
}

func TestLDAEvaluateRefuses(t *testing.T) {
	dir, _ := orchard(t)
	file := write(t, "new.txt", "plum\n")
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"--method harmonic":                    {2, "--method must be one of"},
		"--method completion --particles 3":    {2, "--particles is for --method left-to-right, and does nothing for completion"},
		"--sweeps 3":                           {2, "--sweeps is for --method completion"},
		"--burn-in 3":                          {2, "--burn-in is for --method completion"},
		"--particles 0":                        {2, "--particles 0: it must be from 1"},
		"--runs 0":                             {2, "--runs 0: it must be from 1"},
		"--method completion --sweeps 3":       {2, "--burn-in 10"},
		"--out " + filepath.Dir(file):          {1, "is a folder"},
		"--seed -1":                            {2, "--seed"},
		"--format uci":                         {1, "new.txt:1"},
		"--format uci --vocab /no/such/place.": {1, "place."},
	} {
		end := execute(t, program(t, append([]string{"lda", "evaluate", dir, file}, strings.Fields(args)...)...))
		if end.status != want.status || !strings.Contains(end.stderr, want.says) {
			t.Errorf("%s: status %d, not %d, with %q: %s", args, end.status, want.status, want.says, end.stderr)
		}
	}
}

// Ctrl-C ends the work on a document that would take hours, and leaves no file.
func TestLDAEvaluateIsInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no signal to send")
	}
	dir, _ := orchard(t)
	file := write(t, "long.txt", strings.Repeat("plum bolt ", 200_000))
	for _, args := range [][]string{{"evaluate"}, {"infer", "--sweeps", "4000"}} {
		out := filepath.Join(t.TempDir(), "x.tsv")
		cmd := program(t, append([]string{"lda", args[0], dir, file, "--out", out}, args[1:]...)...)
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(stderr)
		first, err := lines.ReadString('\n') // the seed; the work begins now
		if err != nil || !strings.HasPrefix(first, "seed ") {
			t.Errorf("%q, %v", first, err)
		}
		time.Sleep(300 * time.Millisecond)
		began := time.Now()
		cmd.Process.Signal(os.Interrupt)
		rest, err := io.ReadAll(lines)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if cmd.ProcessState.ExitCode() != job.Interrupted || !strings.Contains(string(rest), "nothing is written") || exists(out) || time.Since(began) > 30*time.Second {
			t.Errorf("%s: %v after %v, %q", args[0], cmd.ProcessState, time.Since(began), rest)
		}
	}
}
