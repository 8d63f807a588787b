package projections_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
)

const bank = nairav1.Channel_CHANNEL_BANK_TRANSFER

// asks makes a member ask for money of s1, with one of the outcomes 0 to 11, of which 0, 4 and 5 leave the request
// open.
func (h *house) asks(n, end int) {
	id, user, at := fmt.Sprintf("l%03d", n), users[n%len(users)], counted
	noticed := at.Add(savings.DefaultNotice * time.Hour)
	kind := []nairav1.LiquidationKind{nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL, nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT}[n/len(users)%2]
	amount := money.Kobo(100_00 + h.luck.IntN(50_00))
	h.do(liquidation.Request{
		LiquidationID: id, GroupID: "g1", SubAccountID: "s1", User: user, Kind: kind, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd,
		Reason: "School fees", Officers: savings.Officers{Users: users}, At: at,
	})
	if kind == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
		for _, by := range users {
			h.do(liquidation.Object(liquidation.Of{LiquidationID: id, GroupID: "g1", SubAccountID: "s1", RequestedBy: user, Kind: kind, Provider: event.Vfd}, by, "What is it for?", at))
		}
	}
	of := liquidation.Of{LiquidationID: id, GroupID: "g1", SubAccountID: "s1", RequestedBy: user, Kind: kind, Provider: event.Vfd}
	h.holdsOf(of, n)
	switch end {
	case 1:
		h.do(liquidation.Cancel(of, user))
		return
	case 2:
		h.do(liquidation.Expire(of, at.Add(liquidation.Open)))
		return
	}
	everybody := func(make func(liquidation.Of, string) event.Command) {
		for range 2 {
			for _, by := range users {
				h.do(make(of, by))
			}
		}
	}
	if end == 3 {
		everybody(func(of liquidation.Of, by string) event.Command { return liquidation.Reject(of, by, "Not yet") })
		return
	}
	if end > 3 {
		everybody(func(of liquidation.Of, by string) event.Command {
			return liquidation.Answer(of, by, "It was agreed", at)
		})
		noticed = noticed.Add(savings.DefaultNotice * time.Hour)
		everybody(liquidation.Approve)
		h.do(liquidation.Send(of, "r1 "+id, noticed))
	}
	if end == 5 || end == 6 {
		h.do(liquidation.Fail(of, "r1 "+id, "Declined"))
	}
	if end == 6 {
		everybody(func(of liquidation.Of, by string) event.Command { return liquidation.Retry(of, by) })
		h.do(liquidation.Send(of, "r2 "+id, noticed))
		h.do(liquidation.Pay(of, "r2 "+id, payout.Receipt{Fee: 10_00, ProviderRef: "p " + id, PaidAt: at}))
	}
	if end >= 7 {
		h.do(liquidation.Pay(of, "r1 "+id, payout.Receipt{Fee: 10_00, ProviderRef: "p " + id, PaidAt: at}))
	}
	if end == 7 {
		h.do(liquidation.Reverse(of, "back "+id, "No such account"))
	}
}

// query makes the last payment of a type queried, and its member answer.
func (h *house) query(group, typ string) {
	r, ok := h.some(typ)
	require.True(h, ok)
	for _, by := range users {
		h.do(reviews.Mark{GroupID: group, By: by, List: []reviews.Marking{{Original: r, Mark: nairav1.Mark_MARK_QUERIED, Reason: "Whose is it?"}}})
	}
	h.talk(r)
}

// talk makes every user write about a payment, if they may.
func (h *house) talk(r event.Record) {
	for n, by := range users {
		h.do(reviews.Say{Original: r, By: by, Words: said(n)})
		h.do(reviews.Say{Original: r, By: by, File: said(n)})
	}
}

// rest validates every second of the unmarked contributions, and queries the others, with their members having the last
// word: by chance, marks may leave none of either.
func (h *house) rest() {
	records, err := history.Read(context.Background(), h.pool, 0, 100_000)
	require.NoError(h, err)
	for i, r := range slices.DeleteFunc(records, func(r event.Record) bool { return r.Type != "naira.v1.ContributionReceived" }) {
		mark := []nairav1.Mark{nairav1.Mark_MARK_VALIDATED, nairav1.Mark_MARK_QUERIED}[i%2]
		for _, by := range users {
			h.do(reviews.Mark{GroupID: "g1", By: by, List: []reviews.Marking{{Original: r, Mark: mark, Reason: "Whose is it?"}}})
		}
		thread, _ := reviews.ThreadOf(r)
		h.do(reviews.Say{Original: r, By: thread.Member, Words: said(1)}) // Or refused.
	}
}

// marks makes the people of g1 mark some payments, settle some questions and take some validations back.
func (h *house) marks(n int) {
	const back, validated, queried, resolved = nairav1.Mark_MARK_UNSPECIFIED, nairav1.Mark_MARK_VALIDATED, nairav1.Mark_MARK_QUERIED, nairav1.Mark_MARK_RESOLVED
	for i := range n {
		r, ok := h.some([]string{"naira.v1.ContributionReceived", "naira.v1.LiquidationPaidV2", "naira.v1.ContributionReversed"}[h.luck.IntN(3)])
		if !ok {
			continue
		}
		for _, mark := range [][]nairav1.Mark{
			{queried, resolved}, {queried}, {validated}, {validated, back}, {validated, queried, resolved}, {validated, back, queried}, {validated, back, validated},
		}[i%7] {
			for _, by := range users {
				h.do(reviews.Mark{GroupID: "g1", By: by, List: []reviews.Marking{{Original: r, Mark: mark, Reason: "Whose is it?"}}})
			}
			h.talk(r)
		}
	}
}

func TestRequestsPoolsAndMarksAreAsTheLedgerHasThem(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	for _, user := range users {
		h.rich(user)
	}
	h.run()
	h.live(120)
	h.do(savings.ResumeGroup("g1", "admin", "It may have been suspended last")) // Or refused.
	for _, user := range users {
		h.rich(user)
		h.do(dues.Contribute{GroupID: "g1", SubAccountID: "s1", User: user, Amount: 900_00, Channel: bank, At: time.Now()})
	}
	over, open := []int{1, 2, 3, 6, 7, 8}, []int{0, 4, 5} // An open request keeps its member from asking again, so it comes last.
	for n := range 80 {
		end := over[n%len(over)]
		if n >= 60 {
			end = open[n%len(open)]
		}
		h.asks(n, end)
		if n%8 == 0 {
			h.marks(4)
		}
	}
	h.marks(60)
	h.rest()
	h.caughtUp()
	ctx, found := context.Background(), map[string]int{}
	var held money.Kobo
	for n := range 1000 { // Some are of begin.
		id := fmt.Sprintf("l%03d", n)
		state, err := h.store.Load(ctx, liquidation.Stream(id))
		require.NoError(t, err)
		l := state.(liquidation.Liquidation)
		row, err := requests.One(ctx, h.pool, id)
		if l.Status == liquidation.None {
			require.ErrorIs(t, err, requests.ErrNone)
			continue
		}
		require.NoError(t, err)
		found[row.Status]++
		require.Equal(t, []any{string(l.Status), l.RequestedBy, l.Amount, l.Net(), l.Reason}, []any{row.Status, row.RequestedBy, row.Amount, row.Net(), row.Reason})
		steps, err := requests.Steps(ctx, h.pool, []string{id})
		require.NoError(t, err)
		require.NotEmpty(t, steps[id])
		if l.Open() {
			held += l.Held()
		}
	}
	require.Greater(t, len(found), 6, "%v", found)
	pools, err := requests.Pools("s1").Read(ctx, h.pool)
	require.NoError(t, err)
	require.Equal(t, held, pools["s1"].Held)
	h.audited(ctx)
	book, err := groups.BookOf(ctx, h.pool, groups.Looked{Subs: subs, From: time.Now().AddDate(100, 0, 0)})
	require.NoError(t, err)
	require.Equal(t, h.heldBy("pool", "held:pool"), book.Opening, "with what the bank sent back")
	for _, user := range users {
		b, err := balances.Of(ctx, h.pool, user)
		require.NoError(t, err)
		var saved money.Kobo
		for _, sub := range subs {
			state, err := h.store.Load(ctx, dues.Stream(sub, user))
			require.NoError(t, err)
			saved += state.(dues.State).Savings()
		}
		require.Equal(t, saved, b.Savings, user)
	}
	kinds := map[string]int{}
	for one := range h.told() {
		kinds[one.typ]++
	}
	for _, kind := range []string{"liquidation_requested", "liquidation_validated", "liquidation_approved", "liquidation_rejected", "liquidation_paid", "liquidation_failed", "liquidation_on_hold", "payment_queried"} {
		require.Positive(t, kinds[kind], kind)
	}
	h.equalFresh()
}

// audited compares every payment's mark, and the coverage, with the ledger.
func (h *house) audited(ctx context.Context) {
	h.Helper()
	records, err := history.Read(ctx, h.pool, 0, 100_000)
	require.NoError(h, err)
	want, total, answered := map[nairav1.Mark]int{}, 0, map[uuid.UUID]bool{}
	for _, r := range records {
		p, ok := reviews.PaymentOf(r)
		if !ok || p.Group != "g1" {
			continue
		}
		state, err := h.store.Load(ctx, reviews.Stream(r.ID().String()))
		require.NoError(h, err)
		mark := state.(reviews.Review).Mark
		if state.(reviews.Review).Answered && mark == nairav1.Mark_MARK_QUERIED {
			answered[r.ID()] = true
		}
		marks, err := groups.Marks(ctx, h.pool, []uuid.UUID{r.ID()})
		require.NoError(h, err)
		require.Equal(h, map[uuid.UUID]nairav1.Mark{r.ID(): mark}, marks)
		want[mark]++
		total++
	}
	months, err := groups.Coverages("g1").Read(ctx, h.pool)
	require.NoError(h, err)
	got := groups.Coverage{}
	for _, m := range months {
		got.Total, got.Validated, got.Queried, got.Resolved = got.Total+m.Total, got.Validated+m.Validated, got.Queried+m.Queried, got.Resolved+m.Resolved
	}
	require.Equal(h, groups.Coverage{Total: total, Validated: want[nairav1.Mark_MARK_VALIDATED], Queried: want[nairav1.Mark_MARK_QUERIED], Resolved: want[nairav1.Mark_MARK_RESOLVED]}, got)
	require.Positive(h, got.Validated*got.Queried*got.Resolved, "%v", got)
	require.NotEmpty(h, answered)
	seen, after := map[uuid.UUID]bool{}, groups.After{}
	for {
		page, err := groups.Payments(ctx, h.pool, "g1", groups.Which{}, after, 7)
		require.NoError(h, err)
		if len(page) == 0 {
			break
		}
		for _, p := range page {
			require.False(h, seen[p.Event])
			require.False(h, after.Plain && p.Odd != 0, "odd ones come first")
			require.Equal(h, answered[p.Event], p.Answered)
			seen[p.Event], after = true, groups.After{Plain: p.Odd == 0, Pos: p.Pos}
		}
	}
	require.Len(h, seen, total)
}
