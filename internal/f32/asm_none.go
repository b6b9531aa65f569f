//go:build !amd64 || noasm

package f32

func best() set { return plainGo }

func (set) sumRows(dst, from, w []float32, stride int, rows []int32, limit int) bool {
	return sumRowsGo(dst, from, w, stride, rows, limit)
}

func (set) sumPanel(all []batch, at int, start, panel []float32, wide bool) {
	sumPanelGo(all, at, start, panel, wide)
}

func (set) distances(dst []uint16, list []int32, base, size uint32) int {
	return distancesGo(dst, list, base, size)
}

func (set) bernoulli(dst []int32, x []float32, c float32, l *Lanes) int {
	return bernoulliGo(dst, x, c, l)
}

func (set) bernoulliAlong(dst []int32, x, line []float32, c float32, l *Lanes) int {
	return bernoulliAlongGo(dst, x, line, c, l)
}

func (set) line(dst []float32, a float32, x []float32, b float32, y []float32) {
	lineGo(dst, a, x, b, y)
}

func (set) sigmoid(dst, x []float32) { sigmoidGo(dst, x) }

func (set) softplus(dst, x []float32) { softplusGo(dst, x) }

func (set) sumSoftplus(to *sums, x []float32, scale float32) { sumSoftplusGo(to, x, scale) }

// sumSteps adds no steps: all are left to the caller.
func (set) sumSteps(*sums, []float32, float32, float32) int { return 0 }

func (set) dot(to *sums, x, y []float32) { dotGo(to, x, y) }

func (set) axpy(dst []float32, a float32, x []float32) { axpyGo(dst, a, x) }
