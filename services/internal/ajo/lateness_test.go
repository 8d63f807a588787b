package ajo_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
)

const owed = 30_000 * money.Naira

// owing is a town whose member owes its owner more than their wallet has, since today, and agreed to collection from
// it.
func owing(t *testing.T) (w *apptest.Town, id string) {
	t.Helper()
	w, id = apptest.Setup(t, true, false), uuid.NewString()
	terms := rules.Usual()
	terms.AmountKobo, terms.Seats = int64(10_000*money.Naira), 3
	debts := rules.DebtStream(id)
	w.Gives(ledgertest.Raw{
		event.On(rules.Stream(id), &nairav1.AjoCreated{AjoId: id, OwnerId: w.Owner.User, Name: "Balogun", Terms: terms}),
		event.On(rules.BookStream(id, w.Member.User), &nairav1.AjoConsentSet{AjoId: id, UserId: w.Member.User, Sweep: true}),
		event.On(debts, &nairav1.AjoDebtOpened{
			AjoId: id, DebtId: "1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL, Cycle: 1, Seat: 2, DebtorId: w.Member.User, CreditorId: w.Owner.User, AmountKobo: int64(owed),
		}),
	})
	return w, id
}

// Debts are collected from the wallet on the fifth and the fourteenth.
func TestADayOnWhichNoJobTriedADebtorIsCaughtUpOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		days []int // The days on which the job runs; more money comes before each.
		took []int // The days on which it takes something.
	}{
		"as the terms say":         {[]int{4, 5, 6, 13, 14, 15}, []int{5, 14}},
		"a day late":               {[]int{6, 6, 7, 15, 16}, []int{6, 15}},
		"both missed, tried once":  {[]int{15, 15, 16, 17}, []int{15}},
		"too late":                 {[]int{9, 10, 18}, nil},
		"twice on one day is once": {[]int{5, 5, 8}, []int{5}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := owing(t)
			now := time.Now()
			var took []int
			for _, day := range c.days {
				w.Fund(w.Member.User)
				before := w.BalanceOf(posting.Wallet(w.Owner.User))
				require.NoError(t, w.App.At(now.AddDate(0, 0, day)).Ajo.Retry(context.Background()))
				require.NoError(t, w.Engine.CatchUp(context.Background()))
				if w.BalanceOf(posting.Wallet(w.Owner.User)) > before {
					took = append(took, day)
				}
			}
			require.Equal(t, c.took, took)
		})
	}
}

// The job tries an empty wallet until money comes, and then not again for that day.
func TestAnEmptyWalletIsTriedUntilMoneyComes(t *testing.T) {
	t.Parallel()
	w, _ := owing(t)
	w.Gives(ledgertest.Raw{event.On("payment:out", &nairav1.AjoDebtPaid{
		AjoId: "elsewhere", DebtId: "1", DebtorId: w.Member.User, CreditorId: w.Owner.User, PaidBy: w.Member.User, From: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET,
		AmountKobo: int64(w.BalanceOf(posting.Wallet(w.Member.User))),
	})})
	fifth := w.App.At(time.Now().AddDate(0, 0, 5)).Ajo
	before := w.BalanceOf(posting.Wallet(w.Owner.User))
	for _, came := range []bool{false, false, true, true} {
		if came {
			w.Fund(w.Member.User)
		}
		require.NoError(t, fifth.Retry(context.Background()))
		require.NoError(t, w.Engine.CatchUp(context.Background()))
	}
	require.Equal(t, 9_000*money.Naira, w.BalanceOf(posting.Wallet(w.Owner.User))-before)
}

// A consent that a thief gave does not count once the account is given back, even while the list of debts still
// shows it.
func TestADebtorWhoseConsentCountsNoMoreIsPassedOver(t *testing.T) {
	t.Parallel()
	w, _ := owing(t)
	w.Fund(w.Member.User)
	back := &nairav1.AccountGivenBackV2{
		UserId: w.Member.User, RemedyId: "r", ProposedBy: "sade", ApprovedBy: "uche", Since: timestamppb.New(time.Now().Add(-time.Hour)), HeldUntil: timestamppb.New(time.Now()),
	}
	w.Gives(ledgertest.Raw{event.On(account.Stream(w.Member.User), back)})
	before := w.BalanceOf(posting.Wallet(w.Member.User))
	require.NoError(t, w.App.At(time.Now().AddDate(0, 0, 5)).Ajo.Retry(context.Background()))
	require.Equal(t, before, w.BalanceOf(posting.Wallet(w.Member.User)))
}

// The list of debts is older than a debt's present state: the job takes only what is still open.
func TestNoMoreIsTakenOfADebtThanIsLeftOfItByThen(t *testing.T) {
	t.Parallel()
	const left = 350 * money.Naira
	for name, takes := range map[string]func(w *apptest.Town) error{
		"on its day": func(w *apptest.Town) error {
			return w.App.At(time.Now().AddDate(0, 0, 5)).Ajo.Retry(context.Background())
		},
		"of what comes": func(w *apptest.Town) error {
			return w.App.Ajo.Swept(context.Background(), w.Member.User, 2_000*money.Naira, "what came")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, id := owing(t)
			_, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: ledgertest.Raw{
				event.On(rules.DebtStream(id), &nairav1.AjoDebtForgiven{AjoId: id, DebtId: "1", DebtorId: w.Member.User, CreditorId: w.Owner.User, AmountKobo: int64(owed - left)}),
			}})
			require.NoError(t, err)
			before := w.BalanceOf(posting.Wallet(w.Owner.User))
			require.NoError(t, takes(w))
			require.Equal(t, left, w.BalanceOf(posting.Wallet(w.Owner.User))-before)
		})
	}
}

// more is more than one batch of the jobs.
const more = 501

// nobody counts the users that the job wants to send something to.
type nobody struct{ asked map[uuid.UUID]bool }

func (n nobody) SendOn(_ context.Context, _ string, command uuid.UUID, _ money.Kobo) error {
	n.asked[command] = true
	return nil
}

// The rows are ajo and cards that the ledger does not know: each fails, and none keeps the job from the rows after it.
func TestAJobComesToWhatIsBehindFiveHundredThatFail(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := w.Pool.Exec(ctx, sql, args...)
		require.NoError(t, err)
	}
	state, err := rules.Ajos.Freeze(rules.Ajo{})
	require.NoError(t, err)
	exec(`INSERT INTO rm_ajos (ajo_id, name, folded, description, owner, listed, status, created_pos, created_at, members, free_halves, cycle,
			opens, due, chosen_by, deadline, is_full, lapses, resumes, is_paid_out, is_carried)
		SELECT '01900000-0000-7000-8000-' || lpad(n::text, 12, '0'), '', '', '', '', false, '', 0, now(), 0, 0, 0, '', '', '', '', false, '', '', false, false
		FROM generate_series(1, $1::int) n`, more)
	exec("INSERT INTO rm_ajo_states SELECT ajo_id, $1, '{}' FROM rm_ajos", string(state))
	exec(`INSERT INTO rm_ajo_cards (card_id, user_id, name, description, pos, kobo, boxes, filled, frequency, start_day, finish_day, break_basis_points, status, opened_at)
		SELECT '01900000-0000-7000-9000-' || lpad(n::text, 12, '0'), '', '', '', 0, 1, 1, 0, 1, '', '2020-01-01', 0, 'OPEN', now() FROM generate_series(1, $1::int) n`, more)
	exec(`INSERT INTO rm_ajo_cycles (ajo_id, cycle, state, seat, collected, netted, missing, discount, requested_by, destination, approvals, paid_at, holder, net)
		SELECT ajo_id, 1, '{}', 0, 0, 0, 0, 0, 'somebody', 2, 0, now(), 'somebody', 1 FROM rm_ajos`)
	failing := func(job string) (n int) {
		t.Helper()
		require.NoError(t, w.Pool.QueryRow(ctx, "SELECT count(*) FROM failing_items WHERE job = $1", job).Scan(&n))
		return n
	}
	for job, set := range map[string]string{
		"draw ajo": "status = 'ORDERING', draw_at = '2020-01-01'", "release from ajo": "accept_by = '2020-01-01'", "lapse ajo": "status = 'OPEN', lapses = '2020-01-01'",
		"freeze ajo seats": "opening_until = '2020-01-01'", "terminate ajo": "is_carried = true", "end ajo votes": "motion_until = '2020-01-01'",
		"resume ajo": "status = 'PAUSED', resumes = '2020-01-01'", "complete ajo": "is_paid_out = true",
	} {
		exec("UPDATE rm_ajos SET status = '', draw_at = NULL, accept_by = NULL, opening_until = NULL, is_carried = false, motion_until = NULL, is_paid_out = false")
		exec("UPDATE rm_ajos SET " + set)
		require.Error(t, w.App.Ajo.Keep(ctx))
		require.Equal(t, more, failing(job), job)
	}
	require.Error(t, w.App.Ajo.Retry(ctx))
	require.Equal(t, more, failing("mature ajo cards"))
	sent, sending := nobody{map[uuid.UUID]bool{}}, *w.App.Ajo
	sending.Withdraw = sent
	require.NoError(t, sending.PaySilent(ctx))
	require.Len(t, sent.asked, more)
}
