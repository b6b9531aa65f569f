// Package sealed keeps a value in a file that knows what it holds and whether
// it is whole: a line with the kind and version, the SHA-256 of the rest, and
// a gob of the value.
package sealed

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// Kind is what a file holds: Name is unlike those of all other kinds, Version
// goes up when the value's type changes.
type Kind struct {
	Name    string
	Version int
}

const program = "ergodic "

// line is the first of a file.
func (k Kind) line() string { return program + k.Name + " " + strconv.Itoa(k.Version) + "\n" }

// Write replaces the file by one of v. When it returns, the file survives a
// loss of power; whenever the process or the machine dies, the old file or the
// new one is there whole.
func (k Kind) Write(path string, v any) error {
	b, err := k.Seal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := atomicfile.Write(path, b, 0, true); err != nil {
		return err
	}
	return atomicfile.SyncFolder(filepath.Dir(path))
}

// Read fills what v points to. Its errors name the file; the one for a file
// that is not there is an [fs.ErrNotExist].
func (k Kind) Read(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := k.Open(b, v); err != nil {
		return fmt.Errorf("%s %w", path, err)
	}
	return nil
}

// Seal is the content of a file of v.
func (k Kind) Seal(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(k.line())
	b.Write(make([]byte, sha256.Size))
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, err
	}
	rest := b.Bytes()[len(k.line()):]
	sum := sha256.Sum256(rest[sha256.Size:])
	copy(rest, sum[:])
	return b.Bytes(), nil
}

// Open reads what Seal made. Its errors go on from the file's name.
func (k Kind) Open(b []byte, v any) error {
	rest, ok := bytes.CutPrefix(b, []byte(k.line()))
	if !ok {
		return k.stranger(b)
	}
	if len(rest) < sha256.Size {
		return errors.New("is cut short")
	}
	if sum := sha256.Sum256(rest[sha256.Size:]); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return errors.New("is damaged or cut short: its checksum does not match")
	}
	if err := gob.NewDecoder(bytes.NewReader(rest[sha256.Size:])).Decode(v); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	return nil
}

// stranger says what a file is that does not begin as one of this kind.
func (k Kind) stranger(b []byte) error {
	if strings.HasPrefix(k.line(), string(b)) {
		return errors.New("is cut short")
	}
	line, _, ok := strings.Cut(string(b[:min(len(b), 80)]), "\n")
	at := max(strings.LastIndexByte(line, ' '), 0)
	version, err := strconv.Atoi(strings.TrimSpace(line[at:]))
	name, ours := strings.CutPrefix(line[:at], program)
	switch {
	case !ok || !ours || err != nil:
		return fmt.Errorf("is not an %s%s", program, k.Name)
	case name != k.Name:
		return fmt.Errorf("is an %s%s, not an %s%s", program, name, program, k.Name)
	}
	return fmt.Errorf("is of version %d, and this program reads version %d", version, k.Version)
}
