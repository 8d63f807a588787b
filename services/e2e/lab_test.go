package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/items"
)

// tries is what a lab of the case answers.
func (w wronged) tries(subject string, edits ...object) object {
	w.Helper()
	if edits == nil {
		edits = []object{}
	}
	return must[object](w.sade, "POST", w.at+"/labs", object{"subject": subject, "edits": edits})
}

// otherwise are the kinds of a lab's differences.
func otherwise(found object) (kinds []string) {
	for _, line := range found["lines"].([]any) {
		kinds = append(kinds, line.(object)["kind"].(string))
	}
	return kinds
}

func TestALabShowsWhatWouldHaveFollowedAndRecordsNothingOfIt(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.tries("MEMBER") // From now on the opening is recorded.
	w.tries("GROUP")
	_, head, err := history.Head(context.Background(), w.i.Pool)
	require.NoError(t, err)
	for _, subject := range []string{"MEMBER", "GROUP"} {
		asIs := w.tries(subject)
		require.Empty(t, asIs["lines"], "the rules come to what is recorded")
		require.Empty(t, asIs["accounts"])
		require.Positive(t, asIs["events"])

		intime := object{"kind": "PAID", "amount": 5000, "subAccountId": w.sub, "at": w.paid.UTC().Format(time.RFC3339)}
		found := w.tries(subject, intime)
		require.Equal(t, []string{"EDITED", "REFUSED"}, otherwise(found), "%v", found["lines"])
		refused := found["lines"].([]any)[1].(object)
		require.Equal(t, "Nothing is late here.", refused["why"])
		require.Contains(t, fmt.Sprint(refused["was"]), "Penalty applied")
		pool := found["accounts"].([]any)[0].(object)
		require.Equal(t, []any{"pool:" + w.sub, 0.0, 5000.0, 5000.0}, []any{pool["account"], pool["was"], pool["would"], pool["by"]})
		require.Contains(t, fmt.Sprint(found["states"]), " in Monthly dues")

		absent := w.tries(subject, object{"kind": "ABSENT", "position": refused["position"]})
		require.Equal(t, []string{"EDITED"}, otherwise(absent))
		require.Empty(t, absent["lines"].([]any)[0].(object)["would"])
		require.Contains(t, fmt.Sprint(absent["states"]), " in Monthly dues", "the fine is gone")
	}
	w.fines(1, 0)
	_, after, err := history.Head(context.Background(), w.i.Pool)
	require.NoError(t, err)
	require.Equal(t, head, after, "a lab records nothing")

	kept := must[[]object](w.sade, "GET", w.at+"/labs", nil)
	require.Len(t, kept, 4, "each is kept once, and none without edits")
	require.Equal(t, "ABSENT", kept[0]["edits"].([]any)[0].(object)["kind"])
	require.Equal(t, 403, w.ayo.ask("GET", w.at+"/labs", nil).status, "who does not have the case")
	require.Equal(t, 403, w.ayo.ask("POST", w.at+"/labs", object{"subject": "MEMBER", "edits": []object{}}).status)
	require.Equal(t, 403, w.bisi.ask("POST", w.at+"/labs", object{"subject": "MEMBER", "edits": []object{}}).status)
}

func TestALabAndASliderOverAnArchivedPartitionSayWhatToDo(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	_, err := i.Pool.Exec(ctx, "SELECT ledger_extend(1, 40)")
	require.NoError(t, err)
	c := found(t, i)
	c.member.funded(20_000)
	for range 40 {
		require.Equal(t, 200, c.member.pays(c.sub, 100).status)
	}
	sade, at := caseOf(t, i, c.member, claims(700, nil))
	asks := func() (slider, lab reply) {
		return sade.ask("GET", at+"/replay?subject=MEMBER&position=30", nil), sade.ask("POST", at+"/labs", object{"subject": "MEMBER", "edits": []object{}})
	}
	slider, lab := asks()
	require.Equal(t, []int{200, 200}, []int{slider.status, lab.status}, "%s %s", slider.Message, lab.Message)
	_, err = i.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	require.NoError(t, store.Detach(ctx, i.Pool, ledger.Aggregates(), "events_000001", nil))
	_, head, err := history.Head(ctx, i.Pool)
	require.NoError(t, err)
	slider, lab = asks()
	for _, r := range []reply{slider, lab} {
		require.Equal(t, 409, r.status, r.Message)
		require.Equal(t, "The events from position 1 to 40 are archived. Ask an operator to attach their archive, then look again.", r.Message)
	}
	records, err := history.Read(ctx, i.Pool, head, 100)
	require.NoError(t, err)
	for _, r := range records {
		require.Equal(t, "naira.v1.StaffActed", r.Type, "nothing happened but that somebody looked")
	}
}

func TestHistoryIsDecidedAgainAndWhatTheRulesWouldNotHaveDecidedIsTold(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	ctx := context.Background()
	require.Eventually(t, func() (ran bool) { // What the job of the start finds failing would not be tried again for a while.
		const done = "SELECT EXISTS (SELECT FROM river_job WHERE args->>'name' = 'decide history again' AND state = 'completed')"
		return assert.NoError(t, w.i.Pool.QueryRow(ctx, done).Scan(&ran)) && ran
	}, time.Minute, 20*time.Millisecond)
	require.NoError(t, w.i.App.TimeMachine.DecideAgain(ctx))
	longAgo(t, w.i, w.paid, ledgertest.Raw{event.On(dues.ReminderStream(w.sub, "2031-01-01"), &nairav1.DuesReminded{
		GroupId: w.group, SubAccountId: w.sub, Period: "2031-01-01", UserIds: []string{w.bisi.id},
	})})
	require.NoError(t, w.i.App.TimeMachine.DecideAgain(ctx), "of what came from a command that is not known nothing is said")
	longAgo(t, w.i, w.paid, ledgertest.Raw{event.On(dues.Stream(w.sub, w.bisi.id), &nairav1.PenaltyApplied{
		GroupId: w.group, SubAccountId: w.sub, UserId: w.bisi.id, Period: "2031-01-01", AmountKobo: 1, Deadline: "2031-01-31",
	})})
	_, head, err := history.Head(ctx, w.i.Pool)
	require.NoError(t, err)
	require.ErrorContains(t, w.i.App.TimeMachine.DecideAgain(ctx), fmt.Sprintf("the rules of today come to something else at position %d", head))
	require.Equal(t, []string{"DRIFT"}, otherwise(w.tries("MEMBER")))
}

// Of a thousand groups each has its turn about once in four days, and one of which something was found each hour.
func TestWhatTheHourlyCheckFindsStaysAtTheOperatorsDeskAmongManyGroups(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	ctx := context.Background()
	require.Eventually(t, func() (ran bool) {
		const done = "SELECT EXISTS (SELECT FROM river_job WHERE args->>'name' = 'decide history again' AND state = 'completed')"
		return assert.NoError(t, w.i.Pool.QueryRow(ctx, done).Scan(&ran)) && ran
	}, time.Minute, 20*time.Millisecond)
	longAgo(t, w.i, w.paid, ledgertest.Raw{event.On(dues.Stream(w.sub, w.bisi.id), &nairav1.PenaltyApplied{
		GroupId: w.group, SubAccountId: w.sub, UserId: w.bisi.id, Period: "2031-01-01", AmountKobo: 1, Deadline: "2031-01-31",
	})})
	require.Error(t, w.i.App.TimeMachine.DecideAgain(ctx), "it is found while there are few groups")
	_, err := w.i.Pool.Exec(ctx, `INSERT INTO rm_groups SELECT (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid()::text, 'pos', -n))).*
		FROM rm_groups g, generate_series(1, 1000) n WHERE id = $1`, w.group)
	require.NoError(t, err)
	now, told := time.Now(), 0
	for hour := range 30 {
		err := w.i.App.At(now.Add(time.Duration(hour) * time.Hour)).TimeMachine.DecideAgain(ctx)
		require.True(t, hour == 0 || err != nil, "it is tried again each hour")
		counts, err := items.Counts(ctx, w.i.Pool) // What /readyz and the operator's page say.
		require.NoError(t, err)
		for _, c := range counts {
			if c.Job == "decide history again" {
				told++
			}
		}
	}
	require.Equal(t, 30, told, "hours in which the desk says so: nobody has mended it")
}

func TestALabRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	at := w.paid.UTC().Format(time.RFC3339)
	for name, c := range map[string]struct {
		edit   object
		status int
	}{
		"no such kind":               {object{"kind": "MORE"}, 400},
		"no event":                   {object{"kind": "ABSENT"}, 400},
		"beyond the head":            {object{"kind": "ABSENT", "position": 1 << 40}, 400},
		"no amount":                  {object{"kind": "AMOUNT", "position": 1}, 400},
		"no time":                    {object{"kind": "MOVED", "position": 1}, 400},
		"a time to come":             {object{"kind": "MOVED", "position": 1, "at": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}, 400},
		"nothing that came":          {object{"kind": "PAID", "at": at}, 400},
		"another's sub-account":      {object{"kind": "PAID", "amount": 1, "at": at, "subAccountId": w.group}, 404},
		"an amount that cannot be":   {object{"kind": "PAID", "amount": 0.001, "at": at}, 400},
		"a position that is no such": {object{"kind": "ABSENT", "position": -1}, 400},
	} {
		r := w.sade.ask("POST", w.at+"/labs", object{"subject": "GROUP", "edits": []object{c.edit}})
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
	}
	require.Equal(t, 400, w.sade.ask("POST", w.at+"/labs", object{"subject": "NOBODY", "edits": []object{}}).status)
	require.Equal(t, 404, w.sade.ask("POST", w.at+"/labs", object{"subject": "AJO", "edits": []object{}}).status)
	require.Empty(t, must[[]object](w.sade, "GET", w.at+"/labs", nil))
}
