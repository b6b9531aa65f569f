package rundir

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

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
	return fmt.Errorf("the draws need %s and the disk of %s has %s free; make room, choose another rundir.Create(path), monitor fewer quantities, or thin", wording.Bytes(bytes), d.path, wording.Bytes(free))
}
