package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

func freezes(user string) event.Draft {
	return event.On(account.Stream(user), &nairav1.OutgoingFrozen{UserId: user})
}

func closes(user string) event.Draft {
	return event.On(account.Stream(user), &nairav1.AccountClosed{UserId: user})
}

func TestAFrozenAccountGivesItsSavingsToNobody(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(flexible, monthly), funded("bisi", 50_000*money.Naira), pays("bisi", 50_000*money.Naira, 0, Epoch), freezes("bisi"))
	out := leaves("bisi")
	out.Forfeit = true
	refused(t, w, out, fault.Conflict, "Your money is frozen")
	require.Equal(t, 50_000*money.Naira, w.State(dues.Stream("s", "bisi")).(dues.State).Savings())
	Given(t, roomy, opens(flexible, monthly), freezes("bisi"), leaves("bisi")) // Who saved nothing gives nothing away.
}

func TestNobodyPaysIntoTheSavingsOfAClosedAccount(t *testing.T) {
	t.Parallel()
	w := Given(t, active, opens(fixed, monthly), funded("ada", 25_000*money.Naira), account.Close{User: "bisi"})
	refused(t, w, dues.Cover{GroupID: "g", SubAccountID: "s", User: "bisi", By: "ada", Amount: 5_000 * money.Naira, At: Epoch}, fault.Conflict, "nobody can pay for them")
	require.Equal(t, 25_000*money.Naira, w.Balance("wallet:ada"))
}

func TestWhoClosedTheirAccountEarnsNoPenalty(t *testing.T) {
	t.Parallel()
	strictly := changed(opens(fixed, monthly), func(c *savings.OpenSubAccount) {
		c.Late = savings.Late{GraceDays: 5, Type: flat, Amount: penalty}
	})
	late := dues.Penalise{GroupID: "g", SubAccountID: "s", User: "bisi", Now: Epoch.AddDate(0, 3, 0)}
	Given(t, active, strictly, late)
	refused(t, Given(t, active, strictly, account.Close{User: "bisi"}), late, fault.Conflict, "owes nothing more")
}

// voted is a vote of four on femi, of whom gozie votes for him.
func voted(more ...any) []any {
	past := []any{roomy, verifies("femi")}
	for _, user := range []string{"gozie", "halima", "ife"} {
		past = append(past, verifies(user), admits(user), empowers("ada", user))
	}
	return append(append(past, long, proposes("femi", "femi"), votes("gozie", true)), more...)
}

func TestAVoteDoesNotWaitForThoseWhoClosedTheirAccount(t *testing.T) {
	t.Parallel()
	ends := savings.EndSuccession{GroupID: "g", Candidate: "femi", OwnerSeen: Epoch, Now: long}
	asked := ends
	asked.Voters = group(Given(t, voted())).Voters()
	w := Given(t, voted(closes("halima")))
	refused(t, w, asked, fault.Conflict, "waits for others")
	w.And(closes("ife"))
	refused(t, w, ends, fault.Conflict, "waits for others")
	w.When(asked).Then(&nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "The vote went against them."})

	w = Given(t, voted(closes("gozie"), votes("halima", true))) // What gozie said before counts.
	require.Equal(t, "femi", group(w).Owner)
}

func TestAVoteOnSomebodyWhoMayTakeNoOfficeEnds(t *testing.T) {
	t.Parallel()
	for name, standing := range map[string]event.Draft{"frozen": freezes("femi"), "closed": closes("femi")} {
		w := Given(t, voted(standing))
		_, err := w.Do(votes("halima", true))
		require.Error(t, err, name)
		w.When(savings.EndSuccession{GroupID: "g", Candidate: "femi", OwnerSeen: Epoch, Now: long}).
			Then(&nairav1.SuccessionEnded{GroupId: "g", CandidateId: "femi", Reason: "They cannot take an office just now."})
		require.Empty(t, group(w).Succession, "another may be proposed")
	}
}

func TestNobodyWhoClosedTheirAccountIsFixedToDecideOnAWaiver(t *testing.T) {
	t.Parallel()
	december := on(time.December, 10)
	w := Given(t, roomy, opens(fixed, monthly), admits("gozie"), empowers("ada", "gozie"), verifies("femi"), verifies("gozie"), december, closes("gozie"), asks("ada", "bisi", "2026-11-01", december))
	require.Equal(t, []string{"femi"}, w.State(dues.WaiverStream("w")).(dues.Waiver).Deciders)
}
