package model

// The derivatives of operations on blocks: push writes the change of y along dx,
// pull adds the gradient by x of Σ dy·y to dx.

// inversePush is −Y dX Y.
func inversePush(dy, dx, _, y []float64, sc *scratch) {
	n := side(len(y))
	t := sc.more(len(y))
	matMul(t, y, dx, n)
	matMul(dy, t, y, n)
	for k := range dy {
		dy[k] = -dy[k]
	}
}

// inversePull is −Yᵀ dY Yᵀ.
func inversePull(dx, dy, _, y []float64, sc *scratch) {
	n := side(len(y))
	buf := sc.more(3 * len(y))
	yt, t, u := buf[:len(y)], buf[len(y):2*len(y)], buf[2*len(y):]
	for j := range n {
		for i := range n {
			yt[i+j*n] = y[j+i*n]
		}
	}
	matMul(t, yt, dy, n)
	matMul(u, t, yt, n)
	for k := range dx {
		dx[k] -= u[k]
	}
}

// matrixExpPush is the corner of the exponential of (X dX; 0 X), twice as wide (Van
// Loan 1978).
func matrixExpPush(dy, dx, x, _ []float64, sc *scratch) { matrixExpAlong(dy, dx, x, sc) }

// matrixExpPull is the change of exp(Xᵀ) along dY.
func matrixExpPull(dx, dy, x, _ []float64, sc *scratch) {
	n := side(len(x))
	xt, out := make([]float64, len(x)), make([]float64, len(x))
	for i := range n {
		for j := range n {
			xt[i+j*n] = x[j+i*n]
		}
	}
	matrixExpAlong(out, dy, xt, sc)
	for k := range dx {
		dx[k] += out[k]
	}
}

func matrixExpAlong(out, dx, x []float64, sc *scratch) {
	n := side(len(x))
	w := 2 * n
	big, exp := make([]float64, w*w), make([]float64, w*w)
	for j := range n {
		copy(big[j*w:], x[j*n:(j+1)*n])
		copy(big[(n+j)*w:], dx[j*n:(j+1)*n])
		copy(big[(n+j)*w+n:], x[j*n:(j+1)*n])
	}
	matrixExp(exp, big, sc)
	for j := range n {
		copy(out[j*n:(j+1)*n], exp[(n+j)*w:])
	}
}

func sortPush(dy, dx, x, _ []float64, sc *scratch) {
	for i, k := range sc.sorted(x) {
		dy[i] = dx[k]
	}
}

func sortPull(dx, dy, x, _ []float64, sc *scratch) {
	for i, k := range sc.sorted(x) {
		dx[k] += dy[i]
	}
}
