package model

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// The operations over the rows of a block: registers are columns, and each row's
// numbers are added up in the order in which one row's are.

// columnOf is the column of a register, for as many rows as d has.
func columnOf(blk []float64, reg int32, d []float64) []float64 {
	return blk[int(reg)*batchRows : int(reg)*batchRows+len(d)]
}

func sumColumns(d []float64, args []int32, blk []float64) {
	clear(d)
	for _, r := range args {
		columns.Add(d, d, columnOf(blk, r, d))
	}
}

func meanColumns(d []float64, args []int32, blk []float64) {
	sumColumns(d, args, blk)
	for j := range d {
		d[j] /= float64(len(args))
	}
}

func prodColumns(d []float64, args []int32, blk []float64) {
	columns.Fill(d, 1)
	for _, r := range args {
		columns.Mul(d, d, columnOf(blk, r, d))
	}
}

func maxColumns(d []float64, args []int32, blk []float64) {
	columns.Fill(d, math.Inf(-1))
	for _, r := range args {
		for j, x := range columnOf(blk, r, d) {
			d[j] = max(d[j], x)
		}
	}
}

func minColumns(d []float64, args []int32, blk []float64) {
	columns.Fill(d, math.Inf(1))
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
		columns.AddMul(d, columnOf(blk, r, d), columnOf(blk, args[h+k], d))
	}
}
