package draws

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
)

// Writer is a [Recorder] that streams draws to a Zarr v2 folder with the
// groups of ArviZ's schema. It holds a few megabytes per chain, however many
// draws there are.
//
// Each chain writes to parts of the chunks that are its own. What is visible
// in the folder is what every chain has had made durable; at [Writer.Sync] the
// unfinished chunk is written too, its rest a hole. The final bytes depend on
// the draws alone, not on when Sync, Close or a resumption took place.
type Writer struct {
	dir    string
	layout Layout
	width  int        // values in a draw
	others int        // statistics of a draw that are not in a Stat's fields
	groups [2][]group // sampling, warm-up
	chains []chainWriter
	files  sharedFiles

	mu      sync.Mutex
	durable [2][]int // draws of each chain that are durable; -1: as resumed, not yet known
	shown   [2]int   // draws in the shape on disk
	whole   bool     // all metadata are on disk, not only the consolidated file
	fresh   bool     // none but that ever was
	cut     bool     // draws have been taken back
	closed  bool
}

// chainWriter is touched by its own chain only.
type chainWriter struct {
	tracks  [2]track
	sums    sumsWriter
	entries []byte // of full chunks, of a chain that goes back and has not been cut yet
}

// track is the columns of one chain in sampling or in warm-up.
type track struct {
	first      int // number of the first column
	members    []column
	stats      []column
	statistics []statistic
	room       int // draws that surely fit before a chunk is full
	count      int // draws so far; -1: unknown until Truncate
}

const (
	sampling = 0
	warmup   = 1
)

func trackOf(isWarmup bool) int {
	if isWarmup {
		return warmup
	}
	return sampling
}

// Create starts a folder, which must not exist or be empty. It makes all
// folders and writes the consolidated metadata at once, so that a folder that
// cannot be written is known before the first draw.
func Create(dir string, l Layout) (*Writer, error) {
	w, err := newWriter(dir, l)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("saving draws: %w", err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("saving draws: %s is not empty", dir)
	}
	if err := w.makeFolders(); err != nil {
		return nil, fmt.Errorf("saving draws: %w", err)
	}
	if err := w.writeObserved(); err != nil {
		return nil, fmt.Errorf("saving draws: %w", err)
	}
	all, err := w.metadata()
	if err == nil {
		err = w.consolidate(all)
	}
	if err != nil {
		return nil, fmt.Errorf("saving draws: %w", err)
	}
	w.fresh = true
	return w, nil
}

// Resume opens a folder that an earlier Writer of the same layout left,
// finished or not. Call Truncate with the counts of the checkpoint for each
// chain before anything else.
func Resume(dir string, l Layout) (*Writer, error) {
	w, err := newWriter(dir, l)
	if err != nil {
		return nil, err
	}
	if err := removeTemporaries(dir); err != nil {
		return nil, fmt.Errorf("resuming draws: %w", err)
	}
	r, err := openMetadata(dir)
	if err != nil {
		return nil, fmt.Errorf("resuming draws: %w", err)
	}
	if !r.checksummed {
		return nil, fmt.Errorf("resuming draws: %s has no checksums; an earlier version wrote it, or another program", dir)
	}
	if r.origin != l.Origin {
		return nil, fmt.Errorf("resuming draws: %s is of another run", dir)
	}
	for t := range w.groups {
		for _, g := range w.groups[t] {
			if err := r.matches(g, l.Chains); err != nil {
				return nil, fmt.Errorf("resuming draws: %s: %w", dir, err)
			}
		}
		if len(w.groups[t]) > 0 {
			w.shown[t] = r.Draws(w.groups[t][0].name)
		}
		for c := range w.durable[t] {
			w.durable[t][c] = -1
			w.chains[c].tracks[t].count = -1
		}
	}
	if err := w.sameGroups(r); err != nil {
		return nil, fmt.Errorf("resuming draws: %s: %w", dir, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, checksumFolder), 0o777); err != nil { // lost checksums are made again
		return nil, fmt.Errorf("resuming draws: %w", err)
	}
	if err := w.writeObserved(); err != nil {
		return nil, fmt.Errorf("resuming draws: %w", err)
	}
	return w, nil
}

func newWriter(dir string, l Layout) (*Writer, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, layout: l, width: l.Width(), others: len(l.OtherStats()), chains: make([]chainWriter, l.Chains)}
	w.files.files = map[string]*sharedFile{}
	w.groups[sampling], w.groups[warmup] = l.groups()
	for c := range w.chains {
		w.chains[c].sums = sumsWriter{dir: dir, chain: c, sums: chainSums{layout: layoutHash(l.Origin, l.Chains, w.groups)}}
	}
	for t := range w.groups {
		w.durable[t] = make([]int, l.Chains)
		for c := range w.chains {
			w.newTrack(c, t)
		}
		for _, g := range w.groups[t] {
			for _, v := range g.vars {
				if err := checkName(v.Name); err != nil {
					return nil, err
				}
			}
		}
	}
	return w, nil
}

func (w *Writer) newTrack(chain, k int) {
	t := &w.chains[chain].tracks[k]
	if k == warmup {
		t.first = w.chains[chain].tracks[sampling].columns()
	}
	for i, g := range w.groups[k] {
		for _, v := range g.vars {
			c := newColumn(filepath.Join(w.dir, g.name), chain, w.layout.Chains, v, &w.files)
			c.number, c.sums = t.first+t.columns(), &w.chains[chain].sums
			if i == len(w.groups[k])-1 {
				t.stats, t.statistics = append(t.stats, c), append(t.statistics, statisticOf(v.Name))
			} else {
				t.members = append(t.members, c)
			}
		}
	}
}

// columns is how many a track has.
func (t *track) columns() int { return len(t.members) + len(t.stats) }

// rows of a chunk of each column.
func (t *track) rows() (rows []int) {
	t.all(func(c *column) error {
		rows = append(rows, c.rows)
		return nil
	})
	return rows
}

// all visits the columns of a track.
func (t *track) all(f func(*column) error) error {
	for i := range t.members {
		if err := f(&t.members[i]); err != nil {
			return err
		}
	}
	for i := range t.stats {
		if err := f(&t.stats[i]); err != nil {
			return err
		}
	}
	return nil
}

// Layout is what is recorded.
func (w *Writer) Layout() Layout { return w.layout }

// Append adds a draw: a copy, at most a few nanoseconds per value, and now
// and then a file. When it fails the draw is not kept and may be appended
// again.
func (w *Writer) Append(chain int, isWarmup bool, draw []float64, stat Stat) error {
	if chain < 0 || chain >= len(w.chains) {
		return fmt.Errorf("saving draws: chain %d of %d", chain, len(w.chains))
	}
	if isWarmup && !w.layout.SaveWarmup {
		return nil
	}
	t := &w.chains[chain].tracks[trackOf(isWarmup)]
	if t.count < 0 {
		return errors.New("saving draws: the run was resumed without saying how many draws of each chain to keep")
	}
	if t.room == 0 {
		if !isWarmup && t.count == 0 {
			if err := t.inherit(&w.chains[chain].tracks[warmup]); err != nil {
				return fmt.Errorf("saving draws: %w", err)
			}
		}
		if err := t.makeRoom(); err != nil {
			return fmt.Errorf("saving draws: %w", err)
		}
	}
	if len(draw) != w.width {
		return fmt.Errorf("saving draws: a draw of %d values for a layout of %d", len(draw), w.width)
	}
	if err := stat.fits(w.others); err != nil {
		return fmt.Errorf("saving draws: %w", err)
	}
	at := 0
	for i := range t.members {
		c := &t.members[i]
		if c.plain {
			c.putNumber(math.Float64bits(draw[at]))
			at++
			continue
		}
		c.put(draw[at : at+c.size])
		at += c.size
	}
	t.putStat(&stat)
	t.room--
	t.count++
	return nil
}

// inherit takes the memory of the warm-up over, whose rows are written out.
func (t *track) inherit(warmup *track) error {
	if warmup.count <= 0 {
		return nil
	}
	if err := warmup.all((*column).writeForSync); err != nil {
		return err
	}
	warmup.room = 0
	for _, pair := range [][2][]column{{t.members[:len(warmup.members)], warmup.members}, {t.stats, warmup.stats}} {
		for i := range pair[0] {
			pair[0][i].buf, pair[1][i].buf = pair[1][i].buf, nil
		}
	}
	return nil
}

func (t *track) makeRoom() error {
	if err := t.all((*column).writeFull); err != nil {
		return err
	}
	if err := t.all((*column).advance); err != nil {
		return err
	}
	t.room = maxRows
	return t.all(func(c *column) error {
		t.room = min(t.room, c.makeRoom())
		return nil
	})
}

// Sync returns when the draws of a chain would survive the death of the
// process and of the machine, with their digest.
func (w *Writer) Sync(chain int) (digest []byte, err error) {
	if chain < 0 || chain >= len(w.chains) {
		return nil, fmt.Errorf("saving draws: chain %d of %d", chain, len(w.chains))
	}
	c := &w.chains[chain]
	if c.tracks[sampling].count < 0 {
		return nil, errors.New("saving draws: the run was resumed without saying how many draws of each chain to keep")
	}
	// All rows first: of chains that sync at the same time, one then makes
	// the files durable for the others.
	for _, step := range []func(*column) error{(*column).writeForSync, (*column).sync} {
		for t := range c.tracks {
			if err := c.tracks[t].all(step); err != nil {
				return nil, fmt.Errorf("saving draws: %w", err)
			}
		}
	}
	for t := range c.tracks {
		c.sums.sums.counts[t] = c.tracks[t].count
	}
	c.takeStock()
	if digest, err = c.sums.write(); err != nil {
		return nil, fmt.Errorf("saving draws: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for t := range w.durable {
		w.durable[t][chain] = c.tracks[t].count
	}
	if err := w.show(); err != nil {
		return nil, fmt.Errorf("saving draws: %w", err)
	}
	return digest, nil
}

// takeStock takes over the checksums of the columns, all of whose rows are
// written.
func (c *chainWriter) takeStock() {
	for k := range c.tracks {
		open := make([]uint32, 0, c.tracks[k].columns())
		c.tracks[k].all(func(col *column) error {
			open = append(open, col.crc)
			return nil
		})
		c.sums.sums.open[k] = open
	}
}

// Close makes all draws durable and visible. A second Close does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	closed := w.closed
	w.closed = true
	w.mu.Unlock()
	if closed {
		return nil
	}
	if w.chains[0].tracks[sampling].count < 0 {
		return nil // resumed, and nothing was done
	}
	var err error
	for c := range w.chains {
		_, e := w.Sync(c)
		err = errors.Join(err, e)
	}
	if err != nil {
		return err
	}
	if w.cut {
		err = w.removeUnused()
	}
	if !w.whole {
		err = errors.Join(err, w.writeMetadata())
	}
	if err != nil {
		return fmt.Errorf("saving draws: %w", err)
	}
	return nil
}

// removeUnused removes the chunks that no chain needs any more since draws
// have been taken back.
func (w *Writer) removeUnused() error {
	for t := range w.groups {
		used := 0
		for c := range w.chains {
			used = max(used, w.chains[c].tracks[t].count)
		}
		for c := 0; c < len(w.chains); c += chunkChains {
			err := w.chains[c].tracks[t].all(func(c *column) error { return c.removeFrom((used + c.rows - 1) / c.rows) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// show writes the metadata anew when every chain has other draws to show
// than the shape on disk says.
func (w *Writer) show() error {
	changed := false
	shown := w.shown
	for t := range shown {
		n := w.durable[t][0]
		for _, d := range w.durable[t] {
			n = min(n, d)
		}
		if n >= 0 && n != shown[t] {
			shown[t] = n
			changed = true
		}
	}
	if !changed {
		return nil
	}
	before := w.shown
	w.shown = shown
	if !w.whole {
		return w.writeMetadata()
	}
	return w.writeShapes(before)
}
