package draws

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// Checksums of draws. Chunks are appended to in place while a run lives, so a
// checksum inside them would be wrong whenever the process dies between two
// writes. They stand in a folder beside the groups, in two files a chain:
//
//   - chain-1.chunks only grows: the CRC-32C of the chain's rows in every chunk
//     that it has filled, in the order in which they filled;
//   - chain-1 is replaced whole when draws become durable: how many there are,
//     how many entries of the first file go with them and their CRC, and for
//     every column the CRC of the rows in the chunk that is not full yet.
//
// Rows that are not covered yet may be anything. Both depend on the draws
// alone. The SHA-256 of the second stands for all draws of the chain: the digest.

const checksumFolder = "checksums"

func checksumFile(dir string, chain int) string {
	return filepath.Join(dir, checksumFolder, fmt.Sprintf("chain-%d", chain+1))
}

func chunksFile(dir string, chain int) string { return checksumFile(dir, chain) + ".chunks" }

func checksumKind() checksummed.Kind { return checksummed.Kind{Name: "checksums of draws", Version: 1} }

func crcTable() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// chunkSum is an entry for a chunk that a chain has filled.
type chunkSum struct{ column, crc uint32 }

const chunkSumBytes = 8

// chainSums is what is known of the draws of a chain.
type chainSums struct {
	layout [32]byte    // hash of the layout
	counts [2]int      // draws
	chunks int         // chunks that are full
	crc    uint32      // of their entries
	open   [2][]uint32 // by track and column: of the rows in the chunk that is not full
}

// marshal is the content of the file of a chain.
func (s *chainSums) marshal() []byte {
	le := binary.LittleEndian
	b := append([]byte{}, s.layout[:]...)
	for _, n := range [...]int{s.counts[sampling], s.counts[warmup], s.chunks} {
		b = le.AppendUint64(b, uint64(n))
	}
	b = le.AppendUint32(b, s.crc)
	for _, track := range s.open {
		for _, crc := range track {
			b = le.AppendUint32(b, crc)
		}
	}
	return checksumKind().EncodeBytes(b)
}

const chainSumsHead = 32 + 3*8 + 4

// readChainSums reads the file of a chain with so many columns in its tracks.
func readChainSums(dir string, chain int, layout [32]byte, columns [2]int) (*chainSums, error) {
	path := checksumFile(dir, chain)
	b, err := regular.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if b, err = checksumKind().DecodeBytes(b); err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	if !bytes.HasPrefix(b, layout[:]) || len(b) != chainSumsHead+4*(columns[sampling]+columns[warmup]) {
		return nil, fmt.Errorf("%s is of another run than %s; restore both from one copy", path, filepath.Join(dir, metadataFile))
	}
	le := binary.LittleEndian
	s := &chainSums{layout: layout}
	b = b[len(layout):]
	for _, n := range [...]*int{&s.counts[sampling], &s.counts[warmup], &s.chunks} {
		*n = int(le.Uint64(b))
		b = b[8:]
	}
	s.crc = le.Uint32(b)
	b = b[4:]
	for t, n := range columns {
		s.open[t] = make([]uint32, n)
		for k := range n {
			s.open[t][k] = le.Uint32(b)
			b = b[4:]
		}
	}
	return s, nil
}

// byColumn is the checksums of a chain by column and chunk, that of the chunk
// which is not full last. It reads the file of the chunks that are.
func (s *chainSums) byColumn(dir string, chain int) ([][]uint32, error) {
	path := chunksFile(dir, chain)
	var b []byte
	if s.chunks > 0 {
		var err error
		if b, err = regular.ReadFile(path); err != nil {
			return nil, err
		}
		if len(b)/chunkSumBytes < s.chunks {
			return nil, fmt.Errorf("%s is cut short, or older than %s", path, checksumFile(dir, chain))
		}
		b = b[:s.chunks*chunkSumBytes]
	}
	if crc32.Checksum(b, crcTable()) != s.crc {
		return nil, fmt.Errorf("%s is damaged: it does not match its checksum in %s", path, checksumFile(dir, chain))
	}
	le := binary.LittleEndian
	sums := make([][]uint32, len(s.open[sampling])+len(s.open[warmup]))
	for ; len(b) > 0; b = b[chunkSumBytes:] {
		k := le.Uint32(b)
		if int(k) >= len(sums) {
			return nil, fmt.Errorf("%s is damaged: it speaks of column %d of %d", path, k, len(sums))
		}
		sums[k] = append(sums[k], le.Uint32(b[4:]))
	}
	for k, crc := range slices.Concat(s.open[sampling], s.open[warmup]) {
		sums[k] = append(sums[k], crc)
	}
	return sums, nil
}

func (s chunkSum) append(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, s.column), s.crc)
}

// add counts a chunk that has become full.
func (s *chainSums) add(sum chunkSum) {
	s.chunks++
	s.crc = crc32.Update(s.crc, crcTable(), sum.append(make([]byte, 0, chunkSumBytes)))
}

// filled is how many chunks of so many rows are full and done with after n
// draws: the last one only when another draw follows.
func filled(n, rows int) int { return max(n-1, 0) / rows }

// inOrder visits the chunks that columns with so many rows in a chunk have
// filled after n draws, in the order in which they filled.
func inOrder(rows []int, n int, visit func(column, chunk int)) {
	type due struct{ at, column int }
	byRows := map[int][]int{}
	for k, r := range rows {
		byRows[r] = append(byRows[r], k)
	}
	var lengths []int
	for r := range byRows {
		lengths = append(lengths, r)
	}
	slices.Sort(lengths)
	next := map[int]int{}
	for {
		at := n
		for _, r := range lengths {
			at = min(at, (next[r]+1)*r)
		}
		if at >= n {
			return
		}
		var list []due
		for _, r := range lengths {
			if (next[r]+1)*r != at {
				continue
			}
			for _, k := range byRows[r] {
				list = append(list, due{next[r], k})
			}
			next[r]++
		}
		slices.SortFunc(list, func(a, b due) int { return cmp.Compare(a.column, b.column) })
		for _, d := range list {
			visit(d.column, d.at)
		}
	}
}

// sumsWriter keeps the files of a chain.
type sumsWriter struct {
	dir     string
	chain   int
	sums    chainSums
	pending []byte // entries that are not in the file of chunks
	written []byte // the file of the chain as it is on disk; nil: not known
}

func (w *sumsWriter) add(column int, crc uint32) {
	sum := chunkSum{uint32(column), crc}
	w.sums.add(sum)
	w.pending = sum.append(w.pending)
}

// write makes durable what is known, and returns the digest.
func (w *sumsWriter) write() ([]byte, error) {
	if len(w.pending) > 0 {
		if err := w.appendPending(); err != nil {
			return nil, err
		}
	}
	b := w.sums.marshal()
	if !slices.Equal(b, w.written) {
		if err := atomicfile.Write(checksumFile(w.dir, w.chain), b, 0, true); err != nil {
			return nil, err
		}
		w.written = b
	}
	return checksumKind().Sum(b), nil
}

func (w *sumsWriter) appendPending() error {
	f, err := os.OpenFile(chunksFile(w.dir, w.chain), os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(w.pending, int64(w.sums.chunks*chunkSumBytes-len(w.pending)))
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		w.pending = w.pending[:0]
	}
	return err
}
