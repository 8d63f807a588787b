package httpapi

import (
	"hash/maphash"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/labstack/echo/v5"

	"adashi.ng/proto/gen/access"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
)

const (
	shards         = 16
	bucketsMax     = 4096 // For each shard.
	ipv6PrefixBits = 64   // The prefix of one subscriber.
)

// limiter counts only in this process: several processes together let so many times more calls through.
type limiter struct {
	now    clock.Clock
	known  KnowsDevice // May be nil: then no device is known.
	seed   maphash.Seed
	shards [shards]shard
	lanes  lanes
}

type shard struct {
	mu      sync.Mutex
	buckets map[string]bucket
}

// bucket allows so many calls at a time.
type bucket struct {
	calls float64
	at    time.Time
	limit access.Limit
}

func newLimiter(now clock.Clock) *limiter { return &limiter{now: now, seed: maphash.MakeSeed()} }

// take returns how long the caller has to wait; 0 lets the call through.
func (l *limiter) take(of access.Limit, who string) time.Duration {
	key := of.Class + " " + who
	s := &l.shards[maphash.String(l.seed, key)%shards]
	now := l.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	b, known := s.buckets[key]
	if !known {
		s.shrink(now)
		b = bucket{calls: of.Burst, at: now, limit: of}
	}
	b.fill(now)
	var wait time.Duration
	if wait = b.wait(); wait == 0 {
		b.calls--
	}
	s.buckets[key] = b
	return wait
}

// wait is the time until a call is available; 0 when one is.
func (b *bucket) wait() time.Duration {
	if b.calls >= 1 {
		return 0
	}
	return max(time.Second, time.Duration((1-b.calls)/b.limit.PerSecond*float64(time.Second)))
}

func (b *bucket) fill(now time.Time) {
	b.calls = min(b.limit.Burst, b.calls+max(0, now.Sub(b.at).Seconds())*b.limit.PerSecond)
	b.at = now
}

// shrink limits a shard's size: it removes full buckets, which have no effect, and if that is not enough, any.
func (s *shard) shrink(now time.Time) {
	if s.buckets == nil {
		s.buckets = make(map[string]bucket)
	}
	if len(s.buckets) < bucketsMax {
		return
	}
	for key, b := range s.buckets {
		if b.fill(now); b.calls >= b.limit.Burst {
			delete(s.buckets, key)
		}
	}
	for key := range s.buckets {
		if len(s.buckets) < bucketsMax*3/4 {
			return
		}
		delete(s.buckets, key)
	}
}

// limited applies a route's limit to its calls. For a limit by caller it must come after demand.
func (l *limiter) limited(of access.Limit) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if of.Class == "" {
			return next
		}
		return func(c *echo.Context) error {
			var who string
			if of.ByCaller {
				who = Caller(c).UserID
			} else {
				who = subscriber(c.RealIP())
			}
			wait := l.take(of, who)
			if wait > 0 && !of.ByCaller && l.knows(c.Request()) {
				wait = l.take(of, "device "+deviceOf(c.Request()))
			}
			if wait > 0 {
				return fault.Wait(wait)
			}
			if of.Class == weighed {
				return l.weigh(of, who, c, next)
			}
			return next(c)
		}
	}
}

// tokens limits how many invalid session tokens one address may try: as many as passwords and links.
var tokens = access.Limit{Class: "tokens", Burst: 120, PerSecond: 1}

// wait returns how long a caller would have to wait, and counts nothing.
func (l *limiter) wait(of access.Limit, who string) time.Duration {
	key := of.Class + " " + who
	s := &l.shards[maphash.String(l.seed, key)%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	b, known := s.buckets[key]
	if !known {
		return 0
	}
	b.fill(l.now())
	return b.wait()
}

// weighed is the class of expensive calls: they count by the time that they take.
const (
	weighed       = "weighed"
	weighedUnit   = 10 * time.Millisecond
	weighedAtOnce = 2
)

// weigh runs a call that is limited by its cost. More than weighedAtOnce calls of one caller wait for each other, so
// that a caller with many connections does not slow others down. Each counts against the limit by the time that it
// took.
func (l *limiter) weigh(of access.Limit, who string, c *echo.Context, next echo.HandlerFunc) error {
	lane := l.lanes.enter(who)
	defer l.lanes.leave(who)
	ctx := c.Request().Context()
	select {
	case lane <- struct{}{}:
		defer func() { <-lane }()
	case <-ctx.Done():
		return ctx.Err()
	}
	watch := clock.Start()
	err := next(c)
	l.charge(of, who, float64(watch.Took()/weighedUnit))
	return err
}

// charge takes calls from a bucket afterwards; below zero the caller waits.
func (l *limiter) charge(of access.Limit, who string, calls float64) {
	key := of.Class + " " + who
	s := &l.shards[maphash.String(l.seed, key)%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, known := s.buckets[key]; known {
		b.calls -= calls
		s.buckets[key] = b
	}
}

// lanes are the running weighed calls, by caller.
type lanes struct {
	mu  sync.Mutex
	all map[string]*lane
}

type lane struct {
	slots chan struct{}
	users int // Calls that run in it or wait for it.
}

func (l *lanes) enter(who string) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string]*lane{}
	}
	if l.all[who] == nil {
		l.all[who] = &lane{slots: make(chan struct{}, weighedAtOnce)}
	}
	l.all[who].users++
	return l.all[who].slots
}

func (l *lanes) leave(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all[who].users--; l.all[who].users == 0 {
		delete(l.all, who)
	}
}

// knows reports whether a call comes from a device on which a member has proved their identity: such a device has its
// own limit when strangers at its address have used theirs up.
func (l *limiter) knows(request *http.Request) bool {
	secret := deviceOf(request)
	if secret == "" || l.known == nil {
		return false
	}
	known, err := l.known(request.Context(), secret)
	return err == nil && known
}

// subscriber returns the part of an address that identifies a subscriber: for IPv6 the prefix.
func subscriber(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	prefix, _ := ip.Prefix(ipv6PrefixBits) // It fits every IPv6 address.
	return prefix.String()
}
