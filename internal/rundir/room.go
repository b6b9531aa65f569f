package rundir

import "fmt"

// NeedRoom fails when the draws need more bytes than the folder's disk has
// free.
func (d *Dir) NeedRoom(bytes float64) error {
	free, ok := freeBytes(d.path)
	if !ok {
		return nil
	}
	if bytes <= free {
		return nil
	}
	return fmt.Errorf("the draws need %s and the disk of %s has %s free; make room, choose another --out, monitor fewer quantities, or thin", size(bytes), d.path, size(free))
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
