//go:build !linux && !darwin && !windows

package store

import "errors"

func (h *handle) space() (free, total int64, err error) { return 0, 0, errors.ErrUnsupported }
