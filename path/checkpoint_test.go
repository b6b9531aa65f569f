package path

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
)

// Whatever the bytes of a checkpoint, they are refused or hold rows of the stated width. The fuzzer's bytes are tried as a file
// and as the content behind a valid checksum.
func FuzzCheckpoint(f *testing.F) {
	file := filepath.Join(f.TempDir(), "runs")
	must(AIS(background, Family[[]float64](newGaussian(1)), must(Uniform(3)), Settings{Runs: 3, Checkpoint: file}))
	whole := must(os.ReadFile(file))
	const line = "ergodic path checkpoint 1\n"
	body := whole[len(line)+sha256.Size:]
	f.Add(whole)
	f.Add(partialFile(f))
	f.Add(body)
	f.Add(body[:len(body)/2])
	f.Add([]byte(line))
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sha256.Sum256(data)
		for _, file := range [][]byte{data, bytes.Join([][]byte{[]byte(line), sum[:], data}, nil)} {
			got := new(finished)
			if checkpoint().Decode(file, got) != nil || got.check() != nil {
				continue
			}
			rows := make([][]float64, 5)
			for _, half := range got.fill(rows) {
				for i, run := range half.Runs {
					if run >= len(rows) || rows[run] != nil || half.States[i] == nil && half.Rand[i] == nil && len(half.Rows[i]) != rowHead+got.Width {
						t.Errorf("run %d goes on from %+v", run, half)
					}
				}
			}
			for i, row := range rows {
				if row != nil && (len(row) != rowHead+got.Width || !(row[0] >= 0)) {
					t.Errorf("run %d has %d values, of %d", i, len(row), got.Width)
				}
			}
		}
	})
}

// partialFile is a checkpoint of a job that was stopped in its first runs.
func partialFile(t testing.TB) []byte {
	file := filepath.Join(t.TempDir(), "halves")
	ctx, cancel := context.WithCancel(background)
	left := 700
	AIS(ctx, Family[units](groupedMachine{newMachine(4, 2, 0.7), &left, cancel}), must(Uniform(200)), Settings{Runs: 7, Threads: 1, Checkpoint: file})
	return must(os.ReadFile(file))
}
