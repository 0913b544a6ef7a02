//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

// #include "shim.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"quicksand/internal/marshal"
)

// isolates is the table in which the engine's calls into Go find their isolate. It is
// copied to change it, so that a call costs one load.
var isolates struct {
	mu    sync.Mutex
	table atomic.Pointer[[]*isolate]
}

func register(is *isolate) uint32 {
	isolates.mu.Lock()
	defer isolates.mu.Unlock()
	var table []*isolate
	if t := isolates.table.Load(); t != nil {
		table = append(table, *t...)
	}
	i := 0
	for i < len(table) && table[i] != nil {
		i++
	}
	if i == len(table) {
		table = append(table, nil)
	}
	table[i] = is
	isolates.table.Store(&table)
	return uint32(i)
}

func unregister(i uint32) {
	isolates.mu.Lock()
	defer isolates.mu.Unlock()
	table := append([]*isolate(nil), *isolates.table.Load()...)
	table[i] = nil
	isolates.table.Store(&table)
}

func at(i C.uint32_t) *isolate { return (*isolates.table.Load())[i] }

// guard is deferred in every function that calls a method of the host. A panic is
// kept until the engine's frames are left. runtime.Goexit cannot be stopped: the
// frames are given up, and with them the isolate.
func (is *isolate) guard(done *bool) {
	if *done {
		return
	}
	if r := recover(); r != nil {
		is.panicked, is.panicValue = true, r
		return
	}
	C.qs_abandon(is.q)
	is.dead = true
}

//export qsgoCall
func qsgoCall(i C.uint32_t) (result C.int) {
	is := at(i)
	q := is.q
	result = -1
	done := false
	defer is.guard(&done)
	if q.live_replies == 0 && is.pinned {
		is.pins.Unpin()
		is.pinned = false
	}
	reply := is.host.Call(uint32(q.op), marshal.Message{
		Wire:  unsafe.Slice((*byte)(q.msg.wire), int(q.msg.len)),
		Blobs: copyBlobs(&q.msg),
	})
	if len(reply.Value.Wire) == 0 || is.setReply(&reply.Value) {
		result = 0
	}
	if reply.Throw {
		q.replies[q.reply_depth].throws = 1
	}
	done = true
	return result
}

// setReply copies a reply to where the engine decodes it from; false means that there
// is no memory.
func (is *isolate) setReply(m *marshal.Message) bool {
	q := is.q
	r := &q.replies[q.reply_depth]
	wire, blobs := m.Wire, m.Blobs
	if int(r.wire.cap) < len(wire) || int(r.cap_blobs) < len(blobs) {
		if C.qs_reply_buffer(q, C.size_t(len(wire)), C.uint32_t(len(blobs))) == nil {
			return false
		}
	}
	copy(unsafe.Slice((*byte)(r.wire.p), len(wire)), wire)
	r.wire.n = C.size_t(len(wire))
	if len(blobs) > 0 {
		fillBlobs(unsafe.Slice(r.blobs, len(blobs)), blobs, is)
		r.nblobs = C.uint32_t(len(blobs))
	}
	return true
}

// fillBlobs pins blobs and notes where they are.
func fillBlobs(dst []C.qs_blob, blobs [][]byte, is *isolate) {
	for i, b := range blobs {
		var p *byte
		if len(b) > 0 {
			p = unsafe.SliceData(b)
			is.pins.Pin(p)
			is.pinned = true
		}
		// Stored as a number: a write of a pointer has the collector look at the old one,
		// which is of a reply long gone.
		*(*uintptr)(unsafe.Pointer(&dst[i].ptr)) = uintptr(unsafe.Pointer(p))
		dst[i].len = C.size_t(len(b))
		dst[i].buf = C.JSValue{tag: C.JS_TAG_UNDEFINED}
	}
}

//export qsgoFlush
func qsgoFlush(i C.uint32_t) {
	is := at(i)
	done := false
	defer is.guard(&done)
	is.host.Flush()
	done = true
}

//export qsgoKeepBlobs
func qsgoKeepBlobs(i C.uint32_t, result C.int) {
	is := at(i)
	blobs := copyBlobs(&is.q.msg)
	if result != 0 {
		is.resultBlobs = blobs
	} else {
		is.queuedBlobs = append(is.queuedBlobs, blobs...)
	}
}

//export qsgoResolve
func qsgoResolve(i C.uint32_t) {
	is := at(i)
	done := false
	defer is.guard(&done)
	is.resolve(C.GoString(is.q.base), C.GoString(is.q.specifier))
	done = true
}

// copyBlobs copies the byte ranges of a message out of the arena.
func copyBlobs(m *C.qs_msg) [][]byte {
	if m.nblobs == 0 {
		return nil
	}
	blobs := make([][]byte, m.nblobs)
	for i, b := range unsafe.Slice(m.blobs, int(m.nblobs)) {
		blobs[i] = append([]byte(nil), unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), b.ptr)), int(b.len))...)
	}
	return blobs
}
