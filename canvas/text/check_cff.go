package text

// Budgets of CFF outlines ("Adobe Technical Notes 5176 and 5177"). Subroutines may call each
// other many times over, ten deep.
const (
	maxSteps      = 1 << 17  // instructions of an outline
	maxAllSteps   = 64 << 20 // instructions of all outlines
	maxSubrs      = 4 << 20  // subroutines, counted for each font dictionary
	maxFontDicts  = 256
	maxSubrsDepth = 10
)

// cffIndex is a list of byte strings.
type cffIndex struct {
	reader
	at, count, width int // offset of the offsets, their number less one and size
	end              int
}

func readIndex(r reader, at int) cffIndex {
	x := cffIndex{reader: r, at: at + 3, count: r.u16(at), width: r.u8(at + 2)}
	if x.count == 0 {
		x.end = at + 2
		return x
	}
	if x.width < 1 || x.width > 4 || x.data() > len(r) {
		panic(errComplex)
	}
	x.end = x.data() + x.offset(x.count)
	return x
}

// data is where the offsets count from, which begin with 1.
func (x *cffIndex) data() int { return x.at + (x.count+1)*x.width - 1 }

func (x *cffIndex) offset(i int) int {
	v := 0
	for j := range x.width {
		v = v<<8 | x.u8(x.at+i*x.width+j)
	}
	return v
}

func (x *cffIndex) get(i int) []byte {
	if i < 0 || i >= x.count {
		return nil
	}
	from, to := x.data()+x.offset(i), x.data()+x.offset(i+1)
	if from > to || to > len(x.reader) {
		return nil
	}
	return x.reader[from:to]
}

// readDict returns the integers of the operators that are asked for: those of two bytes have
// 1200 added to the second.
func readDict(d reader) map[int][]int {
	dict := make(map[int][]int)
	var args []int
	for i := 0; i < len(d); {
		b := d.u8(i)
		switch {
		case b <= 21:
			if b == 12 {
				i++
				b = 1200 + d.u8(i)
			}
			dict[b] = args
			args = nil
			i++
		case b == 28:
			args = append(args, int(int16(d.u16(i+1))))
			i += 3
		case b == 29:
			args = append(args, int(int32(d.u32(i+1))))
			i += 5
		case b == 30: // a decimal number ends with a nibble of ones
			for i++; i < len(d) && d[i]&15 != 15 && d[i]>>4 != 15; i++ {
			}
			args = append(args, 0)
			i++
		case b >= 32 && b <= 246:
			args = append(args, b-139)
			i++
		case b >= 247 && b <= 250:
			args = append(args, (b-247)*256+d.u8(i+1)+108)
			i += 2
		case b >= 251 && b <= 254:
			args = append(args, -(b-251)*256-d.u8(i+1)-108)
			i += 2
		default:
			i++
		}
	}
	return dict
}

func one(args []int) int {
	if len(args) == 0 || args[0] < 0 {
		return 0
	}
	return args[0]
}

// checkCFF runs through all outlines without drawing them and counts the steps.
func checkCFF(table reader) {
	if len(table) == 0 {
		return
	}
	names := readIndex(table, table.u8(2))
	tops := readIndex(table, names.end)
	strings := readIndex(table, tops.end)
	global := readIndex(table, strings.end)
	top := readDict(tops.get(0))
	glyphs := readIndex(table, one(top[17]))

	subrs := global.count
	local := func(dict map[int][]int) cffIndex {
		private := dict[18]
		if len(private) != 2 || private[0] < 0 || private[1] < 0 || private[0] > len(table) || private[1] > len(table)-private[0] {
			return cffIndex{}
		}
		o := one(readDict(table[private[1] : private[1]+private[0]])[19])
		if o == 0 {
			return cffIndex{}
		}
		x := readIndex(table, private[1]+o)
		if subrs += x.count; subrs > maxSubrs {
			panic(errComplex)
		}
		return x
	}
	locals := []cffIndex{local(top)}
	choose := func(glyph int) int { return 0 }
	if o := one(top[1236]); o != 0 {
		dicts := readIndex(table, o)
		if dicts.count > maxFontDicts {
			panic(errComplex)
		}
		locals = locals[:0]
		for i := range dicts.count {
			locals = append(locals, local(readDict(dicts.get(i))))
		}
		choose = fontDicts(table, one(top[1237]))
	}

	left := maxAllSteps
	for i := range glyphs.count {
		run := cffRun{global: global}
		if d := choose(i); d < len(locals) {
			run.local = locals[d]
		}
		run.do(glyphs.get(i), 0)
		if left -= run.steps; left < 0 {
			panic(errComplex)
		}
	}
}

// fontDicts returns the function from glyphs, in ascending order, to font dictionaries.
func fontDicts(table reader, at int) func(int) int {
	if table.u8(at) == 0 {
		return func(glyph int) int { return table.u8(at + 1 + glyph) }
	}
	i, n := 0, table.u16(at+1)
	return func(glyph int) int {
		for i+1 < n && table.u16(at+3+3*(i+1)) <= glyph {
			i++
		}
		return table.u8(at + 3 + 3*i + 2)
	}
}

// cffRun follows the instructions of an outline.
type cffRun struct {
	local, global cffIndex
	stack         [64]int
	top           int
	stems         int
	steps         int
	ended         bool
}

func (c *cffRun) push(v int) {
	if c.top < len(c.stack) {
		c.stack[c.top] = v
		c.top++
	}
}

func (c *cffRun) do(code reader, depth int) {
	for i := 0; i < len(code) && !c.ended; {
		if c.steps++; c.steps > maxSteps {
			panic(errComplex)
		}
		b := code.u8(i)
		i++
		switch {
		case b == 28:
			c.push(int(int16(code.u16(i))))
			i += 2
		case b >= 32 && b <= 246:
			c.push(b - 139)
		case b >= 247 && b <= 250:
			c.push((b-247)*256 + code.u8(i) + 108)
			i++
		case b >= 251 && b <= 254:
			c.push(-(b-251)*256 - code.u8(i) - 108)
			i++
		case b == 255:
			c.push(int(int16(code.u16(i))))
			i += 4
		case b == 10, b == 29:
			if c.top == 0 || depth == maxSubrsDepth {
				c.ended = true
				return
			}
			c.top--
			subrs := &c.global
			if b == 10 {
				subrs = &c.local
			}
			bias := 107
			if subrs.count >= 33900 {
				bias = 32768
			} else if subrs.count >= 1240 {
				bias = 1131
			}
			c.do(subrs.get(c.stack[c.top]+bias), depth+1)
		case b == 11:
			return
		case b == 14:
			c.ended = true
		case b == 1, b == 3, b == 18, b == 23:
			c.stems += c.top / 2
			c.top = 0
		case b == 19, b == 20:
			c.stems += c.top / 2
			c.top = 0
			i += (c.stems + 7) / 8
		case b == 12:
			i++
			c.top = 0
		default:
			c.top = 0
		}
	}
}
