package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/reviews"
)

// TestOfManyPaymentsValidatedAtOnceTheOwnerChecksFiveAgain goes from the validator's one step to the owner's five.
func TestOfManyPaymentsValidatedAtOnceTheOwnerChecksFiveAgain(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	c.eve.funded(10_000)
	for range reviews.RecheckAbove {
		require.Equal(t, 200, c.eve.pays(c.sub, 100).status)
	}
	var ids []string
	page := func(p *person, query string, want int) (page object) {
		require.Eventually(t, func() bool {
			page = c.audits(p, query)
			return len(page["payments"].([]any)) == want
		}, time.Minute, 20*time.Millisecond, "there never were %d of %s", want, query)
		return page
	}
	for _, one := range page(c.validator, "?limit=100", reviews.RecheckAbove+2)["payments"].([]any) {
		if p := one.(object); p["mayMark"].(bool) {
			ids = append(ids, p["id"].(string))
		}
	}
	many := c.marks(c.validator, "VALIDATED", "", ids...)
	require.Equal(t, 200, many.status, many.Message)
	c.owner.told("recheck_asked")
	require.Contains(t, string(c.owner.ask("GET", "/api/Notification/all", nil).ReturnedObject), fmt.Sprintf("validated %d payments at once. 5 of them were drawn for you to check again.", len(ids)))

	five := page(c.owner, "?state=RECHECK", reviews.RecheckDrawn)
	require.EqualValues(t, reviews.RecheckDrawn, five["rechecks"])
	for _, one := range five["payments"].([]any) {
		p := one.(object)
		require.Equal(t, []any{"VALIDATED", true, true, true}, []any{p["mark"], p["recheck"], p["mayMark"], p["mayRecheck"]})
	}
	for _, one := range page(c.validator, "?state=RECHECK", reviews.RecheckDrawn)["payments"].([]any) {
		require.Equal(t, []any{true, false}, []any{one.(object)["recheck"], one.(object)["mayRecheck"]}, "the validator has said it")
	}
	drawn := queue(five)
	require.Equal(t, http.StatusConflict, c.marks(c.validator, "VALIDATED", "", drawn[0]).status, "nobody checks their own")
	require.Equal(t, http.StatusForbidden, c.marks(c.approver, "VALIDATED", "", drawn[0]).status)
	require.Equal(t, http.StatusForbidden, c.marks(c.owner, "VALIDATED", "", except(ids, drawn)[0]).status, "the others were not drawn")
	agreed := c.marks(c.owner, "VALIDATED", "", drawn[0], drawn[1])
	require.Equal(t, []any{200, float64(len(ids))}, []any{agreed.status, agreed.object(t)["validated"]}, agreed.Message)
	require.Equal(t, 200, c.marks(c.owner, "QUERIED", "Whose is it?", drawn[2]).status)
	left := page(c.owner, "?state=RECHECK", 2)
	require.EqualValues(t, 2, left["rechecks"])
	require.Equal(t, http.StatusForbidden, c.marks(c.owner, "VALIDATED", "", drawn[0]).status, "it is agreed already")
	by := ""
	for _, one := range page(c.owner, "?limit=100", reviews.RecheckAbove+2)["payments"].([]any) {
		switch p := one.(object); p["id"] {
		case drawn[0], drawn[1]:
			by = p["recheckedByName"].(string)
			require.NotContains(t, p, "recheck")
		case drawn[2]:
			require.Equal(t, []any{"QUERIED", true, nil}, []any{p["mark"], p["mayMark"], p["recheck"]}, "who queried it resolves it")
		}
	}
	require.Equal(t, 200, writes(c.eve, drawn[2], "Mine, for the rent.").status)
	require.Equal(t, "AUDITOR", must[object](c.owner, "GET", "/api/v1/questions/"+drawn[2], nil)["side"])
	require.Equal(t, 200, writes(c.owner, drawn[2], "Of which month?").status)
	require.Equal(t, 200, c.marks(c.owner, "RESOLVED", "For the rent", drawn[2]).status)
	file, _ := c.owner.file("/api/v1/savings/groups/" + c.group + "/audit.csv?state=RECHECK")
	require.Equal(t, 3, strings.Count(string(file), "\r\n"))
	require.Equal(t, 2, strings.Count(string(file), ",waits for the owner,"))
	file, _ = c.owner.file("/api/v1/savings/groups/" + c.group + "/audit.csv?state=VALIDATED")
	require.Equal(t, 2, strings.Count(string(file), ","+by+","), "who agreed to two of them: %s", file)
}

// except are those of some ids that are not among others.
func except(ids, others []string) (rest []string) {
	for _, id := range ids {
		if !strings.Contains(strings.Join(others, " "), id) {
			rest = append(rest, id)
		}
	}
	return rest
}

func TestAGroupsDeskIsNarrowedAsTheDeskAcross(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	require.Equal(t, 200, c.validator.funded(500).pays(c.sub, 500).status)
	require.Equal(t, 200, c.eve.funded(100).pays(c.sub, 100).status)
	path := "/api/v1/savings/groups/" + c.group + "/audit"
	require.Eventually(t, func() bool { return len(queue(c.audits(c.owner, ""))) == 4 }, time.Minute, 20*time.Millisecond)
	for query, want := range map[string]int{
		"?member=" + c.eve.id: 2, "?max=500": 2, "?min=20000": 2, "?min=100&max=100": 1, "?paymentKind=PAYOUT": 0, "?paymentKind=CONTRIBUTION": 4,
		"?oddity=SOON_AGAIN": 2, "?oddity=GIVEN_BACK": 0, "?channel=WALLET": 4, "?channel=BANK_TRANSFER": 0, "?state=RECHECK": 0,
		"?member=" + c.eve.id + "&oddity=SOON_AGAIN&state=UNREVIEWED": 2, "?member=" + c.validator.id + "&state=VALIDATED": 0,
	} {
		require.Len(t, queue(c.audits(c.owner, query)), want, query)
		file, _ := c.owner.file(path + ".csv" + query)
		require.Equal(t, want+1, strings.Count(string(file), "\r\n"), "the file is what is shown: %s", query)
	}
	for query, status := range map[string]int{
		"?channel=CASH": 400, "?paymentKind=GIFT": 400, "?oddity=RED": 400, "?min=x": 400, "?min=5&max=4": 400, "?member=x": 404, "?state=SOME": 400,
	} {
		require.Equal(t, status, c.owner.ask("GET", path+query, nil).status, query)
	}
}
