package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// zeros is how many bytes of zeros a file of less than a megabyte holds
// compressed.
func (s source) zeros() int { return int(math.Pow(10, 3+5.85*s.Float64())) }

// npy is a header of numpy's format.
func npy(descr, shape string) []byte {
	h := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	h += strings.Repeat(" ", 63-(len(h)+10)%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(h)), byte(len(h)>>8))
	return append(b, h...)
}

// compressed writes a head and zeros after it.
func compressed(w interface{ Write([]byte) (int, error) }, head []byte, zeros int) {
	w.Write(head)
	block := make([]byte, 1<<16)
	for ; zeros > 0; zeros -= len(block) {
		w.Write(block[:min(zeros, len(block))])
	}
}

// npz is an archive of arrays of zeros, whose shapes may be a lie.
func (s source) npz(names ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	total := s.zeros()
	for _, n := range names {
		w, _ := z.Create(n + ".npy") // to memory
		width := []string{"|u1", "<f4", "<f8"}[s.IntN(3)]
		bytes := map[string]int{"|u1": 1, "<f4": 4, "<f8": 8}[width]
		cols := 1 + s.IntN(800)
		rows := max(1, total/len(names)/bytes/cols)
		zeros := rows * cols * bytes
		switch s.IntN(6) {
		case 0:
			rows = int(math.Pow(10, 12*s.Float64()))
		case 1:
			zeros = 0
		}
		shape := fmt.Sprintf("(%d, %d)", rows, cols)
		if n != "parameter_W" && s.IntN(2) == 0 {
			shape = fmt.Sprintf("(%d,)", rows*cols)
		}
		compressed(w, npy(width, shape), zeros)
	}
	z.Close()
	return b.Bytes()
}

// idx is MNIST's format, compressed.
func (s source) idx() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	n := s.zeros()
	cols := 1 + s.IntN(40)
	rows := max(1, n/cols/cols)
	if s.IntN(4) == 0 {
		rows = math.MaxUint32
	}
	head := []byte{0, 0, []byte{8, 0xd, 0xe}[s.IntN(3)], 3}
	for _, d := range []int{rows, cols, cols} {
		head = binary.BigEndian.AppendUint32(head, uint32(d))
	}
	compressed(z, head, n)
	z.Close()
	return b.Bytes()
}

// mat is a MATLAB file with one compressed matrix of zeros.
func (s source) mat(name string) []byte {
	head := make([]byte, 128)
	copy(head, "MATLAB 5.0 MAT-file")
	for i := 19; i < 124; i++ {
		head[i] = ' '
	}
	head[125], head[126], head[127] = 1, 'I', 'M'
	n := s.zeros() / 8 * 8
	rows, cols := max(1, n/8/100), 100
	if s.IntN(3) == 0 {
		rows = math.MaxInt32
	}
	n = min(rows*cols*8, n)
	var body []byte
	add := func(kind uint32, b []byte) {
		body = binary.LittleEndian.AppendUint32(body, kind)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(b)))
		body = append(append(body, b...), make([]byte, (8-len(b)%8)%8)...)
	}
	add(6, []byte{6, 0, 0, 0, 0, 0, 0, 0})
	add(5, binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(rows)), uint32(cols)))
	add(1, []byte(name))
	body = binary.LittleEndian.AppendUint32(body, 9)
	body = binary.LittleEndian.AppendUint32(body, uint32(n))
	matrix := binary.LittleEndian.AppendUint32(nil, 14)
	matrix = append(binary.LittleEndian.AppendUint32(matrix, uint32(len(body)+n)), body...)
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	compressed(z, matrix, n)
	z.Close()
	head = binary.LittleEndian.AppendUint32(head, 15)
	head = binary.LittleEndian.AppendUint32(head, uint32(b.Len()))
	return append(head, b.Bytes()...)
}

// file is one of the formats, of the arrays of that name.
func (s source) file(names ...string) []byte {
	var b []byte
	switch s.IntN(5) {
	case 0:
		b = s.mat(names[0])
	case 1:
		b = s.idx()
	case 2:
		b = append(npy("<f8", "("+s.size()+", "+s.any()+")"), make([]byte, s.IntN(1<<16))...)
	default:
		b = s.npz(names...)
	}
	if s.IntN(5) == 0 {
		b = s.mutate(b)
	}
	return b
}

// machine is a file of a restricted Boltzmann machine.
func (s source) machine() input {
	files := map[string][]byte{"m.npz": s.file("parameter_W", "parameter_a", "parameter_b"), "d.npz": s.npz("testbatchdata")}
	args := [][]string{{"rbm", "logz", "m.npz", "--runs", "10", "--progress", "none"}, {"rbm", "loglik", "m.npz", "--test", "d.npz", "--progress", "none"},
		{"rbm", "sample", "m.npz", "--images", "4", "--out", "o"}, {"rbm", "logz", "m.npz", "--method", s.pick("exact", "tap", "ais", "ti"), "--progress", "none"}}
	return input{kind: "machine", files: files, args: args[s.IntN(len(args))]}
}

// cases is a file of data to train on.
func (s source) cases() input {
	return input{kind: "cases", files: map[string][]byte{"d": s.file("testbatchdata")},
		args: []string{"rbm", "train", "d", "--hidden", s.pick("5", "5", "5", s.size()), "--epochs", "1", "--batch", s.pick("100", "100", s.size()), "--out", "o", "--progress", "none", "--seed", "1"}}
}

// zarr is a folder of draws that claims what it does not hold.
func (s source) zarr() input {
	files := map[string][]byte{}
	put := func(name, text string) { files["draws.zarr/"+name] = []byte(text) }
	put(".zgroup", `{"zarr_format": 2}`)
	put("posterior/.zgroup", `{"zarr_format": 2}`)
	put("posterior/.zattrs", `{}`)
	chains, draws := s.pick("1", "2", "4", s.any()), s.any()
	for _, v := range []string{"a", "b", "c"}[:1+s.IntN(3)] {
		shape, chunks, dims := []string{chains, draws}, []string{chains, s.pick("8", draws, s.any())}, []string{"chain", "draw"}
		for k := range s.IntN(3) {
			shape, chunks, dims = append(shape, s.any()), append(chunks, s.pick("1", s.any())), append(dims, v+"_dim_"+strconv.Itoa(k))
		}
		put("posterior/"+v+"/.zarray", fmt.Sprintf(`{"chunks": [%s], "compressor": null, "dtype": "%s", "fill_value": "NaN", "filters": null, "order": "C", "shape": [%s], "zarr_format": 2}`,
			strings.Join(chunks, ","), s.pick("<f8", "<f8", "<i8", "<f4", "|u1"), strings.Join(shape, ",")))
		put("posterior/"+v+"/.zattrs", `{"_ARRAY_DIMENSIONS": ["`+strings.Join(dims, `","`)+`"]}`)
		if s.IntN(2) == 0 {
			put("posterior/"+v+"/0"+strings.Repeat(".0", len(shape)-1), string(make([]byte, s.IntN(1<<18))))
		}
	}
	args := [][]string{{"summary", "draws.zarr"}, {"compare", "draws.zarr", "draws.zarr"}, {"export", "draws.zarr", "--format", s.pick("csv", "coda", "cmdstan", "json"), "--out", "x"}, {"plot", "draws.zarr", "--out", "p.svg"}}
	in := input{kind: "draws", files: files, args: args[s.IntN(len(args))]}
	if s.IntN(5) == 0 { // or CmdStan's files
		cols := s.repeated("a.1,")
		in.files = map[string][]byte{"out.csv": []byte("# model = m\n# num_samples = " + s.size() + "\nlp__,accept_stat__," + cols + "b\n" + s.repeated("1,"))}
		in.args = []string{s.pick("summary", "export", "plot"), "out.csv"}
	}
	return in
}
