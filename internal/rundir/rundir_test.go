package rundir

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/report"
)

func TestSummaryJSON(t *testing.T) {
	d, err := Create(filepath.Join(t.TempDir(), "a", "run"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	in := &Summary{
		Ergodic: "0.1", Job: "sample", Input: Input{Model: "rats.bug", SHA256: "ab"},
		Run:      Run{Seed: math.MaxUint64, Chains: 4, Warmup: 1000, Draws: 1000, Thin: 1, Threads: 2, WallS: 1.2, CPUS: CPU{0.01, 0.6, 0.6}},
		Samplers: []Sampler{{Kernel: "conjugate-normal", Nodes: 62, Example: "alpha[1]"}},
		Parameters: report.Parameters{
			{Name: "tau", Mean: 1, Rhat: report.Number(math.NaN())}, {Name: "alpha[1]", Mean: -2.5e-300, SD: report.Number(math.Inf(1))},
		},
		Warnings: []report.Warning{{Code: "rhat", Parameter: "tau", Value: 1.02, Message: "run longer"}},
	}
	if err := d.WriteSummary(in); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(d.File(SummaryFile))
	if err != nil {
		t.Fatal(err)
	}
	// The form that the interface fixes.
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	tau := got["parameters"].(map[string]any)["tau"].(map[string]any)
	if x, ok := tau["rhat"]; !ok || x != nil || tau["mean"] != 1.0 || len(tau) != 11 {
		t.Errorf("tau is %v", tau)
	}
	if cpu := got["run"].(map[string]any)["cpu_s"].(map[string]any); cpu["warmup"] != 0.6 || cpu["compile"] != 0.01 {
		t.Errorf("cpu_s is %v", cpu)
	}
	if strings.Index(string(b), `"tau": {`) > strings.Index(string(b), `"alpha[1]": {`) {
		t.Error("parameters changed their order")
	}
	back, err := ReadSummary(d.Path())
	if err != nil {
		t.Fatal(err)
	}
	if back.Run != in.Run || len(back.Parameters) != 2 || back.Parameters[0].Name != "tau" ||
		!math.IsNaN(float64(back.Parameters[0].Rhat)) || back.Parameters[1].Mean != -2.5e-300 || back.Warnings[0] != in.Warnings[0] {
		t.Errorf("read back %+v", back)
	}
}

// A run that was killed before it wrote anything is begun again without a word.
func TestKilledWhileTheFolderIsMade(t *testing.T) {
	path := t.TempDir()
	if err := os.Mkdir(filepath.Join(path, CheckpointName), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, ".run.json.tmp"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if err := os.WriteFile(filepath.Join(path, CheckpointName, "chain-1.ckpt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, false); err == nil {
		t.Error("a checkpoint without a run is overwritten")
	}
}

func TestARunIsNotOverwritten(t *testing.T) {
	path := t.TempDir()
	precious := filepath.Join(path, "notes.txt")
	if err := os.WriteFile(precious, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, false); err == nil || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("a run among somebody's files: %v", err)
	}
	d, err := Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, true); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("a folder in use is taken: %v", err)
	}
	l := draws.Layout{Chains: 1, Posterior: []draws.Variable{{Name: "x"}}}
	w, err := d.Draws(l, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := Resume(path); err == nil || !strings.Contains(err.Error(), "no checkpoint") {
		t.Errorf("a run without checkpoint is resumed: %v", err)
	}
	if _, err := Create(path, false); err == nil || !strings.Contains(err.Error(), "holds draws.zarr") {
		t.Errorf("draws without a run are overwritten: %v", err)
	}
	if err := os.WriteFile(filepath.Join(path, SpecFile), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, false); err == nil || !strings.Contains(err.Error(), "rundir.Resume") {
		t.Errorf("an unfinished run is overwritten: %v", err)
	}
	if d, err = Create(path, true); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteSummary(&Summary{}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := Create(path, false); err == nil || !strings.Contains(err.Error(), "rundir.Create(force)") {
		t.Errorf("a finished run is overwritten: %v", err)
	}
	if d, err = Create(path, true); err != nil {
		t.Fatal(err)
	}
	d.Close()
	entries, _ := os.ReadDir(path)
	if len(entries) != 1 || entries[0].Name() != "notes.txt" {
		t.Errorf("left in the folder: %v", entries)
	}
}

// A process that died while it made the draws' folder left no draws.
func TestDrawsHalfMadeAreMadeAgain(t *testing.T) {
	d, err := Create(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := os.MkdirAll(filepath.Join(d.File(DrawsFolder), draws.Posterior), 0o777); err != nil {
		t.Fatal(err)
	}
	l := draws.Layout{Chains: 1, Posterior: []draws.Variable{{Name: "x"}}}
	w, err := d.Draws(l, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(0, false, []float64{1}, draws.Stat{}); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w, err = d.Draws(l, true); err != nil {
		t.Fatal(err)
	}
	if err := w.Truncate(0, 0, 1, nil); err != nil {
		t.Error(err)
	}
}

func TestLog(t *testing.T) {
	d, err := Create(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, e := range []string{"start", "end"} {
		if err := d.Log(e, map[string]any{"rhat": report.Number(math.NaN()), "seed": 3}); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(d.File(LogFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	var last map[string]any
	if err := json.Unmarshal([]byte(lines[1]), &last); err != nil || len(lines) != 2 {
		t.Fatal(err)
	}
	if last["event"] != "end" || last["rhat"] != nil || last["seed"] != 3.0 || last["time"] == "" {
		t.Errorf("%v", last)
	}
}

// A folder that may not be written to is refused with the reason and a way out. Root may write to any, so the fault is made up where that is who tests.
func TestFolderWithoutPermission(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, SpecFile), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	d, err := Resume(dir)
	if err == nil {
		d.Close()
		err = refused(dir, &fs.PathError{Op: "open", Path: filepath.Join(dir, lockFile), Err: syscall.EACCES})
	}
	for _, want := range []string{dir + " cannot be written to (open ", "permission denied", "a copy of the folder"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if err := refused(dir, errors.New("another process")); err.Error() != dir+": another process" {
		t.Error(err)
	}
}
