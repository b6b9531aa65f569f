package latticereport

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
)

// Film writes an animated GIF (CompuServe 1990, "Graphics Interchange Format, Version 89a") frame by frame, in memory that does not
// grow with their number. Of each frame it writes the rows that changed, and of these only what changed where there is a colour to
// spare for what did not.
type Film struct {
	w      *bufio.Writer
	canvas *Canvas
	now    *image.Paletted
	shown  []uint8 // what the frames so far show; nil before the first
	delta  []uint8
	spare  int // colour number of what does not change; −1: none
	bits   int // of a colour number
	delay  int // between frames, in hundredths of a second
}

// NewFilm begins a film on a canvas that repeats without end. The writer is the caller's to close after [Film.Close].
func NewFilm(w io.Writer, c *Canvas, perSecond float64) (*Film, error) {
	if c.Width > 65535 || c.Height > 65535 || !(perSecond > 0) {
		return nil, fmt.Errorf("a film of %d×%d pixels, %v frames a second: there may be 65535 each way, and more than 0 frames", c.Width, c.Height, perSecond)
	}
	f := &Film{w: bufio.NewWriter(w), canvas: c, spare: -1, delay: max(int(100/perSecond+0.5), 2)}
	palette := Palette(c.colours)
	f.now = image.NewPaletted(image.Rect(0, 0, c.Width, c.Height), palette)
	used := len(palette)
	if used < 256 {
		f.spare = used
		used++
	}
	for f.bits = 2; 1<<f.bits < used; f.bits++ { // LZW of GIF takes 2 or more
	}
	f.w.WriteString("GIF89a")
	f.screen(c.Width, c.Height, palette)
	f.w.WriteString("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00") // again and again
	return f, nil
}

func (f *Film) short(n int) { f.w.Write(binary.LittleEndian.AppendUint16(nil, uint16(n))) }

func (f *Film) screen(width, height int, palette color.Palette) {
	f.short(width)
	f.short(height)
	f.w.Write([]byte{0x80 | 7<<4 | byte(f.bits-1), 0, 0})
	for k := range 1 << f.bits {
		var rgb [3]byte
		if k < len(palette) {
			r, g, b, _ := palette[k].RGBA()
			rgb = [3]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)}
		}
		f.w.Write(rgb[:])
	}
}

// Add writes a frame of the spins.
func (f *Film) Add(spins []uint8) error {
	f.canvas.Paint(f.now, spins)
	width := f.canvas.Width
	if f.shown == nil {
		f.shown = append([]uint8(nil), f.now.Pix...)
		f.delta = make([]uint8, len(f.shown))
		return f.frame(0, f.canvas.Height, f.now.Pix)
	}
	top, end := f.canvas.Height, 0
	for y := range f.canvas.Height {
		row, old := f.now.Pix[y*width:(y+1)*width], f.shown[y*width:(y+1)*width]
		if string(row) != string(old) {
			top, end = min(top, y), y+1
		}
	}
	if top >= end { // a frame of one row keeps the time
		top, end = 0, 1
	}
	part := f.now.Pix[top*width : end*width]
	old := f.shown[top*width : end*width]
	if f.spare >= 0 {
		delta := f.delta[:len(part)]
		for i, v := range part {
			if delta[i] = v; v == old[i] {
				delta[i] = uint8(f.spare)
			}
		}
		copy(old, part)
		return f.frame(top, end, delta)
	}
	copy(old, part)
	return f.frame(top, end, part)
}

// frame writes rows from top to before end.
func (f *Film) frame(top, end int, pix []uint8) error {
	flags, spare := byte(1<<2), byte(0) // what is not drawn over stays
	if f.spare >= 0 {
		flags, spare = flags|1, byte(f.spare)
	}
	f.w.Write([]byte{0x21, 0xf9, 4, flags})
	f.short(f.delay)
	f.w.Write([]byte{spare, 0, 0x2c})
	for _, n := range []int{0, top, f.canvas.Width, end - top} {
		f.short(n)
	}
	f.w.Write([]byte{0, byte(f.bits)})
	blocks := &subBlocks{w: f.w}
	z := lzw.NewWriter(blocks, lzw.LSB, f.bits)
	_, err := z.Write(pix)
	if err = errors.Join(err, z.Close()); err != nil {
		return err
	}
	return blocks.end()
}

// Close ends the film. A film without frames is not a GIF that programs open.
func (f *Film) Close() error {
	f.w.WriteByte(0x3b)
	return f.w.Flush()
}

// subBlocks cuts bytes into blocks of 255 at most, each after its length.
type subBlocks struct {
	w    *bufio.Writer
	held [256]byte
	n    int
}

func (b *subBlocks) Write(p []byte) (int, error) {
	for _, c := range p {
		b.n++
		b.held[b.n] = c
		if b.n == 255 {
			if err := b.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

func (b *subBlocks) flush() error {
	b.held[0] = byte(b.n)
	_, err := b.w.Write(b.held[:b.n+1])
	b.n = 0
	return err
}

func (b *subBlocks) end() error {
	if b.n > 0 {
		if err := b.flush(); err != nil {
			return err
		}
	}
	return b.w.WriteByte(0)
}
