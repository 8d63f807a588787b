// Package session carries the session of a call in the call's context. Each transaction that changes, approves or pays
// something locks the session's row until it commits. So a call does nothing after its session ended, for example by a
// log-out or a new password.
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

// With returns the context of a call in a session. An invalid id means no session.
func With(ctx context.Context, id string) context.Context {
	session, err := uuid.Parse(id)
	if err != nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, &call{session: session})
}

// Of returns the session that the call's next transaction must lock. It is zero for a call without one, such as a
// job's, and after the call has recorded something: what follows from that is finished even if the session ends.
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

// Hold locks the call's session until the transaction ends. It fails with fault.Unauthenticated if the session has
// ended.
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

// Expired is the refusal of a call in a session that has ended.
func Expired() *fault.Fault {
	return fault.New(fault.Unauthenticated, "Your session has expired, please log in to continue")
}

// Grant allows database roles to lock sessions. Run it after the migrations, as their owner. It does nothing in a
// database without sessions.
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
