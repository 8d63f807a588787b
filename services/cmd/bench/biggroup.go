package main

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/engine"
	groupsmodel "adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/boot"
)

// A big group, and a small one beside it, with as many months behind them.
const (
	bigMembers             = 10_000
	bigMonths              = 24
	bigAmount              = 100 * money.Naira
	bigReaders             = 2
	largeGroup, smallGroup = 0, 1
	fewMembers             = 10
)

var bigGroups = benchmark{name: "group", once: true, limit: 20 * time.Minute, run: bigGroup, rows: []spec{
	{"group-page", "ms at p95", bar{most: 150}},
	{"group-page-busy", "ms at p95", bar{most: 150}},
	{"group-unsettled", "ms at p95", bar{}},
	{"group-contribute", "contributions/s", bar{ratio: 0.9}},
}}

// bigGroup measures the page of a group of 10,000 with 24 months of dues, read over HTTP by its owner from two clients,
// while idle and while contributions come in, and the list of its debtors; and contributions to it from 512 callers,
// against the same to a group of ten.
func bigGroup(ctx context.Context, w *world) ([]row, error) {
	if err := w.saveFor(ctx, largeGroup, bigMembers); err != nil {
		return nil, err
	}
	if err := w.saveFor(ctx, smallGroup, fewMembers); err != nil {
		return nil, err
	}
	pages, err := w.bigPages(ctx)
	if err != nil {
		return pages, err
	}
	limit, err := hammer(512, func(_, n int) error { return w.pays(ctx, smallGroup, n%fewMembers, 1, time.Now()) })
	if err != nil {
		return pages, err
	}
	ours, err := hammer(512, func(_, n int) error { return w.pays(ctx, largeGroup, n%bigMembers, 1, time.Now()) })
	return append(pages, ours.row("group-contribute", limit.rate)), err
}

// bigPages reads the big group's pages. It keeps only the read models that the pages use.
func (w *world) bigPages(ctx context.Context) ([]row, error) {
	d, err := w.open(ctx, boot.Roles{API: true})
	if err != nil {
		return nil, err
	}
	defer d.Stop()
	models := engine.New(engine.Options{
		Clock: time.Now,
		Pool:  w.pool, Models: []engine.Model{groupsmodel.Model(), requests.Model()},
		Source: history.Source(w.pool),
		Head:   history.Heads(w.pool),
	})
	if err := models.CatchUp(ctx); err != nil {
		return nil, err
	}
	if _, err := w.pool.Exec(ctx, "VACUUM ANALYZE"); err != nil {
		return nil, err
	}
	page := "/api/GroupSavings/GetGroupSavingsInfo/" + groupID(largeGroup)
	quiet, err := readBig(d, "group-page", page)
	if err != nil {
		return nil, err
	}
	unsettled, err := readBig(d, "group-unsettled", "/api/v1/savings/groups/"+groupID(largeGroup)+"/unsettled")
	if err != nil {
		return []row{quiet}, err
	}
	done, paying := make(chan struct{}), make(chan error, 1)
	go func() { paying <- w.keepPaying(ctx, models, done) }()
	busy, err := readBig(d, "group-page-busy", page)
	close(done)
	return []row{quiet, unsettled, busy}, errors.Join(err, <-paying)
}

func readBig(d *door, name, path string) (row, error) {
	read, err := overHTTP(d.address(), bigReaders, func(int) string { return d.get(path, 0, 0) })
	r := read.row(name, 0)
	r.Ours = read.percentile(95)
	return r, err
}

// keepPaying makes the big group take contributions without end, one batch of the read models after the other.
func (w *world) keepPaying(ctx context.Context, models *engine.Engine, done <-chan struct{}) error {
	for n := 0; ; n++ {
		select {
		case <-done:
			return nil
		default:
		}
		if err := w.pays(ctx, largeGroup, n%bigMembers, 1, time.Now()); err != nil {
			return err
		}
		if err := models.CatchUp(ctx); err != nil {
			return err
		}
	}
}

// at is a command that counts from a moment.
func at(c event.Command, moment time.Time) store.Command {
	command := fresh(c)
	command.EffectiveAt = moment
	return command
}

// saveFor makes a group of so many members who paid their monthly dues for two years, except every tenth member's last
// month.
func (w *world) saveFor(ctx context.Context, group, members int) error {
	began := time.Now().AddDate(0, -bigMonths, 0)
	owner := userID(0)
	for _, c := range []event.Command{
		savings.CreateGroup{GroupID: groupID(group), Owner: owner, Name: "Big group", Amount: bigAmount, Capacity: savings.MaxCapacity, StartMonth: int(began.Month()), ShowTotalBalance: true, Now: began},
		savings.OpenSubAccount{
			GroupID: groupID(group), SubAccountID: subID(group), By: owner, Name: "Dues", Type: nairav1.PaymentType_PAYMENT_TYPE_FIXED,
			Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: bigAmount, ShowTotal: true, Now: began,
			Late: savings.Late{GraceDays: 5, Type: nairav1.FeeType_FEE_TYPE_PERCENT, BasisPoints: 500},
		},
	} {
		if _, err := w.ledger.Append(ctx, at(c, began)); err != nil {
			return err
		}
	}
	if err := each(members, 256, func(n int) error { return w.joins(ctx, group, n, began) }); err != nil {
		return err
	}
	if group == largeGroup {
		if _, err := w.ledger.Append(ctx, at(account.EndCheck(owner, "bvn", 0), began)); err != nil {
			return err
		}
	}
	for _, c := range []event.Command{
		savings.AppointApprover{GroupID: groupID(group), User: userID(2), By: owner},
		savings.AppointValidator{GroupID: groupID(group), User: userID(1), By: owner, Owner: owner},
	} {
		if _, err := w.ledger.Append(ctx, at(c, began)); err != nil {
			return err
		}
	}
	for month := range bigMonths { // In order: nobody may pay more than a year ahead.
		err := each(members, 512, func(user int) error {
			if month == bigMonths-1 && user%10 == 3 {
				return nil
			}
			return w.pays(ctx, group, user, bigAmount, began.AddDate(0, month, 0))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// joins admits the n-th member and, in the big group, gives them money.
func (w *world) joins(ctx context.Context, group, n int, then time.Time) error {
	user, payment := userID(n), uuid.NewString()
	var commands []event.Command
	if n > 0 {
		commands = append(commands, savings.JoinGroup{GroupID: groupID(group), User: user}, savings.ApproveMember{GroupID: groupID(group), User: user, By: userID(0)})
	}
	if group == largeGroup {
		commands = append(
			commands,
			wallet.StartPayment{PaymentID: payment, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 1_000_000 * money.Naira, ExpiresAt: then},
			wallet.ConfirmPayment{PaymentID: payment, User: user, Provider: event.Vfd, Gross: 1_000_000 * money.Naira, ProviderRef: payment, PaidAt: then},
		)
	}
	for _, c := range commands {
		if _, err := w.ledger.Append(ctx, at(c, then)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) pays(ctx context.Context, group, user int, amount money.Kobo, when time.Time) error {
	_, err := w.ledger.Append(ctx, at(dues.Contribute{
		GroupID: groupID(group), SubAccountID: subID(group), User: userID(user), Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: when,
	}, when))
	return err
}
