package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/base/pgchild"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/incoming"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
)

// world is a folder, and a durable Postgres in it with an empty ledger unless the benchmark is bare.
type world struct {
	dir     string
	server  *pgchild.Server
	pool    *pgxpool.Pool
	appends *pgxpool.Pool // The appender's own, as in every process: long reads must not delay it.
	ledger  *store.Store
	wallets int // The number that populate made.
}

func (w *world) start(ctx context.Context) (err error) {
	if w.server, err = pgchild.Start(ctx, pgchild.Options{Dir: filepath.Join(w.dir, "pg"), Settings: statementsCounted()}); err != nil {
		return err
	}
	if w.pool, err = w.connect(ctx, 0); err != nil {
		return err
	}
	if w.appends, err = w.connect(ctx, 6); err != nil {
		return err
	}
	if err := store.Migrate(ctx, w.pool); err != nil {
		return err
	}
	w.openLedger()
	return nil
}

// connect opens a pool of so many connections, or of pgx's own number.
func (w *world) connect(ctx context.Context, connections int) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(w.server.URL("postgres"))
	if err != nil {
		return nil, err
	}
	if connections > 0 {
		config.MaxConns = int32(connections)
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// openLedger starts the appender, with nothing in its memory.
func (w *world) openLedger() {
	w.ledger = store.Open(store.Postgres(w.appends, 0), ledger.Aggregates(), store.Options{Around: incoming.Around})
}

// closeLedger stops the appender and frees its memory.
func (w *world) closeLedger() {
	if w.ledger != nil {
		w.ledger.Close()
	}
	w.ledger = nil
}

func (w *world) close() {
	w.closeLedger()
	for _, pool := range []*pgxpool.Pool{w.pool, w.appends} {
		if pool != nil {
			pool.Close()
		}
	}
	if w.server != nil {
		w.server.Stop()
	}
}

// fresh is a command with an id of its own.
func fresh(c event.Command) store.Command {
	return store.Command{ID: store.NewCommandID(), Hash: [16]byte{1}, Keyed: true, Actor: "bench", Command: c}
}

const (
	groups = 20 // So that no group's pool is busier than a big group's would be.
	crowd  = 10_000
)

func groupID(n int) string { return fmt.Sprintf("00000000-0000-8000-8000-%012d", n) }
func subID(n int) string   { return fmt.Sprintf("00000000-0000-8000-9000-%012d", n) }
func ownerID(n int) string { return fmt.Sprintf("00000000-0000-8000-b000-%012d", n) } // A group's owner.
func userID(n int) string  { return fmt.Sprintf("00000000-0000-8000-a000-%012d", n) }

// populate makes active groups, and so many members with money, who belong to group n mod groups.
func (w *world) populate(ctx context.Context, members int) error {
	w.wallets = members
	now := time.Now()
	for g := range groups {
		owner := ownerID(g)
		for _, c := range []event.Command{
			savings.CreateGroup{GroupID: groupID(g), Owner: owner, Name: "Bench group", Amount: 100 * money.Naira, Capacity: 10_000, StartMonth: 1, ShowTotalBalance: true, Now: now},
			savings.OpenSubAccount{
				GroupID: groupID(g), SubAccountID: subID(g), By: owner, Name: "Bench pool", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE,
				Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, ShowTotal: true, Now: now,
			},
		} {
			if _, err := w.ledger.Append(ctx, fresh(c)); err != nil {
				return err
			}
		}
	}
	if err := each(members, 256, func(n int) error { return w.member(ctx, n, now) }); err != nil {
		return err
	}
	for g := range groups {
		owner := ownerID(g)
		for _, c := range []event.Command{
			account.EndCheck(owner, "bvn", 0),
			savings.AppointApprover{GroupID: groupID(g), User: userID(g + groups), By: owner},
			savings.AppointValidator{GroupID: groupID(g), User: userID(g), By: owner, Owner: owner},
		} {
			if _, err := w.ledger.Append(ctx, fresh(c)); err != nil {
				return err
			}
		}
	}
	_, err := w.pool.Exec(ctx, "CHECKPOINT")
	return err
}

func (w *world) member(ctx context.Context, n int, now time.Time) error {
	user, group := userID(n), groupID(n%groups)
	payment := uuid.NewString()
	for _, c := range []event.Command{
		savings.JoinGroup{GroupID: group, User: user},
		savings.ApproveMember{GroupID: group, User: user, By: ownerID(n % groups)},
		wallet.StartPayment{PaymentID: payment, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1_000_000 * money.Naira, ExpiresAt: now},
		wallet.ConfirmPayment{PaymentID: payment, User: user, Provider: event.Vfd, Gross: 1_000_000 * money.Naira, ProviderRef: payment, PaidAt: now},
	} {
		if _, err := w.ledger.Append(ctx, fresh(c)); err != nil {
			return err
		}
	}
	return nil
}

func contribute(user, group int) dues.Contribute {
	return dues.Contribute{
		GroupID: groupID(group), SubAccountID: subID(group), User: userID(user), Amount: money.Kobo(1), Channel: nairav1.Channel_CHANNEL_WALLET, At: time.Now(),
	}
}

// contribution is the n-th of contributions by all wallets in turn.
func (w *world) contribution(n int) store.Command {
	n %= w.wallets
	return fresh(contribute(n, n%groups))
}

// contributions appends them, from so many callers at once, as fast as possible.
func (w *world) contributions(ctx context.Context, callers int) (sample, error) {
	return hammer(callers, func(_, n int) error {
		_, err := w.ledger.Append(ctx, w.contribution(n))
		return err
	})
}

// grow appends contributions until the ledger has so many events, and returns its head.
func (w *world) grow(ctx context.Context, events int) (int64, error) {
	head, err := w.head(ctx)
	if err != nil {
		return 0, err
	}
	err = each(max(0, events-int(head)), 512, func(n int) error {
		_, err := w.ledger.Append(ctx, w.contribution(n))
		return err
	})
	if err != nil {
		return 0, err
	}
	if _, err := w.pool.Exec(ctx, "CHECKPOINT"); err != nil {
		return 0, err
	}
	return w.head(ctx)
}

func (w *world) head(ctx context.Context) (int64, error) {
	_, pos, err := history.Head(ctx, w.pool)
	return pos, err
}
