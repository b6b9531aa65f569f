package memory

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

func physical() (float64, bool) {
	var s syscall.Sysinfo_t
	if syscall.Sysinfo(&s) != nil {
		return 0, false
	}
	return float64(s.Totalram) * float64(s.Unit), true
}

func group() (float64, bool) { return groupLimit(os.DirFS("/")) }

// groupLimit is the least limit of memory of the control groups, of version 1
// or 2, that this process is in. Within a container a group's path may not be
// there; its parents up to the root of the mount are.
func groupLimit(root fs.FS) (least float64, ok bool) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.max"
		switch {
		case strings.Contains(","+parts[1]+",", ",memory,"):
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case parts[1] != "":
			continue
		}
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			if b, found := readBytes(root, path.Join(mount, dir, file)); found && (!ok || b < least) {
				least, ok = b, true
			}
			if dir == "/" {
				break
			}
		}
	}
	return least, ok
}

// readBytes reads a limit; "max" is none.
func readBytes(root fs.FS, name string) (float64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return float64(n), err == nil
}

// resources are the limits of ulimit -v and -d. What the Go runtime has
// reserved counts towards the first, about 700 MB from the start.
func resources() (all []resource) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return nil
	}
	pages := strings.Fields(string(text)) // size, resident, shared, text, lib, data
	for _, r := range []struct {
		name  string
		limit int
		field int
	}{{"ulimit -v", syscall.RLIMIT_AS, 0}, {"ulimit -d", syscall.RLIMIT_DATA, 5}} {
		var lim syscall.Rlimit
		if syscall.Getrlimit(r.limit, &lim) != nil || lim.Cur == ^uint64(0) || r.field >= len(pages) {
			continue
		}
		used, err := strconv.ParseFloat(pages[r.field], 64)
		if err != nil {
			continue
		}
		all = append(all, resource{r.name, float64(lim.Cur) - used*float64(os.Getpagesize())})
	}
	return all
}
