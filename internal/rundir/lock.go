package rundir

import (
	"errors"
	"io/fs"

	"github.com/gofrs/flock"
)

// acquire locks a file until the process ends, however it ends.
func acquire(path string) (*flock.Flock, error) {
	l := flock.New(path, flock.SetPermissions(0o666))
	locked, err := l.TryLock()
	var unopened *fs.PathError
	switch {
	case errors.As(err, &unopened):
		return nil, err
	case err == nil && !locked:
		return nil, errors.New("another process is at work in this folder")
	}
	return l, nil // a file system without locks is used without
}
