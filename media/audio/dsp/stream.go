package dsp

import "context"

// A Processor turns sound into sound, in blocks: Process until all is taken, then Flush until
// it gives 0. All blocks have the Processor's channels. dst and src must not overlap.
type Processor interface {
	// Process takes frames of src and writes frames to dst, of which it returns how many. It
	// stops only when all of src is taken or dst is full. It keeps neither of them.
	Process(dst, src [][]float32) (written, taken int)
	// Flush writes what is left when there is no more to come, as far as dst has room, and
	// returns how many frames it wrote, 0 if nothing is left. Process must not be called
	// after it before Reset.
	Flush(dst [][]float32) int
	// Reset makes it as new.
	Reset()
}

// checkFrames is how many frames Run works on before it looks at its context: some 20 ms of
// resampling eight channels between odd rates.
const checkFrames = 16_384

// Run resets p and lets it work on the whole of src until dst is full or nothing is left. It
// returns how many frames it wrote. Its only error is that of ctx.
func Run(ctx context.Context, p Processor, dst, src [][]float32) (int, error) {
	p.Reset()
	written, frames, taken := 0, length(src), 0
	for {
		if err := ctx.Err(); err != nil {
			return written, err
		}
		room := between(dst, written, min(written+checkFrames, length(dst)))
		n := 0
		if taken < frames {
			var t int
			n, t = p.Process(room, between(src, taken, min(taken+checkFrames, frames)))
			taken += t
		} else if n = p.Flush(room); n == 0 {
			return written, nil
		}
		written += n
		if written == length(dst) {
			return written, nil
		}
	}
}

// length is the number of frames of a block.
func length(block [][]float32) int {
	if len(block) == 0 {
		return 0
	}
	return len(block[0])
}

// between is a part of a block, which shares its memory.
func between(block [][]float32, from, to int) [][]float32 {
	part := make([][]float32, len(block))
	for c := range block {
		part[c] = block[c][from:to]
	}
	return part
}
