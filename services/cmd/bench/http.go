package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v5"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
)

func newPool(ctx context.Context, config *pgxpool.Config) (*pgxpool.Pool, error) {
	return pgxpool.NewWithConfig(ctx, config)
}

const (
	clients  = 64
	sessions = 200
)

// httpContribute measures the whole path of a contribution over HTTP, against an Echo that says hello.
func httpContribute(ctx context.Context, w *world) (sample, float64, error) {
	if err := w.populate(ctx); err != nil {
		return sample{}, 0, err
	}
	data := filepath.Join(w.dir, "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		return sample{}, 0, err
	}
	instance, err := boot.Start(ctx, config.Config{
		Host: "127.0.0.1", PortGiven: true, Data: data, Rail: config.RailSandbox, NATSReplicas: 1,
		DatabaseURL: config.Secret(w.server.URL("postgres")),
	}, boot.Roles{API: true})
	if err != nil {
		return sample{}, 0, err
	}
	defer instance.Stop()
	tokens, err := w.logins(ctx, instance)
	if err != nil {
		return sample{}, 0, err
	}
	address := strings.TrimPrefix(instance.Address, "http://")
	ours, err := overHTTP(address, func(caller int) string {
		n := caller % sessions
		body := fmt.Sprintf(`{"amount":0.01,"subAccountId":%q,"userId":%q}`, subID(n%groups), userID(n))
		return fmt.Sprintf("POST /api/Wallet/make-payment-with-wallet HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s",
			tokens[n], uuid.NewString(), len(body), body)
	})
	if err != nil {
		return ours, 0, err
	}
	limit, err := hello()
	return ours, limit, err
}

// logins signs the first members up as accounts of their own and logs them in. Their ids are the wallets' ids.
func (w *world) logins(ctx context.Context, i *boot.Instance) ([]string, error) {
	tokens := make([]string, sessions)
	const password = "a bench is not a bank"
	for n := range tokens {
		email := fmt.Sprintf("bench%d@bench.example", n)
		id, err := i.People.CreateVerified(ctx, people.Registration{
			Email: email, Password: password, FirstName: "Bench", LastName: "Member", Phone: fmt.Sprintf("+23480%08d", n), DateOfBirth: "1990-01-01",
		}, people.RoleUser)
		if err != nil {
			return nil, err
		}
		if _, err := w.pool.Exec(ctx, "UPDATE accounts SET id = $2 WHERE id = $1", id, userID(n)); err != nil {
			return nil, err
		}
		login, err := i.People.Login(ctx, email, password)
		if err != nil {
			return nil, err
		}
		tokens[n] = login.Token
	}
	return tokens, nil
}

// overHTTP has clients send requests over connections that stay open. A reply other than 200 is an error.
func overHTTP(address string, request func(caller int) string) (sample, error) {
	type client struct {
		conn net.Conn
		in   *bufio.Reader
	}
	all := make([]client, clients)
	for n := range all {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return sample{}, err
		}
		defer conn.Close()
		all[n] = client{conn, bufio.NewReader(conn)}
	}
	var asked atomic.Int64
	return hammer(clients, func(caller, _ int) error {
		c := all[caller]
		if _, err := io.WriteString(c.conn, request(int(asked.Add(1)))); err != nil {
			return err
		}
		reply, err := http.ReadResponse(c.in, nil)
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		if reply.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(reply.Body)
			return fmt.Errorf("%s: %s", reply.Status, body)
		}
		_, err = io.Copy(io.Discard, reply.Body)
		return err
	})
}

// hello is an Echo that says hello.
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
	s, err := overHTTP(listener.Addr().String(), func(int) string {
		return "POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: 0\r\n\r\n"
	})
	return s.rate, err
}
