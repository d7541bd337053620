package local

import (
	"context"

	"github.com/responses-as-code/gg/gg"
)

type finishIn struct {
	Summary string `json:"summary" jsonschema:"what was done, in a sentence or two"`
}

// Remaining is what `gg.budget.remaining()` returns.
type Remaining struct {
	WallMs    float64 `json:"wallMs" jsonschema:"milliseconds of the wall clock"`
	ComputeMs float64 `json:"computeMs" jsonschema:"milliseconds of computing, calls not counted"`
	Calls     int     `json:"calls"`
}

type sleepIn struct {
	Ms float64 `json:"ms" jsonschema:"milliseconds" gg:"min=0"`
}

// runFunctions are those of `gg.session`, `gg.budget` and gg itself.
func runFunctions() []*gg.Function {
	return []*gg.Function{
		gg.Func("session.finish", "says how the work ended",
			func(ctx context.Context, in finishIn) (struct{}, error) {
				r := scopeOf(ctx).run
				r.mu.Lock()
				defer r.mu.Unlock()
				r.finish, r.finished = in.Summary, true
				return struct{}{}, nil
			},
			gg.Detail("Does not stop the program. The last summary counts; an uncaught throw revokes it."),
			gg.Example("gg.session.finish(\"all tests pass\")")),
		gg.Func("budget.remaining", "says how much time and how many calls are left",
			func(ctx context.Context, _ struct{}) (Remaining, error) {
				b := scopeOf(ctx).budget
				use := b.Usage()
				return Remaining{
					WallMs:    float64(b.WallLeft().Microseconds()) / 1000,
					ComputeMs: float64(b.ComputeLeft().Microseconds()) / 1000,
					Calls:     max(0, use.Limits.Calls-use.Calls),
				}, nil
			},
			gg.Detail("For a loop that wants to stop by itself before a limit stops it."),
			gg.Example("gg.budget.remaining().calls > 10")),
		gg.Func("sleep", "waits", func(context.Context, sleepIn) (struct{}, error) { return struct{}{}, nil },
			gg.Local(), gg.Async(),
			gg.Detail("The clock of a program stands still while it computes: a loop that waits for `Date.now()` never ends, `await gg.sleep(ms)` does."),
			gg.Example("await gg.sleep(20);\n\"20 ms later\"")),
	}
}
