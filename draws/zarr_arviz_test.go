package draws

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// arvizReads opens a folder the way the installed ArviZ does it and prints
// what it finds as JSON. ArviZ before 1.0 has from_zarr for zarr before 3,
// and InferenceData.from_datatree for later ones; ArviZ 1 takes the tree.
const arvizReads = `
import json, sys, warnings
warnings.simplefilter("ignore")
import arviz, xarray, zarr, numpy
path = sys.argv[1]
if hasattr(arviz, "from_zarr") and int(zarr.__version__.split(".")[0]) < 3:
    data, how = arviz.from_zarr(path), "arviz.from_zarr"
elif hasattr(arviz.InferenceData, "from_datatree"):
    data, how = arviz.InferenceData.from_datatree(xarray.open_datatree(path, engine="zarr")), "from_datatree"
else:
    data, how = arviz.from_zarr(path), "arviz.from_zarr"
out = {"how": "ArviZ %s, zarr %s, %s" % (arviz.__version__, zarr.__version__, how), "arrays": {}}
for group in ["posterior", "sample_stats", "log_likelihood", "observed_data", "warmup_posterior", "warmup_sample_stats"]:
    ds = data[group]
    for name in ds.data_vars:
        x = ds[name]
        out["arrays"][group + "/" + str(name)] = {
            "dims": list(x.dims), "shape": list(x.shape), "dtype": str(x.dtype),
            "values": [None if v != v else float(v) for v in x.values.ravel()],
            "coords": {d: [int(i) for i in x[d].values] for d in x.dims},
        }
s = arviz.summary(data, var_names=["theta", "Sigma"])
out["rows"] = [str(i) for i in s.index]
out["mean"] = float(data["posterior"]["theta"].values[:, :, 2].mean())
print(json.dumps(out))
`

type arvizArray struct {
	Dims   []string         `json:"dims"`
	Shape  []int            `json:"shape"`
	Dtype  string           `json:"dtype"`
	Values []*float64       `json:"values"`
	Coords map[string][]int `json:"coords"`
}

// TestArviZ takes the Python to use from ERGODIC_PYTHON, else python3.
func TestArviZ(t *testing.T) {
	python := os.Getenv("ERGODIC_PYTHON")
	if python == "" {
		python = "python3"
	}
	if out, err := exec.Command(python, "-c", "import arviz, xarray, zarr").CombinedOutput(); err != nil {
		t.Skipf("needs Python with arviz, xarray and zarr: %v\n%.300s", err, out)
	}
	l := testLayout()
	dir := undisturbed(t, l, 3, 25)
	script := filepath.Join(t.TempDir(), "read.py")
	if err := os.WriteFile(script, []byte(arvizReads), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, script, dir)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("ArviZ cannot read the folder: %v", err)
	}
	var got struct {
		How    string                `json:"how"`
		Arrays map[string]arvizArray `json:"arrays"`
		Rows   []string              `json:"rows"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	t.Log(got.How)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	g, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]*Set{
		Posterior: g.Posterior, SampleStats: g.SampleStats, LogLikelihood: g.LogLikelihood,
		WarmupPosterior: g.Warmup, WarmupSampleStats: g.WarmupStats,
	} {
		for _, v := range set.Variables() {
			a, ok := got.Arrays[name+"/"+v.Name]
			if !ok {
				t.Errorf("ArviZ does not see %s/%s", name, v.Name)
				continue
			}
			sameAsArviZ(t, name, set, v, a)
		}
	}
	if a := got.Arrays["sample_stats/diverging"]; a.Dtype != "bool" {
		t.Errorf("diverging has type %s", a.Dtype)
	}
	if a := got.Arrays["sample_stats/tree_depth"]; a.Dtype != "int64" {
		t.Errorf("tree_depth has type %s", a.Dtype)
	}
	x := got.Arrays["observed_data/x"]
	for i, want := range []float64{11, 12, 21, 22} { // by rows, where ours is by columns
		if *x.Values[i] != want {
			t.Errorf("observed x: %v at %d, want %v", *x.Values[i], i, want)
		}
	}
	if y := got.Arrays["observed_data/y"]; y.Values[2] != nil || *y.Values[4] != 5 {
		t.Errorf("observed y: %v", y.Values)
	}
	if len(got.Rows) != 10 || got.Rows[0] != "theta[1]" && got.Rows[0] != "theta[0]" {
		t.Errorf("arviz.summary has rows %q", got.Rows)
	}
}

// sameAsArviZ compares element (i,j,…) of every draw with what Python has at
// [chain, draw, i-1, j-1, …].
func sameAsArviZ(t *testing.T, group string, set *Set, v Variable, a arvizArray) {
	t.Helper()
	shape := append([]int{set.Chains(), set.Draws()}, v.Dims...)
	if fmt.Sprint(shape) != fmt.Sprint(a.Shape) || len(a.Dims) < 2 || a.Dims[0] != "chain" || a.Dims[1] != "draw" {
		t.Errorf("%s/%s has shape %v and dimensions %v, want %v", group, v.Name, a.Shape, a.Dims, shape)
		return
	}
	_, first, _ := set.Variable(v.Name)
	names := v.ElementNames()
	for c := range set.Chains() {
		for d := range set.Draws() {
			index := v.first()
			for e := range names {
				pos := c*set.Draws() + d
				for k, n := range v.Dims {
					pos = pos*n + index[k] - v.first()[k]
				}
				want, x := set.Chain(c, first+e)[d], a.Values[pos]
				if x == nil && !math.IsNaN(want) || x != nil && *x != want {
					t.Fatalf("%s: %s of chain %d, draw %d: ArviZ has %v, want %v", group, names[e], c, d, x, want)
				}
				v.next(index)
			}
		}
	}
	for k, d := range a.Dims[2:] {
		if labels := a.Coords[d]; len(labels) != v.Dims[k] || labels[0] != v.first()[k] {
			t.Errorf("%s/%s: labels %v along %s", group, v.Name, labels, d)
		}
	}
}
