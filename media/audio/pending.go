package audio

import (
	"slices"

	"quicksand/media/audio/dsp"
)

// maxFades is how many fades may be pending. Each is computed whenever samples are read.
const maxFades = 8

// A fade is one that is pending: of n frames, of which frame at of the clip is the first one.
// Where the clip was cut afterwards, that may be before its beginning or behind its end.
type fade struct {
	curve dsp.Curve
	at, n int64
	out   bool
}

// touches reports whether the fade changes any of the frames from one to before another.
func (f fade) touches(from, to int64) bool {
	if f.out {
		return to > f.at
	}
	return from < f.at+f.n
}

// apply fades samples, of which the first one is frame from of the clip.
func (f fade) apply(samples []float32, from int64) {
	if f.out {
		f.curve.FadeOut(samples, from-f.at, f.n)
	} else {
		f.curve.FadeIn(samples, from-f.at, f.n)
	}
}

// section are fades as those of a section see them, from one frame to before another, without
// those that do not reach into it.
func section(fades []fade, from, to int64) []fade {
	var list []fade
	for _, f := range fades {
		if f.touches(from, to) {
			f.at -= from
			list = append(list, f)
		}
	}
	return list
}

// reversed are the fades of a clip of so many frames when it is read from its end: the same
// ones, since a fade out is one in backwards.
func reversed(fades []fade, frames int64) []fade {
	list := slices.Clone(fades)
	for i, f := range list {
		list[i].at, list[i].out = frames-f.at-f.n, !f.out
	}
	return list
}

// A reading reads blocks of a clip, with all that is pending but the gain.
type reading struct {
	clip  *Clip
	block [][]float32
	room  [][]float32 // for what is not as it lies in the clip, once it is needed
}

func (c *Clip) reading() *reading { return &reading{clip: c, block: make([][]float32, len(c.planes))} }

func (r *reading) makeRoom() {
	if r.room == nil {
		r.room = planesOf(len(r.block), min(len(r.clip.planes[0]), BlockFrames))
	}
}

// frames are those from one to before another, at most BlockFrames, valid until the next call.
// They lie in the clip, which must not be changed, or in room.
func (r *reading) frames(from, to int) [][]float32 {
	c := r.clip
	moved := c.backwards
	for _, f := range c.fades {
		moved = moved || f.touches(int64(from), int64(to))
	}
	if moved {
		r.makeRoom()
	}
	for i, p := range c.planes {
		if !moved {
			r.block[i] = p[from:to:to]
			continue
		}
		out := r.room[i][:to-from]
		if c.backwards {
			for k, x := range p[len(p)-to : len(p)-from] {
				out[len(out)-1-k] = x
			}
		} else {
			copy(out, p[from:to])
		}
		for _, f := range c.fades {
			if f.touches(int64(from), int64(to)) {
				f.apply(out, int64(from))
			}
		}
		r.block[i] = out
	}
	return r.block
}
