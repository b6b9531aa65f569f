package checksummed

import (
	"errors"
	"fmt"
	"io/fs"
)

// ReadIfThere is Read for what is to go on from the file, and starts where there is none.
func (k Kind) ReadIfThere(path string, v any) (there bool, err error) {
	err = k.Read(path, v)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Property is something that the run in a file and the one asked for must have in common.
type Property struct {
	Name       string
	Was, Asked any // comparable
}

// Same names the first property that differs.
func Same(list []Property) error {
	for _, p := range list {
		if p.Was != p.Asked {
			return fmt.Errorf("the %s differs: the run has %v, and %v is asked for", p.Name, p.Was, p.Asked)
		}
	}
	return nil
}
