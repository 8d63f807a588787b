package balances

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

// saving keys a member's savings in a sub-account.
type saving struct{ user, sub, group string }

// folding collects the effects of a batch of events.
type folding struct {
	batch   write.Batch
	changes engine.Changes
	wallets map[string]int64
	held    map[string]int64
	savings map[saving]int64
	drawn   []drawn
	ajo     map[string]int64 // By how much it grew.
}

var table = engine.Handlers(slices.Concat(savingsHandlers, ajoHandlers)...)

var savingsHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionReceived) {
		f.savings[savingOf(m)] = m.GetMemberTotalKobo()
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionCovered) {
		f.savings[savingOf(m)] = m.GetMemberTotalKobo()
		f.changes.User(m.GetUserId(), "wallet") // Their savings grew out of another's wallet.
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ContributionReversed) {
		f.savings[savingOf(m)] = m.GetMemberTotalKobo()
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SavingsDrawn) {
		f.drawn = append(f.drawn, drawn{savingOf(m), m.GetDrawnKobo()})
		f.changes.User(m.GetUserId(), "wallet")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SavingsClosed) {
		f.savings[savingOf(m)] = 0
		f.drawn = append(f.drawn, drawn{savingOf(m), 0})
		f.changes.User(m.GetUserId(), "wallet")
	}),
}

// savingOf is the member and sub-account of an event about savings.
func savingOf(m interface {
	GetUserId() string
	GetSubAccountId() string
	GetGroupId() string
},
) saving {
	return saving{m.GetUserId(), m.GetSubAccountId(), m.GetGroupId()}
}

// takeLines notes the wallets' new balances.
func (f *folding) takeLines(e engine.Event) {
	for _, line := range e.Lines {
		if user, ok := strings.CutPrefix(line.Account, "wallet:"); ok {
			f.wallets[user] = int64(line.Balance)
			f.changes.User(user, "wallet")
		} else if user, ok := strings.CutPrefix(line.Account, "held:wallet:"); ok {
			f.held[user] = int64(line.Balance)
			f.changes.User(user, "wallet")
		}
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{wallets: map[string]int64{}, held: map[string]int64{}, savings: map[saving]int64{}}
	for _, e := range events {
		f.takeLines(e)
		table.Take(f, e)
	}
	queue(&f.batch, "kobo", f.wallets)
	queue(&f.batch, "held", f.held)
	f.queueSavings()
	f.queueDrawn()
	f.queueAjo()
	return f.changes, f.batch.Send(ctx, tx)
}

func (f *folding) queueSavings() {
	if len(f.savings) == 0 {
		return
	}
	var users, subs, groups []string
	var kobo []int64
	for s, amount := range f.savings {
		users, subs, groups, kobo = append(users, s.user), append(subs, s.sub), append(groups, s.group), append(kobo, amount)
	}
	const all = "unnest($1::text[], $2::text[], $3::text[], $4::bigint[])"
	f.batch.Upsert(len(users), "UPDATE rm_savings s SET kobo = n.kobo FROM "+all+` AS n (user_id, sub_account_id, group_id, kobo)
		WHERE s.user_id = n.user_id AND s.sub_account_id = n.sub_account_id`,
		"INSERT INTO rm_savings (user_id, sub_account_id, group_id, kobo) SELECT * FROM "+all+
			" ON CONFLICT (user_id, sub_account_id) DO UPDATE SET kobo = excluded.kobo", users, subs, groups, kobo)
}

// drawn is an amount of a member's savings that was paid back to them, or is held for it.
type drawn struct {
	saving
	kobo int64
}

func (f *folding) queueDrawn() {
	for _, d := range f.drawn {
		f.batch.Queue(`INSERT INTO rm_savings (user_id, sub_account_id, group_id, kobo, drawn) VALUES ($1, $2, $3, 0, $4)
			ON CONFLICT (user_id, sub_account_id) DO UPDATE SET drawn = excluded.drawn`, d.user, d.sub, d.group, d.kobo)
	}
}

// queue sets one of a wallet's figures.
func queue(batch *write.Batch, column string, figures map[string]int64) {
	if len(figures) == 0 {
		return
	}
	users, kobo := make([]string, 0, len(figures)), make([]int64, 0, len(figures))
	for user, amount := range figures {
		users, kobo = append(users, user), append(kobo, amount)
	}
	batch.Upsert(len(users), "UPDATE rm_wallets w SET "+column+" = n.kobo FROM unnest($1::text[], $2::bigint[]) AS n (user_id, kobo) WHERE w.user_id = n.user_id",
		"INSERT INTO rm_wallets (user_id, "+column+`) SELECT * FROM unnest($1::text[], $2::bigint[])
		ON CONFLICT (user_id) DO UPDATE SET `+column+" = excluded."+column, users, kobo)
}
