package e2e

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/reserves"
)

// mine is a member's proof, checked under the root that everybody reads, and what each account of theirs holds.
func mine(p *person, i *boot.Instance) (liabilities.File, map[string]string) {
	p.Helper()
	outsider := &person{TB: p, base: i.Address}
	roots := must[[]object](outsider, "GET", "/api/v1/reserves/roots", nil)
	raw, err := hex.DecodeString(roots[0]["root"].(string))
	require.NoError(p, err)
	require.Eventually(p, func() bool {
		var sealed int64
		require.NoError(p, i.Pool.QueryRow(context.Background(), "SELECT coalesce(max(size), 0) FROM ledger_checkpoints").Scan(&sealed))
		return sealed >= int64(roots[0]["recordedPosition"].(float64))
	}, time.Minute, 20*time.Millisecond, "it is never sealed")
	reply := must[struct {
		File     json.RawMessage `json:"file"`
		Accounts []object        `json:"accounts"`
	}](p, "GET", "/api/v1/reserves/mine", nil)
	f, err := liabilities.Read(reply.File)
	require.NoError(p, err)
	require.NotEmpty(p, f.Receipt)
	named := object{}
	for _, a := range reply.Accounts {
		named[a["account"].(string)] = a["kind"].(string) + " " + a["name"].(string)
	}
	holds := map[string]string{}
	total := int64(0)
	for _, a := range f.Accounts {
		holds[strings.TrimSpace(named[a.Account].(string))] = strconv.FormatInt(int64(a.Kobo), 10)
		total += int64(a.Kobo)
	}
	if len(f.Accounts) > 0 {
		proven, err := f.Verify(liabilities.Hash(raw))
		require.NoError(p, err)
		require.Equal(p, total, proven)
	}
	return f, holds
}

func TestEverybodyFindsTheirsInWhatIsOwedAndNothingOfAnybodyElse(t *testing.T) {
	t.Parallel()
	i := own(t)
	desk := staff(t, i, "Femi", people.RoleFinanceOps)
	stray(t, i, 900*money.Naira, false) // Owed to nobody known: it is not in the sum.
	desk.waiting(1)
	bisi, chidi, nobody := somebody(t, i, "Bisi").funded(500), somebody(t, i, "Chidi").funded(170), somebody(t, i, "Nobody")
	none := bisi.ask("GET", "/api/v1/reserves/mine", nil)
	require.Equal(t, 404, none.status)
	require.Contains(t, none.Message, "No count has been taken yet")
	require.Empty(t, must[[]object](nobody, "GET", "/api/v1/reserves/roots", nil))
	run := must[object](desk, "POST", reconciliations, nil)
	require.Nil(t, run["problem"])

	root := must[[]object](nobody, "GET", "/api/v1/reserves/roots?limit=1", nil)[0]
	require.Equal(t, "67000", root["sum"], "what the proof of reserves says that is owed")
	require.Equal(t, "670.00", naira(t, run["reserves"].(object)["owed"]))
	require.Equal(t, run["reserves"].(object)["position"], root["position"])
	file, holds := mine(bisi, i)
	require.Equal(t, map[string]string{"WALLET": "50000"}, holds)
	other, holds := mine(chidi, i)
	require.Equal(t, map[string]string{"WALLET": "17000"}, holds)
	nothing, holds := mine(nobody, i)
	require.Empty(t, holds)
	require.Empty(t, nothing.Accounts)
	text, err := json.Marshal(file)
	require.NoError(t, err)
	require.NotContains(t, string(text), chidi.id)
	salts := map[liabilities.Hex]bool{}
	for _, part := range slices.Concat(file.Accounts[0].Parts, other.Accounts[0].Parts) {
		require.False(t, salts[part.Salt], "each leaf has a salt of its own")
		salts[part.Salt] = true
	}
	saysRoot(t, bisi, file)
	_, err = i.Pool.Exec(context.Background(), "UPDATE liability_accounts SET kobo = kobo - 1 WHERE account = 'wallet:' || $1", bisi.id)
	require.NoError(t, err)
	require.Equal(t, 503, bisi.ask("GET", "/api/v1/reserves/mine", nil).status, "nothing is shown that does not lead to the root")
	for _, limit := range []string{"0", "91", "x"} {
		require.Equal(t, 400, nobody.ask("GET", "/api/v1/reserves/roots?limit="+limit, nil).status)
	}
}

// saysRoot holds that the receipt in a file is of the ledger's own statement of its root.
func saysRoot(t *testing.T, p *person, f liabilities.File) {
	t.Helper()
	key, err := proofs.ParseKey(must[[]object](p, "GET", "/api/Ledger/keys", nil)[0]["key"].(string))
	require.NoError(t, err)
	_, record, err := proofs.VerifySlip(f.Receipt, []note.Verifier{key.Verifier()})
	require.NoError(t, err)
	message, err := event.DecodeRecorded(record.Type, record.Body)
	require.NoError(t, err)
	said := message.(*nairav1.LiabilitiesCommitted)
	require.True(t, bytes.Equal(said.GetRoot(), f.Root[:]))
	require.Equal(t, int64(f.Sum), said.GetSumKobo())
	require.Equal(t, f.Leaves, said.GetLeaves())
	require.Equal(t, f.ID, said.GetReconciliationId())
	require.Equal(t, f.Position, said.GetPosition())
}

func TestAPoolIsFoundByWhoeverMaySeeItsTotal(t *testing.T) {
	t.Parallel()
	i := own(t)
	desk := staff(t, i, "Femi", people.RoleFinanceOps)
	c := found(t, i)
	c.member.funded(900)
	require.Equal(t, 200, c.member.pays(c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100), 250).status)
	must[object](desk, "POST", reconciliations, nil)
	pool := func(holds map[string]string) string {
		for name, kobo := range holds {
			if strings.HasPrefix(name, "SUB_ACCOUNT ") {
				return kobo
			}
		}
		return ""
	}
	_, holds := mine(c.member, i)
	require.Equal(t, "25000", pool(holds))
	c.owner.acts("POST", "/api/GroupSavings/update-balance-display", object{"groupId": c.group, "showTotalBalance": false})
	require.Eventually(t, func() bool { return c.member.sees(c)["totalHidden"] == true }, time.Minute, 20*time.Millisecond)
	_, holds = mine(c.member, i)
	require.Equal(t, map[string]string{"WALLET": "65000"}, holds)
	_, holds = mine(c.owner, i)
	require.Equal(t, "25000", pool(holds), "officials always see the totals")
	_, holds = mine(somebody(t, i, "Stranger"), i)
	require.Empty(t, holds)
}

func TestACommitmentIsHeldAgainstTheAccountsOfItsPosition(t *testing.T) {
	t.Parallel()
	i := own(t)
	ctx := context.Background()
	desk := staff(t, i, "Femi", people.RoleFinanceOps)
	bisi, chidi := somebody(t, i, "Bisi").funded(500), somebody(t, i, "Chidi").funded(500)
	must[object](desk, "POST", reconciliations, nil)
	somebody(t, i, "Dele").funded(300)
	must[object](desk, "POST", reconciliations, nil)
	somebody(t, i, "Emeka").funded(200) // What came after a commitment is not in it.
	_, err := i.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	check := func(key []byte, violations int) *audit.Check {
		t.Helper()
		c := &audit.Check{}
		require.NoError(t, reserves.Check(i.Pool, key).Run(ctx, c))
		require.EqualValues(t, 2, c.Looked)
		require.EqualValues(t, violations, c.Violations)
		return c
	}
	key := i.App.Reserves.Key
	require.Empty(t, check(key, 0).Said)
	require.Contains(t, check(nil, 0).Said, "2 by their sum alone")
	require.Contains(t, check([]byte("another key"), 0).Said, "2 by their sum alone")
	planted := func(sql string, args ...any) {
		t.Helper()
		tx, err := i.Pool.Begin(ctx)
		require.NoError(t, err)
		_, err = tx.Exec(ctx, "SET LOCAL session_replication_role = replica")
		require.NoError(t, err)
		tag, err := tx.Exec(ctx, sql, args...)
		require.NoError(t, err)
		require.Positive(t, tag.RowsAffected())
		require.NoError(t, tx.Commit(ctx))
	}
	planted("UPDATE liabilities SET root = sha256(root) WHERE id = (SELECT id FROM liabilities ORDER BY id LIMIT 1)")
	check(nil, 1)
	planted("UPDATE liabilities l SET root = (SELECT substring(body from position('\\x1a20'::bytea in body) + 2 for 32) FROM events WHERE pos = l.pos)")
	check(key, 0)
	// A kobo moved between two wallets leaves the sum as it was, and neither what is kept of the accounts nor the root.
	planted("UPDATE ledger_accounts SET balance = balance + CASE account WHEN 'wallet:' || $1 THEN 1 ELSE -1 END WHERE account IN ('wallet:' || $1, 'wallet:' || $2)", bisi.id, chidi.id)
	check(nil, 2)
	check(key, 4)
	planted("UPDATE ledger_accounts SET balance = balance + 5 WHERE account = 'wallet:' || $1", bisi.id)
	check(nil, 2)
}

// Whatever is changed or removed of what proofs are made of is found, with the key and without.
func TestWhatIsKeptOfACommitmentIsHeldAgainstTheLedger(t *testing.T) {
	t.Parallel()
	i := own(t)
	ctx := context.Background()
	desk := staff(t, i, "Femi", people.RoleFinanceOps)
	somebody(t, i, "Bisi").funded(500)
	must[object](desk, "POST", reconciliations, nil)
	somebody(t, i, "Chidi").funded(300)
	must[object](desk, "POST", reconciliations, nil)
	_, err := i.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	found := func(key []byte) int64 {
		c := &audit.Check{}
		require.NoError(t, reserves.Check(i.Pool, key).Run(ctx, c))
		return c.Violations
	}
	key := i.App.Reserves.Key
	require.Zero(t, found(key))
	_, err = i.Pool.Exec(ctx, "CREATE TABLE were AS SELECT * FROM liabilities; CREATE TABLE accounts_were AS SELECT * FROM liability_accounts; CREATE TABLE tiles_were AS SELECT * FROM liability_tiles")
	require.NoError(t, err)
	const first, latest = "(SELECT min(id::text)::uuid FROM liabilities)", "(SELECT max(id::text)::uuid FROM liabilities)"
	for name, planted := range map[string]string{
		"a node of a tile":          "UPDATE liability_tiles SET nodes = set_byte(nodes, 50, get_byte(nodes, 50) # 1) WHERE id = " + latest,
		"the last of a tile":        "UPDATE liability_tiles SET last = sha256(last) WHERE id = " + first,
		"a tile is removed":         "DELETE FROM liability_tiles WHERE id = " + first,
		"a tile is invented":        "INSERT INTO liability_tiles SELECT id, 8, 0, last, nodes FROM liability_tiles WHERE id = " + first,
		"an account's money":        "UPDATE liability_accounts SET kobo = kobo + 1 WHERE id = " + latest + " AND account LIKE 'wallet:%'",
		"an account's leaves":       "UPDATE liability_accounts SET parts = 3 WHERE id = " + latest,
		"an account is removed":     "DELETE FROM liability_accounts WHERE id = " + latest + " AND account LIKE 'wallet:%'",
		"an account is invented":    "INSERT INTO liability_accounts SELECT id, 'wallet:nobody', 5, 2 FROM liabilities WHERE id = " + first,
		"a commitment is removed":   "DELETE FROM liabilities WHERE id = " + latest,
		"a commitment is invented":  "INSERT INTO liabilities SELECT gen_random_uuid(), position, root, sum_kobo, leaves, key_id, made_at, pos FROM liabilities WHERE id = " + first,
		"a commitment is not shown": "UPDATE liabilities SET pos = NULL WHERE id = " + first,
		"its sum":                   "UPDATE liabilities SET sum_kobo = sum_kobo + 1 WHERE id = " + first,
		"its position":              "UPDATE liabilities SET position = position + 1 WHERE id = " + first,
		"its leaves":                "UPDATE liabilities SET leaves = leaves * 2 WHERE id = " + first,
		"its key":                   "UPDATE liabilities SET key_id = 'another' WHERE id = " + latest,
		"its time":                  "UPDATE liabilities SET made_at = made_at - interval '2 days' WHERE id = " + latest,
	} {
		tag, err := i.Pool.Exec(ctx, planted)
		require.NoError(t, err, name)
		require.Positive(t, tag.RowsAffected(), name)
		require.Positive(t, found(key), name)
		require.Positive(t, found(nil), name)
		_, err = i.Pool.Exec(ctx, `DELETE FROM liabilities; INSERT INTO liabilities SELECT * FROM were;
			INSERT INTO liability_accounts SELECT * FROM accounts_were; INSERT INTO liability_tiles SELECT * FROM tiles_were`)
		require.NoError(t, err, name)
	}
	require.Zero(t, found(key), "all is as it was again")
}

// A process that ended before it noted that the ledger has a commitment hides it until the next one is noted.
func TestACommitmentThatWasNotNotedIsShownWithTheNext(t *testing.T) {
	t.Parallel()
	i := own(t)
	ctx := context.Background()
	desk := staff(t, i, "Femi", people.RoleFinanceOps)
	somebody(t, i, "Bisi").funded(500)
	must[object](desk, "POST", reconciliations, nil)
	_, err := i.Pool.Exec(ctx, "UPDATE liabilities SET pos = NULL; SELECT ledger_settle()")
	require.NoError(t, err)
	c := &audit.Check{}
	require.NoError(t, reserves.Check(i.Pool, nil).Run(ctx, c))
	require.Zero(t, c.Violations)
	must[object](desk, "POST", reconciliations, nil)
	var shown int
	require.NoError(t, i.Pool.QueryRow(ctx, "SELECT count(pos) FROM liabilities").Scan(&shown))
	require.Equal(t, 2, shown)
}

func TestAPotIsFoundByItsAjoAndACardByItsSaver(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	desk, r := staff(t, i, "Femi", people.RoleFinanceOps), listed(t, i)
	r.draws()
	require.NoError(t, r.pays(1, 0, 0, 1, weekly))
	saver := r.people[4]
	card := must[object](saver, "POST", "/api/v1/ajo/cards", object{"name": "Rent", "amount": 500, "frequency": "DAILY"})
	saver.acts("POST", "/api/v1/ajo/cards/"+card["id"].(string)+"/fill", object{"boxes": 3, "userId": saver.id})
	must[object](desk, "POST", reconciliations, nil)
	for n, want := range map[int]map[string]string{
		0: {"WALLET": "9200000", "POT Balogun weekly": "800000"},
		1: {"WALLET": "10000000", "POT Balogun weekly": "800000"},
		4: {"WALLET": "9850000", "POT Balogun weekly": "800000", "CARD Rent": "150000"},
	} {
		_, holds := mine(r.people[n], i)
		require.Equal(t, want, holds, r.people[n].email)
	}
	_, holds := mine(somebody(t, i, "Stranger"), i)
	require.Empty(t, holds)
}
