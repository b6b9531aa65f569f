package path

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// A checkpoint file is this line, the SHA-256 of the rest, and a gob of finished.
const storeMagic = "ergodic path checkpoint 1\n"

// finished is what a checkpoint holds: the rows of the runs that are finished, and what they are of.
type finished struct {
	Purpose, Shape, Fingerprint string
	Seed                        uint64
	Runs, Width                 int
	Rows                        [][]float64 // empty where the run is not finished
}

// store is a checkpoint file; nil keeps nothing.
type store struct {
	name string
	head finished
}

// openStore fills rows from the file when the job is resumed.
func openStore(b job, set Settings, rows [][]float64) (*store, error) {
	if set.Checkpoint == "" {
		return nil, nil
	}
	s := &store{set.Checkpoint, finished{b.purpose, b.shape, set.Fingerprint, set.Seed, set.Runs, b.width, nil}}
	if !set.Resume {
		return s, nil
	}
	data, err := os.ReadFile(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("path: cannot resume: %w", err)
	}
	was, err := decodeStore(data)
	if err == nil {
		err = s.head.differs(was)
	}
	if err != nil {
		return nil, fmt.Errorf("path: cannot resume: %s %w", s.name, err)
	}
	was.fill(rows)
	return s, nil
}

// fill takes the finished runs over, as many as are asked for.
func (f *finished) fill(rows [][]float64) {
	for i, row := range f.Rows {
		if len(row) > 0 && i < len(rows) {
			rows[i] = row
		}
	}
}

// differs names the first thing in which was, of the file, is not what is asked for. The number of runs may grow.
func (f finished) differs(was *finished) error {
	for _, d := range []struct {
		name      string
		was, asks any
	}{
		{"method", was.Purpose, f.Purpose},
		{"seed", was.Seed, f.Seed},
		{"schedule or another setting of the method", was.Shape, f.Shape},
		{"family", was.Fingerprint, f.Fingerprint},
		{"number of values a run", was.Width, f.Width},
	} {
		if d.was != d.asks {
			return fmt.Errorf("is of another job: the %s differs, %v there and %v now", d.name, d.was, d.asks)
		}
	}
	return nil
}

func (s *store) save(rows [][]float64) error {
	if s == nil {
		return nil
	}
	f := s.head
	f.Rows = rows
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(f); err != nil {
		return fmt.Errorf("path: %s: %w", s.name, err)
	}
	sum := sha256.Sum256(body.Bytes())
	data := append(append([]byte(storeMagic), sum[:]...), body.Bytes()...)
	if err := atomicfile.Write(s.name, data, 0, true); err != nil {
		return fmt.Errorf("path: the finished runs cannot be kept: %w", err)
	}
	return nil
}

func decodeStore(data []byte) (*finished, error) {
	rest, ok := bytes.CutPrefix(data, []byte(storeMagic))
	if !ok {
		return nil, errors.New("is not a checkpoint of this version")
	}
	if len(rest) < sha256.Size {
		return nil, errors.New("is cut short")
	}
	if sum := sha256.Sum256(rest[sha256.Size:]); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil, errors.New("is damaged: its checksum does not match")
	}
	f := new(finished)
	if err := gob.NewDecoder(bytes.NewReader(rest[sha256.Size:])).Decode(f); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	for i, row := range f.Rows {
		if len(row) == 0 {
			continue
		}
		if f.Width < 0 || len(row) != rowHead+f.Width {
			return nil, fmt.Errorf("holds %d values of run %d instead of %d", len(row), i+1, rowHead+f.Width)
		}
		for _, count := range row[:rowHead] {
			if !(count >= 0 && count < 1<<53) {
				return nil, fmt.Errorf("holds the count %v of moves or evaluations of run %d", count, i+1)
			}
		}
	}
	return f, nil
}
