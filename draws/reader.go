package draws

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Reader reads a Zarr v2 folder of draws: one that [Writer] wrote, also while
// it is being written, or one of the same schema in uncompressed or
// zlib/gzip-compressed chunks. What a Writer wrote is held against its
// checksums wherever it is read.
type Reader struct {
	dir         string
	ours        bool // a [Writer] made it
	checksummed bool // it has checksums
	origin      string
	groups      map[string]*readGroup
	chains      []checkedChain
	whole       sync.Map // paths of chunks that have been verified so that parts of them can be read
}

// readGroup is a group of arrays as found on disk.
type readGroup struct {
	vars   []readArray
	chains int
	draws  int
}

type readArray struct {
	Variable
	array  string
	meta   zarray
	column int     // its number in the checksums of each chain
	track  int     // sampling or warmup
	crc    *uint32 // of observed data
}

// Open reads the metadata of a folder. Draws are read on request.
func Open(dir string) (*Reader, error) {
	r, err := openMetadata(dir)
	if err != nil {
		return nil, err
	}
	if err := r.openChecksums(); err != nil {
		return nil, fmt.Errorf("opening draws: %w", err)
	}
	return r, nil
}

// openMetadata is Open without the checksums.
func openMetadata(dir string) (*Reader, error) {
	meta, attrs, err := readMetadata(dir)
	if err != nil {
		return nil, fmt.Errorf("opening draws: %w", err)
	}
	r := &Reader{dir: dir, groups: map[string]*readGroup{}, origin: attrs.Origin, ours: attrs.Creator == creator, checksummed: attrs.Checksums > 0}
	if attrs.Checksums > 1 {
		return nil, fmt.Errorf("opening draws: %s has checksums of version %d, and this program reads version 1", dir, attrs.Checksums)
	}
	for path := range meta {
		if name, ok := strings.CutSuffix(path, "/.zgroup"); ok && localName(name) {
			g, err := r.openGroup(name, meta)
			if err != nil {
				return nil, fmt.Errorf("opening draws: %s: group %s: %w", dir, name, err)
			}
			r.groups[name] = g
		}
	}
	return r, nil
}

// localName reports whether a name from a file is a plain name in a folder.
func localName(name string) bool {
	return name != "" && !strings.ContainsAny(name, "/\\:\x00") && filepath.IsLocal(name)
}

// readMetadata returns all metadata by path, and what they say of the whole:
// the consolidated file, or else what another program's own files say.
func readMetadata(dir string) (all map[string]json.RawMessage, attrs groupAttrs, err error) {
	file := filepath.Join(dir, metadataFile)
	b, err := regular.ReadFile(file)
	consolidated := err == nil
	switch {
	case consolidated:
		var content struct {
			Metadata map[string]json.RawMessage `json:"metadata"`
		}
		if err := checksummed.DecodeJSON(b, &content); err != nil {
			return nil, attrs, fmt.Errorf("%s %w", file, err)
		}
		if all = content.Metadata; all == nil {
			return nil, attrs, fmt.Errorf("%s lists no arrays: it is another file, or damaged", file)
		}
	case errors.Is(err, fs.ErrNotExist):
		if all, err = readScattered(dir); err != nil {
			return nil, attrs, err
		}
	default:
		return nil, attrs, err
	}
	if json.Unmarshal(all[".zattrs"], &attrs) != nil {
		attrs = groupAttrs{} // another program's may be anything
	}
	if attrs.Checksums > 0 && !consolidated {
		return nil, attrs, fmt.Errorf("%s is missing; restore it from a copy", file)
	}
	return all, attrs, nil
}

// readScattered reads the metadata of a folder without the consolidated file.
func readScattered(dir string) (map[string]json.RawMessage, error) {
	if _, err := os.Stat(filepath.Join(dir, ".zgroup")); err != nil {
		return nil, fmt.Errorf("%s is not a Zarr v2 folder: %w", dir, err)
	}
	all := map[string]json.RawMessage{}
	for _, pattern := range []string{".zattrs", "*/.zgroup", "*/.zattrs", "*/*/.zarray", "*/*/.zattrs"} {
		paths, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			b, err := regular.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
			if err != nil {
				return nil, err
			}
			all[path] = b
		}
	}
	return all, nil
}

func (r *Reader) openGroup(name string, meta map[string]json.RawMessage) (*readGroup, error) {
	var attrs groupAttrs
	if b, ok := meta[name+"/.zattrs"]; ok {
		if err := json.Unmarshal(b, &attrs); err != nil {
			attrs = groupAttrs{} // another program's attributes
		}
	}
	arrays, err := groupArrays(name, meta)
	if err != nil {
		return nil, err
	}
	order := attrs.Variables
	if order == nil {
		for array := range arrays {
			order = append(order, array)
		}
		sort.Strings(order)
	}
	g := &readGroup{chains: -1}
	seen := map[string]bool{}
	for _, array := range order {
		a, ok := arrays[array]
		if !ok || seen[array] {
			return nil, fmt.Errorf("array %s is listed but not described once", wording.Quote(array))
		}
		seen[array] = true
		if slices.Equal(a.attrs.Dimensions, []string{array}) {
			continue // a coordinate
		}
		v, err := r.openArray(name, array, a, arrays)
		if err != nil {
			return nil, fmt.Errorf("array %s: %w", array, err)
		}
		if name != ObservedData {
			if g.chains >= 0 && (g.chains != a.Shape[0] || g.draws != a.Shape[1]) {
				return nil, fmt.Errorf("array %s has %d × %d draws, others %d × %d",
					array, a.Shape[0], a.Shape[1], g.chains, g.draws)
			}
			g.chains, g.draws = a.Shape[0], a.Shape[1]
		}
		g.vars = append(g.vars, v)
	}
	g.chains = max(g.chains, 0)
	return g, checkAll(g.variables())
}

type described struct {
	zarray
	attrs zattrs
}

// groupArrays decodes the description of every array of a group.
func groupArrays(group string, meta map[string]json.RawMessage) (map[string]described, error) {
	arrays := map[string]described{}
	for path, b := range meta {
		rest, ok := strings.CutPrefix(path, group+"/")
		if !ok {
			continue
		}
		array, ok := strings.CutSuffix(rest, "/.zarray")
		if !ok || !localName(array) {
			continue
		}
		var d described
		if err := json.Unmarshal(b, &d.zarray); err != nil {
			return nil, fmt.Errorf("array %s: %w", array, err)
		}
		if b, ok := meta[group+"/"+array+"/.zattrs"]; ok {
			if err := json.Unmarshal(b, &d.attrs); err != nil {
				return nil, fmt.Errorf("array %s: attributes: %w", array, err)
			}
		}
		arrays[array] = d
	}
	return arrays, nil
}

// openArray checks that an array is one we can read and names its elements.
func (r *Reader) openArray(group, array string, a described, all map[string]described) (readArray, error) {
	if err := a.zarray.check(); err != nil {
		return readArray{}, err
	}
	lead := 2
	if group == ObservedData {
		lead = 0
	}
	if len(a.Shape) < lead || len(a.attrs.Dimensions) != len(a.Shape) {
		return readArray{}, fmt.Errorf("shape %s does not go with dimensions %s", brief(a.Shape), brief(a.attrs.Dimensions))
	}
	if lead == 2 && (a.attrs.Dimensions[0] != "chain" || a.attrs.Dimensions[1] != "draw") {
		return readArray{}, fmt.Errorf("dimensions %s do not start with chain, draw", brief(a.attrs.Dimensions))
	}
	v := readArray{array: array, meta: a.zarray, Variable: Variable{Name: array}, crc: a.attrs.CRC}
	if a.attrs.Name != "" {
		v.Name = a.attrs.Name
	}
	for k := lead; k < len(a.Shape); k++ {
		v.Dims = append(v.Dims, a.Shape[k])
		switch {
		case !r.checksummed:
			v.Lower = append(v.Lower, r.firstIndex(group, a.attrs.Dimensions[k], a.Shape[k], all))
		case k-lead < len(a.attrs.First):
			v.Lower = append(v.Lower, a.attrs.First[k-lead])
		default:
			v.Lower = append(v.Lower, 1)
		}
	}
	if !slices.ContainsFunc(v.Lower, func(i int) bool { return i != 1 }) {
		v.Lower = nil
	}
	if r.checksummed {
		v.Absent = a.attrs.Absent
	}
	return v, v.Variable.check()
}

// firstIndex is the first label of a dimension: what its coordinate says if
// it counts up from there, else 1.
func (r *Reader) firstIndex(group, dim string, n int, all map[string]described) int {
	c, ok := all[dim]
	if !ok || c.Dtype != int64Type || len(c.Shape) != 1 || c.Shape[0] != n || n == 0 || c.zarray.check() != nil {
		return 1
	}
	a := readArray{array: dim, meta: c.zarray, Variable: Variable{Name: dim, Dims: []int{n}}}
	b, _, err := r.chunk(group, a, []int{0}, part{chains: 1, values: 1}, new([]byte))
	if err != nil || b == nil {
		return 1
	}
	return int(int64At(b, 0))
}

func (g *readGroup) variables() []Variable {
	vars := make([]Variable, len(g.vars))
	for i, v := range g.vars {
		vars[i] = v.Variable
	}
	return vars
}

// Has reports whether the folder has a group.
func (r *Reader) Has(group string) bool { return r.groups[group] != nil }

// Variables are the variables of a group, in the order of a draw.
func (r *Reader) Variables(group string) []Variable {
	if g := r.groups[group]; g != nil {
		return g.variables()
	}
	return nil
}

// Chains is the number of chains in a group.
func (r *Reader) Chains(group string) int {
	if g := r.groups[group]; g != nil {
		return g.chains
	}
	return 0
}

// Draws is the number of draws that every chain of a group has.
func (r *Reader) Draws(group string) int {
	if g := r.groups[group]; g != nil {
		return g.draws
	}
	return 0
}

// matches returns an error that says how the folder's group differs from
// what a run with the given layout would write.
func (r *Reader) matches(g group, chains int) error {
	have := r.groups[g.name]
	if have == nil {
		return fmt.Errorf("has no group %s; the run that wrote it had other settings", g.name)
	}
	if have.chains != chains {
		return fmt.Errorf("has %s, this run %d", wording.Count(have.chains, "chain", "chains"), chains)
	}
	for i, v := range g.vars {
		if i >= len(have.vars) {
			return fmt.Errorf("group %s lacks %s", g.name, v)
		}
		h := have.vars[i]
		if !h.Variable.Equal(v.Variable) || h.array != v.array {
			return fmt.Errorf("group %s has %s where this run has %s", g.name, h.Variable, v.Variable)
		}
		if h.meta.Dtype != v.dtype || h.meta.Chunks[0] != min(chains, chunkChains) || h.meta.Chunks[1] != v.rows || h.meta.Compressor != nil {
			return fmt.Errorf("group %s: %s is stored in another way; another version wrote it", g.name, v.Name)
		}
	}
	if len(have.vars) > len(g.vars) {
		return fmt.Errorf("group %s has %s, which this run has not", g.name, have.vars[len(g.vars)].Variable)
	}
	return nil
}

// sameGroups returns an error when the folder has a group that the layout
// has not.
func (w *Writer) sameGroups(r *Reader) error {
	want := map[string]bool{ObservedData: true}
	for t := range w.groups {
		for _, g := range w.groups[t] {
			want[g.name] = true
		}
	}
	for name := range r.groups {
		if !want[name] {
			return fmt.Errorf("has group %s, which this run does not write", name)
		}
	}
	return nil
}
