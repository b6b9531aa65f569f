#include "textflag.h"

// One row of four: multiply the two halves of a row of b by an element of a,
// then add. No fused instruction: it would round once where Go rounds twice.
#define ROW(a, lo, hi) \
	VBROADCASTSD (a)(DX*8), Y10; \
	VMULPD Y8, Y10, Y11; \
	VMULPD Y9, Y10, Y12; \
	VADDPD Y11, lo, lo; \
	VADDPD Y12, hi, hi

// func addProductAVX(c *float64, ld int, a, b *float64, depth int)
TEXT ·addProductAVX(SB), NOSPLIT, $0-40
	MOVQ c+0(FP), DI
	MOVQ ld+8(FP), R8
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), BX
	MOVQ depth+32(FP), CX
	SHLQ $3, R8
	LEAQ (DI)(R8*1), R9
	LEAQ (DI)(R8*2), R10
	LEAQ (R9)(R8*2), R11
	LEAQ (SI)(R8*1), R12
	LEAQ (SI)(R8*2), R13
	LEAQ (R12)(R8*2), AX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD (R9), Y2
	VMOVUPD 32(R9), Y3
	VMOVUPD (R10), Y4
	VMOVUPD 32(R10), Y5
	VMOVUPD (R11), Y6
	VMOVUPD 32(R11), Y7
	XORQ DX, DX

loop:
	VMOVUPD (BX), Y8
	VMOVUPD 32(BX), Y9
	ROW(SI, Y0, Y1)
	ROW(R12, Y2, Y3)
	ROW(R13, Y4, Y5)
	ROW(AX, Y6, Y7)
	ADDQ $64, BX
	INCQ DX
	CMPQ DX, CX
	JLT  loop

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, (R9)
	VMOVUPD Y3, 32(R9)
	VMOVUPD Y4, (R10)
	VMOVUPD Y5, 32(R10)
	VMOVUPD Y6, (R11)
	VMOVUPD Y7, 32(R11)
	VZEROUPPER
	RET
