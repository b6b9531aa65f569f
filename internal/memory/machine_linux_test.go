package memory

import (
	"testing"
	"testing/fstest"
)

func TestGroupLimit(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  float64
		ok    bool
	}{
		"none":                     {fstest.MapFS{}, 0, false},
		"version 2":                {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/memory.max": file("1000\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n")}, 1000, true},
		"its parent has less":      {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/memory.max": file("1000\n"), "sys/fs/cgroup/a/b/memory.max": file("2000\n")}, 1000, true},
		"a container of version 2": {fstest.MapFS{"proc/self/cgroup": file("0::/host/path\n"), "sys/fs/cgroup/memory.max": file("3000\n")}, 3000, true},
		"version 1": {fstest.MapFS{"proc/self/cgroup": file("9:name=systemd:/x\n4:cpu,memory:/x\n0::/\n"), "sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("4000\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n")}, 4000, true},
		"nonsense": {fstest.MapFS{"proc/self/cgroup": file("\n::\nx\n0::\n"), "sys/fs/cgroup/memory.max": file("-5\n")}, 0, false},
	} {
		if got, ok := groupLimit(c.files); got != c.want || ok != c.ok {
			t.Errorf("%s: %v %v", name, got, ok)
		}
	}
}
