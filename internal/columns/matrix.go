package columns

// AddMatVec sets d[i] += Σⱼ x[i + j·ld]·b[j]: d[i] is where the sum begins.
func AddMatVec(d, x []float64, ld int, b []float64) {
	if checkPanel(len(d), x, ld, len(b)) {
		best().addMatVec(d, x, ld, b)
	}
}

// AddMatTVec adds Σᵢ x[i + j·ld]·r[i] to g[j]: the product of the transposed rows of a matrix and a vector.
func AddMatTVec(g []Sums, x []float64, ld int, r []float64) {
	if checkPanel(len(r), x, ld, len(g)) {
		best().addMatTVec(g, x, ld, r)
	}
}

// checkPanel panics if x does not hold a panel of the rows and columns, and tells whether there is anything in it.
func checkPanel(rows int, x []float64, ld, columns int) bool {
	if rows == 0 || columns == 0 {
		return false
	}
	if ld < rows && columns > 1 {
		panic("columns: a panel's columns overlap")
	}
	_ = x[rows-1+(columns-1)*ld]
	return true
}

func addMatVecGo(d, x []float64, ld int, b []float64) {
	j := 0
	for ; j+4 <= len(b); j += 4 {
		p, q, r, s := x[j*ld:][:len(d)], x[(j+1)*ld:][:len(d)], x[(j+2)*ld:][:len(d)], x[(j+3)*ld:][:len(d)]
		for i := range d {
			d[i] = (((d[i] + float64(p[i]*b[j])) + float64(q[i]*b[j+1])) + float64(r[i]*b[j+2])) + float64(s[i]*b[j+3])
		}
	}
	for ; j < len(b); j++ {
		addScaledGo(d, x[j*ld:][:len(d)], b[j])
	}
}

func addMatTVecGo(g []Sums, x []float64, ld int, r []float64) {
	for j := range g {
		dotGo(&g[j], r, x[j*ld:][:len(r)])
	}
}
