package rundir

import (
	"fmt"
	"io/fs"
	"path/filepath"
)

// NeedRoom fails when the draws need more bytes than the folder's disk has
// free, counting what the run's draws take there already.
func (d *Dir) NeedRoom(bytes float64) error {
	free, ok := freeBytes(d.path)
	if !ok {
		return nil
	}
	bytes -= sizeOf(d.File(DrawsFolder))
	if bytes <= free {
		return nil
	}
	return fmt.Errorf("the draws need %s and the disk of %s has %s free; choose another --out, monitor fewer quantities, or thin", size(bytes), d.path, size(free))
}

func sizeOf(dir string) float64 {
	n := 0.0
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil // what cannot be looked at counts as nothing
		}
		if info, err := e.Info(); err == nil {
			n += float64(info.Size())
		}
		return nil
	})
	return n
}

func size(bytes float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB"}
	k := 0
	for bytes >= 999.5 && k < len(units)-1 {
		bytes /= 1000
		k++
	}
	return fmt.Sprintf("%.3g %s", bytes, units[k])
}
