package main

import (
	"context"
	"fmt"
	"net"
	"sync"

	"adashi.ng/services/internal/boot"
)

const (
	loginRate   = 16 // A second; at least 15 must succeed.
	readRate    = 400
	loginsFrom  = 64 // Addresses, because one alone may not log in so often.
	benchSecret = "a bench is not a bank"
)

var logins = benchmark{name: "login", run: login, rows: []spec{
	{"login", "logins/s", bar{least: 15}},
	{"login-reads", "requests/s", bar{least: 0.95 * readRate, p99: 50}},
}}

// login makes sixteen members a second log in with their passwords (argon2id, 19 MiB) over HTTP, while others read
// their balances, 400 a second: login-reads is the latency of those reads. Both count from when they were due. There is
// no limit.
func login(ctx context.Context, w *world) ([]row, error) {
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
	doors, shut, err := d.doors()
	if err != nil {
		return nil, err
	}
	defer shut()
	lines, closeLines, err := d.lines(64)
	if err != nil {
		return nil, err
	}
	defer closeLines()
	var (
		wait      sync.WaitGroup
		reads     sample
		readError error
	)
	wait.Go(func() {
		reads, readError = paced(ctx, readRate, 2*measured, func(n int) error {
			_, err := lines.ask(d.get("/api/Wallet/get-user-balance", n%sessions, 0))
			return err
		})
	})
	ours, err := paced(ctx, loginRate, 2*measured, func(n int) error {
		_, err := doors[n%loginsFrom].ask(d.logInAs(n % sessions))
		return err
	})
	wait.Wait()
	if err == nil {
		err = readError
	}
	return []row{ours.row("login", 0), reads.row("login-reads", 0)}, err
}

// doors are connections from as many addresses of this machine, each used by one caller at a time.
func (d *door) doors() ([]lineSet, func(), error) {
	var all []lineSet
	shut := func() {
		for _, set := range all {
			_ = (<-set).conn.Close()
		}
	}
	for n := range loginsFrom {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 2, 0, byte(n+1))}}
		conn, err := dialer.Dial("tcp", d.address())
		if err != nil {
			shut()
			return nil, nil, err
		}
		set := make(lineSet, 1)
		set <- newLine(conn)
		all = append(all, set)
	}
	return all, shut, nil
}

func (d *door) logInAs(user int) string {
	body := fmt.Sprintf(`{"email":"%s@bench.example","password":%q}`, userID(user), benchSecret)
	return fmt.Sprintf("POST /api/Account/GetToken HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}
