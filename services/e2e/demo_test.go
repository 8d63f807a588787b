package e2e

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/demo"
)

// untold is an instance that is ready to tell the demo: its jobs have not begun.
func untold(t *testing.T) *boot.Instance {
	t.Helper()
	i, err := boot.Start(context.Background(), settings(t.TempDir()), demo.Roles)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	return i
}

func TestTheDemoHasWorkForEverybody(t *testing.T) {
	t.Parallel()
	i := untold(t)
	lines, err := demo.Seed(context.Background(), i)
	require.NoError(t, err)
	printed := strings.Join(lines, "\n")
	for _, email := range []string{"tunde", "uche", "sade", "amaka", "bisi"} {
		require.Contains(t, printed, email+"@demo.adashi.example")
	}
	wholeDemo(t, i.Address)
	monthsHold(t, i)
	decidedAgain(t, i)
}

// decidedAgain holds that the rules come to a ledger's events again, but for those taken as they are, by type.
func decidedAgain(t *testing.T, i *boot.Instance) (taken map[string]int64) {
	t.Helper()
	result, head, differs, err := again(i)
	require.NoError(t, err)
	require.Empty(t, differs)
	require.Equal(t, head, result.Events)
	require.Greater(t, result.Decided, head/3, "%v", result.Taken)
	return result.Taken
}

// again decides all of a ledger's events again, and answers what differs.
func again(i *boot.Instance) (result redecide.Result, head int64, differs []string, err error) {
	conn, err := i.Pool.Acquire(context.Background())
	if err != nil {
		return result, 0, nil, err
	}
	defer conn.Release()
	if _, head, err = history.Head(context.Background(), i.Pool); err != nil {
		return result, 0, nil, err
	}
	result, err = redecide.Run(context.Background(), conn.Conn(), head, redecide.Options{
		Aggregates: ledger.Aggregates(), Wishes: ledger.Wishes(i.Beacon.Beacon()), Behind: ledger.Behind, Read: history.At(context.Background(), i.Pool), Differs: func(pos int64, why string) { differs = append(differs, fmt.Sprint(pos, " ", why)) },
	})
	return result, head, differs, err
}

// sharedIsDecidedAgain reports whether the rules come to all that the tests did together, once more.
func sharedIsDecidedAgain() bool {
	result, head, differs, err := again(shared)
	if err == nil && len(differs) == 0 && result.Events == head {
		return true
	}
	fmt.Fprintf(os.Stderr, "decided again: %d of %d events, %v\n%s\n", result.Events, head, err, strings.Join(differs, "\n"))
	return false
}

// wholeDemo holds that everybody of the demo is there and has what to do.
func wholeDemo(t *testing.T, base string) {
	t.Helper()
	as := func(email string) *person {
		p := &person{TB: t, base: base, email: email}
		r := p.ask("POST", "/api/Account/GetToken", object{"email": email, "password": demo.Password}, "X-Session-Binding", "header")
		require.Equal(t, 200, r.status, r.Message)
		login := r.object(t)
		p.id, p.token, p.secret = login["id"].(string), login["token"].(string), login["sessionSecret"].(string)
		return p
	}
	desk := as("tunde@demo.adashi.example")
	page := desk.waiting(1)
	require.Equal(t, "7500.00", naira(t, page["openAmount"]))
	runs := must[object](desk, "GET", reconciliations, nil)["reconciliations"].([]any)
	require.NotEmpty(t, runs)
	require.Empty(t, runs[0].(object)["problem"])
	for _, before := range runs[1:] { // The desk shows those that were cut short.
		require.NotEmpty(t, before.(object)["problem"])
	}

	arrival := "/api/v1/finance/unmatched/" + arrivals(page)[0]["id"].(string)
	proposed := must[object](desk, "POST", arrival+"/propose", object{"email": "dayo@demo.adashi.example", "reason": "The slip was shown to us."})["proposal"].(object)
	must[object](as("uche@demo.adashi.example"), "POST", arrival+"/decide", object{"approve": true, "seen": proposed["version"]})
	must[object](as("sade@demo.adashi.example"), "GET", "/api/Operator/projections", nil)
	cases := must[object](as("sade@demo.adashi.example"), "GET", casesPath, nil)["cases"].([]any)
	require.Len(t, cases, 1, "a dispute waits for Support")
	must[object](as("yemi@demo.adashi.example"), "GET", "/api/v1/support/plans", nil)

	amaka := as("amaka@demo.adashi.example")
	reserves := must[[]object](amaka, "GET", "/api/v1/reserves", nil)
	require.Len(t, reserves, 1)
	require.Equal(t, true, reserves[0]["covered"])

	queues := map[any]any{}
	for _, queue := range must[object](amaka, "GET", "/api/v1/audit", nil)["queues"].([]any) {
		queues[queue.(object)["queue"]] = queue.(object)["count"]
	}
	require.Greater(t, queues["OLDEST"], 4.0, "payments wait for a validator")
	require.Equal(t, 1.0, queues["ANSWERED"])
	alumni := must[object](amaka, "GET", "/api/v1/audit", nil)["places"].([]any)[0].(object)["id"].(string)
	require.Len(t, must[object](amaka, "GET", "/api/v1/months/"+alumni, nil)["months"], 1, "a month whose sample is about to be drawn")
	require.Len(t, must[[]object](amaka, "GET", "/api/v1/questions", nil), 1, "and a question for a member")
	validator := as("bisi@demo.adashi.example")
	waits, signed := 0, 0
	for _, group := range must[[]object](validator, "GET", "/api/GroupSavings/GetUserGroupSavings/"+validator.id, nil) {
		list := must[object](validator, "GET", "/api/GroupSavings/get-savings-liquidation-request-list/"+group["id"].(string), nil)
		for _, one := range list["requests"].([]any) {
			if slices.Contains(one.(object)["may"].([]any), any("VALIDATE")) {
				waits++
			}
		}
		for _, month := range must[object](validator, "GET", "/api/v1/months/"+group["id"].(string), nil)["months"].([]any) {
			if month.(object)["status"] == "ATTESTED" && month.(object)["signedDevice"] == "PHONE" {
				signed++
			}
		}
	}
	require.Equal(t, 1, waits)
	require.Equal(t, 1, signed, "a month that the validator's phone signed")
}

func TestADemoCutShortIsFinished(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	whole, cut := untold(t), untold(t)
	_, err := demo.Seed(ctx, whole)
	require.NoError(t, err)
	tries := 0
	for patience := 100 * time.Millisecond; ; patience += patience / 3 {
		tries++
		short, cancel := context.WithTimeout(ctx, patience)
		lines, err := demo.Seed(short, cut)
		wasCut := short.Err() != nil
		cancel()
		if err == nil {
			require.NotEmpty(t, lines, "it took what was begun for a ledger of somebody's own")
			break
		}
		require.True(t, wasCut && patience < time.Minute, "it cannot go on from where it was cut short: %v", err)
	}
	require.Greater(t, tries, 2, "it was never cut short: nothing is shown")
	cutAtTheEnd(t, cut)
	happened := func(i *boot.Instance) string {
		rows, err := i.Pool.Query(ctx, `SELECT type || ' ' || count(*) FROM events WHERE type IN ('naira.v1.GroupCreated', 'naira.v1.MemberApproved',
			'naira.v1.SubAccountOpened', 'naira.v1.WalletFunded', 'naira.v1.ContributionReceived', 'naira.v1.LiquidationRequestedV2', 'naira.v1.PaymentMarked', 'naira.v1.QuestionAnswered')
			GROUP BY type UNION ALL SELECT 'accounts ' || count(*) FROM accounts UNION ALL SELECT 'transfers ' || count(*) FROM sandbox_transfers ORDER BY 1`)
		require.NoError(t, err)
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return strings.Join(all, "\n")
	}
	require.Contains(t, happened(whole), "ContributionReceived")
	require.Equal(t, happened(whole), happened(cut))
	wholeDemo(t, cut.Address)
	monthsHold(t, cut)
	again, err := demo.Seed(ctx, cut)
	require.NoError(t, err)
	require.Empty(t, again, "it is whole")
}

// cutAtTheEnd holds that a demo which was cut short just before it said that it is whole comes to nothing new.
func cutAtTheEnd(t *testing.T, i *boot.Instance) {
	t.Helper()
	ctx := context.Background()
	_, before, err := history.Head(ctx, i.Pool)
	require.NoError(t, err)
	_, err = i.Pool.Exec(ctx, "UPDATE demo SET whole = false")
	require.NoError(t, err)
	lines, err := demo.Seed(ctx, i)
	require.NoError(t, err)
	require.NotEmpty(t, lines)
	rows, err := i.Pool.Query(ctx, "SELECT type FROM events WHERE pos > $1", before)
	require.NoError(t, err)
	added, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Empty(t, added)
}
