package writeorder

import "sync"

// buffers are shared by the commands of the process: a stream takes one with its first byte.
var buffers = sync.Pool{New: func() any { return new([WindowBytes]byte) }}
