package town

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"

	"adashi.ng/services/internal/boot"
)

// cuts breaks the product off between two things that it says to the database: it is dead from then on, and starts
// again on what the database has. Nobody marks the places: each write to a connection is one.
type cuts struct {
	mu   sync.Mutex
	left int // How many writes are left until it breaks off; below 0 for no end.
	dead bool
}

var errCut = errors.New("the process was cut off")

// dial connects the product to its database.
func (c *cuts) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	dead := c.dead
	c.mu.Unlock()
	if dead {
		return nil, errCut
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return cutConn{conn, c}, nil
}

// writes reports whether the product still lives to say one more thing.
func (c *cuts) writes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		c.dead = true
	}
	if c.left > 0 {
		c.left--
	}
	return !c.dead
}

// arm has it break off after so many writes.
func (c *cuts) arm(after int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left, c.dead = after, false
}

// fell reports whether it was broken off.
func (c *cuts) fell() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead
}

// cutConn is a connection to the database.
type cutConn struct {
	net.Conn
	cuts *cuts
}

func (c cutConn) Write(b []byte) (int, error) {
	if !c.cuts.writes() {
		_ = c.Close()
		return 0, errCut
	}
	return c.Conn.Write(b)
}

// writesMost is more than most acts say to the database.
const writesMost = 80

// cut has the process break off somewhere in an act or after it, and start again.
func (t *Town) cut(ctx context.Context, number int, rng *rand.Rand, act func() error) error {
	after := rng.IntN(writesMost)
	t.cuts.arm(after)
	err := act()
	fell := t.cuts.fell()
	r := reply{status: http.StatusOK}
	if err != nil && fell {
		r.Message, err = err.Error(), nil
	}
	if err != nil {
		t.cuts.arm(-1)
		return err
	}
	t.cuts.arm(0)
	t.instance.Stop()
	t.client.CloseIdleConnections()
	t.cuts.arm(-1)
	if err := t.start(ctx); err != nil {
		return &Failure{startsAgain, err.Error()}
	}
	t.tells(number, fmt.Sprintf("cut: after %d writes, in the act %t", after, fell), r)
	t.counts("cut", r.status)
	if err := t.learns(ctx); err != nil {
		return err
	}
	return t.movedUnheard(ctx)
}

// startsAgain is the question whether the product starts again after it was cut off.
const startsAgain = "it starts again"

// start starts the product on the town's folder and database.
func (t *Town) start(ctx context.Context) (err error) {
	if t.instance, err = boot.Start(ctx, t.config, boot.Roles{API: true}); err != nil {
		return err
	}
	t.jobs, err = t.instance.Periodics()
	return err
}
