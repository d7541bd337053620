package gg_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/responses-as-code/gg/gg"
)

func TestSinkDeliversInOrder(t *testing.T) {
	var got []int
	s := gg.NewSink(1000, func(e gg.Event) { got = append(got, e.Seq) })
	for i := range 1000 {
		s.Emit(gg.Event{Seq: i})
	}
	s.Close() // hands over what waits
	require.Len(t, got, 1000)
	require.IsIncreasing(t, got)
	require.Zero(t, s.Dropped())
}

func TestSinkNeverBlocks(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	var got []int
	s := gg.NewSink(2, func(e gg.Event) {
		if e.Seq == 0 {
			close(entered)
			<-release
		}
		got = append(got, e.Seq)
	})
	s.Emit(gg.Event{Seq: 0})
	<-entered
	for i := 1; i <= 10; i++ { // the consumer is busy: two wait, eight are dropped
		s.Emit(gg.Event{Seq: i})
	}
	require.EqualValues(t, 8, s.Dropped())
	close(release)
	s.Close()
	require.Equal(t, []int{0, 1, 2}, got)

	s.Emit(gg.Event{})
	require.EqualValues(t, 9, s.Dropped(), "an event after Close is dropped and counted")
}

func TestSinkCountsEverything(t *testing.T) {
	var seen atomic.Uint64
	s := gg.NewSink(0, func(gg.Event) { seen.Add(1) })
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 500 {
				s.Emit(gg.Event{})
			}
		})
	}
	for range 3 {
		all.Go(s.Close) // while events come
	}
	all.Wait()
	require.EqualValues(t, 8*500, seen.Load()+s.Dropped())
}

func TestSinkOfNobody(t *testing.T) {
	var s *gg.Sink
	s.Emit(gg.Event{})
	s.Close()
	require.Zero(t, s.Dropped())
}
