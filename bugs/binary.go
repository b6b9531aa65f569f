package bugs

import "bytes"

// binaryFormats are what people give as data or programs that is not text, by their first
// bytes.
var binaryFormats = []struct{ begins, format string }{
	{"PK\x03\x04", "a zip archive, as .npz and .xlsx files are"},
	{"PK\x05\x06", "an empty zip archive"},
	{"\x93NUMPY", "a numpy array (.npy)"},
	{"\x1f\x8b", "compressed by gzip, as .gz, .rds and .RData files are"},
	{"BZh91AY", "compressed by bzip2"},
	{"\xfd7zXZ", "compressed by xz"},
	{"RDX2\n", "a workspace of R (.RData)"},
	{"RDX3\n", "a workspace of R (.RData)"},
	{"\x89HDF", "an HDF5 file"},
	{"MATLAB 5.0 MAT-file", "a MATLAB file (.mat)"},
	{"CDOo", "a document of OpenBUGS (.odc)"},
	{"\xff\xfe", "in UTF-16 (UTF-8 is read)"},
	{"\xfe\xff", "in UTF-16 (UTF-8 is read)"},
}

// binaryFormat names the format of what is no text in UTF-8; "" for text.
func binaryFormat(src []byte) string {
	for _, f := range binaryFormats {
		if bytes.HasPrefix(src, []byte(f.begins)) {
			return f.format
		}
	}
	if bytes.IndexByte(src[:min(len(src), 4096)], 0) >= 0 {
		return "a binary file"
	}
	return ""
}
