// Package session carries, with a call's context, the session in which the call is made. What the call changes,
// approves or pays holds that session in its own transaction: one that has ended meanwhile, by a log-out or a new
// password, does nothing more, however long ago the call began.
package session

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/fault"
)

type key struct{}

// call is one call in a session.
type call struct {
	session uuid.UUID
	acted   atomic.Bool
}

// With answers a context of a call that is made in a session. An id that is none is no session.
func With(ctx context.Context, id string) context.Context {
	session, err := uuid.Parse(id)
	if err != nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, &call{session: session})
}

// Of is the session that what the call does now must hold: zero where the call is made in none, as by a job, and once
// the call has recorded something. What follows from that is done to its end, although the session ends.
func Of(ctx context.Context) uuid.UUID {
	c, in := ctx.Value(key{}).(*call)
	if !in || c.acted.Load() {
		return uuid.Nil
	}
	return c.session
}

// Acted notes that the call has recorded what it was made for.
func Acted(ctx context.Context) {
	if c, in := ctx.Value(key{}).(*call); in {
		c.acted.Store(true)
	}
}

// Hold holds the call's session until the transaction ends: fault.Unauthenticated where it has ended.
func Hold(ctx context.Context, tx pgx.Tx) error { return HoldOne(ctx, tx, Of(ctx)) }

// HoldOne is Hold for a session by its id; zero is none.
func HoldOne(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if id == uuid.Nil {
		return nil
	}
	var ended []uuid.UUID
	if err := tx.QueryRow(ctx, "SELECT sessions_hold($1, false)", []uuid.UUID{id}).Scan(&ended); err != nil {
		return fmt.Errorf("session: hold: %w", err)
	}
	if len(ended) > 0 {
		return Expired()
	}
	return nil
}

// Expired is what a call in a session that has ended is answered.
func Expired() *fault.Fault {
	return fault.New(fault.Unauthenticated, "Your session has expired, please log in to continue")
}

// Grant lets database roles hold sessions. It runs after the migrations, as their owner. Beside a ledger without people
// there is nothing to grant.
func Grant(ctx context.Context, pool *pgxpool.Pool, roles ...string) error {
	var there bool
	if err := pool.QueryRow(ctx, "SELECT to_regprocedure('sessions_hold(uuid[], boolean)') IS NOT NULL").Scan(&there); err != nil || !there {
		return err
	}
	for _, role := range roles {
		if _, err := pool.Exec(ctx, "GRANT EXECUTE ON FUNCTION sessions_hold(uuid[], boolean) TO "+pgx.Identifier{role}.Sanitize()); err != nil {
			return fmt.Errorf("session: %w", err)
		}
	}
	return nil
}
