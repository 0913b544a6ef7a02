// Package bench measures Quicksand and what one would take instead of it: the same named
// workloads, done by contenders that take turns.
//
// # Contenders
//
// A contender is an engine in a process of its own: each of Quicksand's engines, and in the
// module quicksand/bench/peers other engines and other sandboxes. Processes speak the
// protocol of Serve, so that a program in any language can take part.
//
// # How it measures
//
// No machine is quiet. Therefore all contenders that can do a workload do it in each round,
// in an order that moves on by one, and what disturbs a round disturbs all of them alike. A
// round gives each of them the same slice of time, in which it repeats the workload and times
// each repetition. Medians over all repetitions are reported, and above all ratios of medians
// of one and the same run; the 99th percentile says what a caller has to expect now and then.
//
// Workloads that measure something other than time, such as memory, say so with their Unit.
package bench
