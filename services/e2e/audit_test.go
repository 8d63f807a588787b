package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// audits reads a group's payments as the validator has them.
func (c chest) audits(p *person, query string) object {
	return must[object](p, "GET", "/api/v1/savings/groups/"+c.group+"/audit"+query, nil)
}

func (c chest) marks(p *person, mark, reason string, ids ...string) reply {
	list := []object{}
	for _, id := range ids {
		one := object{"id": id, "mark": mark}
		if reason != "" {
			one["reason"] = reason
		}
		list = append(list, one)
	}
	return p.ask("POST", "/api/v1/savings/groups/"+c.group+"/audit", object{"marks": list})
}

// queue is the ids of a page's payments, in its order.
func queue(page object) (ids []string) {
	for _, p := range page["payments"].([]any) {
		ids = append(ids, p.(object)["id"].(string))
	}
	return ids
}

func TestTheValidatorGoesThroughEveryPaymentToAHundredPercent(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	require.Equal(t, 200, c.validator.funded(500).pays(c.sub, 500).status)
	require.Equal(t, 200, c.eve.funded(100).pays(c.sub, 100).status) // Within minutes of her other.
	id := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	c.approved(id)
	c.becomes(id, "PAID")

	var page object
	require.Eventually(t, func() bool {
		page = c.audits(c.validator, "?state=UNREVIEWED")
		return len(page["payments"].([]any)) == 5
	}, time.Minute, 20*time.Millisecond)
	payments := page["payments"].([]any)
	require.NotEmpty(t, payments[0].(object)["oddities"], "those with something odd first")
	require.Equal(t, "Within ten minutes of another payment of theirs", payments[0].(object)["oddities"].([]any)[0])
	kinds := map[string]object{}
	for _, p := range payments {
		kinds[p.(object)["kind"].(string)+" "+p.(object)["userId"].(string)] = p.(object)
	}
	require.Contains(t, fmt.Sprint(kinds["PAYOUT "+c.member.id]["evidence"]), c.at.Account[6:])
	require.NotContains(t, fmt.Sprint(kinds["PAYOUT "+c.member.id]["evidence"]), c.at.Account)
	own := kinds["CONTRIBUTION "+c.validator.id]
	require.Equal(t, false, own["mayMark"], "nobody audits their own")

	all := queue(page)
	require.Equal(t, 403, c.marks(c.validator, "VALIDATED", "", all...).status, "all or none")
	require.Equal(t, 403, c.marks(c.owner, "VALIDATED", "", all[0]).status, "the owner marks the validator's alone")
	require.Equal(t, 403, c.marks(c.member, "VALIDATED", "", all[0]).status)
	require.Equal(t, 404, c.marks(c.outsider, "VALIDATED", "", all[0]).status)
	require.Equal(t, 0.0, c.audits(c.validator, "")["coverage"].(object)["validated"])
	require.Equal(t, 400, c.marks(c.validator, "QUERIED", "", all[0]).status)
	queried := c.marks(c.validator, "QUERIED", "Why so soon?", all[0])
	require.Equal(t, []any{200, 1.0}, []any{queried.status, queried.object(t)["queried"]})
	c.eve.told("payment_queried")
	theirs := []string{}
	for _, id := range all[1:] {
		if id != own["id"] {
			theirs = append(theirs, id)
		}
	}
	require.Equal(t, 60.0, c.marks(c.validator, "VALIDATED", "", theirs...).object(t)["percent"])
	require.Equal(t, 409, c.marks(c.validator, "VALIDATED", "", all[0]).status)
	require.Equal(t, 80.0, c.marks(c.validator, "RESOLVED", "She paid the rest", all[0]).object(t)["percent"])
	last := c.marks(c.owner, "VALIDATED", "", own["id"].(string)).object(t)
	require.Equal(t, []any{100.0, 5.0, 0.0}, []any{last["percent"], last["total"], last["unreviewed"]})
	require.Equal(t, object{"reviewed": 5.0, "total": 5.0}, must[object](c.owner, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)["audit"])
	file, response := c.validator.file("/api/v1/savings/groups/" + c.group + "/audit.csv?state=RESOLVED")
	require.Contains(t, response.Header.Get("Content-Disposition"), "adashi-audit.csv")
	require.Equal(t, 2, strings.Count(string(file), "\r\n"), string(file))
	require.Contains(t, string(file), "She paid the rest")
	file, _ = c.validator.file("/api/v1/savings/groups/" + c.group + "/audit.csv?subAccountId=" + c.sub)
	require.Equal(t, 6, strings.Count(string(file), "\r\n"), string(file))
	elsewhere := c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	file, _ = c.validator.file("/api/v1/savings/groups/" + c.group + "/audit.csv?subAccountId=" + elsewhere)
	require.Equal(t, 1, strings.Count(string(file), "\r\n"), "the file is of the sub-account that was asked for: %s", file)
	free, held := c.pool()
	require.Equal(t, []int64{59_600_00, 0}, []int64{free, held}, "marks move no money")
}

func TestASlipOfTheValidatorIsTakenBackAtOnceAndAMistakeIsQueriedLater(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	var ids []string
	require.Eventually(t, func() bool { ids = queue(c.audits(c.validator, "")); return len(ids) == 2 }, time.Minute, 20*time.Millisecond)
	coverage := func(r reply) []any {
		require.Equal(t, 200, r.status, r.Message)
		o := r.object(t)
		months := o["months"].([]any)[0].(object)
		return []any{o["unreviewed"], o["validated"], o["queried"], o["resolved"], months["reviewed"], months["total"]}
	}
	require.Equal(t, []any{0.0, 2.0, 0.0, 0.0, 2.0, 2.0}, coverage(c.marks(c.validator, "VALIDATED", "", ids...)))
	require.Equal(t, 403, c.marks(c.owner, "UNREVIEWED", "", ids[0]).status, "it is not theirs to take back")
	require.Equal(t, 404, c.marks(c.outsider, "UNREVIEWED", "", ids[0]).status)
	back := c.marks(c.validator, "UNREVIEWED", "", ids[0])
	require.Equal(t, []any{1.0, 1.0, 0.0, 0.0, 1.0, 2.0}, coverage(back))
	require.Equal(t, "1 payment is not marked any more.", back.Message)
	require.Equal(t, 409, c.marks(c.validator, "UNREVIEWED", "", ids...).status, "all or none")
	for _, p := range c.audits(c.validator, "")["payments"].([]any) {
		if p.(object)["id"] == ids[0] {
			require.Equal(t, "UNREVIEWED", p.(object)["mark"])
			require.NotContains(t, p, "markedByName")
		}
	}
	require.Equal(t, 400, c.marks(c.validator, "QUERIED", "", ids[1]).status)
	require.Equal(t, []any{1.0, 0.0, 1.0, 0.0, 0.0, 2.0}, coverage(c.marks(c.validator, "QUERIED", "It was for Welfare", ids[1])))
	require.Equal(t, 409, c.marks(c.validator, "UNREVIEWED", "", ids[1]).status, "a query is resolved")
	require.Equal(t, []any{1.0, 0.0, 0.0, 1.0, 1.0, 2.0}, coverage(c.marks(c.validator, "RESOLVED", "It was hers", ids[1])))
	require.Equal(t, 400, c.marks(c.validator, "NONSENSE", "", ids[0]).status)
}
