package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v5"

	"adashi.ng/projections/balances"
	"adashi.ng/services/internal/boot"
)

const (
	clients     = 64
	bulkClients = 16
	bulkSize    = 100
)

var overTheWire = []benchmark{
	{name: "http-contribute", run: httpContribute, rows: []spec{{"http-contribute", "requests/s", bar{least: 10_000, p99: 20}}}},
	{name: "http-bulk", run: httpBulk, rows: []spec{{"http-bulk", "payments/s", bar{least: 30_000, p99: 100}}}},
	{name: "http-read", run: httpRead, rows: []spec{
		{"http-read-balance", "requests/s", bar{ratio: 0.30}},
		{"http-read-group", "requests/s", bar{}},
	}},
}

// httpContribute measures the whole path of a contribution over HTTP (session, permissions, decode, decide, durable,
// reply) from 64 clients, against an Echo server that says hello to as many.
func httpContribute(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	d, err := w.open(ctx, boot.Roles{API: true})
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	ours, err := overHTTP(d.address(), clients, func(n int) string { return d.contribute(n % sessions) })
	if err != nil {
		return nil, err
	}
	limit, err := hello()
	return []row{ours.row("http-contribute", limit)}, err
}

// contribute is a member's contribution of 0.01 to their group.
func (d *door) contribute(user int) string {
	body := fmt.Sprintf(`{"amount":0.01,"subAccountId":%q,"userId":%q}`, subID(user%groups), userID(user))
	return d.post("/api/Wallet/make-payment-with-wallet", user, body)
}

// httpBulk measures atomic bulks of 100 payments of 0.01 over HTTP from 16 clients, counted in payments; the latencies
// are the bulks'. The limit is 512 callers who append single contributions in the same process, without HTTP.
func httpBulk(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, crowd); err != nil {
		return nil, err
	}
	limit, err := w.contributions(ctx, 512)
	if err != nil {
		return nil, err
	}
	d, err := w.open(ctx, boot.Roles{API: true})
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	ours, err := overHTTP(d.address(), bulkClients, func(n int) string { return d.bulk(n % sessions) })
	return []row{ours.times(bulkSize).row("http-bulk", limit.rate)}, err
}

// bulk is a member's bulk of contributions to their group.
func (d *door) bulk(user int) string {
	one := fmt.Sprintf(`{"amount":0.01,"subAccountId":%q}`, subID(user%groups))
	payments := strings.Repeat(one+",", bulkSize-1) + one
	return d.post("/api/v1/wallet/make-payments-with-wallet", user, fmt.Sprintf(`{"userId":%q,"payments":[%s]}`, userID(user), payments))
}

// httpRead measures two reads over HTTP from 64 clients, each with a session: a member's balances, and a group of ten
// with its total and its members. The limit of both is a balance read by key through pgx by 64 goroutines.
func httpRead(ctx context.Context, w *world) ([]row, error) {
	if err := w.populate(ctx, sessions); err != nil {
		return nil, err
	}
	d, err := w.open(ctx, boot.Roles{API: true})
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	if err := d.Engine.CatchUp(ctx); err != nil {
		return nil, err
	}
	balance, err := overHTTP(d.address(), clients, func(n int) string { return d.get("/api/Wallet/get-user-balance", n%sessions, 0) })
	if err != nil {
		return nil, err
	}
	group, err := overHTTP(d.address(), clients, func(n int) string { return d.readGroup(n%sessions, 0) })
	if err != nil {
		return nil, err
	}
	limit, err := w.balances(ctx)
	return []row{balance.row("http-read-balance", limit.rate), group.row("http-read-group", limit.rate)}, err
}

func (d *door) readGroup(user int, least int64) string {
	return d.get("/api/GroupSavings/GetGroupSavingsInfo/"+groupID(user%groups), user, least)
}

// balances makes 64 goroutines read balances by key, each over a connection of its own.
func (w *world) balances(ctx context.Context) (sample, error) {
	pool, err := w.connect(ctx, clients)
	if err != nil {
		return sample{}, err
	}
	defer pool.Close()
	return readBalances(ctx, pool, w.wallets)
}

func readBalances(ctx context.Context, pool *pgxpool.Pool, wallets int) (sample, error) {
	return hammer(clients, func(_, n int) error {
		b, err := balances.Of(ctx, pool, userID(n%wallets))
		if err == nil && b.Wallet == 0 {
			err = fmt.Errorf("%s has no money", userID(n%wallets))
		}
		return err
	})
}

// hello measures an Echo server that says hello to 64 clients.
func hello() (float64, error) {
	e := echo.New()
	e.POST("/", func(c *echo.Context) error { return c.String(http.StatusOK, "hello") })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	server := &http.Server{Handler: e, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	s, err := overHTTP(listener.Addr().String(), clients, func(int) string {
		return "POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: 0\r\n\r\n"
	})
	return s.rate, err
}

// post is a member's write, with a key of its own.
func (d *door) post(path string, user int, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nX-Session-Secret: %s\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s",
		path, d.tokens[user], d.secrets[user], uuid.NewString(), len(body), body)
}

// get is a member's read, of a position at least; 0 is any.
func (d *door) get(path string, user int, least int64) string {
	position := ""
	if least > 0 {
		position = fmt.Sprintf("X-Min-Position: %d\r\n", least)
	}
	return fmt.Sprintf("GET %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nX-Session-Secret: %s\r\n%s\r\n", path, d.tokens[user], d.secrets[user], position)
}
