package correction_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

// adjustment is what a plan's step comes to once the plan is applied.
func adjustment(w *World) correction.Adjust {
	s := plan(w).Steps[0]
	return correction.Adjust{DisputeID: "d", PlanID: plan(w).ID, User: s.User, Amount: s.Amount, TakesBack: s.TakesBack, By: "sade", ApprovedBy: "kunle", Reason: "AD-1"}
}

// agreed has a correction approved by two.
func agreed(w *World, steps ...correction.Step) *World {
	w.And(propose(w, steps...))
	w.And(decide(w, "ayo", true))
	return w.And(decide(w, "kunle", true))
}

func TestAdashiPaysAMemberByAnAppliedCorrectionAndTakesBackWhatWasWrong(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	agreed(w, correction.Step{Kind: adjust, User: "bisi", Amount: 700 * money.Naira})
	w.When(adjustment(w)).ThenFault(fault.Conflict) // Not before it is applied.
	w.And(paid, correction.Apply{DisputeID: "d", Plan: plan(w)}, adjustment(w))
	require.Equal(t, 700*money.Naira, w.Balance(posting.Wallet("bisi")))
	require.Equal(t, -700*money.Naira, w.Balance(posting.Corrections))
	w.When(adjustment(w)).ThenFault(fault.Conflict) // Nor twice.

	agreed(w, correction.Step{Kind: adjust, User: "bisi", Amount: 701 * money.Naira, TakesBack: true})
	w.And(correction.Apply{DisputeID: "d", Plan: plan(w)})
	f := w.When(adjustment(w)).ThenFault(fault.Insufficient)
	require.Contains(t, f.Message, "The member's wallet has ₦700.00, so ₦701.00 cannot be taken back.")
	other := adjustment(w)
	other.Amount = 700 * money.Naira
	w.When(other).ThenFault(fault.Conflict) // Another amount than was approved.

	agreed(w, correction.Step{Kind: adjust, User: "bisi", Amount: 700 * money.Naira, TakesBack: true})
	w.And(correction.Apply{DisputeID: "d", Plan: plan(w)}, adjustment(w))
	require.Zero(t, w.Balance(posting.Wallet("bisi")))
	require.Zero(t, w.Balance(posting.Corrections))
}

func TestAnAdjustmentThatMayNotBeIsRefused(t *testing.T) {
	t.Parallel()
	tries := correction.Adjust{DisputeID: "d", User: "bisi", Amount: correction.AdjustmentMost, By: "sade", ApprovedBy: "ayo", Reason: "AD-1"}
	w := Given(t, late()...)
	for amount, says := range map[money.Kobo]string{
		0: "Say how much", -1: "Say how much", correction.AdjustmentMost + 1: "An adjustment is ₦100,000.00 at most, and this one is ₦100,000.01.",
	} {
		c := tries
		c.Amount = amount
		f := w.When(c).ThenFault(fault.Invalid)
		require.Contains(t, f.Message, says)
	}
	_, err := tries.Decide(w) // To the kobo.
	require.NoError(t, err)
	w.When(propose(w, correction.Step{Kind: adjust, User: "bisi", Amount: 1}, correction.Step{Kind: adjust, User: "bisi", Amount: 2})).ThenField("steps")

	tries.TakesBack, tries.Amount = true, 1
	frozen := Given(t, late()...).And(account.Freeze{User: "bisi", HoldID: "h", Now: fined})
	require.Contains(t, frozen.When(tries).ThenFault(fault.Conflict).Message, "froze their money")
	tries.TakesBack = false
	closed := Given(t, late()...).And(account.Close{User: "bisi"})
	require.Contains(t, closed.When(tries).ThenFault(fault.Conflict).Message, "has closed their account")
}

func TestAWaivedPenaltyIsGoneAndWhatWasPaidTowardsItIsCredit(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	w.And(dues.Penalise{GroupID: "g", SubAccountID: "s", User: "bisi", Now: fined.AddDate(0, 1, 0)}) // January too.
	of := func() dues.State { return w.State(dues.Stream("s", "bisi")).(dues.State) }
	owed := func() money.Kobo {
		return dues.Of(w.State(savings.SubStream("s")).(savings.SubAccount), w.State(savings.MemberStream("g", "bisi")).(savings.Member), of()).Open(savings.Day(fined))
	}
	before := owed()
	step := correction.Step{Kind: waive, User: "bisi", Group: "g", Sub: "s", Period: "2026-12-01"}
	c := dues.WaivePenalty{GroupID: "g", SubAccountID: "s", User: "bisi", Period: "2026-12-01", DisputeID: "d"}
	w.When(dues.WaivePenalty{GroupID: "g", SubAccountID: "s", User: "bisi", Period: "2026-11-01"}).ThenFault(fault.Conflict)
	w.When(dues.WaivePenalty{GroupID: "g", SubAccountID: "s", User: "ada", Period: "2026-12-01"}).ThenFault(fault.Conflict)
	w.When(dues.WaivePenalty{GroupID: "other", SubAccountID: "s", User: "bisi", Period: "2026-12-01"}).ThenFault(fault.NotFound)
	agreed(w, step)
	applied(w)
	require.Equal(t, 100*money.Naira, before-owed(), "the other penalty stands")
	require.Zero(t, w.Balance(posting.Pool("s")))
	require.Contains(t, w.When(c).ThenFault(fault.Conflict).Message, "No penalty stands for this due")
	waived, is := w.Drafts[len(w.Drafts)-1].Message.(*nairav1.PenaltyWaived)
	require.True(t, is)
	require.Equal(t, []string{"d", plan(w).ID}, []string{waived.GetDisputeId(), waived.GetPlanId()})
	w.When(dues.Penalise{GroupID: "g", SubAccountID: "s", User: "bisi", Now: fined.AddDate(0, 1, 0)}).ThenFault(fault.Conflict) // Not again.
}

// What a correction moves sums to nil, and nobody's account falls below it; steps that are refused change nothing.
func TestAnyCorrectionSumsToNil(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := Given(t, late()...).Quick()
		kinds := []correction.Step{steps[0], steps[1], {Kind: waive, User: "bisi", Group: "g", Sub: "s", Period: "2026-12-01"}}
		var chosen []correction.Step
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			s := rapid.SampledFrom(kinds).Draw(t, "step")
			if rapid.Bool().Draw(t, "adjusts") && len(chosen) == 0 {
				s = correction.Step{
					Kind: adjust, User: "bisi", Amount: money.Kobo(rapid.Int64Range(1, int64(correction.AdjustmentMost)).Draw(t, "amount")), TakesBack: rapid.Bool().Draw(t, "takes back"),
				}
			}
			chosen = append(chosen, s)
		}
		agreed(w, chosen...)
		commands, err := correction.Commands(chosen, correction.Order{DisputeID: "d", PlanID: plan(w).ID, By: "sade", ApprovedBy: "kunle", Reason: "AD-1", From: paid})
		require.NoError(t, err)
		w.And(paid, correction.Apply{DisputeID: "d", Plan: plan(w)})
		for _, c := range commands { // A World holds that each event is in balance, and that a refusal changes nothing.
			if _, err := w.Do(c); err != nil {
				break
			}
		}
		var sum money.Kobo
		for account, held := range w.Balances() {
			require.False(t, posting.Floored(account) && held < 0, "%s stands at %s", account, held)
			sum += held
		}
		require.Zero(t, sum)
	})
}

// Bisi has the same ₦5,000 in dispute twice. Both cases propose that Adashi pays it, and both are approved.
func TestAnAdjustmentIsStaleOnceTheMemberWasAdjustedInAnotherCase(t *testing.T) {
	t.Parallel()
	w := Given(t, late()...)
	w.And(
		dispute.Claim{DisputeID: "e", User: "bisi", Kind: nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED, About: "y", Words: said, Now: fined},
		dispute.Take(dispute.Case{DisputeID: "e", User: "bisi", Staff: "yemi"}),
	)
	step := correction.Step{Kind: adjust, User: "bisi", Amount: 5000 * money.Naira}
	of := func(id string) (dispute.Dispute, correction.Plan) {
		return w.State(dispute.Stream(id)).(dispute.Dispute), w.State(correction.Stream(id)).(correction.Plan)
	}
	staff := map[string]string{"d": "sade", "e": "yemi"}
	proposes := func(id string) {
		d, _ := of(id)
		w.And(correction.Propose{DisputeID: id, Dispute: d, PlanID: uuid.NewString(), By: staff[id], Steps: []correction.Step{step}, CountsFrom: fined, Words: said, Now: fined})
		for _, by := range []string{"ayo", "kunle"} {
			d, p := of(id)
			w.And(correction.Decision{DisputeID: id, Dispute: d, Plan: p, By: by, Approve: true, Words: said})
		}
	}
	pays := func(id string) correction.Adjust {
		_, p := of(id)
		return correction.Adjust{DisputeID: id, PlanID: p.ID, User: "bisi", Amount: step.Amount, By: staff[id], ApprovedBy: "kunle", Reason: "AD"}
	}
	proposes("d")
	proposes("e")
	_, first := of("d")
	w.And(correction.Apply{DisputeID: "d", Plan: first}, pays("d"))
	require.Equal(t, 5000*money.Naira, w.Balance(posting.Wallet("bisi")))
	_, second := of("e")
	require.Equal(t, correction.ErrMoved(), w.When(correction.Apply{DisputeID: "e", Plan: second}).ThenFault(fault.Conflict))
	w.And(correction.GiveUp{DisputeID: "e", PlanID: second.ID, Reason: correction.ErrMoved().Message})
	proposes("e") // By people who see what was paid.
	_, second = of("e")
	w.And(correction.Apply{DisputeID: "e", Plan: second}, pays("e"))
}

func TestNothingIsTakenBackThatAdashiNeverPaid(t *testing.T) {
	t.Parallel()
	takes := correction.Adjust{DisputeID: "d", User: "bisi", Amount: 300 * money.Naira, TakesBack: true, By: "sade", ApprovedBy: "kunle", Reason: "AD-1"}
	w := Given(t, late()...).And(event.On("correction:x", &nairav1.AdjustmentPosted{UserId: "bisi", AmountKobo: int64(5000 * money.Naira)}))
	require.Contains(t, w.When(takes).ThenFault(fault.Conflict).Message, "Adashi has paid this member ₦0.00 by corrections")
	paid := func(dispute string, naira money.Kobo, back bool) event.Draft {
		return event.On(correction.Stream(dispute), &nairav1.AdjustmentPosted{DisputeId: dispute, UserId: "bisi", AmountKobo: int64(naira * money.Naira), TakesBack: back})
	}
	counted := func(dispute string, naira money.Kobo) event.Draft {
		return event.On(correction.AdjustedStream("bisi"), &nairav1.AdjustmentCounted{UserId: "bisi", DisputeId: dispute, AmountKobo: int64(naira * money.Naira)})
	}
	w.And(paid("other", 299, false), counted("other", 299))
	require.Contains(t, w.When(takes).ThenFault(fault.Conflict).Message, "Adashi has paid this member ₦299.00 by corrections")
	w.And(paid("d", 5, false), paid("d", 4, true)) // By an earlier build, which counted nothing.
	_, err := takes.Decide(w)
	require.NoError(t, err, "in whichever case it was paid")
	takes.Amount++
	w.When(takes).ThenFault(fault.Conflict)
}
