package sealed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// The member that SealJSON adds, up to the end of the text.
var seal = regexp.MustCompile(`^,\s*"sha256": "([0-9a-f]{64})"\s*}\s*$`)

// SealJSON adds the SHA-256 of a JSON object's text to it, as its last member.
func SealJSON(object []byte) []byte {
	body, ok := bytes.CutSuffix(bytes.TrimSpace(object), []byte("}"))
	if !ok {
		return object // not an object: nothing can be added
	}
	body = bytes.TrimSpace(body)
	sum := sha256.Sum256(body)
	return fmt.Appendf(bytes.Clone(body), ",\n \"sha256\": %q\n}\n", hex.EncodeToString(sum[:]))
}

// OpenJSON fills what v points to from an object that SealJSON may have
// sealed: files of earlier versions are not. Its errors go on from the file's
// name.
func OpenJSON(b []byte, v any) error {
	body, want := split(b)
	if want != nil {
		sum := sha256.Sum256(body)
		if hex.EncodeToString(sum[:]) != string(want) {
			return errors.New(mismatch)
		}
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("is damaged: %w", err)
	}
	return nil
}

// split takes the seal off an object, or returns none. It looks from the end:
// the expression alone would try every comma of megabytes.
func split(b []byte) (body, want []byte) {
	i := bytes.LastIndex(b, []byte(`"sha256": "`))
	if i < 0 {
		return b, nil
	}
	comma := len(bytes.TrimRight(b[:i], " \t\n\f\r")) - 1
	if comma < 0 {
		return b, nil
	}
	m := seal.FindSubmatch(b[comma:])
	if m == nil {
		return b, nil
	}
	return b[:comma], m[1]
}
