package bugs

import "errors"

func readJSON(file string, src []byte) (*Data, error) { return nil, errors.New("not yet") }
