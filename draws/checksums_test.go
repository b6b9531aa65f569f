package draws

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever byte of a folder is damaged, it is said with the file's name, or
// nothing that is read depends on it.
func TestEveryByteIsGuarded(t *testing.T) {
	l := testLayout()
	dir := undisturbed(t, l, 3, 40)
	want, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	noticed := map[string]int{}
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error {
		if e.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(dir, path)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			bad := append([]byte{}, whole...)
			at := r.IntN(min(len(bad), 40*8)) // beyond, there may be a hole
			bad[at] ^= 1 << r.IntN(8)
			if err := os.WriteFile(path, bad, 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := read(dir)
			switch {
			case err == nil:
				sameGroups(t, want, got)
			case !strings.Contains(err.Error(), path):
				t.Errorf("byte %d of %s: %v", at, rel, err)
			case strings.HasPrefix(rel, ObservedData) && strings.Contains(err.Error(), "part of chain"):
				t.Errorf("%s is of no chain: %v", rel, err)
			default:
				noticed[strings.SplitN(rel, string(filepath.Separator), 2)[0]]++
			}
		}
		return os.WriteFile(path, whole, 0o666)
	})
	for _, part := range []string{Posterior, SampleStats, LogLikelihood, WarmupPosterior, WarmupSampleStats, ObservedData, checksumFolder, metadataFile} {
		if noticed[part] == 0 {
			t.Errorf("damage in %s is never noticed", part)
		}
	}
}

// interrupted leaves a folder of two chains whose last Sync came after n draws,
// and the digests of that.
func interrupted(t *testing.T, dir string, l Layout, n int) (digests [][]byte) {
	t.Helper()
	w, err := Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	for c := range l.Chains {
		fakeRun{l}.append(t, w, c, true, 0, 5)
		fakeRun{l}.append(t, w, c, false, 0, n)
		digest, err := w.Sync(c)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	return digests
}

func goBack(dir string, l Layout, n int, digests [][]byte) error {
	w, err := Resume(dir, l)
	if err != nil {
		return err
	}
	for c := range l.Chains {
		if err := w.Truncate(c, 5, n, digests[c]); err != nil {
			return err
		}
	}
	return nil
}

// A run does not go on from draws that are not those of its checkpoint.
func TestOnlyTheDrawsOfTheCheckpoint(t *testing.T) {
	l := testLayout()
	l.Chains = 2
	sizes := []int{700, maxRows + 20}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		old, other := filepath.Join(t.TempDir(), "old"), filepath.Join(t.TempDir(), "other")
		oldSeals := interrupted(t, old, l, n-300)
		shifted := l
		shifted.Origin = "of another model"
		interrupted(t, other, shifted, n)
		for name, c := range map[string]struct {
			damage func(dir string) error
			says   string
		}{
			"older folder":          {func(dir string) error { os.RemoveAll(dir); return os.CopyFS(dir, os.DirFS(old)) }, "is older than the checkpoint"},
			"older variable":        {swap(filepath.Join(old, Posterior, "theta"), Posterior, "theta"), filepath.Join(Posterior, "theta", "0."+fmt.Sprint((n-1)/maxRows)+".0") + " "},
			"variable left out":     {func(dir string) error { return os.RemoveAll(filepath.Join(dir, Posterior, "mu")) }, filepath.Join("mu", "0.0") + " is missing: draws 1 to"},
			"older warm-up":         {flip(60, WarmupPosterior, "mu", "0.0"), filepath.Join(WarmupPosterior, "mu", "0.0") + " does not match its checksum: draws 1 to 5 of chain"},
			"cut short":             {func(dir string) error { return os.Truncate(filepath.Join(dir, SampleStats, "lp", "0.0"), 8) }, filepath.Join("lp", "0.0") + " is cut short"},
			"extended":              {func(dir string) error { return lengthen(filepath.Join(dir, SampleStats, "lp", "0.0")) }, filepath.Join("lp", "0.0") + " has "},
			"another run's folder":  {func(dir string) error { os.RemoveAll(dir); return os.CopyFS(dir, os.DirFS(other)) }, "is of another run"},
			"metadata of another":   {swap(filepath.Join(other, metadataFile), metadataFile), "is of another run"},
			"a statistic's old one": {flip(8*maxRows+3, SampleStats, "lp", "0.0"), "draws 1 to"},
		} {
			dir := filepath.Join(t.TempDir(), "draws.zarr")
			digests := interrupted(t, dir, l, n)
			if err := c.damage(dir); err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)
			if err := goBack(dir, l, n, digests); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s of %d: %v", name, n, err)
			}
			sameTree(t, before, tree(t, dir)) // nothing is thrown away
		}
		// A checkpoint of before knows the draws of now.
		dir := filepath.Join(t.TempDir(), "draws.zarr")
		interrupted(t, dir, l, n)
		if err := goBack(dir, l, n-300, oldSeals); err != nil {
			t.Errorf("%d: %v", n, err)
		}
		// The checksums can be made again from draws that a checkpoint knows.
		digests := interrupted(t, filepath.Join(t.TempDir(), "d"), l, n)
		dir = filepath.Join(t.TempDir(), "draws.zarr")
		interrupted(t, dir, l, n)
		if err := os.RemoveAll(filepath.Join(dir, checksumFolder)); err != nil {
			t.Fatal(err)
		}
		if _, err := read(dir); err == nil || !strings.Contains(err.Error(), checksumFile(dir, 0)+" is missing") {
			t.Errorf("%d without checksums: %v", n, err)
		}
		if err := goBack(dir, l, n, digests); err != nil {
			t.Errorf("%d: %v", n, err)
		}
		if _, err := read(dir); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// Checksums that someone made up claim draws that no array can have.
func TestImpossibleCounts(t *testing.T) {
	l := testLayout()
	for _, n := range []int{-1, 1<<62 + 1} {
		dir := filepath.Join(t.TempDir(), "draws.zarr")
		interrupted(t, dir, l, 30)
		w, err := Resume(dir, l)
		if err != nil {
			t.Fatal(err)
		}
		for c := range l.Chains {
			s, err := w.onDisk(c)
			if err != nil {
				t.Fatal(err)
			}
			s.counts[sampling] = n
			if err := os.WriteFile(checksumFile(dir, c), s.marshal(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := read(dir); err == nil || !strings.Contains(err.Error(), checksumFile(dir, 0)) {
			t.Errorf("%d draws: %v", n, err)
		}
	}
}

func swap(with string, path ...string) func(string) error {
	return func(dir string) error {
		to := filepath.Join(append([]string{dir}, path...)...)
		if err := os.RemoveAll(to); err != nil {
			return err
		}
		if b, err := os.ReadFile(with); err == nil {
			return os.WriteFile(to, b, 0o666)
		}
		return os.CopyFS(to, os.DirFS(with))
	}
}

func lengthen(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()+1)
}

func flip(at int64, path ...string) func(string) error {
	return func(dir string) error {
		f, err := os.OpenFile(filepath.Join(append([]string{dir}, path...)...), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		var b [1]byte
		if _, err := f.ReadAt(b[:], at%(5*8)); err != nil {
			return err
		}
		b[0] ^= 4
		_, err = f.WriteAt(b[:], at%(5*8))
		return err
	}
}

// A process dies between any two changes that going back makes on disk: what
// it leaves can be read, with draws that were there, and gone on with.
func TestGoingBackMayBeInterrupted(t *testing.T) {
	l := testLayout()
	l.Chains = 2
	const late, kept = maxRows + 900, 500
	full := filepath.Join(t.TempDir(), "full")
	interrupted(t, full, l, late)
	want, err := read(full)
	if err != nil {
		t.Fatal(err)
	}
	early := filepath.Join(t.TempDir(), "early")
	digests := interrupted(t, early, l, kept)
	for step := range 4 {
		dir := filepath.Join(t.TempDir(), "draws.zarr")
		if err := os.CopyFS(dir, os.DirFS(full)); err != nil {
			t.Fatal(err)
		}
		copies := []string{metadataFile}
		for c := range l.Chains { // as cutBack has it
			rel, _ := filepath.Rel(dir, checksumFile(dir, c))
			copies = append(copies, rel)
		}
		for _, rel := range copies[:step] {
			if err := swap(filepath.Join(early, rel), rel)(dir); err != nil {
				t.Fatal(err)
			}
		}
		got, err := read(dir)
		if err != nil {
			t.Fatalf("after %d steps: %v", step, err)
		}
		n := late
		if step > 1 {
			n = kept
		}
		if got.Posterior.Draws() != n {
			t.Errorf("after %d steps there are %d draws", step, got.Posterior.Draws())
		}
		for e := range want.Posterior.Names() {
			if !sameFloats(want.Posterior.Chain(0, e)[:n], got.Posterior.Chain(0, e)) {
				t.Errorf("after %d steps other draws are read", step)
			}
		}
		if err := goBack(dir, l, kept, digests); err != nil {
			t.Errorf("after %d steps: %v", step, err)
		}
	}
}
