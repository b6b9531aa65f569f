package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/markov"
)

// dense compares the stationary distribution of one random matrix.
func dense(n int, python string, repetitions int) error {
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
		for j := range rows[i] {
			rows[i][j] = r.ExpFloat64()
		}
	}
	c, err := markov.NewDenseNormalised(rows)
	if err != nil {
		return err
	}
	var pi []float64
	ours := time.Hour
	for range repetitions {
		began := time.Now()
		if pi, err = markov.StationaryOf(c); err != nil {
			return err
		}
		ours = min(ours, time.Since(began))
	}
	fmt.Printf("dense, %d states: Ergodic %.1f ms, classes and weak parts included\n", n, ours.Seconds()*1e3)
	gth, chain, theirs, version, err := peer(c, python, repetitions)
	if err != nil {
		fmt.Println("SKIPPED: QuantEcon.py:", err)
		return nil
	}
	fmt.Printf("  QuantEcon.py %s, warm: gth_solve %.1f ms, %.2f times Ergodic's; MarkovChain.stationary_distributions %.1f ms, %.2f times\n",
		version, gth*1e3, gth/ours.Seconds(), chain*1e3, chain/ours.Seconds())
	fmt.Printf("  total variation between the two: %.1g\n", markov.TotalVariation(pi, theirs))
	return nil
}

// peer runs QuantEcon.py on the same bytes.
func peer(c *markov.Dense, python string, repetitions int) (gth, chain float64, pi []float64, version string, err error) {
	dir, err := os.MkdirTemp("", "ergodic-bench")
	if err != nil {
		return 0, 0, nil, "", err
	}
	defer os.RemoveAll(dir)
	var b bytes.Buffer
	n := c.Len()
	for i := range n {
		for j := range n {
			b.Write(binary.LittleEndian.AppendUint64(nil, bits(c.At(i, j))))
		}
	}
	file := filepath.Join(dir, "p.bin")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		return 0, 0, nil, "", err
	}
	root, err := run.Root()
	if err != nil {
		return 0, 0, nil, "", err
	}
	cmd := exec.Command(python, filepath.Join(root, "bench", "markov", "quantecon_peer.py"), file, fmt.Sprint(n), fmt.Sprint(repetitions))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, nil, "", fmt.Errorf("%w: %s", err, lastLine(stderr.Bytes()))
	}
	gth, chain = 1e9, 1e9
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var line struct {
			GTH     float64   `json:"gth"`
			Chain   float64   `json:"chain"`
			Pi      []float64 `json:"pi"`
			Version string    `json:"version"`
		}
		if err := d.Decode(&line); err != nil {
			return 0, 0, nil, "", err
		}
		gth, chain, pi, version = min(gth, line.GTH), min(chain, line.Chain), line.Pi, line.Version
	}
	return gth, chain, pi, version, nil
}

func lastLine(text []byte) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(lines[len(lines)-1])
}
