package store

// maxCredit is the most that is written on the strength of one look at the free space: it bounds by how
// much the reserve is missed when others write to the file system at the same time.
const maxCredit = 4 << 20

// take asks for room for n bytes in the file system of h and returns how many may be written, and if these
// are fewer, why.
func (d *Dir) take(h *handle, n int64) (room int64, short string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n > d.credit {
		// Asking costs about as much as writing a page, so small writes share one answer.
		free, total, err := h.space()
		if err != nil || total <= 0 {
			return n, "" // a file system that does not tell has no reserve to keep
		}
		reserve := d.config.ReserveBytes
		if reserve == 0 {
			reserve = min(maxReserve, total/reserveShare)
		}
		spare := max(0, free-reserve)
		d.credit = min(spare, max(n, min(maxCredit, spare/8)))
		if short = shortReserve; free <= 0 {
			// Not tried all the same: what the system keeps for its administrator is not for files of ours.
			short = shortFull
		}
	}
	if n <= d.credit {
		short = ""
	}
	room = min(n, d.credit)
	d.credit -= room
	return room, short
}
