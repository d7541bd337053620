package budget

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Limit names what can stop a run.
type Limit string

// The limits of a run. Budget itself watches the first three; memory, stack and source belong to whoever
// runs the program, who records them with Exceed.
const (
	Wall    Limit = "wall"
	Compute Limit = "compute"
	Calls   Limit = "calls"
	Memory  Limit = "memory"
	Stack   Limit = "stack"
	Source  Limit = "source"
)

// ErrExceeded is the family of every limit: errors.Is(err, budget.ErrExceeded).
var ErrExceeded = errors.New("budget exceeded")

// Exceeded says which limit stopped a run.
type Exceeded struct {
	Limit Limit
	Bound string // what the bound was, in words: `10000 host calls`
}

// Error names the limit and its bound.
func (e *Exceeded) Error() string {
	return fmt.Sprintf("the run's budget of %s is spent", e.Bound)
}

// Is reports that e belongs to the family ErrExceeded.
func (e *Exceeded) Is(target error) bool { return target == ErrExceeded }

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s"
}

// joinDefects makes one error of many, nil of none.
func joinDefects(defects []error) error {
	if len(defects) == 0 {
		return nil
	}
	return fmt.Errorf("budget: %w", errors.Join(defects...))
}
