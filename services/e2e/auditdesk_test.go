package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const deskPath = "/api/v1/audit"

// desk is what waits for somebody in all that they audit, once there is so much.
func (p *person) audits(query string, count int) (page object) {
	p.Helper()
	require.Eventually(p, func() bool {
		page = must[object](p, "GET", deskPath+query, nil)
		return len(page["payments"].([]any)) == count
	}, time.Minute, 20*time.Millisecond, "there never were %d on %s", count, query)
	return page
}

// counted is how many payments are in each queue of a desk.
func counted(page object) map[string]float64 {
	counts := map[string]float64{}
	for _, q := range page["queues"].([]any) {
		counts[q.(object)["queue"].(string)] = q.(object)["count"].(float64)
	}
	return counts
}

func TestTheDeskShowsAllThatWaitsInEveryGroupOfItsValidator(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	require.Equal(t, 200, c.validator.funded(500).pays(c.sub, 500).status)
	require.Equal(t, 200, c.eve.funded(100).pays(c.sub, 100).status) // Within minutes of her other.
	request := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	c.approved(request)
	c.becomes(request, "PAID")
	second := club{owner: c.member, validator: c.validator, approver: c.owner, member: c.eve}
	second.group = second.owner.founds("Yaba Tailors")
	second.admitsAll(second.validator, second.approver, second.member)
	second.appoints()
	second.sub = second.opens("Needles", "FLEXIBLE", "MONTHLY", 100)
	require.Equal(t, 200, c.eve.funded(700).pays(second.sub, 700).status)

	page := c.validator.audits("", 5)
	require.Len(t, page["places"].([]any), 2)
	last := 0.0
	for _, one := range page["payments"].([]any) {
		p := one.(object)
		require.NotEqual(t, c.validator.id, p["userId"], "nobody audits their own")
		require.Equal(t, true, p["mayMark"])
		require.Greater(t, p["position"].(float64), last, "oldest first")
		last = p["position"].(float64)
	}
	require.Equal(t, map[string]float64{"ODD": 2, "OLDEST": 5, "ANSWERED": 0, "QUERIED": 0, "DISPUTED": 0, "PAYOUTS": 1, "AJO": 0, "SAMPLE": 0}, counted(page))
	first := must[object](c.validator, "GET", deskPath+"?limit=3", nil)
	rest := must[object](c.validator, "GET", deskPath+"?limit=3&before="+first["next"].(string), nil)
	require.Equal(t, queue(page), append(queue(first), queue(rest)...), "page by page it is the same")
	require.NotContains(t, rest, "next")

	for query, want := range map[string]int{
		"?queue=ODD": 2, "?queue=PAYOUTS": 1, "?queue=AJO": 0, "?place=" + second.group: 1, "?member=" + c.eve.id: 3, "?min=20000": 2, "?max=700": 2,
		"?min=700&max=1000": 2, "?paymentKind=PAYOUT": 1, "?paymentKind=CONTRIBUTION": 4, "?oddity=SOON_AGAIN": 2, "?oddity=GIVEN_BACK": 0, "?oddity=LATE": 0,
		"?channel=WALLET": 4, "?channel=BANK_TRANSFER": 1, "?from=2000-01-01&to=2000-01-31": 0, "?queue=PAYOUTS&paymentKind=COVER": 0, "?queue=ODD&place=" + second.group: 0,
	} {
		require.Len(t, must[object](c.validator, "GET", deskPath+query, nil)["payments"], want, query)
		file, _ := c.validator.file("/api/v1/audit.csv" + query)
		require.Equal(t, want+1, strings.Count(string(file), "\r\n"), "the file is what is shown: %s", query)
	}
	for query, status := range map[string]int{
		"?queue=NONE": 400, "?channel=CASH": 400, "?paymentKind=GIFT": 400, "?oddity=RED": 400, "?min=x": 400, "?min=-1": 400, "?min=5&max=4": 400,
		"?from=2026-13-01": 400, "?from=2026-02-01&to=2026-01-01": 400, "?before=x": 400, "?member=x": 404, "?place=x": 404, "?limit=101": 400,
	} {
		require.Equal(t, status, c.validator.ask("GET", deskPath+query, nil).status, query)
	}

	for _, p := range []*person{c.owner, c.approver, c.member, c.outsider} {
		empty := must[object](p, "GET", deskPath, nil)
		require.Empty(t, empty["places"], "they are no validator")
		require.Empty(t, empty["payments"])
		none, _ := p.file("/api/v1/audit.csv")
		require.Equal(t, 1, strings.Count(string(none), "\r\n"))
		require.Equal(t, http.StatusNotFound, p.ask("GET", deskPath+"?place="+c.group, nil).status)
	}

	odd := queue(c.validator.audits("?queue=ODD", 2))
	require.Equal(t, 200, c.marks(c.validator, "QUERIED", "Why so soon?", odd[0]).status)
	require.Equal(t, odd[:1], queue(c.validator.audits("?queue=QUERIED", 1)))
	about := queue(c.validator.audits("?queue=ODD", 1))[0]
	require.Equal(t, 200, c.eve.ask("POST", disputesPath, object{"kind": "TWICE", "words": "It was taken twice from me.", "movementId": about}).status)
	disputed := c.validator.audits("?queue=DISPUTED", 1)
	require.Equal(t, []string{about}, queue(disputed))
	require.Equal(t, true, disputed["payments"].([]any)[0].(object)["disputed"])
	file, _ := c.validator.file("/api/v1/audit.csv?queue=DISPUTED")
	require.Contains(t, string(file), "Group or ajo,Disputed,Date")
	require.Contains(t, string(file), "Balogun Traders,yes,")
	require.NotContains(t, fmt.Sprint(disputed)+string(file), "taken twice", "what the member wrote is theirs")

	must[any](c.owner, "PATCH", "/api/GroupSavings/SetGroupValidator", object{"groupId": c.group, "memberId": c.eve.id})
	require.Eventually(t, func() bool {
		return len(must[object](c.validator, "GET", deskPath, nil)["places"].([]any)) == 1
	}, time.Minute, 20*time.Millisecond, "another validator took the group over")
	require.Equal(t, http.StatusNotFound, c.validator.ask("GET", deskPath+"?place="+c.group, nil).status)
}
