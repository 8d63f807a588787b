package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
)

// vaultKey is for a vault without any person.
const vaultKey = "a key for a vault that holds nobody"

// sessions is how many members are logged in.
const sessions = 200

// door is a running instance in this process, and a session of each of the first members.
type door struct {
	*boot.Instance
	tokens  []string
	secrets []string // The second secret of each session.
}

// open starts an instance on the world's Postgres, with its own NATS.
func (w *world) open(ctx context.Context, roles boot.Roles) (*door, error) {
	data := filepath.Join(w.dir, "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		return nil, err
	}
	i, err := boot.Start(ctx, config.Config{
		Host: "127.0.0.1", PortGiven: true, Data: data, Rail: config.RailSandbox, NATSReplicas: 1,
		DatabaseURL: config.Secret(w.server.URL("postgres")), VaultKey: vaultKey,
	}, roles)
	if err != nil {
		return nil, err
	}
	d := &door{Instance: i}
	if roles.API {
		err = d.logIn(ctx, w.pool)
	}
	if err != nil {
		i.Stop()
		return nil, err
	}
	return d, nil
}

// address is the address of the HTTP server.
func (d *door) address() string { return strings.TrimPrefix(d.Address, "http://") }

// logIn gives the first wallets' owners accounts and sessions, and the groups' owners accounts, by SQL, because it does
// not measure the cost of a password's hash. It makes one account properly and copies it.
func (d *door) logIn(ctx context.Context, pool *pgxpool.Pool) error {
	ids, tokens, secrets := make([]string, sessions), make([][]byte, sessions), make([][]byte, sessions)
	for n := range sessions {
		ids[n] = userID(n)
		d.tokens, tokens[n] = keep(d.tokens, "bench", n)
		d.secrets, secrets[n] = keep(d.secrets, "secret", n)
	}
	var there bool
	if err := pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM accounts WHERE id = $1)", ids[0]).Scan(&there); err != nil || there {
		return err
	}
	_, err := d.People.CreateVerified(ctx, people.Registration{
		Email: "bench@bench.example", Password: benchSecret, FirstName: "Bench", LastName: "Member", Phone: "+2348000000000", DateOfBirth: "1990-01-01",
	}, people.RoleUser)
	if err != nil {
		return err
	}
	folk := slices.Clone(ids)
	for g := range groups {
		folk = append(folk, ownerID(g))
	}
	_, err = pool.Exec(ctx, `INSERT INTO accounts SELECT (jsonb_populate_record(a, jsonb_build_object('id', u.id, 'email', u.id || '@bench.example'))).*
		FROM accounts a, unnest($1::text[]) AS u (id) WHERE a.email = 'bench@bench.example'`, folk)
	if err != nil {
		return err
	}
	_, err = pool.Exec(ctx, `INSERT INTO sessions (id, token_hash, secret_hash, user_id, created_at, last_seen_at, expires_at, device)
		SELECT gen_random_uuid(), token, secret, id, now(), now(), now() + interval '1 day', 'bench'
		FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS s (id, token, secret)`, ids, tokens, secrets)
	return err
}

// keep adds the n-th token of a kind, the same in every run, and also returns its hash.
func keep(tokens []string, kind string, n int) ([]string, []byte) {
	raw := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(kind), uint64(n)))
	token := base64.RawURLEncoding.EncodeToString(raw[:])
	hash := sha256.Sum256([]byte(token))
	return append(tokens, token), hash[:]
}

// line is an HTTP connection that stays open.
type line struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(address string) (line, error) {
	conn, err := net.Dial("tcp", address)
	return newLine(conn), err
}

func newLine(conn net.Conn) line { return line{conn, bufio.NewReader(conn)} }

// ask sends a request and reads the reply. It returns the reply's X-Position; a status other than 200 is an error.
func (l line) ask(request string) (position int64, err error) {
	reply, err := l.send(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	if _, err := io.Copy(io.Discard, reply.Body); err != nil {
		return 0, err
	}
	if at := reply.Header.Get("X-Position"); at != "" {
		return strconv.ParseInt(at, 10, 64)
	}
	return 0, nil
}

// send sends a request and returns the reply, whose body the caller must read.
func (l line) send(request string) (*http.Response, error) {
	if _, err := io.WriteString(l.conn, request); err != nil {
		return nil, err
	}
	reply, err := http.ReadResponse(l.in, nil)
	if err != nil {
		return nil, err
	}
	if reply.StatusCode != http.StatusOK {
		defer reply.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(reply.Body, 1<<10))
		return nil, fmt.Errorf("%s: %s", reply.Status, body)
	}
	return reply, nil
}

// overHTTP makes clients send requests, one after another, over connections that stay open.
func overHTTP(address string, clients int, request func(n int) string) (sample, error) {
	s, _, err := overHTTPFor(address, clients, warmUp, measured, request)
	return s, err
}

// overHTTPFor is overHTTP for so long. It also returns how many requests were sent, including the warm-up.
func overHTTPFor(address string, clients int, warmUp, measured time.Duration, request func(n int) string) (sample, int, error) {
	lines := make([]line, clients)
	for n := range lines {
		l, err := dial(address)
		if err != nil {
			return sample{}, 0, err
		}
		defer l.conn.Close()
		lines[n] = l
	}
	var asked atomic.Int64
	s, err := hammerFor(clients, warmUp, measured, func(caller, _ int) error {
		_, err := lines[caller].ask(request(int(asked.Add(1))))
		return err
	})
	return s, int(asked.Load()), err
}
