package lda

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// longestLine is the most bytes that a line of a state may have.
const longestLine = 1 << 22 // that of alpha has up to 65 536 numbers

// ReadState reads a state in MALLET's form, gzip'ed, as WriteState writes it, of so many documents and topics. It calls each with every
// document that has tokens, from 0 in ascending order, and the topics of its tokens, which are each's for the time of the call only. The
// error says which line is wrong.
func ReadState(r io.Reader, documents, topics int, each func(document int, topics []uint16) error) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("the state is not gzip'ed: %w", err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(make([]byte, 1<<16), longestLine)
	var own []uint16
	at, number := -1, 0
	give := func(next int) error {
		if len(own) > 0 {
			if err := each(at, own); err != nil {
				return err
			}
		}
		own, at = own[:0], next
		return nil
	}
	for lines.Scan() {
		number++
		line := lines.Bytes()
		if bytes.HasPrefix(line, []byte("#")) {
			continue
		}
		document, topic, ok := stateLine(line)
		if !ok || document < at || document >= documents || topic >= topics {
			return fmt.Errorf("line %d of the state is not of a token of documents 0 to %d, in order, and topics 0 to %d: it should be document, source, position, number of the word, word and topic",
				number, documents-1, topics-1)
		}
		if document != at {
			if err := give(document); err != nil {
				return err
			}
		}
		own = append(own, uint16(topic))
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("line %d of the state has more than %d bytes", number+1, longestLine)
	case err != nil:
		return fmt.Errorf("line %d of the state: %w", number+1, err)
	}
	return give(at)
}

// stateLine is the first and the last field of a line: what is between may have blanks.
func stateLine(line []byte) (document, topic int, ok bool) {
	first, last := bytes.IndexByte(line, ' '), bytes.LastIndexByte(line, ' ')
	if first < 0 || bytes.Count(line, []byte(" ")) < 5 {
		return 0, 0, false
	}
	document, err := strconv.Atoi(string(line[:first]))
	if err != nil || document < 0 {
		return 0, 0, false
	}
	topic, err = strconv.Atoi(string(line[last+1:]))
	return document, topic, err == nil && topic >= 0 && topic < MaxTopics
}
