package e2e

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
)

// kudi is a bank that the product has never heard of, with its adapter. It collects transfers for 5 per mille, pays
// out, knows its customers' names, tells what it holds and signs its webhooks.
type kudi struct {
	mu      sync.Mutex
	held    money.Kobo
	lines   []rails.Line
	came    map[string]rails.Status // By the bank's own reference.
	payouts map[string]rails.PayoutStatus
}

const (
	kudiID    event.Provider = "kudi"
	kudiHook                 = "/api/v1/webhooks/rails/kudi"
	kudiFee                  = money.Kobo(10_00) // For a payout.
	kudiOwner                = "Bisi Test"       // Of every account.
)

var kudiTariff = wallet.Tariff{Table: 7, PerMille: 5, Cap: 500 * money.Naira}

func openKudi() *kudi {
	return &kudi{came: map[string]rails.Status{}, payouts: map[string]rails.PayoutStatus{}}
}

// Provider implements rails.Adapter.
func (*kudi) Provider() rails.Provider {
	return rails.Provider{ID: kudiID, Name: "Kudi", Collects: map[nairav1.Channel]wallet.Tariff{nairav1.Channel_CHANNEL_BANK_TRANSFER: kudiTariff}}
}

// Start implements rails.Collector.
func (*kudi) Start(_ context.Context, r rails.StartRequest) (rails.Instructions, error) {
	return rails.Instructions{AccountNumber: "30" + r.Reference[:8], AccountName: "Adashi", BankName: "Kudi Bank"}, nil
}

// Status implements rails.Collector.
func (k *kudi) Status(_ context.Context, reference string) (rails.Status, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, status := range k.came {
		if status.Reference == reference {
			return status, nil
		}
	}
	return rails.Status{State: rails.Unknown, Reference: reference}, nil
}

// Arrived implements rails.Collector.
func (k *kudi) Arrived(_ context.Context, n rails.Notice) (rails.Status, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.came[n.ProviderRef], nil // Pending where nothing came.
}

// kudiWord is what the bank's webhooks say.
type kudiWord struct {
	About, Reference, Ref string
	Kobo                  int64
}

func (k *kudi) read(header http.Header, body []byte) (word kudiWord, err error) {
	if !hmac.Equal([]byte(header.Get("X-Kudi-Signature")), []byte(kudiSigns(body))) {
		return word, fault.New(fault.Forbidden, "This webhook is not signed by the bank.")
	}
	return word, json.Unmarshal(body, &word)
}

func kudiSigns(body []byte) string {
	mac := hmac.New(sha256.New, []byte("between us"))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// ParseWebhook implements rails.PaymentHook.
func (k *kudi) ParseWebhook(header http.Header, body []byte) (rails.Notice, error) {
	word, err := k.read(header, body)
	if err == nil && word.About != "payment" {
		err = rails.ErrNoPayment
	}
	return rails.Notice{Reference: word.Reference, ProviderRef: word.Ref, Amount: money.Kobo(word.Kobo), Currency: rails.Naira}, err
}

// ParsePayout implements rails.PayoutHook.
func (k *kudi) ParsePayout(header http.Header, body []byte) (rails.PayoutNotice, error) {
	word, err := k.read(header, body)
	if err == nil && word.About != "payout" {
		err = rails.ErrNoPayment
	}
	return rails.PayoutNotice{Reference: word.Reference, Amount: money.Kobo(word.Kobo), Currency: rails.Naira}, err
}

// AccountName implements rails.Enquirer.
func (*kudi) AccountName(context.Context, rails.Bank, string) (string, error) { return kudiOwner, nil }

// Banks implements rails.Enquirer.
func (*kudi) Banks(context.Context) ([]rails.Bank, error) { return nil, nil }

// Reference implements rails.Payer.
func (*kudi) Reference(withdrawalID string) string { return "kd-" + withdrawalID }

// Prepare implements rails.Payer.
func (k *kudi) Prepare(_ context.Context, p rails.Payout) (rails.Send, error) {
	return func(context.Context) rails.PayoutStatus {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.payouts[p.Reference] = rails.PayoutStatus{State: rails.Pending, Amount: p.Amount, Currency: rails.Naira, Answer: "in hand"}
		return k.payouts[p.Reference]
	}, nil
}

// PayoutStatus implements rails.Payer.
func (k *kudi) PayoutStatus(_ context.Context, reference string) (rails.PayoutStatus, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if status, known := k.payouts[reference]; known {
		return status, nil
	}
	return rails.PayoutStatus{State: rails.Unknown}, nil
}

// Balance implements rails.Teller.
func (k *kudi) Balance(context.Context) (money.Kobo, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.held, nil
}

// Statement implements rails.Teller.
func (k *kudi) Statement(context.Context, time.Time) ([]rails.Line, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]rails.Line{}, k.lines...), nil
}

// receives has money arrive at the bank, of which it keeps its fee.
func (k *kudi) receives(ref, reference string, amount money.Kobo) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at, fee := time.Now().UTC(), kudiTariff.Fee(amount)
	k.came[ref] = rails.Status{State: rails.Paid, Reference: reference, ProviderRef: ref, Amount: amount, Fee: fee, Currency: rails.Naira, PaidAt: at}
	k.moved(rails.Line{ProviderRef: ref, Reference: reference, Amount: amount, Fee: fee, At: at})
}

func (k *kudi) moved(line rails.Line) {
	k.lines = append(k.lines, line)
	k.held += line.Moved()
}

// pays has it pay what it was told to, and answers what.
func (k *kudi) pays(reference string) money.Kobo {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.payouts[reference]
	p.State, p.Fee, p.ProviderRef, p.PaidAt = rails.Paid, kudiFee, "out of "+reference, time.Now().UTC()
	k.payouts[reference] = p
	k.moved(rails.Line{ProviderRef: p.ProviderRef, Reference: reference, Out: true, Amount: p.Amount, Fee: p.Fee, At: p.PaidAt})
	return p.Amount
}

// sendsBack has the receiving bank send back what was paid.
func (k *kudi) sendsBack(reference string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.payouts[reference]
	p.Reversed, p.Reason = true, "The account is closed."
	k.payouts[reference] = p
	k.moved(rails.Line{ProviderRef: p.ProviderRef, Reference: reference, Amount: p.Amount, At: time.Now().UTC()})
}

// tells sends one of the bank's webhooks, and answers the reply's status.
func (k *kudi) tells(to *person, word kudiWord) int {
	body, err := json.Marshal(word)
	require.NoError(to, err)
	return to.ask("POST", kudiHook, string(body), "X-Kudi-Signature", kudiSigns(body)).status
}

// kudis is a product in which new transfers and payouts go by the bank, a member and a desk.
type kudis struct {
	*kudi
	books
	member *person
}

func openKudis(t *testing.T) kudis {
	t.Helper()
	k := openKudi()
	cfg := settings(filepath.Join(t.TempDir(), "data"))
	cfg.PayoutRail = config.PayoutRail(kudiID)
	i, err := boot.Start(context.Background(), cfg, boot.All, k)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	member, _ := somebody(t, i, "Bisi").banked(i, "Bisi")
	return kudis{k, books{t, i, staff(t, i, "Femi", people.RoleFinanceOps)}, member.stepsUp()}
}

// account is the balance of an account of the ledger.
func (k kudis) account(name string) (naira string) {
	k.Helper()
	_, err := k.i.Pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(k, err)
	var kobo int64
	require.NoError(k, k.i.Pool.QueryRow(context.Background(), "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE account = $1", name).Scan(&kobo))
	return money.Kobo(kobo).Decimal().StringFixed(2)
}

// paysIn has the member pay by transfer, and the bank tell of it.
func (k kudis) paysIn(amount int, ref string) {
	k.Helper()
	quoted := must[object](k.member, "GET", fmt.Sprint("/api/v1/payment/quote?channel=BANK_TRANSFER&amount=", amount), nil)
	started := must[object](k.member, "POST", fund, object{"amount": amount, "email": k.member.email})
	require.Equal(k, []any{"BANK_TRANSFER", "Kudi Bank", quoted["total"]}, []any{started["channel"], started["bankName"], started["total"]})
	gross := kudiTariff.Charge(money.Kobo(amount)*money.Naira) + money.Kobo(amount)*money.Naira
	word := kudiWord{About: "payment", Reference: started["transactionRef"].(string), Ref: ref, Kobo: int64(gross)}
	require.Equal(k, 200, k.tells(k.member, word), "nothing came yet, and nothing is posted")
	require.Equal(k, "0.00", k.member.balance())
	elsewhere := rails.Notice{Reference: word.Reference, ProviderRef: ref, Amount: gross, Currency: rails.Naira}
	require.True(k, fault.Is(k.i.App.Payments.Webhook(context.Background(), event.Vfd, elsewhere), fault.NotFound), "another bank's word about it")
	k.receives(ref, word.Reference, gross)
	for range 3 {
		require.Equal(k, 200, k.tells(k.member, word))
	}
	k.member.holds(fmt.Sprint(amount, ".00"))
}

func TestAProviderThatNothingButItsAdapterKnowsTakesMoneyInAndPaysItOut(t *testing.T) {
	t.Parallel()
	k := openKudis(t)
	k.paysIn(5_000, "k-1")
	require.Equal(t, "-5000.00", k.account("bank:kudi"))
	forged, err := json.Marshal(kudiWord{About: "payment", Ref: "k-2"})
	require.NoError(t, err)
	require.Equal(t, 403, k.member.ask("POST", kudiHook, string(forged), "X-Kudi-Signature", kudiSigns([]byte("else"))).status)
	require.Equal(t, 404, k.member.ask("POST", strings.Replace(kudiHook, "kudi", "nobody", 1), string(forged)).status)

	// Two banks may have one name for different money.
	stray(t, k.i, 700*money.Naira, false)
	k.desk.waiting(1)
	var session string
	require.NoError(t, k.i.Pool.QueryRow(context.Background(), "SELECT provider_ref FROM rm_unmatched").Scan(&session))
	k.receives(session, "", 400*money.Naira)
	require.Equal(t, 200, k.tells(k.member, kudiWord{About: "payment", Ref: session, Kobo: 400_00}))
	k.desk.waiting(2)
	require.Equal(t, "-5398.00", k.account("bank:kudi"))

	// One payout stays paid, one comes back.
	sent := func(naira int) (id, reference string) {
		id = k.member.withdraws(naira).id(t)
		reference = k.Reference(id)
		k.member.becomes(id, "SENT")
		require.Eventually(t, func() bool {
			status, err := k.PayoutStatus(context.Background(), reference)
			return err == nil && status.State == rails.Pending
		}, time.Minute, 10*time.Millisecond)
		return id, reference
	}
	id, reference := sent(1_000)
	shown := must[object](k.desk, "GET", payoutsDesk, nil)["payouts"].([]any)
	require.Len(t, shown, 1)
	require.Equal(t, "kudi", shown[0].(object)["rail"])
	paid := k.pays(reference)
	elsewhere := rails.PayoutNotice{Reference: reference, Amount: paid, Currency: rails.Naira}
	require.True(t, fault.Is(k.i.App.Payouts.PayoutNotice(context.Background(), event.Paystack, elsewhere), fault.NotFound))
	require.Equal(t, 409, k.tells(k.member, kudiWord{About: "payout", Reference: reference, Kobo: int64(paid) + 1}))
	require.Equal(t, 200, k.tells(k.member, kudiWord{About: "payout", Reference: reference, Kobo: int64(paid)}))
	k.member.becomes(id, "PAID")
	back, reference := sent(2_000)
	paid = k.pays(reference)
	word := kudiWord{About: "payout", Reference: reference, Kobo: int64(paid)}
	require.Equal(t, 200, k.tells(k.member, word))
	k.member.becomes(back, "PAID")
	k.sendsBack(reference)
	require.Equal(t, 200, k.tells(k.member, word))
	k.member.becomes(back, "REVERSED")
	k.member.holds("4000.00")
	k.reconciles(session)
}

// reconciles holds the ledger against three banks: one has money that only its statement tells of.
func (k kudis) reconciles(session string) {
	k.Helper()
	k.finds(true, "0.00")
	k.receives("k-9", "", 1_000*money.Naira)
	result := k.finds(true, "0.00", "BANK_ONLY IN 995.00")
	item := result["items"].([]any)[0].(object)
	require.Equal(k, []any{"Kudi", "k-9"}, []any{item["rail"], item["reference"]})
	reserves := result["reserves"].(object)
	named := map[any]string{}
	for _, rail := range reserves["rails"].([]any) {
		r := rail.(object)
		require.Equal(k, r["bank"], r["ledger"])
		named[r["name"]] = naira(k, r["bank"])
	}
	require.Equal(k, map[any]string{"Kudi": k.held.Decimal().StringFixed(2), "Bank transfer": "700.00", "Card": "0.00"}, named)
	var found int
	require.NoError(k, k.i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM rm_bank_lines WHERE provider_ref = $1 AND provider IN ('kudi', 'vfd')", session).Scan(&found))
	require.Equal(k, 2, found)
	soundLedger(k.T, k.i.Pool)
	streamEqualsStore(k.T, k.i)

	// Without its adapter nothing is proved of its money, and what it does not know it does not invent.
	k.i.Stop()
	cfg := k.i.Config
	cfg.PayoutRail = config.PayoutVfd
	i, err := boot.Start(context.Background(), settings(cfg.Data), boot.All)
	require.NoError(k, err)
	k.Cleanup(i.Stop)
	without := books{k.T, i, staff(k, i, "Sade", people.RoleFinanceOps)}
	require.Contains(k, without.reconcile()["problem"], "The ledger has money at kudi, and nobody is set up to ask there.")
	require.Equal(k, 404, without.desk.ask("POST", kudiHook, "{}").status)
}
