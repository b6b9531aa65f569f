package rng

import "errors"

var (
	errEmpty = errors.New("rng: the stream is empty; make it with rng.New")
	errState = errors.New("rng: these bytes are not the state of a stream; pass what MarshalBinary returned")
)
