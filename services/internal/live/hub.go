package live

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
)

const (
	streamsMax     = 10_000
	streamsPerUser = 20
)

// Memberships answers the groups whose changes a user may hear of.
type Memberships func(ctx context.Context, userID string) (groupIDs []string, err error)

// Hub passes changes to the open streams of this process. It is safe for concurrent use.
type Hub struct {
	memberships  Memberships
	subscription *nats.Subscription
	closed       chan struct{}
	began        clock.Watch

	mu       sync.Mutex
	draining bool
	dropped  int
	ring     ring
	count    int
	users    map[string][]*stream // Oldest first.
	groups   map[string]map[*stream]struct{}
	desks    map[string]map[*stream]struct{}
}

// New makes a hub that hears Subject. Close it.
func New(conn *nats.Conn, memberships Memberships) (*Hub, error) {
	h := &Hub{
		memberships: memberships, closed: make(chan struct{}), began: clock.Start(), ring: newRing(),
		users: make(map[string][]*stream), groups: make(map[string]map[*stream]struct{}), desks: make(map[string]map[*stream]struct{}),
	}
	subscription, err := conn.Subscribe(Subject, h.receive)
	if err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	h.subscription = subscription
	go h.watch(conn)
	return h, nil
}

// watch resets every stream when the connection came back, for core NATS keeps nothing for who was away.
func (h *Hub) watch(conn *nats.Conn) {
	back := conn.StatusChanged(nats.CONNECTED)
	for {
		select {
		case _, open := <-back:
			if !open {
				return
			}
			h.resetAll()
		case <-h.closed:
			conn.RemoveStatusListener(back)
			return
		}
	}
}

func (h *Hub) receive(message *nats.Msg) {
	if dropped, err := message.Sub.Dropped(); err == nil && dropped > h.dropped {
		h.dropped = dropped // Only this callback touches it.
		h.resetAll()
	}
	news, err := hear(message, h.began.Took())
	if err != nil {
		slog.Warn("live: a change that we cannot place", "error", err)
		return
	}
	h.tell(news)
}

// tell passes one change to the streams that it concerns. While no stream is open it only keeps it.
func (h *Hub) tell(news *heard) {
	var change *Change
	if h.watched() {
		change = news.change() // Before the lock, which streams wait for.
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ring.add(news)
	if h.count == 0 {
		return
	}
	if change == nil {
		change = news.change() // The first stream was opened this moment.
	}
	told := make(map[*stream]struct{})
	for user := range change.Users {
		for _, s := range h.users[user] {
			told[s] = struct{}{}
		}
	}
	for _, group := range change.Groups {
		for s := range h.groups[group] {
			told[s] = struct{}{}
		}
	}
	for _, desk := range change.Desks {
		for s := range h.desks[desk] {
			told[s] = struct{}{}
		}
	}
	for s := range told {
		s.offer(s.concerns(change, s.groups))
	}
}

// watched reports whether a stream is open.
func (h *Hub) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count > 0
}

// resetAll forgets what can be resumed from and has every stream read everything again.
func (h *Hub) resetAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ring = ring{lost: h.began.Took()}
	for _, streams := range h.users {
		for _, s := range streams {
			s.lost = true
			s.wake()
		}
	}
}

// wake has a stream that waits look at its flags; a full queue is looked at anyway.
func (s *stream) wake() {
	select {
	case s.queue <- event{}:
	default:
	}
}

// open registers the stream for its user's topics and desks. Its groups follow, with attach.
func (h *Hub) open(s *stream) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.draining || h.count >= streamsMax {
		return fault.New(fault.Unavailable, "Live updates are not available just now. Please try again shortly.")
	}
	if own := h.users[s.userID]; len(own) >= streamsPerUser {
		own[0].end()
		h.remove(own[0])
	}
	h.users[s.userID] = append(h.users[s.userID], s)
	for _, desk := range s.desks {
		if h.desks[desk] == nil {
			h.desks[desk] = make(map[*stream]struct{})
		}
		h.desks[desk][s] = struct{}{}
	}
	h.count++
	return nil
}

// attach makes groups the stream's and answers those that are new to it.
func (h *Hub) attach(s *stream, groups []string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.attachLocked(s, groups)
}

func (h *Hub) attachLocked(s *stream, groups []string) []string {
	before := make(map[string]bool, len(s.groups))
	for _, group := range s.groups {
		before[group] = true
	}
	h.detachLocked(s)
	if s.ended {
		return nil
	}
	var added []string
	for _, group := range groups {
		if h.groups[group] == nil {
			h.groups[group] = make(map[*stream]struct{})
		}
		h.groups[group][s] = struct{}{}
		if !before[group] {
			added = append(added, group)
		}
	}
	s.groups = groups
	return added
}

func (h *Hub) detachLocked(s *stream) {
	for _, group := range s.groups {
		delete(h.groups[group], s)
		if len(h.groups[group]) == 0 {
			delete(h.groups, group)
		}
	}
	s.groups = nil
}

// lookBack is how long before its first stream a page may have begun to read.
const lookBack = 10 * time.Second

// join attaches the groups of a new page and answers what changed while it was being opened: what it read by then may
// be older than that. It answers false when that cannot be known, or is more than a stream is told at once.
func (h *Hub) join(s *stream, groups []string) ([]event, bool) {
	return h.missed(s, groups, func(r *ring) ([]*heard, bool) { return r.after(h.began.Took() - lookBack) })
}

// resume does so for a page that was told of everything up to a position.
func (h *Hub) resume(s *stream, groups []string, last int64) ([]event, bool) {
	return h.missed(s, groups, func(r *ring) ([]*heard, bool) { return r.since(last) })
}

func (h *Hub) missed(s *stream, groups []string, from func(*ring) ([]*heard, bool)) ([]event, bool) {
	missed, known := h.rejoin(s, groups, from)
	if !known {
		return nil, false
	}
	ids := quoted(slices.Concat([]string{s.userID}, groups, s.desks)...)
	var events []event
	for _, news := range missed {
		if !news.names(ids) {
			continue
		}
		if e := s.concerns(news.change(), groups); len(e.topics) > 0 {
			events = append(events, e)
		}
		if len(events) > queueMax {
			return nil, false
		}
	}
	return events, true
}

// rejoin attaches the groups and answers what came before, in one step so that nothing falls between.
func (h *Hub) rejoin(s *stream, groups []string, from func(*ring) ([]*heard, bool)) ([]*heard, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.attachLocked(s, groups)
	return from(&h.ring)
}

// close forgets the stream.
func (h *Hub) close(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.end()
	h.remove(s)
}

func (h *Hub) remove(s *stream) {
	h.detachLocked(s)
	for _, desk := range s.desks {
		delete(h.desks[desk], s)
	}
	own := h.users[s.userID]
	for i := range own {
		if own[i] == s {
			h.users[s.userID] = append(own[:i:i], own[i+1:]...)
			h.count--
			break
		}
	}
	if len(h.users[s.userID]) == 0 {
		delete(h.users, s.userID)
	}
}

// takeLost reports once that the stream missed something, emptying its queue, and answers the newest position.
func (h *Hub) takeLost(s *stream) (int64, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !s.lost {
		return 0, false
	}
	for len(s.queue) > 0 {
		<-s.queue
	}
	s.lost = false
	return h.ring.last(), true
}

// reached answers the newest position when the stream has been told everything up to it, else 0.
func (h *Hub) reached(s *stream) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.lost || len(s.queue) > 0 {
		return 0
	}
	return h.ring.last()
}

// EndSession ends the streams of a session that was logged out. Give it to people.Service.OnSessionEnded.
func (h *Hub) EndSession(sessionID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, streams := range h.users {
		for _, s := range streams {
			if s.sessionID == sessionID {
				s.end()
			}
		}
	}
}

// Drain ends every stream and takes no new one; pages reconnect elsewhere.
func (h *Hub) Drain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.draining = true
	for _, streams := range h.users {
		for _, s := range streams {
			s.end()
		}
	}
}

// Close drains and leaves NATS. Call it once.
func (h *Hub) Close() error {
	h.Drain()
	close(h.closed)
	return h.subscription.Unsubscribe()
}
