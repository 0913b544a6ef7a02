package flac

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"hash"
	"runtime"
	"slices"
	"sync"

	"quicksand/media/audio"
)

// BlockFrames is how many samples of each channel a frame has that an Encoder writes.
const BlockFrames = 4096

// Options say how an Encoder works. The zero value is the default.
type Options struct {
	// Effort is how hard to try for a small file, from 1 to 10. Zero means 5, which is what
	// level 5 of other encoders is. Music is 12 % larger with 1, in 4/5 of the time, 1 %
	// smaller with 7, in 2.6 times that, and hardly smaller still with 10, in ten times that.
	Effort int
}

// An Encoder writes a file. Only one goroutine uses it, while frames are encoded by others,
// one for each processor, which end with Close.
type Encoder struct {
	info Info
	out  []byte
	sum  hash.Hash
	jobs chan *job
	sums chan *job

	free, busy []*job // busy ones in the order of their frames
	filling    *job   // nil without samples
	minBytes   int
	maxBytes   int

	start    int // of the first frame
	seek     int // of the next seek point, in out
	seekLeft int
	seekNext int64
	seekStep int64
	written  int64 // samples in out, of each channel
	closed   bool
}

// A job is a frame on its way.
type job struct {
	encoder *frameEncoder
	memory  [][]int32
	planes  [][]int32
	frames  int
	number  uint64
	out     []byte
	packed  []byte
	failure any // a panic's value
	done    sync.WaitGroup
}

// NewEncoder begins a file. Of info it takes Rate, Channels, Depth, and Frames, which may be
// −1; it need not be right, but places for seek points are kept for so many.
func NewEncoder(info Info, o Options) (*Encoder, error) {
	switch {
	case info.Rate < 1 || info.Rate > maxRate:
		return nil, fmt.Errorf("the sampling rate is %d Hz; FLAC has 1 to %d", info.Rate, maxRate)
	case info.Channels < 1 || info.Channels > 8:
		return nil, fmt.Errorf("there are %d channels; FLAC has 1 to 8", info.Channels)
	case info.Depth < 4 || info.Depth > 32:
		return nil, fmt.Errorf("samples of %d bits cannot be written; FLAC has 4 to 32", info.Depth)
	case o.Effort < 0 || o.Effort > 10:
		return nil, fmt.Errorf("the effort is %d; it must be 1 to 10", o.Effort)
	}
	if o.Effort == 0 {
		o.Effort = 5
	}
	info.MinBlock, info.MaxBlock = BlockFrames, BlockFrames
	e := &Encoder{info: info, sum: md5.New()}
	e.head()
	workers := min(runtime.GOMAXPROCS(0), 8)
	// One is filled while each worker has one, and one waits for its turn to be collected.
	count := workers + 2
	e.jobs, e.sums = make(chan *job, count), make(chan *job, count)
	for range count {
		j := &job{encoder: newFrameEncoder(effortOf(o.Effort), info.Depth, info.Rate, BlockFrames)}
		for range info.Channels {
			j.memory = append(j.memory, make([]int32, BlockFrames))
		}
		j.planes = make([][]int32, info.Channels)
		e.free = append(e.free, j)
	}
	for range workers {
		go func() {
			for j := range e.jobs {
				j.encode()
			}
		}()
	}
	go func() {
		for j := range e.sums {
			j.packed = packSamples(j.packed[:0], j.planes, info.Depth)
			e.sum.Write(j.packed)
			j.done.Done()
		}
	}()
	return e, nil
}

func (j *job) encode() {
	defer j.done.Done()
	defer func() { j.failure = recover() }()
	j.out = j.encoder.encode(j.number, j.planes)
}

// seekSeconds is the time between seek points.
const seekSeconds = 10

// head writes the metadata, to be completed at the end.
func (e *Encoder) head() {
	e.out = append(e.out, "fLaC"...)
	points := 0
	if e.info.Frames > 0 {
		e.seekStep = max(seekSeconds*int64(e.info.Rate), 16*BlockFrames)
		points = int(min((e.info.Frames-1)/e.seekStep, 1<<16))
	}
	last := byte(lastBlock)
	if points > 0 {
		last = 0
	}
	e.out = append(e.out, typeInfo|last, 0, 0, infoSize)
	e.out = append(e.out, make([]byte, infoSize)...)
	if points > 0 {
		size := 18 * points
		e.out = append(e.out, typeSeek|lastBlock, byte(size>>16), byte(size>>8), byte(size))
		e.seek, e.seekLeft, e.seekNext = len(e.out), points, e.seekStep
		for range points {
			// A placeholder, until it is known.
			e.out = binary.BigEndian.AppendUint64(e.out, 1<<64-1)
			e.out = append(e.out, make([]byte, 10)...)
		}
	}
	e.start = len(e.out)
}

// Write adds samples, one slice for each channel, all of the same length, each sample within
// the depth. They may be changed afterwards.
func (e *Encoder) Write(planes [][]int32) error {
	if len(planes) != e.info.Channels {
		return fmt.Errorf("there are %d channels instead of %d", len(planes), e.info.Channels)
	}
	for at := 0; at < len(planes[0]); {
		if e.filling == nil {
			if len(e.free) == 0 {
				e.collect()
			}
			last := len(e.free) - 1
			e.filling = e.free[last]
			e.free = e.free[:last]
			e.filling.frames = 0
		}
		j := e.filling
		n := 0
		for i, p := range planes {
			n = copy(j.memory[i][j.frames:], p[at:])
		}
		at += n
		if j.frames += n; j.frames == BlockFrames {
			e.send()
		}
	}
	return nil
}

// send has the job that was filled encoded.
func (e *Encoder) send() {
	j := e.filling
	e.filling = nil
	for i, p := range j.memory {
		j.planes[i] = p[:j.frames]
	}
	j.number = uint64(e.written/BlockFrames) + uint64(len(e.busy))
	j.done.Add(2)
	e.busy = append(e.busy, j)
	e.jobs <- j
	e.sums <- j
}

// collect waits for the oldest frame and adds it to the file.
func (e *Encoder) collect() {
	j := e.busy[0]
	e.busy = append(e.busy[:0], e.busy[1:]...)
	j.done.Wait()
	if j.failure != nil {
		panic(j.failure) // in the goroutine of the caller, who expects it
	}
	for e.seekLeft > 0 && e.seekNext < e.written+int64(j.frames) {
		point := e.out[e.seek:]
		binary.BigEndian.PutUint64(point, uint64(e.written))
		binary.BigEndian.PutUint64(point[8:], uint64(len(e.out)-e.start))
		binary.BigEndian.PutUint16(point[16:], uint16(j.frames))
		e.seek += 18
		e.seekLeft--
		e.seekNext += e.seekStep
	}
	e.grow(len(j.out))
	e.out = append(e.out, j.out...)
	e.written += int64(j.frames)
	if n := len(j.out); e.minBytes == 0 || n < e.minBytes {
		e.minBytes = n
	}
	e.maxBytes = max(e.maxBytes, len(j.out))
	e.free = append(e.free, j)
}

// grow makes room for n bytes: for as many as the rest of the sound will need if it goes on as
// before, so that they are copied once, or twice what there was.
func (e *Encoder) grow(n int) {
	if len(e.out)+n <= cap(e.out) {
		return
	}
	more := max(len(e.out), 64<<10)
	if e.written >= 64*BlockFrames && e.info.Frames > e.written {
		more = int(float64(len(e.out)) * float64(e.info.Frames-e.written) / float64(e.written) * 1.03)
		// What the header of a damaged file promises is not believed too far.
		more = min(more, 16*len(e.out))
	}
	e.out = slices.Grow(e.out, max(more, n))
}

// maxFrames is how many samples of each channel a file can count.
const maxFrames = 1<<36 - 1

// Finish writes the last frame and returns the file. It closes the encoder.
func (e *Encoder) Finish() ([]byte, error) {
	defer e.Close()
	if e.filling != nil {
		e.send()
	}
	for len(e.busy) > 0 {
		e.collect()
	}
	if e.written > maxFrames {
		return nil, audio.FormatError("the sound is too long for FLAC")
	}
	e.info.Frames = e.written
	copy(e.info.MD5[:], e.sum.Sum(nil))
	appendInfo(e.out[:8], e.info, e.minBytes, e.maxBytes)
	return e.out, nil
}

// Close ends the encoder's goroutines. It may be called more than once.
func (e *Encoder) Close() {
	if !e.closed {
		e.closed = true
		close(e.jobs)
		close(e.sums)
	}
}
