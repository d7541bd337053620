// Package bench measures gg side by side with what else could do the same: each benchmark runs its peer in
// the same run, in turns with gg, and reports the ratio of their medians.
//
//	go test -bench . ./cmd/internal/bench                             # everything
//	go test -bench 'BigLog|Flood' ./cmd/internal/bench -log-bytes 2e9 # the large ones
//
// A metric `x-node` is how many times as long gg took as node did: 0.25 is a quarter. Figures of two machines, or of a busy
// one, say nothing; the ratio does.
//
// The package has no code of its own, only benchmarks: nothing imports it.
package bench
