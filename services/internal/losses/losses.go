// Package losses tells members which of their records an epoch lost. An epoch begins when the database was restored to
// an earlier time; the stream of the epoch before still tells of what came after it. Where that is lost too, nobody can
// say whose the records were, and everybody is told.
package losses

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/usecase"
)

// Teller tells of losses. All fields are required.
type Teller struct {
	Pool   *pgxpool.Pool
	JS     jetstream.JetStream
	Keys   proofs.Keys // Public ones are enough.
	Append func(ctx context.Context, c store.Command) (store.Result, error)
	Now    clock.Clock
}

// Tell tells everybody concerned of what each acknowledged epoch lost, once. It is tried again where it failed: nobody
// is told twice.
func (t Teller) Tell(ctx context.Context) error {
	rows, err := t.Pool.Query(ctx, "SELECT statement FROM ledger_epochs WHERE statement <> '' AND told_at IS NULL ORDER BY epoch")
	if err != nil {
		return fmt.Errorf("losses: the epochs: %w", err)
	}
	signed, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("losses: the epochs: %w", err)
	}
	var failed []error
	for _, statement := range signed {
		e, err := proofs.ParseEpochStart(statement, t.Keys.Verifiers())
		if err == nil {
			err = t.tellOf(ctx, e)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func (t Teller) tellOf(ctx context.Context, e proofs.EpochStart) error {
	lost, found, err := t.lost(ctx, e)
	if err != nil {
		return fmt.Errorf("losses: what epoch %d lost: %w", e.Epoch, err)
	}
	if found < e.GivesUp() { // Some of it no stream tells of.
		slog.WarnContext(ctx, "whose records an epoch lost cannot be told: everybody is told", "epoch", e.Epoch, "lost", e.GivesUp(), "known", found)
		if err := t.everybody(ctx, e, lost); err != nil {
			return err
		}
	}
	var failed []error
	for user, loss := range lost {
		failed = append(failed, t.tell(ctx, user, *loss))
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	_, err = t.Pool.Exec(ctx, "UPDATE ledger_epochs SET told_at = $2 WHERE epoch = $1", e.Epoch, t.Now().UTC())
	return err
}

// lost reads what the streams before the epoch told of after it began, and whose it was. found is how many records.
func (t Teller) lost(ctx context.Context, e proofs.EpochStart) (lost map[string]*account.Loss, found int64, err error) {
	lost = map[string]*account.Loss{}
	err = relay.Told(ctx, t.JS, 1, e.Epoch, e.From, e.From+e.GivesUp(), func(r event.Record) error {
		// For a moment after an epoch was raised a relay may stream what is new where it did before.
		if here, err := history.ReadAt(ctx, t.Pool, []int64{r.Pos}); err != nil || len(here) == 1 && bytes.Equal(here[0].Encode(), r.Encode()) {
			return err
		}
		found++
		for _, user := range concerned(&r) {
			l := lost[user]
			if l == nil {
				l = &account.Loss{Epoch: e.Epoch}
				lost[user] = l
			}
			l.Add(r.Pos, moved(&r, user))
		}
		return nil
	})
	return lost, found, err
}

// moved is what a record put into a member's wallet and took out of it.
func moved(r *event.Record, user string) account.LostMovement {
	m := account.LostMovement{RecordedAt: r.RecordedAt}
	for _, line := range r.Lines {
		switch {
		case line.Account != posting.Wallet(user):
		case line.Amount > 0:
			m.In += line.Amount
		default:
			m.Out -= line.Amount
		}
	}
	return m
}

// concerned are the members that a record is about, and the person whose act it was: an approval or an objection is
// lost too.
func concerned(r *event.Record) (users []string) {
	for _, line := range r.Lines {
		if user, wallet := strings.CutPrefix(line.Account, posting.Wallet("")); wallet {
			users = append(users, user)
		}
	}
	if r.Actor != usecase.System.User {
		users = append(users, r.Actor)
	}
	if m, err := r.Message(); err == nil {
		if about, ok := m.(interface{ GetUserId() string }); ok {
			users = append(users, about.GetUserId())
		}
		if about, ok := m.(interface{ GetRequestedBy() string }); ok {
			users = append(users, about.GetRequestedBy())
		}
	}
	users = slices.DeleteFunc(users, func(user string) bool { return user == "" })
	slices.Sort(users)
	return slices.Compact(users)
}

// everybody tells those of whom nothing is known to be lost that something of theirs may be.
func (t Teller) everybody(ctx context.Context, e proofs.EpochStart, but map[string]*account.Loss) error {
	rows, err := t.Pool.Query(ctx, "SELECT account FROM ledger_accounts WHERE account LIKE $1", posting.Wallet("")+"%")
	if err != nil {
		return fmt.Errorf("losses: the members: %w", err)
	}
	wallets, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("losses: the members: %w", err)
	}
	var failed []error
	for _, wallet := range wallets {
		if user := strings.TrimPrefix(wallet, posting.Wallet("")); but[user] == nil {
			failed = append(failed, t.tell(ctx, user, account.Loss{Epoch: e.Epoch}))
		}
	}
	return errors.Join(failed...)
}

// tell records that a member is told, once an epoch. A closed account is told nothing.
func (t Teller) tell(ctx context.Context, user string, l account.Loss) error {
	id := store.CommandID("system", "tell of a loss", fmt.Sprint(l.Epoch, " ", user))
	_, err := t.Append(ctx, store.Command{ID: id, Hash: store.Fingerprint("loss", l.Epoch), Actor: "system", Command: account.TellLoss(user, l)})
	if f := fault.As(err); f != nil && f.Code == fault.Conflict {
		return nil
	}
	if err != nil {
		return fmt.Errorf("losses: tell of epoch %d: %w", l.Epoch, err)
	}
	return nil
}
