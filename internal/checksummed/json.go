package checksummed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// The member that EncodeJSON adds, up to the end of the text.
var checksum = regexp.MustCompile(`^,\s*"sha256": "([0-9a-f]{64})"\s*}\s*$`)

// EncodeJSON adds the SHA-256 of a JSON object's text to it, as its last member.
func EncodeJSON(object []byte) []byte {
	body, ok := bytes.CutSuffix(bytes.TrimSpace(object), []byte("}"))
	if !ok {
		return object // not an object: nothing can be added
	}
	body = bytes.TrimSpace(body)
	sum := sha256.Sum256(body)
	return fmt.Appendf(bytes.Clone(body), ",\n \"sha256\": %q\n}\n", hex.EncodeToString(sum[:]))
}

// DecodeJSON fills what v points to from an object, whose checksum it verifies where
// there is one: files of earlier versions have none. Its errors follow the file's
// name in a message.
func DecodeJSON(b []byte, v any) error {
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

// split separates an object from its checksum, if it has one. It looks from the end:
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
	m := checksum.FindSubmatch(b[comma:])
	if m == nil {
		return b, nil
	}
	return b[:comma], m[1]
}
