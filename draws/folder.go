package draws

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// makeFolders makes a folder for every group and array.
func (w *Writer) makeFolders() error {
	if err := os.MkdirAll(w.dir, 0o777); err != nil {
		return err
	}
	made := map[string]string{}
	folder := func(path ...string) error {
		dir := filepath.Join(append([]string{w.dir}, path...)...)
		err := os.Mkdir(dir, 0o777)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w: this file system does not tell %s from %s; save elsewhere or rename one",
				err, path[len(path)-1], made[strings.ToLower(dir)])
		}
		if errors.Is(err, syscall.ENAMETOOLONG) {
			name := path[len(path)-1]
			return fmt.Errorf("the folder of %s would have a name of %d letters, which this file system does not take: give the variable a shorter name", wording.Quote(name), len(name))
		}
		made[strings.ToLower(dir)] = path[len(path)-1]
		return err
	}
	observed := w.observed()
	groups := append(append([]group{}, w.groups[sampling]...), w.groups[warmup]...)
	if len(observed.vars) > 0 {
		groups = append(groups, observed)
	}
	if err := folder(checksumFolder); err != nil {
		return err
	}
	for _, g := range groups {
		if err := folder(g.name); err != nil {
			return err
		}
		for _, array := range g.arrays() {
			if err := folder(g.name, array); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrays are the names of all arrays of a group, coordinates too.
func (g group) arrays() []string {
	var names []string
	for _, v := range g.vars {
		names = append(names, v.array)
		names = append(names, v.dims...)
	}
	if g.name != ObservedData {
		names = append(names, "chain", "draw")
	}
	return names
}

func (w *Writer) observed() group {
	vars := make([]Variable, len(w.layout.Observed))
	for i, a := range w.layout.Observed {
		vars[i] = a.Variable
	}
	return group{ObservedData, place(vars, nil, maxVarBuffer)}
}

func (w *Writer) writeObserved() error {
	g := w.observed()
	for i, v := range g.vars {
		if err := checkName(v.Name); err != nil {
			return err
		}
		if v.Size() == 0 {
			continue
		}
		name := strings.TrimPrefix(strings.Repeat(".0", len(v.Dims)), ".")
		if name == "" {
			name = "0"
		}
		b := w.layout.Observed[i].bytes()
		if err := atomicfile.Write(filepath.Join(w.dir, g.name, v.array, name), b, int64(len(b)), false); err != nil {
			return err
		}
	}
	return w.writeIndices(g)
}

// bytes is the chunk of an observed array.
func (a Array) bytes() []byte {
	b := make([]byte, 8*len(a.Values))
	putFloats(b, a.Values, a.rowMajor())
	return b
}

// writeMetadata writes every file of metadata and the coordinates. The
// consolidated file comes last and is the one that readers take.
func (w *Writer) writeMetadata() error {
	all, err := w.metadata()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if err := w.writeJSON(path, all[path]); err != nil {
			return err
		}
	}
	for t := range w.groups {
		for _, g := range w.groups[t] {
			if err := w.writeCoordinates(g); err != nil {
				return err
			}
			if err := w.writeDraws(filepath.Join(w.dir, g.name, "draw"), 0, w.shown[t]); err != nil {
				return err
			}
		}
	}
	if err := w.consolidate(all); err != nil {
		return err
	}
	w.whole, w.fresh = true, false
	return nil
}

// writeShapes writes what a new number of draws changes.
func (w *Writer) writeShapes(before [2]int) error {
	all, err := w.metadata()
	if err != nil {
		return err
	}
	for t := range w.groups {
		if w.shown[t] == before[t] {
			continue
		}
		for _, g := range w.groups[t] {
			if err := w.writeDraws(filepath.Join(w.dir, g.name, "draw"), before[t], w.shown[t]); err != nil {
				return err
			}
			paths := []string{g.name + "/draw/.zarray"}
			for _, v := range g.vars {
				paths = append(paths, g.name+"/"+v.array+"/.zarray")
			}
			for _, path := range paths {
				if err := w.writeJSON(path, all[path]); err != nil {
					return err
				}
			}
		}
	}
	return w.consolidate(all)
}

// metadata is the content of every file of metadata by its path.
func (w *Writer) metadata() (map[string][]byte, error) {
	values := map[string]any{".zgroup": zgroup, ".zattrs": groupAttrs{Creator: creator, Checksums: 1, Origin: w.layout.Origin}}
	for t := range w.groups {
		for _, g := range w.groups[t] {
			g.metadata(values, w.layout.Chains, w.shown[t])
		}
	}
	if g := w.observed(); len(g.vars) > 0 {
		g.observedMetadata(values, w.layout.Observed)
	}
	all := make(map[string][]byte, len(values))
	for _, path := range slices.Sorted(maps.Keys(values)) {
		b, err := marshalMetadata(values[path])
		if err != nil {
			return nil, err
		}
		all[path] = b
	}
	return all, nil
}

// consolidate writes the file that holds all others.
func (w *Writer) consolidate(all map[string][]byte) error {
	b := []byte("{\n    \"metadata\": {")
	for i, path := range slices.Sorted(maps.Keys(all)) {
		name, err := marshalMetadata(path)
		if err != nil {
			return err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n        "...)
		b = append(append(b, bytes.TrimSuffix(name, []byte("\n"))...), ": "...)
		text := bytes.TrimSuffix(all[path], []byte("\n"))
		b = append(b, bytes.ReplaceAll(text, []byte("\n"), []byte("\n        "))...)
	}
	b = append(b, "\n    },\n    \"zarr_consolidated_format\": 1\n}\n"...)
	return atomicfile.Write(filepath.Join(w.dir, metadataFile), checksummed.EncodeJSON(b), 0, true)
}

func (w *Writer) writeJSON(path string, b []byte) error {
	return w.writeFile(filepath.Join(w.dir, filepath.FromSlash(path)), b, int64(len(b)))
}

// writeFile writes what readers only look at when the consolidated file tells them to.
func (w *Writer) writeFile(path string, b []byte, size int64) error {
	if w.fresh { // which it does not yet
		return atomicfile.WriteNew(path, b, size)
	}
	return atomicfile.Write(path, b, size, false)
}

// removeTemporaries removes what a killed process was writing.
func removeTemporaries(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.Type().IsRegular() && atomicfile.IsTemporary(e.Name()) {
			return os.Remove(path)
		}
		return nil
	})
}
