package live

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/people"
)

const (
	beatEvery    = 15 * time.Second
	streamMax    = time.Hour // Then the page reconnects, and its session is judged anew.
	writeTimeMax = 10 * time.Second
	// TellEvery is how often a stream is told at most.
	TellEvery = 75 * time.Millisecond
)

// Handler streams to the caller until either side ends it. stands reports that the caller's session has ended. It is
// asked once the stream is open, when the end of the session would end the stream, so that none is opened in between;
// and at each beat where the stream shows a desk of our staff, whose role is taken away by a command of another
// process.
func (h *Hub) Handler(c *echo.Context, caller people.Caller, stands func(ctx context.Context) error) error {
	s := &stream{
		userID: caller.UserID, sessionID: caller.SessionID, desks: desksOf(caller), queue: make(chan event, queueMax), done: make(chan struct{}),
	}
	if err := h.open(s); err != nil {
		return err
	}
	defer h.close(s)
	ctx := c.Request().Context()
	if err := stands(ctx); err != nil {
		return err
	}
	groups, err := h.memberships(ctx, s.userID)
	if err != nil {
		return err
	}
	w := newWriter(c.Response())
	if err := h.begin(w, s, groups, c.Request().Header.Get("Last-Event-ID")); err != nil {
		return nil // The page has gone.
	}
	if err := h.pump(ctx, w, s, stands); err != nil && !errors.Is(err, context.Canceled) {
		slog.DebugContext(ctx, "live stream ended", "error", err)
	}
	return nil
}

// desksOf are the desks that a caller's roles open.
func desksOf(caller people.Caller) (desks []string) {
	if caller.Has(people.RoleSupport, people.RoleAdmin) {
		desks = append(desks, engine.SupportDesk)
	}
	if caller.Has(people.RoleFinanceOps, people.RoleAdmin) {
		desks = append(desks, engine.FinanceDesk)
	}
	return desks
}

// begin sends what the page missed, or reset when that is not known.
func (h *Hub) begin(w *writer, s *stream, groups []string, header string) error {
	last, err := strconv.ParseInt(header, 10, 64)
	missed, known := []event(nil), false
	switch {
	case header == "":
		missed, known = h.join(s, groups)
	case err == nil:
		missed, known = h.resume(s, groups, last)
	default:
		h.attach(s, groups)
	}
	if !known {
		w.reset(h.reached(s))
		return w.flush()
	}
	for _, e := range missed {
		w.event(e)
	}
	if header == "" {
		w.mark(h.reached(s))
	}
	return w.flush()
}

// pump writes events as they come.
func (h *Hub) pump(ctx context.Context, w *writer, s *stream, stands func(ctx context.Context) error) error {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	over := time.NewTimer(streamMax)
	defer over.Stop()
	rested := time.NewTimer(TellEvery)
	defer rested.Stop()
	var news <-chan event // None while it rests.
	for {
		select {
		case e := <-news:
			if err := h.write(ctx, w, s, e); err != nil {
				return err
			}
			news = nil
			rested.Reset(TellEvery)
		case <-rested.C:
			news = s.queue
			continue
		case <-beat.C:
			if len(s.desks) > 0 && fault.Is(stands(ctx), fault.Unauthenticated) {
				return nil
			}
			w.beat()
			w.mark(h.reached(s))
		case <-s.done:
			return nil
		case <-over.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := w.flush(); err != nil {
			return err
		}
	}
}

// write sends an event and all that wait behind it.
func (h *Hub) write(ctx context.Context, w *writer, s *stream, e event) error {
	for {
		if position, lost := h.takeLost(s); lost {
			groups, err := h.memberships(ctx, s.userID)
			if err != nil {
				return err
			}
			h.attach(s, groups)
			w.reset(position)
			return nil
		}
		if e.refresh {
			groups, err := h.memberships(ctx, s.userID)
			if err != nil {
				return err // The page reconnects and reads everything.
			}
			for _, added := range h.attach(s, groups) {
				if topic := groupTopic(added); !slices.Contains(e.topics, topic) {
					e.topics = append(e.topics, topic)
				}
			}
		}
		w.event(e)
		select {
		case e = <-s.queue:
		default:
			return nil
		}
	}
}

// writer puts events together and sends them at flush.
type writer struct {
	response   http.ResponseWriter
	controller *http.ResponseController
	moved      clock.Watch // Since when it may write for longer.
	buffer     []byte
}

func newWriter(response http.ResponseWriter) *writer {
	header := response.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // A proxy in between must not wait for more.
	w := &writer{response: response, controller: http.NewResponseController(response)}
	_ = w.controller.SetReadDeadline(time.Time{}) // The server's limits are for ordinary requests.
	w.buffer = append(w.buffer, "retry: 1000\n: live\n\n"...)
	return w
}

func (w *writer) event(e event) {
	if len(e.topics) == 0 {
		return
	}
	w.id(e.position)
	w.buffer = strconv.AppendInt(append(w.buffer, `data: {"position":`...), e.position, 10)
	between := `,"topics":[`
	for _, topic := range e.topics {
		w.buffer, _ = jsontext.AppendQuote(append(w.buffer, between...), topic) // Wrong only about what is not UTF-8.
		between = ","
	}
	w.buffer = append(w.buffer, "]}\n\n"...)
}

func (w *writer) reset(position int64) {
	w.id(position)
	w.buffer = append(w.buffer, "event: reset\ndata: {}\n\n"...)
}

// mark sets the id to resume from without an event.
func (w *writer) mark(position int64) {
	if position > 0 {
		w.id(position)
		w.buffer = append(w.buffer, '\n')
	}
}

func (w *writer) id(position int64) {
	w.buffer = append(strconv.AppendInt(append(w.buffer, "id: "...), position, 10), '\n')
}

func (w *writer) beat() { w.buffer = append(w.buffer, ": beat\n\n"...) }

func (w *writer) flush() error {
	if w.moved.Took() > time.Second {
		w.moved = clock.Start()
		_ = w.controller.SetWriteDeadline(clock.In(writeTimeMax + time.Second))
	}
	if _, err := w.response.Write(w.buffer); err != nil {
		return err
	}
	w.buffer = w.buffer[:0]
	return w.controller.Flush()
}
