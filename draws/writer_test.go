package draws

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fakeRun yields draws that are a function of chain and iteration, as a
// resumed run's are.
type fakeRun struct{ l Layout }

func (f fakeRun) draw(chain int, isWarmup bool, i int) ([]float64, Stat) {
	seed := uint64(chain) << 1
	if isWarmup {
		seed++
	}
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	row := make([]float64, f.l.Width())
	for k := range row {
		row[k] = r.NormFloat64()
	}
	return row, Stat{AcceptanceRate: r.Float64(), Diverging: r.IntN(10) == 0, TreeDepth: r.IntN(9), NSteps: 1 << r.IntN(9), LP: -r.ExpFloat64()}
}

func (f fakeRun) append(t *testing.T, rec Recorder, chain int, isWarmup bool, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		row, stat := f.draw(chain, isWarmup, i)
		if err := rec.Append(chain, isWarmup, row, stat); err != nil {
			t.Fatal(err)
		}
	}
}

func testLayout() Layout {
	return Layout{
		Chains:        3,
		Posterior:     []Variable{{Name: "mu"}, {Name: "theta", Dims: []int{4}}, {Name: "Sigma", Dims: []int{2, 3}}, {Name: "b", Dims: []int{2}, Lower: []int{5}}},
		LogLikelihood: []Variable{{Name: "y", Dims: []int{5}}},
		SaveWarmup:    true,
		Observed: []Array{
			{Variable{Name: "y", Dims: []int{5}}, []float64{1, 2, math.NaN(), 4, 5}},
			{Variable{Name: "x", Dims: []int{2, 2}}, []float64{11, 21, 12, 22}},
			{Variable{Name: "n"}, []float64{5}},
		},
	}
}

// tree is a digest of every file in a folder by its path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = fmt.Sprintf("%d %x", len(b), sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameTree(t *testing.T, want, got map[string]string) {
	t.Helper()
	for path, digest := range want {
		if got[path] != digest {
			t.Errorf("%s: %q, want %q", path, got[path], digest)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s is left over", path)
		}
	}
}

// undisturbed writes n draws (and warm of warm-up) in one go.
func undisturbed(t *testing.T, l Layout, warm, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "draws.zarr")
	w, err := Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for c := range l.Chains {
		wg.Go(func() {
			fakeRun{l}.append(t, w, c, true, 0, warm)
			fakeRun{l}.append(t, w, c, false, 0, n)
		})
	}
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWriteAndRead(t *testing.T) {
	for _, n := range []int{0, 1, 7, maxRows - 1, maxRows, maxRows + 1, 2*maxRows + 5} {
		l := testLayout()
		dir := undisturbed(t, l, 3, n)
		mem, err := NewMemory(l)
		if err != nil {
			t.Fatal(err)
		}
		for c := range l.Chains {
			fakeRun{l}.append(t, mem, c, true, 0, 3)
			fakeRun{l}.append(t, mem, c, false, 0, n)
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		sameGroups(t, mem.Groups(), got)
	}
}

// Chains beyond those that share a file go to another.
func TestManyChains(t *testing.T) {
	l := testLayout()
	l.Chains = 2*chunkChains + 3
	const n = 20
	dir := undisturbed(t, l, 2, n)
	want := tree(t, dir)
	mem, err := NewMemory(l)
	if err != nil {
		t.Fatal(err)
	}
	for c := range l.Chains {
		fakeRun{l}.append(t, mem, c, true, 0, 2)
		fakeRun{l}.append(t, mem, c, false, 0, n)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	sameGroups(t, mem.Groups(), got)

	w, err := Resume(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	for c := range l.Chains {
		if err := w.Truncate(c, 2, c%(n+1), nil); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for c := range l.Chains {
		wg.Go(func() {
			fakeRun{l}.append(t, w, c, false, c%(n+1), n)
			if _, err := w.Sync(c); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameTree(t, want, tree(t, dir))
}

// A run that is cut back for good leaves nothing of what it had.
func TestTakenBackDrawsLeaveNothing(t *testing.T) {
	l := testLayout()
	for _, kept := range []int{0, 5, maxRows + 5} {
		want := tree(t, undisturbed(t, l, 3, kept))
		dir := undisturbed(t, l, 3, 2*maxRows+10)
		w, err := Resume(dir, l)
		if err != nil {
			t.Fatal(err)
		}
		for c := range l.Chains {
			if err := w.Truncate(c, 3, kept, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		sameTree(t, want, tree(t, dir))
	}
}

func sameGroups(t *testing.T, want, got Groups) {
	t.Helper()
	sameSet(t, Posterior, want.Posterior, got.Posterior)
	sameSet(t, SampleStats, want.SampleStats, got.SampleStats)
	sameSet(t, LogLikelihood, want.LogLikelihood, got.LogLikelihood)
	sameSet(t, WarmupPosterior, want.Warmup, got.Warmup)
	sameSet(t, WarmupSampleStats, want.WarmupStats, got.WarmupStats)
	if len(want.Observed) != len(got.Observed) {
		t.Fatalf("%d observed arrays, want %d", len(got.Observed), len(want.Observed))
	}
	for i, a := range want.Observed {
		if b := got.Observed[i]; !a.Equal(b.Variable) || !sameFloats(a.Values, b.Values) {
			t.Errorf("observed %v, want %v", b, a)
		}
	}
}

func sameSet(t *testing.T, name string, want, got *Set) {
	t.Helper()
	if (want == nil) != (got == nil) {
		t.Fatalf("%s: %v, want %v", name, got, want)
	}
	if want == nil {
		return
	}
	if !slices.Equal(want.Names(), got.Names()) || want.Chains() != got.Chains() || want.Draws() != got.Draws() {
		t.Fatalf("%s: %v × %d × %d, want %v × %d × %d", name, got.Names(), got.Chains(), got.Draws(), want.Names(), want.Chains(), want.Draws())
	}
	for e, element := range want.Names() {
		for c := range want.Chains() {
			if !sameFloats(want.Chain(c, e), got.Chain(c, e)) {
				t.Errorf("%s: %s differs in chain %d", name, element, c)
			}
		}
	}
}

func sameFloats(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// A process dies at any instant: what follows the last Sync may be on disk
// or not, whole chunks or parts. The resumed run must leave the same bytes.
func TestResumeLeavesTheSameBytes(t *testing.T) {
	l := testLayout()
	const total, warm = maxRows + 300, 40
	want := tree(t, undisturbed(t, l, warm, total))
	for _, tc := range []struct{ synced, reached int }{
		{0, 0}, {0, 900}, {1, 2}, {500, 500}, {500, 700}, {500, maxRows + 1}, {500, maxRows + 200},
		{maxRows - 1, maxRows + 2}, {maxRows, maxRows}, {maxRows, maxRows + 2}, {maxRows + 1, maxRows + 250}, {total, total},
	} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "draws.zarr")
			w, err := Create(dir, l)
			if err != nil {
				t.Fatal(err)
			}
			digests := make([][]byte, l.Chains)
			for c := range l.Chains {
				fakeRun{l}.append(t, w, c, true, 0, warm)
				fakeRun{l}.append(t, w, c, false, 0, tc.synced)
				if digests[c], err = w.Sync(c); err != nil {
					t.Fatal(err)
				}
				fakeRun{l}.append(t, w, c, false, tc.synced, tc.reached)
				if c == 1 { // durable beyond the checkpoint
					if _, err := w.Sync(c); err != nil {
						t.Fatal(err)
					}
				}
			}
			left := filepath.Join(dir, Posterior, "mu", ".0.0.tmp")
			if err := os.WriteFile(left, []byte("half"), 0o666); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second resumption starts from the first one's interruption
				w, err = Resume(dir, l)
				if err != nil {
					t.Fatal(err)
				}
				for c := range l.Chains {
					if err := w.Truncate(c, warm, tc.synced, digests[c]); err != nil {
						t.Fatal(err)
					}
				}
			}
			for c := range l.Chains {
				fakeRun{l}.append(t, w, c, false, tc.synced, total)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			sameTree(t, want, tree(t, dir))
		})
	}
}

func TestExtendAFinishedRun(t *testing.T) {
	l := testLayout()
	l.SaveWarmup = false
	want := tree(t, undisturbed(t, l, 0, maxRows+50))
	dir := undisturbed(t, l, 0, 100)
	w, err := Resume(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	for c := range l.Chains {
		if err := w.Truncate(c, 1000, 100, nil); err != nil {
			t.Fatal(err)
		}
	}
	for c := range l.Chains {
		fakeRun{l}.append(t, w, c, false, 100, maxRows+50)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameTree(t, want, tree(t, dir))
}

func TestResumeSaysWhatDiffers(t *testing.T) {
	l := testLayout()
	dir := undisturbed(t, l, 2, 10)
	for name, change := range map[string]func(*Layout){
		"chains":                       func(l *Layout) { l.Chains = 4 },
		"log_likelihood":               func(l *Layout) { l.LogLikelihood = nil },
		"Sigma":                        func(l *Layout) { l.Posterior = slices.Clone(l.Posterior); l.Posterior[2].Dims = []int{3, 3} },
		"warmup_":                      func(l *Layout) { l.SaveWarmup = false },
		"b[5:6] where this run has b[": func(l *Layout) { l.Posterior = slices.Clone(l.Posterior); l.Posterior[3].Lower = nil },
	} {
		changed := l
		change(&changed)
		_, err := Resume(dir, changed)
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(name)) {
			t.Errorf("%s: error %v does not name it", name, err)
		}
	}
	w, err := Resume(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(0, false, make([]float64, l.Width()), Stat{}); err == nil {
		t.Error("Append after Resume without Truncate is accepted")
	}
	if err := w.Truncate(0, 0, maxRows+100, nil); err == nil {
		t.Error("draws that are not on disk can be kept")
	}
}

func TestCreateRefuses(t *testing.T) {
	l := testLayout()
	dir := undisturbed(t, l, 0, 1)
	if _, err := Create(dir, l); err == nil {
		t.Error("a finished run can be overwritten")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(file, "draws.zarr"), l); err == nil {
		t.Error("a folder below a file can be created")
	}
	for _, bad := range []Variable{{Name: ""}, {Name: "../x"}, {Name: ".x"}, {Name: "a/b"}, {Name: "v", Dims: []int{-1}}, {Name: "v", Dims: []int{1 << 20, 1 << 20}}} {
		if _, err := Create(filepath.Join(t.TempDir(), "d"), Layout{Chains: 1, Posterior: []Variable{bad}}); err == nil {
			t.Errorf("variable %v is accepted", bad)
		}
	}
	long := Variable{Name: strings.Repeat("a", 300)}
	if _, err := Create(filepath.Join(t.TempDir(), "d"), Layout{Chains: 1, Posterior: []Variable{long}}); err == nil || len(err.Error()) > 250 || !strings.Contains(err.Error(), "300 letters") {
		t.Errorf("a name too long for a folder: %v", err)
	}
}

// Chains that sync at the same time, with more files than stay open, leave the bytes of chains that sync one after the other, and no file open.
func TestSyncTogether(t *testing.T) {
	l := Layout{Chains: 3, Stats: []string{}}
	for i := range 2 * mostOpen {
		l.Posterior = append(l.Posterior, Variable{Name: fmt.Sprintf("v%d", i)})
	}
	want := tree(t, undisturbed(t, l, 0, 60))
	dir := filepath.Join(t.TempDir(), "draws.zarr")
	w, err := Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		var wg sync.WaitGroup
		for c := range l.Chains {
			wg.Go(func() {
				fakeRun{l}.append(t, w, c, false, 20*k, 20*k+20)
				if _, err := w.Sync(c); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if w.files.open != 0 || len(w.files.files) != 0 {
			t.Errorf("%d files are open, %d not durable", w.files.open, len(w.files.files))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameTree(t, want, tree(t, dir))
}

// The folder vanishes under the writer: an error, and the same draw can be
// appended again once the trouble is over.
func TestFailedAppendMayBeRepeated(t *testing.T) {
	l := testLayout()
	l.SaveWarmup = false
	want := tree(t, undisturbed(t, l, 0, maxRows+10))
	dir := filepath.Join(t.TempDir(), "draws.zarr")
	w, err := Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	theta := filepath.Join(dir, Posterior, "theta")
	for c := range l.Chains {
		fakeRun{l}.append(t, w, c, false, 0, maxRows)
		if err := os.Rename(theta, theta+"_away"); err != nil {
			t.Fatal(err)
		}
		row, stat := fakeRun{l}.draw(c, false, maxRows)
		for range 3 {
			if err := w.Append(c, false, row, stat); err == nil {
				t.Fatal("a draw that cannot be saved is accepted")
			}
		}
		if err := os.Rename(theta+"_away", theta); err != nil {
			t.Fatal(err)
		}
		fakeRun{l}.append(t, w, c, false, maxRows, maxRows+10)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameTree(t, want, tree(t, dir))
}

// The memory of the warm-up goes to sampling. A warm-up that goes on after that, or whose files cannot be written then, loses nothing.
func TestSamplingTakesTheMemoryOfTheWarmup(t *testing.T) {
	l := testLayout()
	const warm, total = firstRows + 30, firstRows + 50
	want := tree(t, undisturbed(t, l, warm, total))
	dir := filepath.Join(t.TempDir(), "draws.zarr")
	w, err := Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	theta := filepath.Join(dir, WarmupPosterior, "theta")
	for c, begun := range []int{1, firstRows, warm} {
		fakeRun{l}.append(t, w, c, true, 0, begun)
		if err := os.Rename(theta, theta+"_away"); err != nil {
			t.Fatal(err)
		}
		row, stat := fakeRun{l}.draw(c, false, 0)
		if err := w.Append(c, false, row, stat); (err == nil) != (c > 0) { // the file is open since the first chain
			t.Fatal(err)
		}
		if err := os.Rename(theta+"_away", theta); err != nil {
			t.Fatal(err)
		}
		fakeRun{l}.append(t, w, c, false, min(c, 1), 20)
		fakeRun{l}.append(t, w, c, true, begun, warm)
		fakeRun{l}.append(t, w, c, false, 20, total)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sameTree(t, want, tree(t, dir))
}

func TestPiecesCoverEveryElementOnce(t *testing.T) {
	l := testLayout()
	dir := undisturbed(t, l, 0, 500)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	set, err := r.ReadGroup(Posterior)
	if err != nil {
		t.Fatal(err)
	}
	var mem Columns
	for _, values := range []int{1, 1500 * 2, 1500 * 5, 1 << 30} {
		pieces, err := r.Pieces(Posterior, values)
		if err != nil {
			t.Fatal(err)
		}
		seen := make([]int, len(set.Names()))
		for _, p := range pieces {
			columns, err := r.ReadPiece(p, &mem)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Elements)*1500 > max(values, 1500) {
				t.Errorf("a piece of %d elements for %d values", len(p.Elements), values)
			}
			for i, e := range p.Elements {
				seen[e]++
				for c := range l.Chains {
					if !sameFloats(columns[i][c], set.Chain(c, e)) {
						t.Errorf("%d values: %s differs", values, set.Names()[e])
					}
				}
			}
		}
		for e, n := range seen {
			if n != 1 {
				t.Errorf("%d values: %s comes %d times", values, set.Names()[e], n)
			}
		}
	}
	for name, want := range map[string]bool{"diverging": true, "nothing": false} {
		if columns, err := r.ReadVariable(SampleStats, name); err != nil || (columns != nil) != want {
			t.Errorf("%s: %v, %v", name, columns != nil, err)
		}
	}
	if _, err := r.Pieces("nothing", 1); err == nil {
		t.Error("a group that is not there is cut to pieces")
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, dims := range [][]int{{10}, {10000}, {300, 334}} {
		b.Run(fmt.Sprint(dims), func(b *testing.B) {
			l := Layout{Chains: 1, Posterior: []Variable{{Name: "theta", Dims: dims}}}
			size := l.Width()
			w, err := Create(filepath.Join(b.TempDir(), "draws.zarr"), l)
			if err != nil {
				b.Fatal(err)
			}
			row := make([]float64, size)
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Append(0, false, row, Stat{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size), "ns/value")
		})
	}
}
