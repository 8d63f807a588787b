package people

import (
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"

	"github.com/nats-io/nats.go"
)

// SubjectRevoked carries every ended session to the other processes, over core NATS.
const SubjectRevoked = "adashi.session.revoked"

// ended is a session that ended, or changed and goes on. The hash is no secret that opens anything.
type ended struct {
	SessionID string `json:"session"`
	TokenHash string `json:"hash"`
	Changed   bool   `json:"changed,omitempty"`
}

// bus spreads ended sessions: to the cache, to the listeners and to the other processes.
type bus struct {
	cache        *sessionCache
	conn         *nats.Conn
	subscription *nats.Subscription
	mu           sync.RWMutex
	listeners    []func(string)
}

func newBus(conn *nats.Conn, cache *sessionCache) (*bus, error) {
	b := &bus{cache: cache, conn: conn}
	if conn == nil {
		return b, nil
	}
	subscription, err := conn.Subscribe(SubjectRevoked, func(message *nats.Msg) {
		var e ended
		if err := json.Unmarshal(message.Data, &e); err != nil {
			slog.Warn("people: an ended session that we cannot read", "error", err)
			return
		}
		b.apply(e)
	})
	b.subscription = subscription
	return b, err
}

func (b *bus) listen(f func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listeners = append(b.listeners, f)
}

// tell applies here at once and then tells the others; this process hears itself again, which changes nothing.
func (b *bus) tell(all []ended) {
	for _, e := range all {
		b.apply(e)
		if b.conn == nil {
			continue
		}
		body, err := json.Marshal(e)
		if err == nil {
			err = b.conn.Publish(SubjectRevoked, body)
		}
		if err != nil { // The others' caches run out within cacheValid.
			slog.Warn("people: other processes not told of an ended session", "error", err)
		}
	}
}

func (b *bus) apply(e ended) {
	raw, err := hex.DecodeString(e.TokenHash)
	if err != nil || len(raw) != 32 {
		return
	}
	if e.Changed {
		b.cache.forget([32]byte(raw))
		return
	}
	b.cache.end([32]byte(raw))
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, f := range b.listeners {
		f(e.SessionID)
	}
}

func (b *bus) close() {
	if b.subscription != nil {
		_ = b.subscription.Unsubscribe()
	}
}
