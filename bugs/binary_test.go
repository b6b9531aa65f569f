package bugs

import (
	"strings"
	"testing"
	"unicode"
)

// Data and programs in another format are named by it, and none of their bytes are shown.
func TestBinaryData(t *testing.T) {
	junk := "\x00\x14\x08\x81y\xff" + strings.Repeat("\x07garbage", 100)
	for src, said := range map[string]string{
		"PK\x03\x04" + junk:            "f: this is a zip archive, as .npz",
		"\x93NUMPY\x01" + junk:         "a numpy array",
		"\x1f\x8b" + junk:              "gzip",
		"RDX3\nX\n" + junk:             "a workspace of R",
		"\x89HDF\r\n" + junk:           "HDF5",
		"\xff\xfey\x00 \x00<\x00-":     "UTF-16",
		"x <- 1\ny <- \x00\x00" + junk: "a binary file",
	} {
		_, err := ReadData("f", []byte(src))
		if err == nil {
			t.Errorf("%.20q is read", src)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, said) || len(text) > 160 || strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%.20q: %q", src, text)
		}
		if _, err := Parse("f", src); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("as a program, %.20q: %v", src, err)
		}
	}
	for _, src := range []string{"RDX <- 3", "BZh <- 3", "MATLAB <- 5", "PK <- 1"} {
		if _, err := ReadData("f", []byte(src)); err != nil {
			t.Error(err)
		}
	}
}
