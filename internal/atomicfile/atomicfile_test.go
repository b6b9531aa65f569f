package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	for _, tc := range []struct {
		text string
		size int64
		want string
	}{{"first", 0, "first"}, {"two", 5, "two\x00\x00"}, {"", 0, ""}} {
		for _, durable := range []bool{false, true} {
			if err := Write(path, []byte(tc.text), tc.size, durable); err != nil {
				t.Fatal(err)
			}
			if err := Sync(path); err != nil {
				t.Error(err)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != tc.want {
				t.Errorf("%q, %v; want %q", b, err, tc.want)
			}
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left over: %v", entries)
	}
}

// The target is a folder with something in it, so that the last step fails.
func TestAFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.MkdirAll(filepath.Join(path, "y"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("text"), 0, false); err == nil {
		t.Fatal("a folder is replaced by a file")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left over: %v", entries)
	}
	if err := Write(filepath.Join(dir, "no", "folder"), nil, 0, false); err == nil {
		t.Error("a file is made in a folder that does not exist")
	}
	if !IsTemporary(".x.tmp") || IsTemporary("x.tmp") || IsTemporary(".x") {
		t.Error("temporary names are not told apart")
	}
}
