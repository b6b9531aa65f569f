package draws

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// The Zarr v2 format: https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html
// with the attributes that xarray reads and the group names of ArviZ's schema.

// Names of the groups.
const (
	Posterior         = "posterior"
	SampleStats       = "sample_stats"
	LogLikelihood     = "log_likelihood"
	SampledNodes      = "sampled_nodes" // not one of ArviZ's
	ObservedData      = "observed_data"
	WarmupPosterior   = "warmup_posterior"
	WarmupSampleStats = "warmup_sample_stats"
)

// zarray is the content of a .zarray file.
type zarray struct {
	Chunks     []int           `json:"chunks"`
	Compressor *zcompressor    `json:"compressor"`
	Dtype      string          `json:"dtype"`
	Fill       json.RawMessage `json:"fill_value"`
	Filters    json.RawMessage `json:"filters"`
	Order      string          `json:"order"`
	Shape      []int           `json:"shape"`
	Separator  string          `json:"dimension_separator,omitempty"`
	Format     int             `json:"zarr_format"`
}

type zcompressor struct {
	ID string `json:"id"`
}

// zattrs is the content of an array's .zattrs file.
type zattrs struct {
	Dimensions []string `json:"_ARRAY_DIMENSIONS"`
	// Name is the variable's own name, where a coordinate took it.
	Name string `json:"bugs_name,omitempty"`
	// First is the index of the first element, where it is not 1 everywhere.
	First []int `json:"bugs_first,omitempty"`
	// Absent are the positions of elements that are not there.
	Absent []int `json:"bugs_absent,omitempty"`
	// CRC is the CRC-32C of the one chunk of observed data.
	CRC *uint32 `json:"crc32c,omitempty"`
}

// metadataFile is the consolidated one.
const metadataFile = ".zmetadata"

// creator marks the folders that a [Writer] makes.
const creator = "ergodic"

// groupAttrs is the content of a group's .zattrs file.
type groupAttrs struct {
	Creator   string   `json:"creator,omitempty"`
	Checksums int      `json:"checksums,omitempty"` // version of the files of checksums
	Origin    string   `json:"origin,omitempty"`
	Variables []string `json:"variables,omitempty"` // arrays in the order of a draw
}

const (
	float64Type = "<f8"
	int64Type   = "<i8"
	boolType    = "|b1"
)

// newArray describes an array. Integers and booleans have no fill value:
// xarray would take one for a missing value and change the type.
func newArray(dtype string, shape, chunks []int) zarray {
	fill := json.RawMessage("null")
	if dtype == float64Type {
		fill = json.RawMessage(`"NaN"`)
	}
	chunks = append([]int{}, chunks...) // of a scalar: [], not null
	for i := range chunks {
		chunks[i] = max(chunks[i], 1)
	}
	return zarray{
		Chunks: chunks, Dtype: dtype, Fill: fill, Filters: json.RawMessage("null"),
		Order: "C", Shape: append([]int{}, shape...), Format: 2,
	}
}

// disk is a variable's place in a group.
type disk struct {
	Variable
	array string   // name of the array
	dims  []string // names of its own dimensions
	dtype string
	rows  int // draws in a chunk
}

// place gives every variable of a group an array and dimensions whose names
// collide with nothing, and a chunk length. A dimension is called theta_dim_0,
// as ArviZ does.
func place(vars []Variable, dtypes []string, budget int) []disk {
	taken := map[string]bool{"chain": true, "draw": true}
	out := make([]disk, len(vars))
	for i, v := range vars {
		name := v.Name
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		out[i] = disk{Variable: v, array: name, dtype: float64Type}
		if dtypes != nil {
			out[i].dtype = dtypes[i]
		}
		out[i].rows = chunkRows(v.Size(), budget)
	}
	for i := range out {
		for k := range out[i].Dims {
			name := out[i].array + "_dim_" + strconv.Itoa(k)
			for taken[name] {
				name += "_"
			}
			taken[name] = true
			out[i].dims = append(out[i].dims, name)
		}
	}
	return out
}

const (
	maxRows      = 8192    // draws of a chain in a chunk at most: 64 kB of a scalar
	drawsChunk   = 1 << 15 // numbers in a chunk of the coordinate of draws
	chainBuffer  = 8 << 20 // bytes a chain may hold in memory, roughly
	maxVarBuffer = 4 << 20 // of which one variable at most
	minVarBuffer = 1 << 10
)

// varBudget is the size of the chunks of one variable among n. It must not
// depend on the number of draws: a run that is extended later leaves the
// same bytes as one that was planned long.
func varBudget(n int) int {
	return min(max(chainBuffer/max(n, 1), minVarBuffer), maxVarBuffer)
}

func chunkRows(size, budget int) int {
	return min(max(budget/(8*max(size, 1)), 1), maxRows)
}

// group is one Zarr group of a run: arrays over chain and draw.
type group struct {
	name string
	vars []disk
}

// metadata adds what the group's files say, by their path in the folder.
func (g group) metadata(into map[string]any, chains, draws int) {
	attrs := groupAttrs{}
	for _, v := range g.vars {
		attrs.Variables = append(attrs.Variables, v.array)
		shape := append([]int{chains, draws}, v.Dims...)
		chunks := append([]int{min(chains, chunkChains), v.rows}, v.Dims...)
		g.array(into, v.array, newArray(v.dtype, shape, chunks), v.attrs("chain", "draw"))
		g.dimensions(into, v)
	}
	into[g.name+"/.zgroup"] = zgroup
	into[g.name+"/.zattrs"] = attrs
	g.array(into, "chain", newArray(int64Type, []int{chains}, []int{chains}), zattrs{Dimensions: []string{"chain"}})
	g.array(into, "draw", newArray(int64Type, []int{draws}, []int{drawsChunk}), zattrs{Dimensions: []string{"draw"}})
}

// observedMetadata is metadata for a group of single values.
func (g group) observedMetadata(into map[string]any, data []Array) {
	attrs := groupAttrs{}
	for i, v := range g.vars {
		attrs.Variables = append(attrs.Variables, v.array)
		a, crc := v.attrs(), crc32.Checksum(data[i].bytes(), crcTable())
		a.CRC = &crc
		g.array(into, v.array, newArray(v.dtype, v.Dims, v.Dims), a)
		g.dimensions(into, v)
	}
	into[g.name+"/.zgroup"] = zgroup
	into[g.name+"/.zattrs"] = attrs
}

func (g group) dimensions(into map[string]any, v disk) {
	for k, d := range v.Dims {
		g.array(into, v.dims[k], newArray(int64Type, []int{d}, []int{d}), zattrs{Dimensions: []string{v.dims[k]}})
	}
}

func (g group) array(into map[string]any, name string, a zarray, attrs zattrs) {
	into[g.name+"/"+name+"/.zarray"] = a
	into[g.name+"/"+name+"/.zattrs"] = attrs
}

func (v disk) attrs(leading ...string) zattrs {
	a := zattrs{Dimensions: append(append([]string{}, leading...), v.dims...)}
	if v.array != v.Name {
		a.Name = v.Name
	}
	if first := v.first(); slices.ContainsFunc(first, func(i int) bool { return i != 1 }) {
		a.First = first
	}
	a.Absent = v.Absent
	return a
}

// layoutHash tells whether two folders hold draws of the same variables, in the
// same places, from the same origin.
func layoutHash(origin string, chains int, tracks [2][]group) [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d\n", origin, chains)
	for _, groups := range tracks {
		for _, g := range groups {
			for _, v := range g.vars {
				fmt.Fprintf(h, "%s/%q %q %v %v %s %d\n", g.name, v.array, v.Name, v.Dims, v.first(), v.dtype, v.rows)
			}
		}
	}
	return [32]byte(h.Sum(nil))
}

var zgroup = map[string]int{"zarr_format": 2}

func marshalMetadata(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // "<f8" stays readable
	e.SetIndent("", "    ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// groups of a layout, in the order in which a track stores its columns.
func (l Layout) groups() (sampling, warmup []group) {
	stats := l.statistics()
	dtypes := make([]string, len(stats))
	for i, v := range stats {
		dtypes[i] = statType(v.Name)
	}
	budget := varBudget(len(l.Variables()) + len(stats))
	posterior := place(l.Posterior, nil, budget)
	statistics := place(stats, dtypes, budget)
	sampling = []group{{Posterior, posterior}}
	if len(l.LogLikelihood) > 0 {
		sampling = append(sampling, group{LogLikelihood, place(l.LogLikelihood, nil, budget)})
	}
	if len(l.Sampled) > 0 {
		sampling = append(sampling, group{SampledNodes, place(l.Sampled, nil, budget)})
	}
	sampling = append(sampling, group{SampleStats, statistics})
	if l.SaveWarmup {
		warmup = []group{{WarmupPosterior, posterior}, {WarmupSampleStats, statistics}}
	}
	return sampling, warmup
}

// checkName rejects names that cannot be a folder's.
func checkName(name string) error {
	for _, r := range name {
		if r == '/' || r == '\\' || r == ':' || r < ' ' {
			return fmt.Errorf("variable %s cannot name a folder: it contains %q", wording.Quote(name), r)
		}
	}
	if name[0] == '.' {
		return fmt.Errorf("variable %s cannot name a folder: it starts with a dot", wording.Quote(name))
	}
	return nil
}
