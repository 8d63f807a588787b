package live_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/live"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/session"
)

// bundle is a hub on a real NATS server and a real HTTP server; ?user= says who calls. Their name may be a role's too.
type bundle struct {
	hub    *live.Hub
	conn   *nats.Conn
	url    string
	mu     sync.Mutex
	groups map[string][]string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	bus, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
	require.NoError(t, err)
	bus.Start()
	t.Cleanup(bus.Shutdown)
	require.True(t, bus.ReadyForConnections(10*time.Second))
	conn, err := nats.Connect("", nats.InProcessServer(bus))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	b := &bundle{conn: conn, groups: map[string][]string{}}
	b.hub, err = live.New(conn, b.memberships)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.hub.Close()) })
	require.NoError(t, conn.Flush())
	e := echo.New()
	e.GET("/api/live", func(c *echo.Context) error {
		user := c.QueryParam("user")
		return b.hub.Handler(c, people.Caller{UserID: user, SessionID: "session of " + user, Roles: []string{user}}, stillOpen)
	})
	web := httptest.NewServer(e)
	t.Cleanup(web.Close)
	b.url = web.URL + "/api/live?user="
	return b
}

func (b *bundle) memberships(_ context.Context, userID string) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.groups[userID], nil
}

func (b *bundle) join(user string, groups ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.groups[user] = groups
}

func (b *bundle) publish(t testing.TB, change live.Change) {
	t.Helper()
	message, err := change.Message()
	require.NoError(t, err)
	require.NoError(t, b.conn.PublishMsg(message))
	require.NoError(t, b.conn.Flush())
}

// page is an open stream. Its lines come with a deadline.
type page struct {
	lines chan string
	close func()
}

func (b *bundle) open(t *testing.T, user, last string) *page {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+user, nil)
	require.NoError(t, err)
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	p := &page{lines: make(chan string, 10_000), close: cancel}
	go func() {
		defer close(p.lines)
		defer func() { _ = response.Body.Close() }()
		for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
			p.lines <- scanner.Text()
		}
	}()
	p.until(t, ": live")
	return p
}

// until reads to the line with that beginning and answers it; "" is the stream's end.
func (p *page) until(t *testing.T, beginning string) string {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		select {
		case line, open := <-p.lines:
			if !open {
				require.Empty(t, beginning, "the stream ended")
				return ""
			}
			if beginning != "" && strings.HasPrefix(line, beginning) {
				return line
			}
		case <-deadline:
			t.Fatalf("nothing like %q came", beginning)
		}
	}
}

func wallet(position int64, user string) live.Change {
	return live.Change{Model: "balances", Position: position, Users: map[string][]string{user: {"wallet"}}}
}

// Each page waits before it says what comes next, however many come, and says all of it then.
func TestBusyStreamIsToldAtIntervals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.open(t, "ada", "")
	began := time.Now()
	for n := range int64(8) {
		b.publish(t, wallet(2*n+1, "ada"))
		b.publish(t, wallet(2*n+2, "ada"))
		p.until(t, fmt.Sprintf("id: %d", 2*n+1))
		p.until(t, fmt.Sprintf("id: %d", 2*n+2))
	}
	require.GreaterOrEqual(t, time.Since(began), 7*live.TellEvery)
}

func TestUserHearsTheirOwnOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.open(t, "ada", "")
	b.publish(t, wallet(1, "bola"))
	b.publish(t, live.Change{Position: 2, Groups: []string{"g1"}})
	b.publish(t, wallet(3, "ada"))
	require.Equal(t, "id: 3", p.until(t, "id: "))
	require.Equal(t, `data: {"position":3,"topics":["wallet"]}`, p.until(t, "data: "))
}

func TestMemberHearsTheGroup(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join("ada", "g1")
	p := b.open(t, "ada", "")
	b.publish(t, live.Change{Position: 5, Users: map[string][]string{"ada": {"activity"}}, Groups: []string{"g2", "g1"}})
	require.Equal(t, `data: {"position":5,"topics":["activity","group:g1"]}`, p.until(t, "data: "))
}

func TestStaffHearOfTheirDeskAndNobodyElseDoes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	support, finance, admin, member := b.open(t, people.RoleSupport, ""), b.open(t, people.RoleFinanceOps, ""), b.open(t, people.RoleAdmin, ""), b.open(t, "ada", "")
	b.publish(t, live.Change{Position: 5, Users: map[string][]string{"ada": {"disputes"}}, Desks: []string{engine.SupportDesk}})
	b.publish(t, live.Change{Position: 6, Desks: []string{engine.FinanceDesk}})
	require.Equal(t, `data: {"position":5,"topics":["desk:support"]}`, support.until(t, "data: "))
	require.Equal(t, `data: {"position":6,"topics":["desk:finance"]}`, finance.until(t, "data: "))
	require.Equal(t, `data: {"position":5,"topics":["desk:support"]}`, admin.until(t, "data: "))
	require.Equal(t, `data: {"position":6,"topics":["desk:finance"]}`, admin.until(t, "data: "))
	require.Equal(t, `data: {"position":5,"topics":["disputes"]}`, member.until(t, "data: "))
	support.close()
	b.publish(t, live.Change{Position: 7, Desks: []string{engine.SupportDesk}})
	again := b.open(t, people.RoleSupport, "5")
	require.Equal(t, `data: {"position":7,"topics":["desk:support"]}`, again.until(t, "data: "))
	b.hub.EndSession("session of " + people.RoleSupport)
	again.until(t, "")
	b.publish(t, live.Change{Position: 8, Desks: []string{engine.SupportDesk}})
	require.Equal(t, `data: {"position":8,"topics":["desk:support"]}`, admin.until(t, `data: {"position":8`))
}

func TestJoiningAGroupIsHeardFromThenOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.open(t, "ada", "")
	b.join("ada", "g1")
	b.publish(t, live.Change{Position: 5, Users: map[string][]string{"ada": {"groups"}}})
	require.Equal(t, `data: {"position":5,"topics":["groups","group:g1"]}`, p.until(t, "data: "))
	b.publish(t, live.Change{Position: 6, Groups: []string{"g1"}})
	require.Equal(t, `data: {"position":6,"topics":["group:g1"]}`, p.until(t, "data: "))
	b.join("ada")
	b.publish(t, live.Change{Position: 7, Users: map[string][]string{"ada": {"groups"}}})
	p.until(t, "id: 7")
	b.publish(t, live.Change{Position: 8, Groups: []string{"g1"}})
	b.publish(t, wallet(9, "ada"))
	require.Equal(t, "id: 9", p.until(t, "id: "))
}

func TestResumeFromTheLastEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.open(t, "ada", "")
	b.publish(t, wallet(10, "ada"))
	require.Equal(t, "id: 10", first.until(t, "id: "))
	first.close()
	b.publish(t, live.Change{Model: "slow", Position: 9, Users: map[string][]string{"ada": {"activity"}}}) // A slower model's earlier position.
	b.publish(t, wallet(11, "bola"))
	b.publish(t, wallet(12, "ada"))
	again := b.open(t, "ada", "10")
	require.Equal(t, `data: {"position":9,"topics":["activity"]}`, again.until(t, "data: "))
	require.Equal(t, "id: 12", again.until(t, "id: "))
}

// What a page read before its stream was open may be older than what changed by then.
func TestAPageHearsWhatChangedWhileItWasOpened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join("ada", "g1")
	witness := b.open(t, "bola", "")
	b.publish(t, wallet(10, "ada"))
	b.publish(t, live.Change{Position: 11, Groups: []string{"g1"}})
	b.publish(t, live.Change{Position: 12, Groups: []string{"g2"}})
	b.publish(t, wallet(13, "bola"))
	witness.until(t, "id: 13")
	p := b.open(t, "ada", "")
	require.Equal(t, `data: {"position":10,"topics":["wallet"]}`, p.until(t, "data: "))
	require.Equal(t, `data: {"position":11,"topics":["group:g1"]}`, p.until(t, "data: "))
	require.Equal(t, "id: 13", p.until(t, "id: "), "it resumes after what others were told")
	require.Equal(t, "id: 13", b.open(t, "chi", "").until(t, "id: "), "nothing of it is theirs")
}

func TestWhoResumesGetsWhatCameWhileNobodyLooked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join("ada", "g1")
	first := b.open(t, "ada", "")
	b.publish(t, wallet(10, "ada"))
	first.until(t, "id: 10")
	b.hub.EndSession("session of ada")
	first.until(t, "")
	crowd := map[string][]string{}
	for n := range 1000 {
		crowd[fmt.Sprint("user-", n)] = []string{"wallet"}
	}
	b.publish(t, live.Change{Position: 11, Users: crowd})
	b.publish(t, live.Change{Position: 12, Users: crowd, Groups: []string{"g1"}})
	crowd["ada"] = []string{"activity"}
	b.publish(t, live.Change{Position: 13, Users: crowd})
	b.publish(t, live.Change{Position: 14, Groups: []string{"g2"}})
	again := b.open(t, "ada", "10")
	require.Equal(t, `data: {"position":12,"topics":["group:g1"]}`, again.until(t, "data: "))
	require.Equal(t, `data: {"position":13,"topics":["activity"]}`, again.until(t, "data: "))
	b.publish(t, wallet(15, "ada"))
	require.Equal(t, "id: 15", again.until(t, "id: "))
}

func TestWhoMissedMoreThanIsToldAtOnceIsReset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	witness := b.open(t, "bola", "")
	for pos := range int64(100) {
		b.publish(t, wallet(1+pos, "ada"))
	}
	b.publish(t, wallet(101, "bola"))
	witness.until(t, "id: 101")
	b.open(t, "ada", "1").until(t, "event: reset")
	b.open(t, "ada", "").until(t, "event: reset")
	require.Equal(t, "id: 91", b.open(t, "ada", "90").until(t, "id: "))
}

func TestAChangeThatNobodyCanReadOrPlaceHoldsNothingUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.open(t, "ada", "")
	message, err := wallet(7, "ada").Message()
	require.NoError(t, err)
	message.Header = nil
	require.NoError(t, b.conn.PublishMsg(message))
	message, err = wallet(8, "ada").Message()
	require.NoError(t, err)
	message.Data = []byte("nonsense")
	require.NoError(t, b.conn.PublishMsg(message))
	b.publish(t, wallet(9, "ada"))
	require.Equal(t, "id: 9", p.until(t, "id: "))
	again := b.open(t, "ada", "8")
	require.Equal(t, `data: {"position":9,"topics":["wallet"]}`, again.until(t, "data: "))
}

func TestResumeFromWhatIsNotKnownIsReset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(t, wallet(10, "ada"))
	for _, last := range []string{"7", "999999", "-1", "x", "99999999999999999999"} {
		b.open(t, "ada", last).until(t, "event: reset")
	}
}

func TestIdToResumeFromComesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	witness := b.open(t, "ada", "")
	b.publish(t, wallet(10, "ada"))
	witness.until(t, "id: 10")
	require.Equal(t, "id: 10", b.open(t, "bola", "").until(t, "id: "))
}

func TestLogoutEndsTheStream(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, bola := b.open(t, "ada", ""), b.open(t, "bola", "")
	b.hub.EndSession("session of ada")
	ada.until(t, "")
	b.publish(t, wallet(1, "bola"))
	bola.until(t, "id: 1")
}

func TestDrainEndsAllAndTakesNoMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.open(t, "ada", "")
	b.hub.Drain()
	p.until(t, "")
	response, err := http.Get(b.url + "ada")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.NotEqual(t, 200, response.StatusCode)
}

func TestTwentyStreamsAUser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	oldest := b.open(t, "ada", "")
	var newest *page
	for range 20 {
		newest = b.open(t, "ada", "")
	}
	oldest.until(t, "")
	b.publish(t, wallet(1, "ada"))
	newest.until(t, "id: 1")
}

// slowWriter is a page that reads nothing until it is let.
type slowWriter struct {
	*httptest.ResponseRecorder
	let     chan struct{}
	waiting chan struct{}
	reset   chan struct{} // Closed when it is told to begin anew.
	once    sync.Once
	told    sync.Once
}

func (w *slowWriter) Write(p []byte) (int, error) {
	w.once.Do(func() { close(w.waiting) })
	<-w.let
	if bytes.Contains(p, []byte("event: reset")) {
		w.told.Do(func() { close(w.reset) })
	}
	return w.ResponseRecorder.Write(p)
}

func TestSlowReaderIsResetAndHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := &slowWriter{ResponseRecorder: httptest.NewRecorder(), let: make(chan struct{}), waiting: make(chan struct{}), reset: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	request := httptest.NewRequest("GET", "/api/live", nil).WithContext(ctx)
	done := make(chan error, 1)
	go func() {
		done <- b.hub.Handler(echo.New().NewContext(request, w), people.Caller{UserID: "ada"}, stillOpen)
	}()
	<-w.waiting
	other := b.open(t, "bola", "")
	for i := range int64(500) {
		b.publish(t, wallet(i+1, "ada"))
	}
	b.publish(t, wallet(501, "bola"))
	other.until(t, "id: 501")
	close(w.let)
	third := b.open(t, "ada", "")
	b.publish(t, wallet(502, "ada"))
	third.until(t, "id: 502")
	select {
	case <-w.reset:
	case <-time.After(10 * time.Second):
		t.Error("the slow page was not told to begin anew")
	}
	b.hub.Drain()
	require.NoError(t, <-done)
	cancel()
}

func TestThousandStreams(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pages := make([]*page, 1000)
	for i := range pages {
		user := fmt.Sprintf("user-%d", i)
		b.join(user, "g")
		pages[i] = b.open(t, user, "")
	}
	start := time.Now()
	b.publish(t, live.Change{Position: 1, Groups: []string{"g"}})
	for _, p := range pages {
		p.until(t, "id: 1")
	}
	t.Logf("1,000 streams told in %s", time.Since(start))
}

// stillOpen is the answer about a session that has not ended.
func stillOpen(context.Context) error { return nil }

func TestAStreamThatOpensWhileItsSessionEndsIsOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	begin := func(stands func(context.Context) error) error {
		request := httptest.NewRequest("GET", "/api/live", nil).WithContext(t.Context())
		return b.hub.Handler(echo.New().NewContext(request, httptest.NewRecorder()), people.Caller{UserID: "ada", SessionID: "s"}, stands)
	}
	require.ErrorContains(t, begin(func(context.Context) error { return session.Expired() }), "Your session has expired", "it ended before the stream was open")
	require.NoError(t, begin(func(context.Context) error { b.hub.EndSession("s"); return nil }), "it ends after that, which ends the stream")
}
