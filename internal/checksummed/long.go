package checksummed

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// WriteLong is Write of a value and of what rest writes behind it, which never is in memory as a whole. rest is called twice,
// first for the checksum, and writes the same both times.
func (k Kind) WriteLong(path string, v any, rest func(io.Writer) error) error {
	content := func(w io.Writer) error {
		if err := gob.NewEncoder(w).Encode(v); err != nil {
			return err
		}
		return rest(w)
	}
	sum := sha256.New()
	if err := content(sum); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	err := atomicfile.WriteFrom(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, k.Line()); err != nil {
			return err
		}
		if _, err := w.Write(sum.Sum(nil)); err != nil {
			return err
		}
		return content(w)
	})
	if err != nil {
		return err
	}
	return atomicfile.SyncFolder(filepath.Dir(path))
}

// ReadLong fills what v points to and hands what WriteLong's rest wrote to rest, which reads all of it. It does so when the
// checksum has been found to be right. Its errors are those of Read.
func (k Kind) ReadLong(path string, v any, rest func(io.Reader) error) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := k.readLong(f, v, rest); err != nil {
		return fmt.Errorf("%s %w", path, err)
	}
	return nil
}

func (k Kind) readLong(f io.ReadSeeker, v any, rest func(io.Reader) error) error {
	head := make([]byte, len(k.Line())+80)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	after, ok := bytes.CutPrefix(head[:n], []byte(k.Line()))
	if !ok {
		return k.OtherKind(head[:n])
	}
	if len(after) < sha256.Size {
		return errors.New("is cut short")
	}
	begin := int64(len(k.Line()) + sha256.Size)
	if _, err := f.Seek(begin, io.SeekStart); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), after[:sha256.Size]) {
		return errors.New(mismatch)
	}
	if _, err := f.Seek(begin, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(f, 1<<16)
	if err := gob.NewDecoder(r).Decode(v); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	return rest(r)
}
