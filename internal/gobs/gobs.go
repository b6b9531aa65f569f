// Package gobs writes a value as a string of bytes by package encoding/gob, and reads it.
package gobs

import (
	"bytes"
	"encoding/gob"
)

// Marshal writes v, whose fields must be exported.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

// Unmarshal fills what v points to.
func Unmarshal(b []byte, v any) error { return gob.NewDecoder(bytes.NewReader(b)).Decode(v) }
