package jpeg

// bit reads one bit.
func (r *bits) bit() int32 {
	b := r.b[r.pos>>3] >> (7 - r.pos&7) & 1
	r.pos++
	return int32(b)
}

// take reads n bits, at most 16.
func (r *bits) take(n uint) int32 {
	v := int32(r.word() >> 1 >> (63 - n))
	r.pos += n
	return v
}

// symbol decodes one symbol of an AC table.
func (r *bits) symbol(t *huffTable) (byte, bool) {
	s, length := t.one(r.word())
	r.pos += length
	return s, length != 0
}

// progressiveBlock decodes what a scan brings of one block (T.81, G.1.2 and G.1.3).
func (s *scan) progressiveBlock(d *decoder, c *component, coef *[64]int16) error {
	r := &s.r
	if s.start == 0 {
		if s.high > 0 {
			coef[0] |= int16(r.bit() << s.low)
			return nil
		}
		diff, ok := r.dc(d.huff[0][c.dcTable])
		if !ok {
			return errCode
		}
		c.dc += diff
		coef[0] = int16(c.dc << s.low)
		return nil
	}
	if s.high > 0 {
		return s.refine(d.huff[1][c.acTable], coef)
	}
	if s.eobRun > 0 {
		s.eobRun--
		return nil
	}
	t := d.huff[1][c.acTable]
	for k := s.start; k <= s.end; {
		symbol, ok := r.symbol(t)
		if !ok {
			return errCode
		}
		run, size := int(symbol>>4), uint(symbol&15)
		if size == 0 {
			if run < 15 {
				s.eobRun = 1<<run - 1
				if run > 0 {
					s.eobRun += r.take(uint(run))
				}
				break
			}
			k += 16
			continue
		}
		if k += run; k > s.end {
			return errCode
		}
		coef[unzig[k]] = int16(extend(r.take(size), int(size)) << s.low)
		k++
	}
	return nil
}

// refine adds one bit to the coefficients of a band.
func (s *scan) refine(t *huffTable, coef *[64]int16) error {
	r := &s.r
	one := int16(1) << s.low
	k := s.start
	if s.eobRun == 0 {
		for k <= s.end {
			symbol, ok := r.symbol(t)
			if !ok {
				return errCode
			}
			run := int(symbol >> 4)
			var value int16
			switch symbol & 15 {
			case 0:
				if run < 15 {
					s.eobRun = 1 << run
					if run > 0 {
						s.eobRun += r.take(uint(run))
					}
				}
			case 1:
				value = -one
				if r.bit() == 1 {
					value = one
				}
			default:
				return errCode
			}
			if s.eobRun > 0 {
				break
			}
			if k = s.refineRun(coef, k, run, one); value != 0 {
				if k > s.end {
					return errCode
				}
				coef[unzig[k]] = value
			}
			k++
			if r.pos > r.end {
				return errShort
			}
		}
	}
	if s.eobRun > 0 {
		s.eobRun--
		s.refineRun(coef, k, 64, one)
	}
	return nil
}

// refineRun corrects the coefficients that are not zero from k on, up to and without the
// zero after run others, and returns its place.
func (s *scan) refineRun(coef *[64]int16, k, run int, one int16) int {
	for ; k <= s.end; k++ {
		p := &coef[unzig[k]]
		if *p == 0 {
			if run == 0 {
				break
			}
			run--
			continue
		}
		if s.r.bit() == 1 && *p&one == 0 {
			if *p >= 0 {
				*p += one
			} else {
				*p -= one
			}
		}
	}
	return k
}
