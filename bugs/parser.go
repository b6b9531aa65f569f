package bugs

import "errors"

// Parse reads a model file.
func Parse(file, src string) (*Program, error) { return nil, errors.New("not yet") }
