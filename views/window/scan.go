package window

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// position is where the window's first line is found, and how many lines there are in all.
type position struct {
	start int64 // offset of the block in which the line begins
	skip  int64 // newlines from start on that lie before the line
	total int64 // lines of the whole file
}

// locate counts the lines of the file and finds the line first.
//
// The file is divided into at most maxBlocks blocks of equal size. Workers take block after block and count
// newlines; who counted what does not matter, so they need nothing from each other. The sums then say in
// which block the line begins.
func (g geometry) locate(ctx context.Context, r io.ReaderAt, size, first int64, workers int) (position, error) {
	if size == 0 {
		return position{}, nil
	}
	blockSize := int64(g.piece)
	if most := blockSize * int64(g.maxBlocks); size > most {
		blockSize *= (size + most - 1) / most
	}
	counts := make([]int64, (size+blockSize-1)/blockSize)
	if err := g.countAll(ctx, r, size, blockSize, counts, workers); err != nil {
		return position{}, err
	}

	var p position
	var newlines int64
	found := false
	for i, n := range counts {
		// The line begins behind newline number first-1: in the block that holds it.
		if !found && newlines+n >= first-1 {
			p.start, p.skip, found = int64(i)*blockSize, first-1-newlines, true
		}
		newlines += n
	}
	var last [1]byte
	if err := readFull(r, last[:], size-1); err != nil {
		return position{}, err
	}
	p.total = newlines
	if last[0] != '\n' {
		p.total++ // an unterminated last line counts
	}
	return p, nil
}

// countAll fills counts with the number of newlines of each block.
func (g geometry) countAll(ctx context.Context, r io.ReaderAt, size, blockSize int64, counts []int64, workers int) error {
	workers = min(workers, len(counts))
	var (
		next    atomic.Int64
		once    sync.Once
		failure error
		stop    atomic.Bool
		wg      sync.WaitGroup
	)
	work := func() {
		buf := make([]byte, min(int64(g.piece), size))
		for !stop.Load() {
			i := next.Add(1) - 1
			if i >= int64(len(counts)) {
				return
			}
			n, err := countBlock(ctx, r, i*blockSize, min((i+1)*blockSize, size), buf)
			if err != nil {
				once.Do(func() { failure = err })
				stop.Store(true)
				return
			}
			counts[i] = n
		}
	}
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return failure
}

func countBlock(ctx context.Context, r io.ReaderAt, from, to int64, buf []byte) (int64, error) {
	var n int64
	for off := from; off < to; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		b := buf[:min(int64(len(buf)), to-off)]
		if err := readFull(r, b, off); err != nil {
			return 0, err
		}
		n += int64(bytes.Count(b, newline))
		off += int64(len(b))
	}
	return n, nil
}

var newline = []byte{'\n'}

// collect returns the bytes of the given number of lines from p on; 0 lines means to the end of the file.
func (g geometry) collect(ctx context.Context, r io.ReaderAt, size int64, p position, lines, maxBytes int64) (string, error) {
	var text strings.Builder
	if lines == 0 && size-p.start <= maxBytes {
		text.Grow(int(size - p.start))
	}
	buf := make([]byte, min(int64(g.piece), size-p.start))
	for off, skip := p.start, p.skip; off < size; {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		b := buf[:min(int64(len(buf)), size-off)]
		if err := readFull(r, b, off); err != nil {
			return "", err
		}
		off += int64(len(b))

		end, passed := afterLines(b, skip)
		skip -= passed
		if skip > 0 {
			continue
		}
		b = b[end:]
		if lines > 0 {
			end, passed := afterLines(b, lines)
			if lines -= passed; lines == 0 {
				b, off = b[:end], size
			}
		}
		if int64(text.Len())+int64(len(b)) > maxBytes {
			return "", &TooLargeError{Bound: maxBytes}
		}
		text.Write(b)
	}
	return text.String(), nil
}

// afterLines returns the offset behind the n-th newline of b and n, or, when b has fewer, the length of b
// and how many there are.
func afterLines(b []byte, n int64) (end int, passed int64) {
	for passed < n {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			return len(b), passed
		}
		end += i + 1
		passed++
	}
	return end, passed
}

// readFull fills b from offset off. A file that ends before is a *shrunkError: its size was given.
func readFull(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	switch err {
	case io.EOF:
		return &shrunkError{size: off + int64(n)}
	case nil:
		return io.ErrUnexpectedEOF // r breaks the contract of io.ReaderAt
	}
	return err
}
