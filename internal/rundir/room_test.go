package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNeedRoom(t *testing.T) {
	d, err := Create(filepath.Join(t.TempDir(), "run"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, ok := freeBytes(d.Path()); !ok {
		t.Skip("free space is not known on this system")
	}
	if err := d.NeedRoom(1); err != nil {
		t.Error(err)
	}
	if err := d.NeedRoom(2e18); err == nil || !strings.Contains(err.Error(), "need 2 EB") {
		t.Errorf("%v", err)
	}
}

// What the user put into the folder stays.
func TestDiscard(t *testing.T) {
	for _, mine := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "run")
		d, err := Create(path, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Log("start", nil); err != nil {
			t.Fatal(err)
		}
		if err := d.WriteJSON(SpecFile, 1); err != nil {
			t.Fatal(err)
		}
		notes := filepath.Join(path, "notes.txt")
		if mine {
			if err := os.WriteFile(notes, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Discard(); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Error("a second Close:", err)
		}
		if exists(path) != mine || exists(notes) != mine || exists(filepath.Join(path, LogFile)) {
			t.Errorf("mine %v: folder %v, notes %v", mine, exists(path), exists(notes))
		}
	}
}

func TestUnfinish(t *testing.T) {
	d, err := Create(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.WriteSummary(&Summary{}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Unfinish(); err != nil || exists(d.File(SummaryFile)) {
			t.Errorf("%v", err)
		}
	}
}
