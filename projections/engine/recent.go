package engine

import "sync"

// recent are the last events that JetStream brought, without a gap. Every worker of the process takes them from here,
// each at its own pace; only one that is further behind reads Postgres.
type recent struct {
	mu          sync.Mutex
	ring        []Event       // Position p is at p modulo its length.
	first, next int64         // It holds those from first up to, not including, next.
	moved       chan struct{} // Closed when one comes; nil while nobody waits.
}

// recentMax is two seconds of events at full load.
const recentMax = 16384

func newRecent() *recent { return &recent{ring: make([]Event, recentMax)} }

// put takes an event in. After a gap, or in another epoch, it begins anew.
func (r *recent) put(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Pos != r.next {
		r.first = e.Pos
	}
	r.ring[e.Pos%recentMax] = e
	r.next = e.Pos + 1
	r.first = max(r.first, r.next-recentMax)
	if r.moved != nil {
		close(r.moved)
		r.moved = nil
	}
}

// now is closed: something is there already.
var now = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// after puts the events that follow on a position into a slice, as many as it has room for; behind says that older ones than are held here
// come first. When there is neither, moved is closed as soon as something comes; else it is closed already.
func (r *recent) after(pos int64, into []Event) (events []Event, behind bool, moved <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := pos + 1
	if from < r.first {
		return nil, true, now
	}
	if from >= r.next {
		if r.moved == nil {
			r.moved = make(chan struct{})
		}
		return nil, false, r.moved
	}
	events = into[:min(r.next-from, int64(len(into)))]
	for i := range events {
		events[i] = r.ring[(from+int64(i))%recentMax]
	}
	return events, false, now
}
