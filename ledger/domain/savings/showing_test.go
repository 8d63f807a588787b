package savings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

func TestOnlyTheOwnerChoosesWhatPeopleOutsideSee(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy)
	require.Equal(t, savings.SearchView{Findable: true, Terms: true}, group(w).Search, "no totals unless the owner says so")
	shows := savings.SetSearchView{GroupID: "g", By: "ada", View: savings.SearchView{Findable: true, Totals: true}}
	for _, by := range []string{"femi", "chidi", "bisi"} {
		refused(t, w, changed(shows, func(c *savings.SetSearchView) { c.By = by }), fault.Forbidden, "Only the owner")
	}
	w.When(shows).Then(&nairav1.GroupSearchViewSet{GroupId: "g", Findable: true, ShowTotals: true, SetBy: "ada"})
	refused(t, w, shows, fault.Conflict, "just this already")
	require.Equal(t, shows.View, group(w).Search)
}

func TestNobodyUnder18FoundsAGroup(t *testing.T) {
	t.Parallel()
	refused(t, Given(t), changed(found, func(c *savings.CreateGroup) { c.UnderAge = true }), fault.Forbidden, "from the age of 18 on")
}

// TestANameOfBeforeTheRulesStays: what was recorded goes on, whatever may be called so today.
func TestANameOfBeforeTheRulesStays(t *testing.T) {
	t.Parallel()
	old := &nairav1.GroupCreated{
		GroupId: "g", OwnerId: "ada", Name: "Claim at http://evil.example\u200b", AmountKobo: 5_000_00, MemberCapacity: 9, StartMonth: 1, StartYear: 2026,
	}
	w := Given(t, event.Draft{Stream: savings.GroupStream("g"), Message: old})
	require.Equal(t, savings.PendingApproval, group(w).Status)
	require.Equal(t, savings.SearchView{Findable: true, Terms: true}, group(w).Search)
}
