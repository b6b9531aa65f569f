package corpus

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Format is the form in which a collection of documents is kept. Each may be in gzip. Lines end with a line feed, with or
// without a carriage return before it.
type Format int

// The formats.
const (
	// Auto takes folders for Folder, and files by their names, with or without .gz, and what they begin with: for UCI,
	// those whose names contain docword and those that begin with three numbers in lines of their own; for LDAC, those called .ldac
	// and those that begin with a line of this form; for CSV, those called .csv or .tsv; for Mallet, those called .mallet;
	// and all others for Lines.
	Auto Format = iota
	// UCI is the bag of words of the UCI repository: three lines with the numbers of documents D, of words W and of
	// entries; then an entry a line, a document from 1 to D, a word from 1 to W and how often it is there. The
	// vocabulary is another file, of one word a line.
	UCI
	// LDAC is the bag of words of Blei's LDA-C: a document a line, its number of different words and as many word:count,
	// with words from 0. The vocabulary is another file, of one word a line.
	LDAC
	// Mallet has a document a line: its name, a label, which is left out, and its text, with blanks between them.
	Mallet
	// Lines has a document a line; an empty line is an empty document.
	Lines
	// CSV has a document a record, as RFC 4180 has it, under a line of headings: the text in a column, and the name in another
	// if the documents have names. Tabs separate the fields of files called .tsv.
	CSV
	// Folder has a document a file, named by its path in the folder.
	Folder
)

var formats = []string{"auto", "uci", "ldac", "mallet", "lines", "csv", "folder"}

// String is the name of the format: auto, uci, ldac, mallet, lines, csv or folder.
func (f Format) String() string {
	if f < 0 || int(f) >= len(formats) {
		return fmt.Sprintf("Format(%d)", int(f))
	}
	return formats[f]
}

// UnmarshalText reads the name of a format.
func (f *Format) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	if k := slices.Index(formats, name); k >= 0 {
		*f = Format(k)
		return nil
	}
	if near := wording.Nearest(name, formats); near != "" {
		return fmt.Errorf("no format is called %s; did you mean %s?", wording.Quote(text), near)
	}
	return fmt.Errorf("no format is called %s; there are %s", wording.Quote(text), strings.Join(formats, ", "))
}

// detect tells the format of a file by its name and what it begins with.
func detect(name string, head []byte) Format {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".gz")
	switch filepath.Ext(base) {
	case ".csv", ".tsv":
		return CSV
	case ".mallet":
		return Mallet
	case ".ldac":
		return LDAC
	}
	switch {
	case strings.Contains(base, "docword") || beginsAsUCI(head):
		return UCI
	case beginsAsLDAC(head):
		return LDAC
	}
	return Lines
}

func beginsAsUCI(head []byte) bool {
	for range 3 {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole || !number(bytes.TrimSpace(line)) {
			return false
		}
		head = rest
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	n := len(bytes.Fields(line))
	return n == 3 || n == 0
}

func beginsAsLDAC(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) < 2 || !number(fields[0]) {
		return false
	}
	word, count, colon := bytes.Cut(fields[1], []byte(":"))
	return colon && number(word) && number(count)
}

func number(text []byte) bool {
	_, end := whole(text, 0)
	return end == len(text) && end > 0
}
