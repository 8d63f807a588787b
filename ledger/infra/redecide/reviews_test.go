package redecide_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/ledgertest"
)

func TestWhatAuditorsSayIsDecidedAgainAndAMarkOfOnesOwnPaymentIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var paid []event.Record // By vera, who validates, and twice by femi.
	records, err := history.Read(context.Background(), b.pool, 0, 1000)
	require.NoError(t, err)
	for _, r := range records {
		if r.Type == "naira.v1.ContributionReceived" {
			paid = append(paid, r)
		}
	}
	require.Len(t, paid, 3)
	say := func(by string, mark nairav1.Mark, of ...event.Record) event.Command {
		c := reviews.Mark{GroupID: "g", By: by, Now: noon}
		for _, r := range of {
			c.List = append(c.List, reviews.Marking{Original: r, Mark: mark, Reason: "Whose is it?"})
		}
		return c
	}
	const validated, queried, resolved = nairav1.Mark_MARK_VALIDATED, nairav1.Mark_MARK_QUERIED, nairav1.Mark_MARK_RESOLVED
	b.do(say("vera", validated, paid[1:]...), say("vera", nairav1.Mark_MARK_UNSPECIFIED, paid[1]), say("vera", queried, paid[1]), say("ada", queried, paid[0]),
		reviews.Say{Original: paid[1], By: "femi", Words: &nairav1.Words{PaperId: "one"}}, reviews.Say{Original: paid[1], By: "vera", Words: &nairav1.Words{PaperId: "two"}},
		say("vera", resolved, paid[1]))
	result, differs := b.again()
	require.Empty(t, differs)
	for _, typ := range []string{"PaymentMarkedV2", "PaymentUnmarked", "QuestionAnswered", "QuestionAsked"} {
		require.NotContains(t, result.Taken, "naira.v1."+typ)
	}
	id := paid[0].ID().String()
	b.do(ledgertest.Raw{event.On(reviews.Stream(id), &nairav1.PaymentMarkedV2{
		EventId: id, Position: paid[0].Pos, GroupId: "g", SubAccountId: "s", UserId: "vera", Mark: resolved, MarkedBy: "vera", Reason: "All is well",
	})})
	_, differs = b.again()
	require.Len(t, differs, 1)
	require.Contains(t, fmt.Sprint(differs), "Nobody audits a payment made by or for themselves.")
}
