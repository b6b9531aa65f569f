package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// damage does something to a file of the folder, and says what; nothing where
// it cannot.
type damage func(b *bench, k *kind, r *rand.Rand, file string) (what string, err error)

func damages() []damage {
	return []damage{flipBit, flipBit, changeByte, changeBytes, truncate, extend, remove, swapWithin, swapWithin, fromOther, fromOther, fromOlder, fromOlder,
		duplicate, zeroPage, zeroPage, editDigit, editDigit, makeFolder, pipe, wholeFrom, removeFolder}
}

// files are those of the damaged folder, by their path in it.
func (b *bench) files() (all []string) {
	root := b.path(trialFolder)
	filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			rel, _ := filepath.Rel(root, path)
			all = append(all, rel)
		}
		return nil
	})
	return all
}

// content changes the content of a file.
func (b *bench) content(file string, change func(c []byte) []byte) error {
	path := filepath.Join(b.path(trialFolder), file)
	c, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, change(c), 0o666)
}

// place is somewhere in a file, mostly where its numbers are: much of a chunk
// of a short run is a hole.
func place(r *rand.Rand, c []byte) int {
	if len(c) == 0 {
		return 0
	}
	used := len(c)
	for used > 1 && c[used-1] == 0 {
		used--
	}
	if r.IntN(4) > 0 {
		return r.IntN(used)
	}
	return r.IntN(len(c))
}

func flipBit(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	return "a bit flipped", b.content(file, func(c []byte) []byte {
		if len(c) > 0 {
			c[place(r, c)] ^= 1 << r.IntN(8)
		}
		return c
	})
}

func changeByte(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	return "a byte changed", b.content(file, func(c []byte) []byte {
		if len(c) > 0 {
			c[place(r, c)] = byte(r.IntN(256))
		}
		return c
	})
}

func changeBytes(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	return "bytes changed", b.content(file, func(c []byte) []byte {
		at := place(r, c)
		for i := range r.IntN(64) {
			if at+i < len(c) {
				c[at+i] = byte(r.IntN(256))
			}
		}
		return c
	})
}

func truncate(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	return "cut short", b.content(file, func(c []byte) []byte { return c[:r.IntN(len(c)+1)] })
}

func extend(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	return "extended", b.content(file, func(c []byte) []byte {
		for range 1 + r.IntN(100) {
			c = append(c, byte(r.IntN(256)))
		}
		return c
	})
}

func remove(b *bench, _ *kind, _ *rand.Rand, file string) (string, error) {
	return "removed", os.Remove(filepath.Join(b.path(trialFolder), file))
}

func zeroPage(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	return "a page of zeros", b.content(file, func(c []byte) []byte {
		at := place(r, c) / 4096 * 4096
		clear(c[at:min(at+4096, len(c))])
		return c
	})
}

func editDigit(b *bench, _ *kind, r *rand.Rand, _ string) (string, error) {
	var texts []string
	for _, f := range b.files() {
		if base := filepath.Base(f); strings.HasSuffix(base, ".json") || base == ".zmetadata" || base == ".zarray" || base == ".zattrs" {
			texts = append(texts, f)
		}
	}
	if len(texts) == 0 {
		return "", nil
	}
	file := texts[r.IntN(len(texts))]
	if r.IntN(2) == 0 {
		for _, f := range texts {
			if filepath.Base(f) == ".zmetadata" || filepath.Dir(f) == "." && r.IntN(2) == 0 {
				file = f
			}
		}
	}
	return "a digit edited in " + file, b.content(file, func(c []byte) []byte {
		for range 1000 {
			at := r.IntN(len(c))
			if c[at] >= '0' && c[at] <= '9' {
				c[at] = '0' + byte(r.IntN(10))
				break
			}
		}
		return c
	})
}

// like are other files that may stand for this one: of its name, or in its
// folder.
func (b *bench) like(file string) (all []string) {
	for _, f := range b.files() {
		if f != file && (filepath.Base(f) == filepath.Base(file) || filepath.Dir(f) == filepath.Dir(file)) {
			all = append(all, f)
		}
	}
	return all
}

func swapWithin(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	like := b.like(file)
	if len(like) == 0 {
		return "", nil
	}
	with := like[r.IntN(len(like))]
	x, y, tmp := filepath.Join(b.path(trialFolder), file), filepath.Join(b.path(trialFolder), with), b.path("tmp")
	return "swapped with " + with, errors.Join(os.Rename(x, tmp), os.Rename(y, x), os.Rename(tmp, y))
}

func duplicate(b *bench, _ *kind, r *rand.Rand, file string) (string, error) {
	like := b.like(file)
	if len(like) == 0 {
		return "", nil
	}
	from := like[r.IntN(len(like))]
	c, err := os.ReadFile(filepath.Join(b.path(trialFolder), from))
	if err != nil {
		return "", err
	}
	return "a copy of " + from, os.WriteFile(filepath.Join(b.path(trialFolder), file), c, 0o666)
}

// from takes a file, or a folder above it, from another run.
func (b *bench) from(run string, r *rand.Rand, file string) (string, error) {
	if run == "" || file == "model.npz" { // a whole machine is what it is
		return "", nil
	}
	for dir := filepath.Dir(file); dir != "." && r.IntN(3) == 0; dir = filepath.Dir(dir) {
		file = dir
	}
	source, to := filepath.Join(b.path(run), file), filepath.Join(b.path(trialFolder), file)
	info, err := os.Stat(source)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(to); err != nil {
		return "", err
	}
	what := file + " from " + run
	if info.IsDir() {
		return what, os.CopyFS(to, os.DirFS(source))
	}
	c, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	return what, os.WriteFile(to, c, 0o666)
}

func fromOther(b *bench, k *kind, r *rand.Rand, file string) (string, error) {
	return b.from(k.other, r, file)
}

func fromOlder(b *bench, k *kind, r *rand.Rand, file string) (string, error) {
	return b.from(k.older, r, file)
}

// wholeFrom takes one of the parts of the folder from another run.
func wholeFrom(b *bench, k *kind, r *rand.Rand, _ string) (string, error) {
	entries, err := os.ReadDir(b.path(trialFolder))
	if err != nil {
		return "", err
	}
	run := k.other
	if k.older != "" && r.IntN(2) == 0 {
		run = k.older
	}
	return b.from(run, rand.New(one{}), entries[r.IntN(len(entries))].Name())
}

// one is a source of ones: no folder above is taken.
type one struct{}

func (one) Uint64() uint64 { return 1 << 63 }

func makeFolder(b *bench, _ *kind, _ *rand.Rand, file string) (string, error) {
	path := filepath.Join(b.path(trialFolder), file)
	return "a folder", errors.Join(os.Remove(path), os.Mkdir(path, 0o777))
}

func pipe(b *bench, _ *kind, _ *rand.Rand, file string) (string, error) {
	path := filepath.Join(b.path(trialFolder), file)
	return "a pipe", errors.Join(os.Remove(path), makePipe(path))
}

func removeFolder(b *bench, _ *kind, _ *rand.Rand, file string) (string, error) {
	dir := filepath.Dir(file)
	if dir == "." {
		return "", nil
	}
	return fmt.Sprintf("the folder %s removed", dir), os.RemoveAll(filepath.Join(b.path(trialFolder), dir))
}
