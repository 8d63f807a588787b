package projections_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/disputed"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/disputes"
	"adashi.ng/projections/notifications/told"
)

// said is a text that a person wrote.
func said(n int) *nairav1.Words {
	return &nairav1.Words{PaperId: fmt.Sprint("paper", n), Sha256: []byte{byte(n)}}
}

// claimed is a dispute of a member's.
func claimed(id, user string, now time.Time) dispute.Claim {
	return dispute.Claim{
		DisputeID: id, User: user, Kind: nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED, About: "about " + id, Amount: 70_00, Arrival: "stray", PaidAt: now, Words: said(0), Now: now,
	}
}

// at gives a command that takes effect at a moment and must succeed.
func (h *house) at(moment time.Time, c event.Command) {
	h.Helper()
	_, err := h.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", EffectiveAt: moment, Command: c})
	require.NoError(h, err, "%T", c)
}

// disputes makes disputes with every outcome, and members who froze their money, one of whom thaws it.
func (h *house) disputes(now time.Time) {
	kase := dispute.Case{DisputeID: "d1", User: users[1], Staff: "sade"}
	for n := range 4 {
		h.at(now, claimed(fmt.Sprint("d", n), users[n], now))
	}
	h.at(now, dispute.AddEvidence("d1", users[1], "file", true, []byte{1}))
	h.at(now, dispute.Tick("d1", "", now.Add(25*time.Hour)))
	h.at(now, dispute.Take(kase))
	h.at(now, dispute.Ask(kase, said(1), now))
	h.at(now, dispute.Answer("d1", users[1], said(2), now))
	h.at(now, dispute.Resolve(kase, false, said(3), []string{"e"}, now))
	h.at(now, dispute.Reopen("d1", users[1], said(4), now))
	h.at(now, dispute.Withdraw("d2", users[2], ""))
	kase.DisputeID, kase.User = "d3", users[3]
	h.at(now, dispute.Take(kase))
	h.correct(now)
	h.at(now, dispute.Resolve(kase, true, said(5), nil, now))
	for n, user := range []string{"frozen", "thawed"} {
		h.rich(user)
		h.at(now, account.Freeze{User: user, HoldID: fmt.Sprint("freeze", n), DisputeID: "d0", Now: now})
	}
	h.at(now, account.AskThaw{User: "thawed", Now: now})
	state, err := h.store.Load(context.Background(), account.Stream("thawed"))
	require.NoError(h, err)
	h.at(now, account.Thaw{User: "thawed", Holds: state.(account.Account).FrozenHolds, Now: now.AddDate(0, 0, 1)})
	h.at(now, account.AskThaw{User: "frozen", Now: now})
}

// answers makes the banks of cards dispute payments, and Support answer them, in every way that an answer may end.
func (h *house) answers(now time.Time) {
	for n, way := range []string{"declined", "accepted", "failed", "dropped", "untaken"} {
		id := "card " + way
		kase := dispute.Case{DisputeID: id, User: users[n], Staff: "sade"}
		admin := kase
		admin.Staff = "uche"
		give := dispute.GiveAnswer{Case: kase, AnswerID: "a " + way, Words: said(7), Now: now}
		if way == "accepted" || way == "dropped" {
			give.Accept, give.Amount = true, 50_00
		}
		h.at(now, dispute.TellCard{DisputeID: id, User: users[n], Payment: "p", Provider: event.Paystack, Ref: id, Amount: 70_00, Reason: "fraud", AnswerBy: now.Add(30 * time.Hour), Now: now})
		if way == "untaken" {
			h.at(now, dispute.RemindAnswer{DisputeID: id, Now: now.Add(29 * time.Hour)})
			continue
		}
		h.at(now, dispute.Take(kase))
		h.at(now, dispute.RemindAnswer{DisputeID: id, Now: now.Add(29 * time.Hour)})
		h.at(now, give)
		if give.Accept {
			h.at(now, dispute.JudgeAnswer{Case: admin, AnswerID: give.AnswerID, Agree: way == "accepted", Words: said(8), Now: now})
		}
		if way == "dropped" {
			continue
		}
		h.at(now, dispute.SendAnswer{DisputeID: id, AnswerID: give.AnswerID, Now: now})
		h.at(now, dispute.HearAnswer{DisputeID: id, AnswerID: give.AnswerID, Taken: way != "failed", Reason: "late"})
		h.at(now, dispute.EndCard{DisputeID: id, User: users[n], Provider: event.Paystack, Ref: id, Upheld: way != "declined"})
	}
}

// holdsOf makes another member dispute a payout and hold a part of it, with one of five outcomes.
func (h *house) holdsOf(of liquidation.Of, n int) {
	id, user, at := "held "+of.LiquidationID, users[(n+1)%len(users)], counted
	claim := claimed(id, user, at)
	claim.Group, claim.Sub = of.GroupID, of.SubAccountID
	kase := dispute.Case{DisputeID: id, User: user, Staff: "sade", Group: of.GroupID, Sub: of.SubAccountID}
	h.do(claim)
	h.do(dispute.HoldPayout{DisputeID: id, User: user, Of: of, Amount: 1_00, Now: at})
	switch n % 5 {
	case 1:
		h.do(dispute.Withdraw(id, user, of.SubAccountID))
	case 2:
		h.do(dispute.Tick(id, of.SubAccountID, at.Add(disputed.For)))
	case 3:
		h.do(dispute.Take(kase))
		h.do(dispute.AllowHold{Case: kase, Of: of, Now: at})
	case 4:
		h.do(dispute.Take(kase))
		h.do(dispute.Resolve(kase, true, said(5), nil, at))
	}
}

// toldOfDisputes states again who is notified of disputes and frozen wallets.
func toldOfDisputes(m proto.Message, tell func(about, typ string, users ...string)) {
	switch m := m.(type) {
	case *nairav1.DisputeOpened:
		tell("", told.DisputeOpened, m.GetUserId())
	case *nairav1.CardDisputeTold:
		tell("", told.CardDisputed, m.GetUserId())
	case *nairav1.CardAnswerTaken:
		tell("", told.CardAnswered, m.GetUserId())
	case *nairav1.CardAnswerDue:
		if m.GetStaffId() != "" {
			tell("", told.CardAnswerDue, m.GetStaffId())
		}
	case *nairav1.CardDisputeEnded:
		tell("", told.CardDisputeOver, m.GetUserId())
	case *nairav1.DisputeReopened:
		tell("", told.DisputeOpened, m.GetUserId())
	case *nairav1.DisputeTaken:
		tell("", told.DisputeTaken, m.GetUserId())
	case *nairav1.DisputeAsked:
		tell("", told.DisputeAsked, m.GetUserId())
	case *nairav1.DisputeResolved:
		tell("", told.DisputeResolved, m.GetUserId())
	case *nairav1.DisputeOverdue:
		tell("", told.DisputeLate, m.GetUserId())
	case *nairav1.DisputeHoldAllowed:
		tell("", told.DisputeHold, m.GetUserId())
	case *nairav1.DisputedMoneyFreed:
		if m.GetWhy() == nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED {
			tell("", told.DisputeHold, m.GetUserId())
		}
	case *nairav1.OutgoingFrozen:
		tell("", told.MoneyFrozen, m.GetUserId())
	case *nairav1.ThawAsked:
		tell("", told.MoneyThawed, m.GetUserId())
	case *nairav1.OutgoingThawed:
		tell("", told.MoneyThawed, m.GetUserId())
	}
}

// correct makes three corrections of a dispute: one taken back, one that goes stale, one that is applied.
func (h *house) correct(now time.Time) {
	h.at(now, wallet.ReceiveUnmatched{ProviderRef: "claimed", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 70_00, Reference: "claimed", PaidAt: now})
	theirs := dispute.Dispute{User: users[3]}
	plan := func() correction.Plan {
		state, err := h.store.Load(context.Background(), correction.Stream("d3"))
		require.NoError(h, err)
		return state.(correction.Plan)
	}
	for n := range 3 {
		h.at(now, correction.Propose{
			DisputeID: "d3", Dispute: theirs, PlanID: fmt.Sprint("plan", n), By: "sade", CountsFrom: now, Words: said(6), Now: now,
			Steps: []correction.Step{
				{Kind: nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ASSIGN, User: users[3], Provider: event.Vfd, ProviderRef: "claimed"},
				{Kind: nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST, User: users[3], Amount: 5_00},
			},
		})
		if n == 0 {
			h.at(now, correction.Decision{DisputeID: "d3", Dispute: theirs, Plan: plan(), By: "sade", Words: said(7)})
			continue
		}
		for _, admin := range []string{"ayo", "kunle"} {
			h.at(now, correction.Decision{DisputeID: "d3", Dispute: theirs, Plan: plan(), By: admin, Approve: true})
		}
		if n == 1 {
			h.at(now, correction.GiveUp{DisputeID: "d3", PlanID: "plan1", Reason: "Something has happened."})
			continue
		}
		commands, err := correction.Commands(plan().Steps, correction.Order{DisputeID: "d3", PlanID: plan().ID, By: "sade", ApprovedBy: "kunle", Reason: "Found.", From: now})
		require.NoError(h, err)
		h.at(now, append(store.Bulk{correction.Apply{DisputeID: "d3", Plan: plan()}}, commands...))
	}
}

func TestADisputeIsShownAsItStandsWithWhatWasSaid(t *testing.T) {
	t.Parallel()
	ctx, h := context.Background(), setup(t)
	h.run()
	now := time.Date(2026, 11, 23, 22, 59, 0, 0, time.UTC)
	h.disputes(now)
	h.caughtUp()

	first, err := disputes.ByID(ctx, h.pool, "d1")
	require.NoError(t, err)
	require.Equal(t, "REOPENED", first.Status)
	require.Empty(t, first.Staff)
	steps, err := disputes.Steps(ctx, h.pool, "d1")
	require.NoError(t, err)
	var told []string
	for _, s := range steps {
		told = append(told, s.Kind+" "+s.By)
	}
	require.Equal(t, []string{"OPENED bisi", "ADDED bisi", "TAKING_OVERDUE ", "TAKEN sade", "ASKED sade", "ANSWERED bisi", "RESOLVED_REJECTED sade", "REOPENED bisi"}, told)
	require.Equal(t, []string{"e"}, steps[6].Events)

	open, err := disputes.Open(ctx, h.pool, "", disputes.After{}, 10)
	require.NoError(t, err)
	require.Len(t, open, 2)
	over, err := disputes.Over(ctx, h.pool, disputes.After{}, 1)
	require.NoError(t, err)
	require.Equal(t, "d3", over[0].ID)
	over, err = disputes.Over(ctx, h.pool, disputes.After{At: *over[0].ResolvedAt, Pos: over[0].Pos}, 9)
	require.NoError(t, err)
	require.Equal(t, "d2", over[0].ID)
	all, waiting, mine, late, err := disputes.Counts(ctx, h.pool, "sade")
	require.NoError(t, err)
	require.Equal(t, []int{2, 2, 0, 0}, []int{all, waiting, mine, late})

	third, err := disputes.ByID(ctx, h.pool, "d3")
	require.NoError(t, err)
	require.Equal(t, "APPLIED", third.Plan)
	proposed, err := disputes.Proposed(ctx, h.pool, 0, 9)
	require.NoError(t, err)
	require.Empty(t, proposed)

	frozen, err := disputes.FrozenMembers(ctx, h.pool, "", 10)
	require.NoError(t, err)
	require.Len(t, frozen, 1)
	require.Equal(t, "frozen", frozen[0].User)
	require.NotNil(t, frozen[0].ThawAt)
}

func TestAClockThatRanOutIsFoundOnceAndAtItsMoment(t *testing.T) {
	t.Parallel()
	ctx, h := context.Background(), setup(t)
	h.run()
	now := time.Date(2026, 11, 23, 22, 59, 0, 0, time.UTC)
	id := uuid.NewString()
	h.at(now, claimed(id, "ada", now))
	h.caughtUp()
	found := func(at time.Time) int {
		rows, err := disputes.RanOut(ctx, h.pool, at, "", 10)
		require.NoError(t, err)
		return len(rows)
	}
	day := now.Add(dispute.AcknowledgeIn)
	require.Zero(t, found(day))
	require.Equal(t, 1, found(day.Add(time.Second)))
	h.at(now, dispute.Tick(id, "", day.Add(time.Second)))
	h.caughtUp()
	require.Zero(t, found(day.Add(time.Hour)))
	require.Equal(t, 1, found(now.Add(dispute.PaymentIn+time.Second)))
	h.at(now, dispute.Tick(id, "", now.Add(dispute.PaymentIn+time.Second)))
	h.caughtUp()
	require.Zero(t, found(now.AddDate(1, 0, 0)))
}

func TestWhatABankWaitsForIsFoundAndDueBeforeTheCaseIs(t *testing.T) {
	t.Parallel()
	ctx, h := context.Background(), setup(t)
	h.run()
	now := time.Date(2026, 11, 23, 22, 59, 0, 0, time.UTC)
	by := now.Add(30 * time.Hour)
	tell := func(id, user string) dispute.Case {
		h.at(now, dispute.TellCard{DisputeID: id, User: user, Payment: "p", Provider: event.Paystack, Ref: id, Amount: 70_00, Reason: "fraud", AnswerBy: by, Now: now})
		return dispute.Case{DisputeID: id, User: user, Staff: "sade"}
	}
	kase := tell("card", users[0])
	tell("other", users[1])
	h.at(now, dispute.Take(kase))
	h.at(now, dispute.Ask(kase, said(1), now))
	h.at(now.Add(20*time.Hour), dispute.Answer("card", users[0], said(2), now.Add(20*time.Hour)))
	h.caughtUp()
	row := func() disputes.Dispute {
		d, err := disputes.ByID(ctx, h.pool, "card")
		require.NoError(t, err)
		return d
	}
	counted := func(want ...int) {
		t.Helper()
		waits, err := disputes.Unanswered(ctx, h.pool, now)
		require.NoError(t, err)
		late, err := disputes.Unanswered(ctx, h.pool, by)
		require.NoError(t, err)
		due, err := disputes.AnswersDue(ctx, h.pool, now, by, "", 9)
		require.NoError(t, err)
		sending, err := disputes.Answering(ctx, h.pool, "", 9)
		require.NoError(t, err)
		require.Equal(t, want, []int{waits, late, len(due), len(sending)})
	}
	require.True(t, row().DecideBy.After(by), "the clock stood still while the member was asked")
	require.Equal(t, by, row().DueAt.UTC(), "that of the bank did not")
	counted(2, 0, 2, 0)
	h.at(now, dispute.RemindAnswer{DisputeID: "card", Now: by.Add(-time.Hour)})
	h.caughtUp()
	counted(2, 0, 1, 0)
	h.at(now, dispute.GiveAnswer{Case: kase, AnswerID: "a", Words: said(7), Now: now})
	h.caughtUp()
	counted(1, 0, 1, 1)
	require.Equal(t, row().DecideBy, row().DueAt)
	h.at(now, dispute.SendAnswer{DisputeID: "card", AnswerID: "a", Now: now})
	h.at(now, dispute.HearAnswer{DisputeID: "card", AnswerID: "a", Taken: true})
	h.caughtUp()
	counted(1, 0, 1, 0)
	steps, err := disputes.Steps(ctx, h.pool, "card")
	require.NoError(t, err)
	var shown []string
	for _, s := range steps {
		if s.ForMember() {
			shown = append(shown, s.Kind+" "+s.Paper)
		}
	}
	require.Equal(t, []string{"BANK_OPENED ", "TAKEN ", "ASKED paper1", "ANSWERED paper2", "ANSWER_DUE ", "CARD_DECLINED paper7"}, shown, "of an answer the member sees that the bank has it")
}
