package recent

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

// book is a ledger in memory. It counts the reads.
type book struct {
	mu       sync.Mutex
	pages    []string       // The writer of each position, from 1 on: after a restore it is another one.
	torn     map[int64]bool // Positions with unreadable bodies.
	archived int64          // The positions up to here are archived.
	asked    int            // How many reads.
	read     map[int64]int  // How often each position was read.
	entered  chan struct{}  // When set, each read announces itself here, and waits until it may continue.
	leave    chan struct{}
	body     []byte // Of every event.
}

func bookOf(events int) *book {
	b := &book{torn: map[int64]bool{}, read: map[int64]int{}}
	b.write("first", events)
	return b
}

func (b *book) write(by string, events int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range events {
		b.pages = append(b.pages, by)
	}
}

func (b *book) end() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int64(len(b.pages))
}

func (b *book) at(pos int64) event.Record {
	r := event.Record{Pos: pos, Type: event.TypeOf(&nairav1.GroupCreated{}), Actor: b.pages[pos-1], Body: b.body}
	if b.torn[pos] {
		r.Body = []byte{255}
	}
	return r
}

func (b *book) raw(pos int64) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.at(pos)
	return r.Encode()
}

var errArchived = errors.New("archived")

func (b *book) source(ctx context.Context, after int64, limit int, _ []string) ([]event.Record, int64, error) {
	b.mu.Lock()
	b.asked++
	if after < b.archived {
		b.mu.Unlock()
		return nil, after, errArchived
	}
	var records []event.Record
	for pos := after + 1; pos <= min(after+int64(limit), int64(len(b.pages))); pos++ {
		records = append(records, b.at(pos))
		b.read[pos]++
	}
	b.mu.Unlock()
	if b.entered != nil {
		b.entered <- struct{}{}
		select {
		case <-b.leave:
		case <-ctx.Done():
			return nil, after, ctx.Err()
		}
	}
	return records, after + int64(len(records)), nil
}

// bring delivers some positions by JetStream.
func (b *book) bring(s *Buffer, from, through int64) {
	for pos := from; pos <= through; pos++ {
		s.put(pos, b.raw(pos))
	}
}

func positionsOf(events []Event) (all []int64) {
	for _, e := range events {
		all = append(all, e.Pos)
	}
	return all
}

func through(from, to int64) (all []int64) {
	for pos := from; pos <= to; pos++ {
		all = append(all, pos)
	}
	return all
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestWhatJetStreamBringsIsThereForWorkersAtTheirOwnPace(t *testing.T) {
	t.Parallel()
	b := bookOf(2000)
	s, room := New(b.source), make([]Event, 3)
	_, behind, moved := s.After(6, room)
	require.False(t, behind)
	require.False(t, closed(moved), "nothing came yet")
	b.bring(s, 7, 11)
	require.True(t, closed(moved), "whoever waits hears of it")
	_, behind, moved = s.After(5, room)
	require.True(t, behind, "6 is only in Postgres")
	require.True(t, closed(moved))
	events, behind, moved := s.After(6, room)
	require.False(t, behind)
	require.True(t, closed(moved))
	require.Equal(t, through(7, 9), positionsOf(events), "as many as there is room for")
	events, _, _ = s.After(9, room)
	require.Equal(t, through(10, 11), positionsOf(events))
	events, behind, moved = s.After(11, room)
	require.Empty(t, events)
	require.False(t, behind)
	require.False(t, closed(moved))
	b.bring(s, 12, 1500)
	require.True(t, closed(moved))
	events, _, _ = s.After(500, make([]Event, 700))
	require.Equal(t, through(501, 1200), positionsOf(events), "from one block into the next")
	require.Zero(t, b.asked)
}

func TestAGapInWhatJetStreamBroughtIsReadFromPostgres(t *testing.T) {
	t.Parallel()
	b := bookOf(100)
	s, room := New(b.source), make([]Event, 1000)
	b.bring(s, 1, 10)
	b.bring(s, 20, 30)
	events, _, _ := s.After(0, room)
	require.Equal(t, through(1, 10), positionsOf(events))
	_, behind, _ := s.After(10, room)
	require.True(t, behind)
	found, err := s.Fetch(t.Context(), 10)
	require.NoError(t, err)
	require.True(t, found)
	events, _, _ = s.After(5, room)
	require.Equal(t, through(6, 100), positionsOf(events))
	b.write("first", 5)
	b.bring(s, 31, 105) // The events already read are ahead of it: it continues at their end.
	events, _, _ = s.After(90, room)
	require.Equal(t, through(91, 105), positionsOf(events))
	require.Equal(t, 1, b.asked)
}

func TestWorkersAtTheSamePlaceCauseOneReadingOfEachBlock(t *testing.T) {
	t.Parallel()
	b := bookOf(4 * blockEvents)
	s := New(b.source)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			if err := walk(s, make([]Event, 100+50*n), 0, b.end(), 0); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, 4, b.asked)
}

// walk takes everything from one position to another, as a worker does, and checks that each comes once and in order.
// Without waiting it looks in Postgres instead.
func walk(s *Buffer, room []Event, from, to int64, waiting time.Duration) error {
	for pos := from; pos < to; {
		events, behind, moved := s.After(pos, room)
		for _, e := range events {
			if e.Pos != pos+1 || e.Unreadable() {
				return errors.New(strconv.FormatInt(e.Pos, 10) + " came after " + strconv.FormatInt(pos, 10))
			}
			pos = e.Pos
		}
		if len(events) > 0 {
			continue
		}
		if !behind && waiting > 0 {
			select {
			case <-moved:
				continue
			case <-time.After(waiting):
				return errors.New("nobody said that there is more after " + strconv.FormatInt(pos, 10))
			}
		}
		if _, err := s.Fetch(context.Background(), pos); err != nil {
			return err
		}
	}
	return nil
}

func TestWorkersFollowWhileJetStreamBringsWithGaps(t *testing.T) {
	t.Parallel()
	b := bookOf(6000)
	s := New(b.source)
	var wg sync.WaitGroup
	wg.Go(func() {
		for pos := int64(1); pos <= 6000; pos++ {
			if pos == 6000 || pos%97 != 0 && pos%1000 > 20 {
				s.put(pos, b.raw(pos))
			}
		}
	})
	for n := range 6 {
		wg.Go(func() {
			if err := walk(s, make([]Event, 37+n*200), int64(n*10), 6000, 10*time.Second); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestNobodyReadsWhatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	b := bookOf(300)
	b.archived = 100
	s, room := New(b.source), make([]Event, 1000)
	found, err := s.Fetch(t.Context(), 120)
	require.NoError(t, err, "what is archived was read")
	require.True(t, found)
	found, err = s.Fetch(t.Context(), 110)
	require.NoError(t, err)
	require.True(t, found)
	events, _, _ := s.After(110, room)
	require.Equal(t, through(111, 300), positionsOf(events))
	for pos, times := range b.read {
		require.Equal(t, 1, times, "%d was read for the second worker again", pos)
	}
	_, err = s.Fetch(t.Context(), 50)
	require.ErrorIs(t, err, errArchived)
	events, _, _ = s.After(110, room)
	require.Equal(t, through(111, 300), positionsOf(events), "a reading that fails takes nothing away")
}

func TestAnEventThatNobodyCanReadIsInItsPlaceWithoutAMessage(t *testing.T) {
	t.Parallel()
	for _, brought := range []bool{true, false} {
		b := bookOf(20)
		b.torn[7] = true
		s := New(b.source)
		if brought {
			b.bring(s, 1, 20)
		} else {
			_, err := s.Fetch(t.Context(), 0)
			require.NoError(t, err)
		}
		events, _, _ := s.After(0, make([]Event, 100))
		require.Equal(t, through(1, 20), positionsOf(events), "one that went past it before finds what follows")
		for _, e := range events {
			require.Equal(t, e.Pos == 7, e.Unreadable())
		}
		_, cause := events[6].Record.Message()
		require.Error(t, cause)
	}
}

func TestWhatInTheStreamIsNotTheLedgersIsReadFromPostgres(t *testing.T) {
	t.Parallel()
	b := bookOf(20)
	for name, foreign := range map[string][]byte{"nonsense": []byte("nonsense"), "another position's": b.raw(3)} {
		s, room := New(b.source), make([]Event, 100)
		b.bring(s, 5, 6)
		s.put(7, foreign)
		b.bring(s, 8, 10)
		events, _, _ := s.After(4, room)
		require.Equal(t, through(5, 6), positionsOf(events), name)
		_, behind, _ := s.After(6, room)
		require.True(t, behind, name)
		_, err := s.Fetch(t.Context(), 6)
		require.NoError(t, err)
		events, _, _ = s.After(6, room)
		require.Equal(t, through(7, 20), positionsOf(events), name)
	}
}

func TestNothingOfALedgerThatIsNoMoreIsServed(t *testing.T) {
	t.Parallel()
	b := bookOf(50)
	s, room := New(b.source), make([]Event, 100)
	b.bring(s, 1, 40)
	_, err := s.Fetch(t.Context(), 40)
	require.NoError(t, err)
	// Restored to 30: JetStream's next epoch begins there.
	b.pages = b.pages[:30]
	b.write("second", 10)
	s.put(31, b.raw(31))
	events, _, _ := s.After(30, room)
	require.Equal(t, []int64{31}, positionsOf(events))
	require.Equal(t, "second", events[0].Actor)
	_, behind, _ := s.After(20, room)
	require.True(t, behind)

	// Restored once more: a worker notices before JetStream brings anything.
	_, err = s.Fetch(t.Context(), 20)
	require.NoError(t, err)
	b.pages = b.pages[:30]
	b.write("third", 20)
	s.Forget()
	events, _, _ = s.After(30, room)
	require.Empty(t, events)
	b.bring(s, 45, 45)
	_, err = s.Fetch(t.Context(), 30)
	require.NoError(t, err)
	events, _, _ = s.After(30, room)
	require.Equal(t, through(31, 45), positionsOf(events))
	for _, e := range events {
		require.Equal(t, "third", e.Actor)
	}
}

func TestWhatWasReadBeforeARestoreIsNotKeptAfterIt(t *testing.T) {
	t.Parallel()
	b := bookOf(50)
	b.entered, b.leave = make(chan struct{}), make(chan struct{})
	s := New(b.source)
	done := make(chan bool)
	go func() {
		found, _ := s.Fetch(context.Background(), 0)
		done <- found
	}()
	<-b.entered
	s.Forget()
	close(b.leave)
	require.True(t, <-done, "it asks again")
	events, _, _ := s.After(0, make([]Event, 100))
	require.Empty(t, events)
}

func TestABlockThatMadeRoomWhileItWasReadIsThereForItsReader(t *testing.T) {
	t.Parallel()
	b := bookOf((blocksMax + 20) * blockEvents)
	b.entered, b.leave = make(chan struct{}), make(chan struct{})
	s, room := New(b.source), make([]Event, blockEvents)
	done := make(chan error)
	go func() {
		_, err := s.Fetch(context.Background(), 0)
		done <- err
	}()
	<-b.entered
	for n := int64(1); n < blocksMax+10; n++ {
		b.bring(s, n*blockEvents+1, n*blockEvents+1)
	}
	b.leave <- struct{}{}
	require.NoError(t, <-done)
	b.bring(s, (blocksMax+11)*blockEvents+1, (blocksMax+11)*blockEvents+1) // It is not the next to make room.
	events, _, _ := s.After(0, room)
	require.Equal(t, through(1, blockEvents), positionsOf(events))
	require.LessOrEqual(t, len(s.blocks), blocksMax)
}

func TestAWorkerFarBehindTakesNothingFromThoseAtTheHead(t *testing.T) {
	t.Parallel()
	head := int64(3 * blocksMax * blockEvents)
	b := bookOf(int(head))
	s, room := New(b.source), make([]Event, 1000)
	b.bring(s, head-100, head-1)
	for pos := int64(0); pos < head-blockEvents; {
		events, behind, _ := s.After(pos, room)
		if len(events) > 0 {
			pos = events[len(events)-1].Pos
			continue
		}
		require.True(t, behind)
		found, err := s.Fetch(t.Context(), pos)
		require.NoError(t, err)
		require.True(t, found)
		events, _, _ = s.After(head-50, room)
		require.Equal(t, through(head-49, head-1), positionsOf(events))
		require.LessOrEqual(t, len(s.blocks), blocksMax)
	}
	require.Equal(t, 3*blocksMax-1, b.asked, "each block was read once")
}

func TestAReaderAtTheLedgersEndFindsNothingAndWaits(t *testing.T) {
	t.Parallel()
	b := bookOf(blockEvents)
	s, room := New(b.source), make([]Event, 1000)
	for range 2 {
		found, err := s.Fetch(t.Context(), blockEvents)
		require.NoError(t, err)
		require.False(t, found)
		_, behind, _ := s.After(blockEvents, room)
		require.False(t, behind)
	}
	_, _, moved := s.After(blockEvents, room)
	b.write("first", 3)
	b.bring(s, blockEvents+1, blockEvents+3)
	require.True(t, closed(moved))
	events, _, _ := s.After(blockEvents, room)
	require.Equal(t, through(blockEvents+1, blockEvents+3), positionsOf(events))
}

func TestWhoWaitsForAnothersReadingMayGiveUp(t *testing.T) {
	t.Parallel()
	b := bookOf(10)
	b.entered, b.leave = make(chan struct{}), make(chan struct{})
	s := New(b.source)
	done := make(chan error)
	go func() {
		_, err := s.Fetch(context.Background(), 0)
		done <- err
	}()
	<-b.entered
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := s.Fetch(gone, 0)
	require.ErrorIs(t, err, context.Canceled)
	close(b.leave)
	require.NoError(t, <-done)
	require.Equal(t, 1, b.asked)
}
