package model

import "math"

// The operations over the rows of a block: registers are columns, and each row's
// numbers are added up in the order in which one row's are.

func addColumns(d, a, b []float64) {
	for j := range d {
		d[j] = a[j] + b[j]
	}
}

func subColumns(d, a, b []float64) {
	for j := range d {
		d[j] = a[j] - b[j]
	}
}

func mulColumns(d, a, b []float64) {
	for j := range d {
		d[j] = times(a[j], b[j])
	}
}

func divColumns(d, a, b []float64) {
	for j := range d {
		d[j] = a[j] / b[j]
	}
}

func squareColumn(d, a []float64) {
	for j := range d {
		d[j] = a[j] * a[j]
	}
}

func negColumn(d, a []float64) {
	for j := range d {
		d[j] = -a[j]
	}
}

func sqrtColumn(d, a []float64) {
	for j := range d {
		d[j] = math.Sqrt(a[j])
	}
}

// columnOf is the column of a register, for as many rows as d has.
func columnOf(blk []float64, reg int32, d []float64) []float64 {
	return blk[int(reg)*batchRows : int(reg)*batchRows+len(d)]
}

func sumColumns(d []float64, args []int32, blk []float64) {
	clear(d)
	for _, r := range args {
		for j, x := range columnOf(blk, r, d) {
			d[j] += x
		}
	}
}

func meanColumns(d []float64, args []int32, blk []float64) {
	sumColumns(d, args, blk)
	for j := range d {
		d[j] /= float64(len(args))
	}
}

func prodColumns(d []float64, args []int32, blk []float64) {
	fill(d, 1)
	for _, r := range args {
		for j, x := range columnOf(blk, r, d) {
			d[j] *= x
		}
	}
}

func maxColumns(d []float64, args []int32, blk []float64) {
	fill(d, math.Inf(-1))
	for _, r := range args {
		for j, x := range columnOf(blk, r, d) {
			d[j] = max(d[j], x)
		}
	}
}

func minColumns(d []float64, args []int32, blk []float64) {
	fill(d, math.Inf(1))
	for _, r := range args {
		for j, x := range columnOf(blk, r, d) {
			d[j] = min(d[j], x)
		}
	}
}

func dotColumns(d []float64, args []int32, blk []float64) {
	clear(d)
	h := len(args) / 2
	for k, r := range args[:h] {
		a, b := columnOf(blk, r, d), columnOf(blk, args[h+k], d)
		for j := range d {
			d[j] += float64(a[j] * b[j])
		}
	}
}

func fill(d []float64, x float64) {
	for j := range d {
		d[j] = x
	}
}
