package writeorder

import (
	"testing"

	"github.com/responses-as-code/gg/shell/policy"
)

// BenchmarkPlace is what a write costs that is one line of six bytes, when the streams alternate.
func BenchmarkPlace(b *testing.B) {
	const writes = 256
	var w Window
	defer w.Release()
	var line [writes / 2 * 6]byte
	for i := range line {
		line[i] = "line \n"[i%6]
	}
	b.ReportAllocs()
	b.SetBytes(6 * writes)
	for b.Loop() {
		for i := range writes {
			w.Announce(policy.Stream(i % 2))
		}
		w.mark()
		for s := range policy.Stream(2) {
			w.Filled(s, copy(w.Room(s), line[:]))
		}
		if w.place(func(policy.Stream, []byte) {}, settled) {
			b.Fatal("something is held back")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/writes, "ns/write")
}
