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
var seal = regexp.MustCompile(`,\s*"sha256": "([0-9a-f]{64})"\s*}\s*$`)

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
	if m := seal.FindSubmatchIndex(b); m != nil {
		sum := sha256.Sum256(b[:m[0]])
		if hex.EncodeToString(sum[:]) != string(b[m[2]:m[3]]) {
			return errors.New(mismatch)
		}
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("is damaged: %w", err)
	}
	return nil
}
