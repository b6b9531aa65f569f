package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// kind is of what graphs a loop is.
type kind struct {
	unit bool // couplings are 1 and −1
	wide bool // fields have 32 bits
}

func (k kind) name() string {
	switch {
	case k.unit:
		return "updateUnit16"
	case k.wide:
		return "update32"
	}
	return "update16"
}

// bytes is those of a vector of fields.
func (k kind) bytes() int {
	if k.wide {
		return 128
	}
	return 64
}

// Sizes of the tables of thresholds, in bytes.
const (
	plane  = 2 * 64
	planes = 4
	digit  = planes * plane
)

// arguments are those of a loop, in registers.
type arguments struct {
	fields, up, ends, at, weight reg.Register
	i, here                      reg.GPVirtual // the spin, and its fields
}

// begin writes the head of a loop, and gives it the fields of the first spin.
func (k kind) begin(set string) *arguments {
	field := "*int16"
	if k.wide {
		field = "*int32"
	}
	TEXT(k.name()+set, attr.NOSPLIT, "func(fields "+field+", up, ends, at *uint32, weight *int32, from, to int, planes *uint16, digits, limit int, gen *uint64, sum "+field+") int64")
	Doc(k.name() + set + " is updateGo.")
	Pragma("noescape")
	a := &arguments{i: GP64(), here: GP64()}
	Load(Param("from"), a.i)
	Load(Param("fields"), a.here)
	offset := GP64()
	MOVQ(a.i, offset)
	SHLQ(Imm(uint64(bits.TrailingZeros(uint(k.bytes())))), offset)
	ADDQ(offset, a.here)
	return a
}

// load takes what a loop over neighbours needs from memory.
func (k kind) load(a *arguments) {
	a.fields, a.ends, a.at = Load(Param("fields"), GP64()), Load(Param("ends"), GP64()), Load(Param("at"), GP64())
	if !k.unit {
		a.weight = Load(Param("weight"), GP64())
	}
}

// neighbours runs body for the neighbours of the spin between two of its ends; to is the fields of one, and weight its coupling.
func (a *arguments) neighbours(label string, from, until int, body func(to func(disp int) Mem, weight Mem)) {
	e, end, to := GP64(), GP64(), GP64()
	MOVL(Mem{Base: a.ends, Index: a.i, Scale: 8, Disp: 4 * from}, e.As32())
	MOVL(Mem{Base: a.ends, Index: a.i, Scale: 8, Disp: 4 * until}, end.As32())
	CMPQ(e, end)
	JAE(LabelRef(label + "end"))
	Label(label)
	MOVL(Mem{Base: a.at, Index: e, Scale: 4}, to.As32())
	weight := Mem{}
	if a.weight != nil {
		weight = Mem{Base: a.weight, Index: e, Scale: 4}
	}
	body(func(disp int) Mem { return Mem{Base: a.fields, Index: to, Scale: 8, Disp: disp} }, weight)
	INCQ(e)
	CMPQ(e, end)
	JB(LabelRef(label))
	Label(label + "end")
}
