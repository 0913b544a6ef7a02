package jpeg

// The inverse transforms. idct8 is the algorithm of Loeffler, Ligtenberg and Moschytz
// ("Practical fast 1-D DCT algorithms with 11 multiplications", ICASSP 1989) with 13-bit
// constants and two bits more between the passes, rounded as the reference implementation
// of the Independent JPEG Group rounds it: results are the same to the bit. The smaller
// ones are inverse transforms of 4 and 2 points over the coefficients of low frequency,
// which is what a picture of half or a quarter of the size has.

const (
	f0_298 = 2446
	f0_390 = 3196
	f0_541 = 4433
	f0_765 = 6270
	f0_899 = 7373
	f1_175 = 9633
	f1_306 = 10703
	f1_501 = 12299
	f1_847 = 15137
	f1_961 = 16069
	f2_053 = 16819
	f2_562 = 20995
	f3_072 = 25172
)

// sample makes a sample of a value around zero.
func sample(v int32) byte {
	v += 128
	if uint32(v) > 255 {
		return byte(^(v >> 31))
	}
	return byte(v)
}

// fill writes a block of n by n samples that are all alike.
func fill(out []byte, stride, n int, dc int32) {
	v := sample((dc + 4) >> 3)
	for y := range n {
		row := out[y*stride : y*stride+n]
		for x := range row {
			row[x] = v
		}
	}
}

func idct8(c *[64]int32, out []byte, stride int) {
	for i := range 8 {
		if c[8+i]|c[16+i]|c[24+i]|c[32+i]|c[40+i]|c[48+i]|c[56+i] == 0 {
			v := c[i] << 2
			c[i], c[8+i], c[16+i], c[24+i], c[32+i], c[40+i], c[48+i], c[56+i] = v, v, v, v, v, v, v, v
			continue
		}
		z1 := (c[16+i] + c[48+i]) * f0_541
		t2 := z1 - c[48+i]*f1_847
		t3 := z1 + c[16+i]*f0_765
		t0 := (c[i] + c[32+i]) << 13
		t1 := (c[i] - c[32+i]) << 13
		a0, a3, a1, a2 := t0+t3, t0-t3, t1+t2, t1-t2
		t0, t1, t2, t3 = c[56+i], c[40+i], c[24+i], c[8+i]
		z1, z2, z3, z4 := t0+t3, t1+t2, t0+t2, t1+t3
		z5 := (z3 + z4) * f1_175
		t0 *= f0_298
		t1 *= f2_053
		t2 *= f3_072
		t3 *= f1_501
		z1 *= -f0_899
		z2 *= -f2_562
		z3 = z3*-f1_961 + z5
		z4 = z4*-f0_390 + z5
		t0 += z1 + z3
		t1 += z2 + z4
		t2 += z2 + z3
		t3 += z1 + z4
		const round, shift = 1 << 10, 11
		c[i], c[56+i] = (a0+t3+round)>>shift, (a0-t3+round)>>shift
		c[8+i], c[48+i] = (a1+t2+round)>>shift, (a1-t2+round)>>shift
		c[16+i], c[40+i] = (a2+t1+round)>>shift, (a2-t1+round)>>shift
		c[24+i], c[32+i] = (a3+t0+round)>>shift, (a3-t0+round)>>shift
	}
	for y := range 8 {
		r := c[8*y : 8*y+8 : 8*y+8]
		o := out[y*stride : y*stride+8 : y*stride+8]
		z1 := (r[2] + r[6]) * f0_541
		t2 := z1 - r[6]*f1_847
		t3 := z1 + r[2]*f0_765
		t0 := (r[0] + r[4]) << 13
		t1 := (r[0] - r[4]) << 13
		a0, a3, a1, a2 := t0+t3, t0-t3, t1+t2, t1-t2
		t0, t1, t2, t3 = r[7], r[5], r[3], r[1]
		z1, z2, z3, z4 := t0+t3, t1+t2, t0+t2, t1+t3
		z5 := (z3 + z4) * f1_175
		t0 *= f0_298
		t1 *= f2_053
		t2 *= f3_072
		t3 *= f1_501
		z1 *= -f0_899
		z2 *= -f2_562
		z3 = z3*-f1_961 + z5
		z4 = z4*-f0_390 + z5
		t0 += z1 + z3
		t1 += z2 + z4
		t2 += z2 + z3
		t3 += z1 + z4
		const round, shift = 1 << 17, 18
		o[0], o[7] = sample((a0+t3+round)>>shift), sample((a0-t3+round)>>shift)
		o[1], o[6] = sample((a1+t2+round)>>shift), sample((a1-t2+round)>>shift)
		o[2], o[5] = sample((a2+t1+round)>>shift), sample((a2-t1+round)>>shift)
		o[3], o[4] = sample((a3+t0+round)>>shift), sample((a3-t0+round)>>shift)
	}
}

func idct4(c *[64]int32, out []byte, stride int) {
	for i := range 4 {
		even, odd := (c[i]+c[16+i])<<13, (c[i]-c[16+i])<<13
		p := c[8+i]*f1_306 + c[24+i]*f0_541
		q := c[8+i]*f0_541 - c[24+i]*f1_306
		const round, shift = 1 << 10, 11
		c[i], c[24+i] = (even+p+round)>>shift, (even-p+round)>>shift
		c[8+i], c[16+i] = (odd+q+round)>>shift, (odd-q+round)>>shift
	}
	for y := range 4 {
		r := c[8*y : 8*y+4 : 8*y+4]
		o := out[y*stride : y*stride+4 : y*stride+4]
		even, odd := (r[0]+r[2])<<13, (r[0]-r[2])<<13
		p := r[1]*f1_306 + r[3]*f0_541
		q := r[1]*f0_541 - r[3]*f1_306
		const round, shift = 1 << 17, 18
		o[0], o[3] = sample((even+p+round)>>shift), sample((even-p+round)>>shift)
		o[1], o[2] = sample((odd+q+round)>>shift), sample((odd-q+round)>>shift)
	}
}

func idct2(c *[64]int32, out []byte, stride int) {
	a, b, e, f := c[0]+c[8], c[0]-c[8], c[1]+c[9], c[1]-c[9]
	out[0], out[1] = sample((a+e+4)>>3), sample((a-e+4)>>3)
	out[stride], out[stride+1] = sample((b+f+4)>>3), sample((b-f+4)>>3)
}
