package qjspure

import (
	lib "modernc.org/libquickjs"
)

// A callSite is one frame of the guest's stack at an asynchronous call. Wording a stack
// costs as much as the rest of the call and only a rejection needs it, so that calls
// keep frames.
type callSite struct {
	fn value // with a reference
	pc uintptr
}

// maxSites bounds what the host holds for a call.
const maxSites = 32

// frameSize is the size of a frame of the engine, rounded up.
const frameSize = 96

// callSites are the innermost frames of the running guest.
func (v *isolate) callSites() []callSite {
	var sites []callSite
	if n := len(v.spare); n > 0 {
		sites, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		sites = make([]callSite, 0, 4)
	}
	for sf := (*lib.TJSRuntime)(at(v.rt)).Fcurrent_stack_frame; sf != 0 && len(sites) < maxSites; {
		f := (*lib.TJSStackFrame)(at(sf))
		sites = append(sites, callSite{dup(f.Fcur_func), f.Fcur_pc})
		sf = f.Fprev_frame
	}
	return sites
}

func (v *isolate) releaseSites(sites []callSite) {
	if sites == nil {
		return
	}
	for _, s := range sites {
		v.free(s.fn)
	}
	if len(v.spare) < 64 {
		v.spare = append(v.spare, sites[:0])
	}
}

// giveStack makes the stack of an error that of sites. The engine words it: it
// makes an error while the frames of the call stand again, as far as its backtrace
// looks at them.
func (v *isolate) giveStack(e value, sites []callSite) {
	frames := v.tls.Alloc(frameSize * (len(sites) + 1))
	defer v.tls.Free(frameSize * (len(sites) + 1))
	clear(mem(frames, uintptr(frameSize*(len(sites)+1))))
	for i, s := range sites {
		f := (*lib.TJSStackFrame)(at(frames + uintptr(i)*frameSize))
		f.Fcur_func, f.Fcur_pc = s.fn, s.pc
		if i+1 < len(sites) {
			f.Fprev_frame = frames + uintptr(i+1)*frameSize
		}
	}
	rt := (*lib.TJSRuntime)(at(v.rt))
	outer := rt.Fcurrent_stack_frame
	if len(sites) > 0 {
		rt.Fcurrent_stack_frame = frames
	}
	made := lib.XJS_CallConstructor(v.tls, v.ctx, v.errorClass, 0, 0)
	rt.Fcurrent_stack_frame = outer
	if isException(made) {
		v.dropException()
		return
	}
	res := v.call(v.hook.rejected, e, made)
	if isException(res) {
		v.dropException()
	}
	v.free(res)
	v.free(made)
}
