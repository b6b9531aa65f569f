//go:build amd64 && !noasm

package multispin

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C ../assembly run ./multispin -set AVX512 -out ../multispin/avx512_amd64.s -stubs ../multispin/avx512_amd64.go -pkg multispin
//go:generate go -C ../assembly run ./multispin -set AVX2 -out ../multispin/avx2_amd64.s -stubs ../multispin/avx2_amd64.go -pkg multispin

// best is the widest instruction set that processor and operating system have.
func best() set {
	switch {
	case cpu.X86.HasAVX512F:
		return avx512
	case cpu.X86.HasAVX2:
		return avx2
	}
	return plainGo
}

func at(x []uint64) *uint64 { return unsafe.SliceData(x) }

func (s set) update(r *Row, rule *Rule, l *Lanes) {
	if s == plainGo {
		updateGo(r, rule, l)
		return
	}
	self, live, beside, n := at(r.Self), at(r.Live), at(r.Beside), 8*len(r.Self)
	a, b, c, d := at(r.Across[0]), at(r.Across[1]), at(r.Across[2]), at(r.Across[3])
	planes, lanes := &rule.planes[0][0], &l.s[0][0]
	wide, bath, cubic := s == avx512, rule.kind == HeatBath, rule.neighbours == 6
	switch {
	case wide && !bath && !cubic:
		metropolisSquareAVX512(self, live, beside, a, b, n, r.Before, rule.anti, planes, rule.last, lanes)
	case wide && !bath:
		metropolisCubicAVX512(self, live, beside, a, b, c, d, n, r.Before, rule.anti, planes, rule.last, lanes)
	case wide && !cubic:
		heatBathSquareAVX512(self, live, beside, a, b, n, r.Before, rule.anti, planes, rule.last, lanes)
	case wide:
		heatBathCubicAVX512(self, live, beside, a, b, c, d, n, r.Before, rule.anti, planes, rule.last, lanes)
	case !bath && !cubic:
		metropolisSquareAVX2(self, live, beside, a, b, n, r.Before, rule.anti, planes, rule.last, lanes)
	case !bath:
		metropolisCubicAVX2(self, live, beside, a, b, c, d, n, r.Before, rule.anti, planes, rule.last, lanes)
	case !cubic:
		heatBathSquareAVX2(self, live, beside, a, b, n, r.Before, rule.anti, planes, rule.last, lanes)
	default:
		heatBathCubicAVX2(self, live, beside, a, b, c, d, n, r.Before, rule.anti, planes, rule.last, lanes)
	}
}

func (s set) unequal(r *Row, neighbours int) int {
	self, live, beside, n := at(r.Self), at(r.Live), at(r.Beside), 8*len(r.Self)
	switch {
	case s == plainGo:
		return unequalGo(r, neighbours)
	case neighbours == 4:
		return unequalSquareAVX2(self, live, beside, at(r.Across[0]), at(r.Across[1]), n, r.Before)
	}
	return unequalCubicAVX2(self, live, beside, at(r.Across[0]), at(r.Across[1]), at(r.Across[2]), at(r.Across[3]), n, r.Before)
}

func (s set) turn(dst, src []uint64, left, right int, mask uint64) {
	if s == plainGo {
		turnGo(dst, src, left, right, mask)
		return
	}
	turnAVX2(at(dst), at(src), 8*len(dst), uint64(left), uint64(right), mask)
}
