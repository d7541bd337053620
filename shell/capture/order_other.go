//go:build !linux

package capture

// Orderer makes Collectors. This system does not tell of writes: they are Arrivals.
type Orderer struct{}

// Open returns an Arrival.
func (*Orderer) Open(layout Layout) (Collector, error) { return Arrival(layout) }

// Close does nothing here.
func (*Orderer) Close() {}
