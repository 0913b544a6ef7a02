//go:build !purego

#include "textflag.h"

// SUM adds the eight sums of a pair of registers.
#define SUM(lo, hi, t) \
	ADDPS   hi, lo; \
	MOVHLPS lo, t; \
	ADDPS   t, lo; \
	MOVAPS  lo, t; \
	SHUFPS  $1, t, t; \
	ADDSS   t, lo

// MAC adds the products of eight taps in X14 and X15 with what is at p.
#define MAC(p, lo, hi) \
	MOVUPS (p)(AX*4), X12; \
	MOVUPS 16(p)(AX*4), X13; \
	MULPS  X14, X12; \
	MULPS  X15, X13; \
	ADDPS  X12, lo; \
	ADDPS  X13, hi

// func dotSSE(h, x *float32, n int) float32
TEXT ·dotSSE(SB), NOSPLIT, $0-28
	MOVQ  h+0(FP), SI
	MOVQ  x+8(FP), DI
	MOVQ  n+16(FP), CX
	XORPS X0, X0
	XORPS X1, X1
	XORQ  AX, AX

loop:
	MOVUPS (SI)(AX*4), X14
	MOVUPS 16(SI)(AX*4), X15
	MAC(DI, X0, X1)
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    loop

	SUM(X0, X1, X2)
	MOVSS X0, ret+24(FP)
	RET

// func dot2SSE(f, h, x *float32, n int) (a, b float32)
TEXT ·dot2SSE(SB), NOSPLIT, $0-40
	MOVQ  f+0(FP), R8
	MOVQ  h+8(FP), R9
	MOVQ  x+16(FP), SI
	MOVQ  n+24(FP), CX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	XORQ  AX, AX

loop:
	MOVUPS (SI)(AX*4), X14
	MOVUPS 16(SI)(AX*4), X15
	MAC(R8, X0, X1)
	MAC(R9, X2, X3)
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    loop

	SUM(X0, X1, X4)
	SUM(X2, X3, X4)
	MOVSS X0, a+32(FP)
	MOVSS X2, b+36(FP)
	RET

// func dot3SSE(h, x *float32, n, step int) (a, b, c float32)
TEXT ·dot3SSE(SB), NOSPLIT, $0-44
	MOVQ  h+0(FP), SI
	MOVQ  x+8(FP), DI
	MOVQ  n+16(FP), CX
	MOVQ  step+24(FP), R8
	LEAQ  (DI)(R8*4), R9
	LEAQ  (R9)(R8*4), R10
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	XORPS X4, X4
	XORPS X5, X5
	XORQ  AX, AX

loop:
	MOVUPS (SI)(AX*4), X14
	MOVUPS 16(SI)(AX*4), X15
	MAC(DI, X0, X1)
	MAC(R9, X2, X3)
	MAC(R10, X4, X5)
	ADDQ   $8, AX
	CMPQ   AX, CX
	JLT    loop

	SUM(X0, X1, X6)
	SUM(X2, X3, X6)
	SUM(X4, X5, X6)
	MOVSS X0, a+32(FP)
	MOVSS X2, b+36(FP)
	MOVSS X4, c+40(FP)
	RET

// MAC8 adds the products of eight taps in Y15 with what is at p.
#define MAC8(p, sum) \
	VMULPS (p)(AX*4), Y15, Y12; \
	VADDPS Y12, sum, sum

// func dot3AVX(h, x *float32, n, step int) (a, b, c float32)
TEXT ·dot3AVX(SB), NOSPLIT, $0-44
	MOVQ   h+0(FP), SI
	MOVQ   x+8(FP), DI
	MOVQ   n+16(FP), CX
	MOVQ   step+24(FP), R8
	LEAQ   (DI)(R8*4), R9
	LEAQ   (R9)(R8*4), R10
	VXORPS Y0, Y0, Y0
	VXORPS Y2, Y2, Y2
	VXORPS Y4, Y4, Y4
	XORQ   AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y15
	MAC8(DI, Y0)
	MAC8(R9, Y2)
	MAC8(R10, Y4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     loop

	VEXTRACTF128 $1, Y0, X1
	VEXTRACTF128 $1, Y2, X3
	VEXTRACTF128 $1, Y4, X5
	VZEROUPPER
	SUM(X0, X1, X6)
	SUM(X2, X3, X6)
	SUM(X4, X5, X6)
	MOVSS X0, a+32(FP)
	MOVSS X2, b+36(FP)
	MOVSS X4, c+40(FP)
	RET
