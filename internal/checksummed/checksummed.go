// Package checksummed writes and reads files that name their kind and carry a checksum, so that a file of
// another kind, a damaged or a truncated one is an error. A file of a [Kind] is a line with the kind and version, the SHA-256 of
// the rest, and the rest: bytes, a gob of a value, or such a gob and bytes behind it. A JSON object has the
// SHA-256 of its text as its last member.
package checksummed

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// Kind is what a file holds: Name is unlike those of all other kinds, Version
// goes up when the value's type changes.
type Kind struct {
	Name    string
	Version int
}

const program = "ergodic "

// Line is the first of a file.
func (k Kind) Line() string { return program + k.Name + " " + strconv.Itoa(k.Version) + "\n" }

// Write replaces the file by one of v. When it returns, the file survives a
// loss of power; whenever the process or the machine dies, the old file or the
// new one is there whole.
func (k Kind) Write(path string, v any) error {
	b, err := k.Encode(v)
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
	b, err := regular.ReadFile(path)
	if err != nil {
		return err
	}
	if err := k.Decode(b, v); err != nil {
		return fmt.Errorf("%s %w", path, err)
	}
	return nil
}

// Encode returns the content of a file of v.
func (k Kind) Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, err
	}
	return k.EncodeBytes(b.Bytes()), nil
}

// Decode reads what Encode returned. Its errors follow the file's name in a message.
func (k Kind) Decode(b []byte, v any) error {
	rest, err := k.DecodeBytes(b)
	if err != nil {
		return err
	}
	if err := gob.NewDecoder(bytes.NewReader(rest)).Decode(v); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	return nil
}

// EncodeBytes returns the content of a file of b.
func (k Kind) EncodeBytes(b []byte) []byte {
	sum := sha256.Sum256(b)
	out := make([]byte, 0, len(k.Line())+len(sum)+len(b))
	out = append(out, k.Line()...)
	out = append(out, sum[:]...)
	return append(out, b...)
}

// DecodeBytes reads what EncodeBytes returned. Its errors follow the file's name in a message.
func (k Kind) DecodeBytes(b []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(b, []byte(k.Line()))
	if !ok {
		return nil, k.OtherKind(b)
	}
	if len(rest) < sha256.Size {
		return nil, errors.New("is cut short")
	}
	sum, rest := rest[:sha256.Size], rest[sha256.Size:]
	if is := sha256.Sum256(rest); !bytes.Equal(is[:], sum) {
		return nil, errors.New(mismatch)
	}
	return rest, nil
}

// Sum is the SHA-256 in what EncodeBytes returned.
func (k Kind) Sum(file []byte) []byte { return file[len(k.Line()):][:sha256.Size] }

const mismatch = "is damaged or cut short: its checksum does not match"

// OtherKind says what a file is that does not begin as one of this kind. Its errors follow the file's name in a message.
func (k Kind) OtherKind(b []byte) error {
	if strings.HasPrefix(k.Line(), string(b)) {
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
