package store

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/money"
)

// DryRun decides a command against the ledger as it stands and records nothing. It answers the refusal that the
// command would meet now, or nil.
func (s *Store) DryRun(ctx context.Context, c event.Command) error {
	v := loaded{states: map[string]any{}, balances: map[string]money.Kobo{}}
	for _, name := range c.Streams() {
		state, err := s.Load(ctx, name)
		if err != nil {
			return err
		}
		v.states[name] = state
	}
	for _, account := range c.Accounts() {
		var kobo int64
		err := s.pool.QueryRow(ctx, "SELECT balance FROM ledger_accounts WHERE account = $1", account).Scan(&kobo)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		v.balances[account] = money.Kobo(kobo)
	}
	_, err := c.Decide(v)
	return err
}

// loaded is a view of what was read for one command.
type loaded struct {
	states   map[string]any
	balances map[string]money.Kobo
}

func (v loaded) State(stream string) any           { return v.states[stream] }
func (v loaded) Balance(account string) money.Kobo { return v.balances[account] }

// Recorded reports whether a command was recorded.
func (s *Store) Recorded(ctx context.Context, id uuid.UUID) (bool, error) {
	var recorded bool
	err := s.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM events WHERE command = $1)", id).Scan(&recorded)
	return recorded, err
}
