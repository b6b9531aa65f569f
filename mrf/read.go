package mrf

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Read reads a model: in the Interchange Format where the name ends in .bif or the text begins as such files do, otherwise in UAI's form. See [ReadBIF] and [ReadUAI].
func Read(name string, text []byte) (*Model, error) {
	start := bytes.TrimSpace(bytes.TrimPrefix(text[:min(len(text), 4096)], []byte("\ufeff")))
	if strings.EqualFold(filepath.Ext(name), ".bif") || bytes.HasPrefix(start, []byte("network")) || bytes.HasPrefix(start, []byte("//")) || bytes.HasPrefix(start, []byte("/*")) {
		return ReadBIF(name, text)
	}
	return ReadUAI(name, text)
}
