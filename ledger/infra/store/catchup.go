package store

import (
	"context"

	"adashi.ng/ledger/event"
)

// Where several processes write, each follows the events of the others instead of emptying its memory.

// catchUp applies to the memory what others wrote since. It answers false if the memory cannot be brought to the tip.
//
// The tail begins with the event at which the memory ends. After a failover that lost commits another event may be at
// that position: then the memory holds events that are not in the ledger.
func (s *Store) catchUp(tail []Followed, tip Tip) bool {
	if !s.memory.valid || len(tail) == 0 || int64(len(tail)) != tip.Pos-s.memory.Pos+1 || tail[0].Leaf != s.memory.Leaf {
		return false
	}
	for i := range tail[1:] {
		s.heed(&tail[1+i].Record)
	}
	s.memory.Tip = tip
	return true
}

// heed applies another process's event, if the memory knows its stream.
func (s *Store) heed(r *event.Record) {
	if e, ok := s.memory.streams.Get(r.Stream); ok {
		a, _ := s.fold(r.Stream)
		s.memory.streams.Put(r.Stream, e.after(a, r))
	}
	s.memory.post(r)
}

// catchUpAhead brings the memory near the ledger's end, with the batch's data, before the lock is taken, so that less
// remains to do under it. An error here occurs again under the lock and is handled there.
func (s *Store) catchUpAhead(ctx context.Context, batch []*waiting) {
	if !s.memory.valid {
		return
	}
	need := s.need(batch)
	need.Tail, need.From = true, s.memory.Pos
	found, err := s.backend.Load(ctx, need)
	if err != nil {
		return
	}
	tip := s.memory.Tip
	if n := len(found.Tail); n > 0 {
		tip = Tip{Pos: found.Tail[n-1].Pos, RecordedAt: found.Tail[n-1].RecordedAt, Leaf: found.Tail[n-1].Leaf}
	}
	if !s.catchUp(found.Tail, tip) {
		s.memory.forget()
		return
	}
	s.take(need, found)
}
