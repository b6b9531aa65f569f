package bugs

import (
	"os"
	"path/filepath"
	"testing"
)

// sharedDir finds test material that is not part of the repository.
func sharedDir(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no test material at %s: set ERGODIC_SHARED", dir)
	}
	return dir
}

// sharedFiles lists the files under dir whose names match pattern.
func sharedFiles(t testing.TB, dir, pattern string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ok, err := filepath.Match(pattern, d.Name())
		if ok {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no %s under %s", pattern, dir)
	}
	return files
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestParseSharedModels(t *testing.T) {
	for _, path := range sharedFiles(t, sharedDir(t, "bugs"), "*.bug") {
		if filepath.Base(path) == "leukfr.bug" {
			continue // old BUGS syntax, which JAGS refuses too
		}
		src := readFile(t, path)
		prog, err := Parse(path, src)
		if err != nil {
			t.Error(err)
			continue
		}
		checkRoundTrip(t, prog)
	}
}

func checkRoundTrip(t *testing.T, prog *Program) {
	t.Helper()
	text := prog.String()
	again, err := Parse("printed", text)
	if err != nil {
		t.Errorf("%s: printed form does not parse: %v", prog.File, err)
		return
	}
	if got := again.String(); got != text {
		t.Errorf("%s: printing is not a fixed point:\n%s\n---\n%s", prog.File, text, got)
	}
}

func TestReadSharedData(t *testing.T) {
	dir := sharedDir(t, "bugs")
	for _, pattern := range []string{"*data*.R", "*init*.R"} {
		for _, path := range sharedFiles(t, dir, pattern) {
			d, err := ReadData(path, []byte(readFile(t, path)))
			if err != nil {
				t.Error(err)
				continue
			}
			if len(d.Names) == 0 && readFile(t, path) != "" {
				t.Errorf("%s: read no variable", path)
			}
			for name, v := range d.Values {
				if n, _ := product(v.Dims, 1<<40); n != len(v.Data) {
					t.Errorf("%s: %s has %d values for dimensions %v", path, name, len(v.Data), v.Dims)
				}
			}
		}
	}
	for _, path := range sharedFiles(t, sharedDir(t, "posteriordb"), "data.json") {
		if _, err := ReadData(path, []byte(readFile(t, path))); err != nil {
			t.Error(err)
		}
	}
}
