package config

import (
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// BenchmarkParse is what every start of gg pays.
func BenchmarkParse(b *testing.B) {
	data := FreshJSON()
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data, "gg.json", known); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSchema is what it would pay for having the schema judge, before the first verdict.
func BenchmarkSchema(b *testing.B) {
	text := string(Schema())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsonschema.CompileString("schema.json", text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGranted is what every call of a program pays.
func BenchmarkGranted(b *testing.B) {
	c := Fresh()
	b.ReportAllocs()
	for b.Loop() {
		if ok, _ := c.Granted("files.readFile"); !ok {
			b.Fatal("not granted")
		}
	}
}

// BenchmarkHostile reads the longest text, which is nothing but defects.
func BenchmarkHostile(b *testing.B) {
	data := hostile()
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data, "gg.json", known); err == nil {
			b.Fatal("accepted")
		}
	}
}

func hostile() []byte {
	text := []byte("{")
	for i := 0; len(text) < MaxBytes-100; i++ {
		text = fmt.Appendf(text, `"enabled%d":[],`, i)
	}
	return append(text, `"enabled":0}`...)
}
