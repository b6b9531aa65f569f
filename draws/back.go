package draws

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// Truncate keeps the first draws of a chain, warmup of warm-up and kept after
// it, and removes the rest. All of them are read, and refused unless they are
// those of the digest, where one is given, or of the folder's own checksums.
// Nothing is removed before every chain of a resumed run has been told.
func (w *Writer) Truncate(chain int, warmupKept, kept int, digest []byte) error {
	if chain < 0 || chain >= len(w.chains) || kept < 0 || warmupKept < 0 {
		return fmt.Errorf("resuming draws: cannot keep %d and %d draws of chain %d of %d",
			warmupKept, kept, chain, len(w.chains))
	}
	counts := [2]int{sampling: kept, warmup: warmupKept}
	for k := range counts {
		if len(w.groups[k]) == 0 {
			counts[k] = 0
		}
	}
	if err := w.goBack(chain, counts, digest); err != nil {
		return fmt.Errorf("resuming draws: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for k, n := range counts {
		w.durable[k][chain] = n
	}
	w.cut = true
	if err := w.cutBack(); err != nil {
		return fmt.Errorf("resuming draws: %w", err)
	}
	return nil
}

// goBack makes a chain in memory as it was after so many draws.
func (w *Writer) goBack(chain int, counts [2]int, digest []byte) error {
	c := &w.chains[chain]
	var full [][]uint32
	for k, n := range counts {
		t := &c.tracks[k]
		if t.count >= 0 && n > t.count {
			return fmt.Errorf("cannot keep %d draws of chain %d: it has %d", n, chain+1, t.count)
		}
		if t.count >= 0 {
			if err := t.all((*column).write); err != nil {
				return err
			}
		}
		err := t.all(func(col *column) error {
			sums, err := col.goBack(n)
			full = append(full, sums)
			return err
		})
		if err != nil {
			return w.olderThan(chain, counts, err)
		}
	}
	c.sums.sums = chainSums{layout: c.sums.sums.layout, counts: counts}
	c.sums.pending = nil
	for _, k := range []int{warmup, sampling} { // as they came
		t := &c.tracks[k]
		inOrder(t.rows(), counts[k], func(column, chunk int) {
			number := t.first + column
			c.sums.add(number, full[number][chunk])
		})
	}
	c.entries, c.sums.pending = append([]byte{}, c.sums.pending...), nil
	c.takeStock()
	if digest != nil && bytes.Equal(checksumKind().Sum(c.sums.sums.marshal()), digest) {
		return nil
	}
	return w.culprit(chain, full, digest != nil)
}

// olderThan says of draws that cannot be read whether the folder has them at
// all.
func (w *Writer) olderThan(chain int, counts [2]int, err error) error {
	is, e := w.onDisk(chain)
	if e != nil {
		return err
	}
	for k, n := range counts {
		if is.counts[k] < n {
			return fmt.Errorf("%s knows %d draws of chain %d, and its checkpoint was made after %d: %s is older than the checkpoint; restore both from one copy",
				checksumFile(w.dir, chain), is.counts[k], chain+1, n, w.dir)
		}
	}
	return err
}

// onDisk is what the folder says of a chain.
func (w *Writer) onDisk(chain int) (*chainSums, error) {
	c := &w.chains[chain]
	return readChainSums(w.dir, chain, c.sums.sums.layout, [2]int{c.tracks[sampling].columns(), c.tracks[warmup].columns()})
}

// culprit names the file because of which the draws of a chain are not those
// of its checkpoint; full has the checksums of chunks as they are. Without a
// checkpoint to compare with, nothing may be wrong.
func (w *Writer) culprit(chain int, full [][]uint32, wrong bool) error {
	c := &w.chains[chain]
	is, err := w.onDisk(chain)
	if errors.Is(err, fs.ErrNotExist) && !wrong {
		return nil
	}
	if err == nil {
		err = w.olderThan(chain, c.sums.sums.counts, nil)
	}
	if err != nil {
		return err
	}
	want, err := is.byColumn(w.dir, chain)
	if err != nil {
		return err
	}
	for k := range c.tracks {
		err := c.tracks[k].all(func(col *column) error {
			for chunk, crc := range full[col.number] {
				if chunk >= len(want[col.number]) || want[col.number][chunk] != crc {
					return col.mismatch(chunk, col.rows)
				}
			}
			return col.checkOpen(is.counts[k], want[col.number])
		})
		if err != nil {
			return err
		}
	}
	if wrong {
		return fmt.Errorf("%s and the checkpoint of chain %d are of different runs, or of different times of one; restore both from one copy",
			checksumFile(w.dir, chain), chain+1)
	}
	return nil
}

// checkOpen holds the chunk at hand, as it is on disk, against the checksums of
// a column with n draws.
func (c *column) checkOpen(n int, want []uint32) error {
	rows := min(n-c.chunk*c.rows, c.rows)
	b := make([]byte, rows*c.rowBytes())
	if err := c.read(c.chunk, b); err != nil {
		return err
	}
	if crc32.Checksum(b, crcTable()) != want[c.chunk] {
		return c.mismatch(c.chunk, rows)
	}
	return nil
}

func (c *column) mismatch(chunk, rows int) error {
	return &badChunk{c.path(chunk), fmt.Sprintf("does not match its checksum: draws %d to %d of chain %d are damaged, or of another time; restore the file from a copy",
		chunk*c.rows+1, chunk*c.rows+rows, c.file*chunkChains+c.place+1)}
}

// cutBack removes what chains have beyond the draws that they keep, once that
// is known of all: first the metadata show no more, then the checksums cover
// no more, and then it goes. A process may die in between.
func (w *Writer) cutBack() error {
	shown := w.shown
	for k := range w.groups {
		if len(w.groups[k]) == 0 {
			continue
		}
		least := slices.Min(w.durable[k])
		if least < 0 {
			return nil
		}
		shown[k] = min(shown[k], least)
	}
	if before := w.shown; shown != before {
		w.shown = shown
		if err := w.writeShapes(before); err != nil {
			return err
		}
	}
	for i := range w.chains {
		if err := w.cutChainBack(i); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) cutChainBack(chain int) error {
	c := &w.chains[chain]
	if c.entries == nil {
		return nil
	}
	path := chunksFile(w.dir, chain)
	old, err := regular.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.HasPrefix(old, c.entries) {
		if err := atomicfile.Write(path, c.entries, 0, true); err != nil {
			return err
		}
		old = c.entries
	}
	if _, err := c.sums.write(); err != nil {
		return err
	}
	switch {
	case len(c.entries) == 0 && len(old) > 0:
		err = os.Remove(path)
	case len(old) > len(c.entries):
		err = os.Truncate(path, int64(len(c.entries)))
	default:
		err = nil
	}
	if err != nil {
		return err
	}
	for k := range c.tracks {
		t := &c.tracks[k]
		if err := t.all((*column).erase); err != nil {
			return err
		}
		t.count, t.room = w.durable[k][chain], 0
	}
	c.entries = nil
	return nil
}
