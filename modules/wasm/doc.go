// Package wasm serves WebAssembly modules to guests: importing it lets catalogs of package
// modules take packages with such modules.
//
// A module is a binary without imports and a list of its functions. Guests see asynchronous
// functions of numbers: i32, f32 and f64 are numbers, i64 is a BigInt. Each call works in a
// fresh instance of the compiled module, whose memory and globals nobody else sees and which
// is gone afterwards.
//
// # What a binary may be
//
// The bytes come from strangers. A reader of our own looks at all sections first and refuses
// what would make the compiler take memory or time out of proportion. Custom sections are
// dropped. Then wazero validates and compiles, in at most CompileTimeout.
//
//   - No imports. A start function is allowed; it runs within each call and counts as part
//     of it.
//   - At most one memory, not shared. It never grows beyond the pages of the declaration, also
//     where the binary declares a larger maximum or none: memory.grow fails there, as for any
//     maximum.
//   - Tables have at most MaxTableElements together; where table.grow occurs, their maxima
//     count.
//   - No function is so intricate that compiling it takes minutes, which hostile ones of a few
//     kilobytes can: branches, locals and the size of functions are bounded.
//   - Declared exports are functions of at most MaxParams parameters and MaxResults results
//     of the four types. Several results are an array.
//
// # What a call may take
//
// Arguments are converted here, never by the rules of JavaScript: an i32 must be an integer of
// 32 bits, an i64 a BigInt of 64 bits with sign, and nothing wraps around. Budgets of a run
// are the lowest that any module of it declares, from that module's first call on. Besides
// the memory of the declaration, the stack of a call takes up to 100 MB.
//
// # Differences
//
// Unlike NodeTool's modules these have i64, several results, and memories without a maximum
// or with a larger one than the declaration's; as many calls work in the process as there are
// processors, at least 4, and not 4; and budgets of a module count from its first call, not
// from its import.
package wasm
