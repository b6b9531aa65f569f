package main

import (
	"math"
	"math/bits"
)

// plain is the yardstick: the program that a physicist writes, with care. Spins −1 and 1 of a periodic square lattice, a byte
// each; the two colours of the checkerboard in turns; Metropolis's rule by a table of what the probability of a flip is for
// each product of a spin with the sum of its neighbours; 64 random bits of xoroshiro128++ (Blackman and Vigna, 2021) a spin, compared
// with an integer.
type plain struct {
	side  int
	spins []int8
	flip  [9]uint64 // threshold of 64 bits by spin × sum + 4
	a, b  uint64    // of the generator
}

func newPlain(side int, beta float64) *plain {
	p := &plain{side: side, spins: make([]int8, side*side), a: 0x9e3779b97f4a7c15, b: 0xd1342543de82ef95}
	for i := range p.spins {
		p.spins[i] = 1
	}
	for k := range p.flip {
		p.flip[k] = math.MaxUint64
		if k > 4 {
			p.flip[k] = uint64(math.Exp(-2*beta*float64(k-4)) * 0x1p64)
		}
	}
	return p
}

// sweep takes each spin once.
func (p *plain) sweep() {
	for colour := range 2 {
		for y := range p.side {
			p.row(y, (y+colour)%2)
		}
	}
}

// row takes every other spin of a row.
func (p *plain) row(y, first int) {
	n := p.side
	row := p.spins[y*n : (y+1)*n]
	up, down := (y+n-1)%n*n, (y+1)%n*n
	above, below := p.spins[up : up+n][:len(row)], p.spins[down : down+n][:len(row)]
	a, b := p.a, p.b
	for x := first; x < len(row); x += 2 {
		left, right := x-1, x+1
		if left < 0 {
			left = len(row) - 1
		}
		if right == len(row) {
			right = 0
		}
		s := row[x]
		sum := above[x] + below[x] + row[left] + row[right]
		u := bits.RotateLeft64(a+b, 17) + a
		b ^= a
		a, b = bits.RotateLeft64(a, 49)^b^b<<21, bits.RotateLeft64(b, 28)
		_, flip := bits.Sub64(u, p.flip[s*sum+4], 0) // an if that the processor cannot foresee takes half as long again
		row[x] = s - 2*s*int8(flip)
	}
	p.a, p.b = a, b
}

// energy is per site.
func (p *plain) energy() float64 {
	e, n := 0, p.side
	for i, s := range p.spins {
		e -= int(s) * int(p.spins[i/n*n+(i+1)%n]+p.spins[(i+n)%(n*n)])
	}
	return float64(e) / float64(n*n)
}
