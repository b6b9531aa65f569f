//go:build !amd64 || noasm

package f32

func best() set { return plainGo }

func (set) sumRows(dst, from, w []float32, stride int, rows []int32, limit int) bool {
	return sumRowsGo(dst, from, w, stride, rows, limit)
}

func (set) sumPanel(to *party, panel []float32, at int) { sumPanelGo(to, panel, at) }

func (set) bernoulli(dst []int32, x []float32, l *Lanes) int { return bernoulliGo(dst, x, l) }

func (set) bernoulliScaled(dst []int32, x, bias1 []float32, c1 float32, l *Lanes) int {
	return bernoulliScaledGo(dst, x, bias1, c1, l)
}

func (set) bernoulliBetween(dst []int32, x, bias0, bias1 []float32, c0, c1 float32, l *Lanes) int {
	return bernoulliBetweenGo(dst, x, bias0, bias1, c0, c1, l)
}

func (set) sigmoid(dst, x []float32) { sigmoidGo(dst, x) }

func (set) softplus(dst, x []float32) { softplusGo(dst, x) }

func (set) sumSoftplus(to *sums, x []float32, scale float32) { sumSoftplusGo(to, x, scale) }

// sumSteps adds no steps: all are left to the caller.
func (set) sumSteps(*sums, []float32, float32, float32) int { return 0 }

func (set) dot(to *sums, x, y []float32) { dotGo(to, x, y) }

func (set) axpy(dst []float32, a float32, x []float32) { axpyGo(dst, a, x) }
