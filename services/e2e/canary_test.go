package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/refusals"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/profile"
	"adashi.ng/services/internal/rails/sandbox"
)

// canary is a person whose every particular is found wherever it turns up.
type canary struct {
	*person
	first, last, phone, bvn, account                         string
	address, residence, office, paper, salary, words, answer string
}

// letters are ones that nobody else has.
func letters(n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('a' + rand.IntN(26))
	}
	return string(out)
}

func digits(n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('0' + rand.IntN(10))
	}
	return string(out)
}

func newCanary(t testing.TB, i *boot.Instance) *canary {
	t.Helper()
	c := &canary{
		first: "Kanari" + letters(10), last: "Vogel" + letters(10), phone: "803" + digits(7), bvn: "2" + digits(10), account: "1" + digits(9),
		address: "plot " + letters(14), residence: "house " + letters(14), office: "tower " + letters(14), paper: "statement " + letters(20), salary: "7" + digits(6) + ".09", words: "wronged " + letters(16), answer: "because " + letters(16),
	}
	c.person = &person{TB: t, base: i.Address, email: "kanari" + letters(12) + "@example.com"}
	return c
}

// marks are the particulars, whole.
func (c *canary) marks() map[string]string {
	return map[string]string{
		"first name": c.first, "last name": c.last, "email": c.email, "phone": c.phone, "BVN": c.bvn, "account number": c.account, "address": c.address,
		"residence": c.residence, "office": c.office, "document": c.paper, "salary": strings.ReplaceAll(c.salary, ".", ""), "birth date": "1987-03-29", "words of a dispute": c.words, "an answer": c.answer,
	}
}

// found are the particulars that a text has, whatever the case.
func (c *canary) found(text string) (names []string) {
	text = strings.ToLower(text)
	for name, mark := range c.marks() {
		if strings.Contains(text, strings.ToLower(mark)) || strings.Contains(text, fmt.Sprintf("%x", mark)) {
			names = append(names, name+" "+mark)
		}
	}
	return names
}

// upload sends a file as a browser's form does.
func (p *person) upload(kind, name string, data []byte) reply {
	p.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(p, form.WriteField("kind", kind))
	part, err := form.CreateFormFile("file", name)
	require.NoError(p, err)
	_, err = part.Write(data)
	require.NoError(p, err)
	require.NoError(p, form.Close())
	request, err := http.NewRequest(http.MethodPost, p.base+"/api/file/profile", &body)
	require.NoError(p, err)
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("X-Session-Secret", p.secret)
	r, err := send(request)
	require.NoError(p, err)
	return r
}

func (r reply) object(t testing.TB) object {
	t.Helper()
	require.Equal(t, 200, r.status, r.Message)
	var out object
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &out))
	return out
}

func picture(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 40, 30))))
	return out.Bytes()
}

// lives does everything that leaves a trace: signs up, fills in, uploads, is verified.
func (c *canary) lives(i *boot.Instance) {
	c.Helper()
	_, err := i.Bank.AddPerson(context.Background(), sandbox.Person{BVN: c.bvn, FirstName: c.first, LastName: c.last, Account: c.account, BankCode: "082"})
	require.NoError(c, err)
	must[any](c.person, "POST", "/api/Account/Register", object{
		"email": c.email, "password": password, "firstName": c.first, "lastName": c.last, "phone": "0" + c.phone, "dateOfBirth": "1987-03-29",
	})
	link := tokenInMail.FindStringSubmatch(c.page("/dev/inbox?to=" + url.QueryEscape(c.email)))
	require.NotNil(c, link)
	must[any](c.person, "POST", "/api/v1/account/verify-email", object{"token": link[1], "password": password})
	c.logIn()
	salary, err := strconv.ParseFloat(c.salary, 64)
	require.NoError(c, err)
	must[object](c.person, "POST", "/api/Account/UpdateUserInfo", object{
		"email": c.email, "gender": "FEMALE", "stateId": "NG-LA", "address": c.address, "residentialAddress": c.residence, "officeAddress": c.office,
		"monthlySalaray": salary, "dateForSalary": "2026-11-28", "bankAccountNumber": c.account, "bankCode": "082",
	})
	avatar := c.upload("profile", "../../"+c.first+".png", picture(c)).object(c)
	must[object](c.person, "POST", "/api/Account/ChangeAvatar", object{"image": avatar["id"], "email": c.email})
	pdf := "%PDF-1.4\n1 0 obj\n(" + c.paper + ")\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"
	document := c.upload("document", c.last+".pdf", []byte(pdf)).object(c)
	must[object](c.person, "POST", "/api/Account/SaveBankStatement", object{"document": document["id"], "email": c.email})
	r := c.ask("POST", "/api/Payment/bvn-look-up", object{"account_number": c.account, "bank_code": "082", "first_name": c.first, "last_name": c.last, "bvn": c.bvn})
	require.Equal(c, "Your BVN has been verified successfully", r.Message)
	must[object](c.person, "POST", "/api/v1/payment/name-enquiry", object{"account_number": c.account, "bank_code": "082"})
	c.ask("POST", "/api/Payment/bvn-look-up", object{"account_number": c.account, "bank_code": "082", "first_name": c.first, "last_name": c.last, "bvn": "1"})
}

// saves sets a standing order and asks for a statement.
func (c *canary) saves(sub string) {
	c.Helper()
	tomorrow := time.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	must[object](c.person, "POST", standingOrders, object{"subAccountId": sub, "amount": 100, "frequency": "MONTHLY", "firstDay": tomorrow, "consent": true})
	_, statement := c.file("/api/v1/activity/statement.pdf?from=2026-01-01&to=2026-01-31")
	require.Equal(c, 200, statement.StatusCode)
}

// answers says why they paid, when the validator asks.
func (c *canary) answers(validator *person, group string) {
	c.Helper()
	var id string
	require.Eventually(c, func() bool {
		desk := must[object](validator, "GET", "/api/v1/savings/groups/"+group+"/audit", nil)
		for _, p := range desk["payments"].([]any) {
			id = p.(object)["id"].(string)
		}
		return id != ""
	}, time.Minute, 20*time.Millisecond)
	must[object](validator, "POST", "/api/v1/savings/groups/"+group+"/audit", object{"marks": []object{{"id": id, "mark": "QUERIED", "reason": "What for?"}}})
	must[object](c.person, "POST", "/api/v1/questions/"+id, object{"words": c.answer + " I could."})
}

// everything is what anybody but the vault and the accounts keeps: tables, the stream, logs. The sandbox is another's
// bank, and not ours.
func everything(t testing.TB, i *boot.Instance, without ...string) map[string]string {
	t.Helper()
	ctx := context.Background()
	rows, err := i.Pool.Query(ctx, `SELECT schemaname || '.' || tablename FROM pg_tables
		WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'vault') AND tablename NOT LIKE 'sandbox\_%' AND tablename <> ALL($1) ORDER BY 1`, append([]string{}, without...))
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(tables), 20)
	out := map[string]string{}
	for _, table := range tables {
		var text string
		require.NoError(t, i.Pool.QueryRow(ctx, "SELECT coalesce(string_agg(x::text, E'\\n'), '') FROM "+table+" x").Scan(&text))
		out[table] = text
	}
	var bodies []byte
	records, err := history.Read(ctx, i.Pool, 0, 1_000_000)
	require.NoError(t, err)
	for _, r := range records {
		bodies = append(bodies, r.Encode()...)
	}
	out["events"] = string(bodies)
	stream, err := i.JS.Stream(ctx, relay.StreamName(1))
	require.NoError(t, err)
	for pos := range stream.CachedInfo().State.LastSeq {
		message, err := stream.GetMsg(ctx, pos+1)
		require.NoError(t, err)
		out["the stream"] += message.Subject + fmt.Sprint(message.Header) + string(message.Data)
	}
	return out
}

func (c *canary) isNowhere(where map[string]string) {
	c.Helper()
	for name, text := range where {
		require.Empty(c, c.found(text), "in %s", name)
	}
}

// log takes down everything that is logged, at every level.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A letter to somebody else that was being written when they left does not name them for long.
func TestALetterThatIsBeingWrittenForgetsWhoLeavesMeanwhile(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	p := somebody(t, i, "Kanari")
	wrote, begun := make(chan error), make(chan struct{})
	go func() {
		wrote <- items.InTurn(ctx, i.Pool, mail.Writing, func() error {
			close(begun)
			for erased := false; !erased; {
				if err := i.Pool.QueryRow(ctx, "SELECT erased_at IS NOT NULL FROM accounts WHERE id = $1", p.id).Scan(&erased); err != nil {
					return err
				}
			}
			_, err := i.Pool.Exec(ctx, `INSERT INTO mail_outbox (recipient, form, said, created_at, next_try, kind, cause, about)
				VALUES ('chidi@example.com', 'notice', '{"body":"Kanari Test paid."}', now(), now(), '', '', ARRAY[$1])`, p.id)
			return err
		})
	}()
	<-begun
	require.NoError(t, i.Leaving.Close(ctx, p.id))
	require.NoError(t, <-wrote)
	var left int
	require.NoError(t, i.Pool.QueryRow(ctx, "SELECT count(*) FROM mail_outbox WHERE said LIKE '%Kanari%' AND NOT farewell").Scan(&left))
	require.Zero(t, left)
}

// Letters that take long to write keep nobody's account open, nor say that it is.
func TestAnAccountIsClosedThoughLettersAreStillWritten(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	p := somebody(t, i, "Kanari")
	require.NoError(t, items.InTurn(ctx, i.Pool, mail.Writing, func() error { return i.Leaving.Close(ctx, p.id) }))
	require.Equal(t, 401, p.ask("GET", "/api/Wallet/GetWalletBalance/", nil).status, "the session is over")
}

// It runs alone: what is logged meanwhile is its own.
func TestAPersonIsNowhereButInTheVaultAndTheirAccountAndThenNowhere(t *testing.T) {
	said := &log{}
	slog.SetDefault(slog.New(slog.NewJSONHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(slog.New(slog.DiscardHandler)) })
	data := t.TempDir()
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	owner, validator, c := somebody(t, i, "Ada"), somebody(t, i, "Chidi"), newCanary(t, i)
	c.lives(i)
	group := club{owner: owner, validator: validator, approver: somebody(t, i, "Femi"), member: c.person, group: owner.founds("Balogun Traders")}
	owner.known()
	group.admitsAll(validator, group.approver, c.person)
	group.appoints()
	group.sub = group.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	payment := must[object](c.person, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 5000, "email": c.email})
	require.Equal(t, 303, c.sends(payment, "5000").StatusCode)
	c.holds("5000.00")
	require.Equal(t, 200, c.pays(group.sub, 5000).status)
	c.saves(group.sub)
	c.answers(validator, group.group)
	disputed := must[object](c.person, "POST", disputesPath, object{"kind": "WRONG_AMOUNT", "words": "I was " + c.words + " today.", "groupId": group.group, "amount": 5000})
	must[object](c.person, "POST", disputesPath+"/"+disputed["id"].(string)+"/withdraw", nil)
	theirs := must[object](owner, "POST", disputesPath, object{"kind": "WRONG_AMOUNT", "words": "The total is not what I counted.", "groupId": group.group, "amount": 5000})

	sees := string(owner.ask("GET", "/api/GroupSavings/GetGroupSavingsInfo/"+group.group, nil).ReturnedObject)
	require.Contains(t, sees, c.first, "co-members see a card")
	require.Contains(t, sees, "/api/v1/files/", "with its picture")
	for name, mark := range map[string]string{"phone": c.phone, "email": c.email, "account": c.account} {
		require.NotContains(t, sees, mark, name)
	}
	c.told("bvn_verified")
	require.NotEmpty(t, c.found(fmt.Sprint(everything(t, i))), "the search finds what is there: the accounts")
	c.isNowhere(everything(t, i, "accounts", "mail_outbox"))
	c.isExported(i, owner)
	c.isNowhere(map[string]string{"the log": said.String()})

	c.leaves(i, group, payment["transactionRef"].(string))
	require.Equal(t, 401, c.ask("GET", "/api/Wallet/GetWalletBalance/", nil).status, "the session is over")
	state, err := i.App.Ledger.Load(context.Background(), account.Stream(c.id))
	require.NoError(t, err)
	require.True(t, state.(account.Account).Closed, "the ledger knows")
	totals := verified(t, i, data)
	// One letter still waits to go to them. A mail server takes it, and it is forgotten with that (see package mail).
	sent, err := i.Pool.Exec(context.Background(), "DELETE FROM mail_outbox WHERE recipient = $1 AND farewell AND state = 'QUEUED'", c.email)
	require.NoError(t, err)
	require.EqualValues(t, 1, sent.RowsAffected())
	c.isNowhere(everything(t, i))
	c.isNowhere(map[string]string{"the log": said.String()})
	r, err := i.Vault.Read(context.Background(), c.id)
	require.NoError(t, err)
	require.Empty(t, r.Address+r.ResidentialAddress+r.OfficeAddress+r.BankStatement+r.Avatar, "minimised at once")
	require.Equal(t, c.account, r.Bank.Number, "what the law asks for stays for its time")

	forget := func(years, days int) {
		o := i.Profile.Options
		o.Now = func() time.Time { return time.Now().AddDate(years, 0, days) }
		require.NoError(t, profile.New(o).ForgetClosed(context.Background()))
	}
	forget(5, -1)
	_, err = i.Vault.Read(context.Background(), c.id)
	require.NoError(t, err, "not before five years")
	forget(5, 1)
	_, err = i.Vault.Read(context.Background(), c.id)
	require.ErrorContains(t, err, "Nothing is kept")
	require.Equal(t, totals, verified(t, i, data), "the totals are as they were")
	modelsEqualFreshFold(t, i)
	gone := string(owner.ask("GET", "/api/GroupSavings/GetGroupSavingsInfo/"+group.group, nil).ReturnedObject)
	evidence, response := owner.file(disputesPath + "/" + theirs["id"].(string) + "/bundle")
	require.Equal(t, 200, response.StatusCode)
	c.isNowhere(map[string]string{"the group's page": gone, "the evidence of another's dispute": string(evidence)})
	require.NotContains(t, gone, c.id, "who closed their account is in the group no more")
}

// isExported holds that their own export has the person, and another's has not.
func (c *canary) isExported(i *boot.Instance, other *person) {
	c.Helper()
	export := func(id string) string {
		exported, err := i.Profile.Export(context.Background(), id)
		require.NoError(c, err)
		raw, err := json.Marshal(exported)
		require.NoError(c, err)
		return string(raw)
	}
	c.isNowhere(map[string]string{"another's export": export(other.id)})
	for _, mark := range []string{c.first, c.email, c.phone, c.account, c.address, c.office, "1987-03-29", c.words, c.answer} {
		require.Contains(c, export(c.id), mark, "their own export has it")
	}
}

// told waits until a notification of the type is there.
func (p *person) told(kind string) {
	p.Helper()
	require.Eventually(p, func() bool {
		return strings.Contains(string(p.ask("GET", "/api/Notification/all", nil).ReturnedObject), `"`+kind+`"`)
	}, time.Minute, 20*time.Millisecond, kind)
}

// leaves is refused while money is in the group, and closes the account once it has gone back the way it came.
func (c *canary) leaves(i *boot.Instance, in club, payment string) {
	c.Helper()
	ctx := context.Background()
	require.Eventually(c, func() bool {
		err := i.Leaving.Close(ctx, c.id)
		require.Error(c, err)
		return strings.Contains(err.Error(), "₦5,000.00 of yours is in group savings")
	}, time.Minute, 20*time.Millisecond)
	for _, official := range []struct{ id, says string }{{in.owner.id, "You own the group Balogun Traders"}, {in.validator.id, "You are the validator"}} {
		require.ErrorContains(c, i.Leaving.Close(ctx, official.id), official.says)
	}
	records, err := history.Read(ctx, i.Pool, 0, 1_000_000)
	require.NoError(c, err)
	var paid event.Record
	for _, r := range records {
		if m, _ := r.Message(); m != nil {
			if _, ok := m.(*nairav1.ContributionReceived); ok {
				paid = r
			}
		}
	}
	c.commands(i, dues.ReverseContribution{Original: paid, By: in.owner.id, ApprovedBy: in.validator.id, Reason: "a test"})
	require.Eventually(c, func() bool {
		err := i.Leaving.Close(ctx, c.id)
		require.Error(c, err)
		return err.Error() == "Your account cannot be closed yet. Your wallet still has ₦5,000.00."
	}, time.Minute, 20*time.Millisecond)
	c.commands(i, wallet.ReversePayment{PaymentID: payment, User: c.id, Provider: event.Vfd, ProviderRef: "back", Reason: "a test"})
	require.Eventually(c, func() bool { return i.Leaving.Close(ctx, c.id) == nil }, time.Minute, 20*time.Millisecond)
}

func (c *canary) commands(i *boot.Instance, command event.Command) {
	c.Helper()
	_, err := i.App.Ledger.Append(context.Background(), store.Command{ID: store.NewCommandID(), Actor: c.id, Command: command})
	require.NoError(c, err)
}

// reported is what verify finds with the keys of the data folder.
func reported(t testing.TB, i *boot.Instance, data string) *audit.Report {
	t.Helper()
	secrets, err := config.Config{Data: data}.Secrets()
	require.NoError(t, err)
	keys, err := i.Config.LedgerKeys(secrets)
	require.NoError(t, err)
	_, err = i.Pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(t, err)
	report, err := audit.Verify(context.Background(), audit.Options{
		Pool: i.Pool, Keys: keys, Aggregates: ledger.Aggregates(), File: i.Config.CheckpointFile(), JS: i.JS, Sealing: refusals.KeyFrom(i.Config.IdentityBytes(secrets)),
	})
	require.NoError(t, err)
	return report
}

// verified holds that the ledger, its proofs and its stream have nothing wrong, and answers what the house owes.
func verified(t testing.TB, i *boot.Instance, data string) money.Kobo {
	t.Helper()
	for _, check := range reported(t, i, data).Checks {
		require.Zero(t, check.Violations, "%s: %v", check.Name, check.Listed)
	}
	var owed money.Kobo
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT coalesce(sum(balance) FILTER (WHERE balance > 0), 0)::bigint FROM ledger_accounts").Scan(&owed))
	return owed
}
