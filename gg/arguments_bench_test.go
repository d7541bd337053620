package gg_test

import (
	"encoding/json"
	"testing"

	"github.com/responses-as-code/gg/gg"
)

// BenchmarkCheck judges the arguments of a call that most programs make, without and with a number that
// has to be looked at closely.
func BenchmarkCheck(b *testing.B) {
	shell := sample(b).Lookup("shell.shell")
	for name, args := range map[string]string{
		"typical":  `{"command":"npm test -- --reporter=dot 2>&1 | tail -n 50","timeoutSecs":60}`,
		"fraction": `{"command":"npm test -- --reporter=dot 2>&1 | tail -n 50","timeoutSecs":0.5}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(args)))
			for b.Loop() {
				if _, err := shell.Check(json.RawMessage(args)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRefuse words what is wrong with a call.
func BenchmarkRefuse(b *testing.B) {
	shell := sample(b).Lookup("shell.shell")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := shell.Check(json.RawMessage(`{"command":"ls","timeoutSecs":0}`)); err == nil {
			b.Fatal("accepted")
		}
	}
}

// BenchmarkNearest looks for a misspelt name among all of a catalogue.
func BenchmarkNearest(b *testing.B) {
	names := sample(b).Names()
	b.ReportAllocs()
	for b.Loop() {
		if near, _ := gg.Nearest("files.raedFile", names); near != "files.readFile" {
			b.Fatal(near)
		}
	}
}

// BenchmarkNewCatalogue is what a host pays before its first call: every schema is derived and checked.
func BenchmarkNewCatalogue(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gg.NewCatalogue(nil, sampleFunctions()...); err != nil {
			b.Fatal(err)
		}
	}
}
