package gg_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func TestError(t *testing.T) {
	err := gg.Errorf(gg.NotFound, "%q does not exist: %w", "a.txt", fs.ErrNotExist)
	require.EqualError(t, err, `not-found: "a.txt" does not exist: file does not exist`)
	require.ErrorIs(t, err, fs.ErrNotExist)
	err.Operation = "files.readFile"
	require.EqualError(t, err, "`files.readFile` failed (not-found): \"a.txt\" does not exist: file does not exist")
	require.NoError(t, gg.Errorf(gg.Other, "no cause").Unwrap())
}

func TestAsError(t *testing.T) {
	own := gg.Errorf(gg.Conflict, "busy")
	for _, test := range []struct {
		given error
		code  gg.Code
		text  string
	}{
		{own, gg.Conflict, "busy"},
		{fmt.Errorf("while waiting: %w", own), gg.Conflict, "busy"},
		{fmt.Errorf("slow: %w", context.DeadlineExceeded), gg.LimitExceeded, "slow: context deadline exceeded"},
		{context.Canceled, gg.Other, "context canceled"},
		{errors.New("odd"), gg.Other, "odd"},
	} {
		got := gg.AsError(test.given)
		require.Equal(t, test.code, got.Code)
		require.Equal(t, test.text, got.Message)
		if test.code != gg.Conflict {
			require.ErrorIs(t, got, test.given, "the cause is kept")
		}
	}
	require.Same(t, own, gg.AsError(own))
}

func TestCodes(t *testing.T) {
	require.Equal(t, []gg.Code{"invalid-argument", "not-found", "conflict", "refused", "unavailable", "limit-exceeded", "io-error", "other"}, gg.Codes())
}

func TestSettings(t *testing.T) {
	require.Equal(t, gg.Settings{
		MaxMemoryBytes: 256 << 20, MaxStackFrames: 500, MaxSourceBytes: 256 << 10, MaxNesting: 200, ConsoleBytes: 1 << 20,
		Isolation: gg.IsolationNone, ShowValue: gg.ShowWhenNoViews,
	}, gg.Settings{}.WithDefaults())
	own := gg.Settings{
		MaxMemoryBytes: 1, MaxStackFrames: 2, MaxSourceBytes: 3, MaxNesting: 4, ConsoleBytes: 5,
		Isolation: gg.IsolationProcess, ShowValue: gg.ShowNever, KeepStrings: true, Confined: true,
	}
	require.Equal(t, own, own.WithDefaults())
}
