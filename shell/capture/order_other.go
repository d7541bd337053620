//go:build !linux

package capture

// WriteOrder returns an Arrival: this system does not tell of writes.
func WriteOrder(layout Layout) (Collector, error) { return Arrival(layout) }
