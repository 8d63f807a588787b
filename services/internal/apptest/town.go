// Package apptest is the kit of the areas' tests: an app over a real database and a sandbox bank, with people and
// groups in it.
package apptest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/incoming"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/vfd"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// NoName is why the withdrawals of Withdraws failed.
const NoName = "No such account."

// Town is an app with five people: an owner, a validator, an approver, a plain member and an outsider.
type Town struct {
	*testing.T
	Pool                       *pgxpool.Pool
	book                       *store.Store
	App                        *app.App
	Engine                     *engine.Engine
	Bank                       *sandbox.Bank // On real HTTP; nobody delivers its webhooks.
	BankURL                    string
	LedgerKey                  string // Private; once something is sealed.
	Owner, Validator, Approver usecase.Who
	Member, Outsider           usecase.Who
	Group, Open, closed        string // A group, its shown and its hidden sub-account.
	settings                   *settings
}

var migrated = ledgertest.Migrated(store.Migrate, people.Migrate, mail.Migrate, items.Migrate, app.Migrate, sandbox.Migrate, readModels)

// readModels makes the tables of the read models.
func readModels(ctx context.Context, pool *pgxpool.Pool) error {
	return engine.New(engine.Options{Pool: pool, Models: projections.All(), Source: history.Source(pool), Head: history.Heads(pool)}).Prepare(ctx)
}

// Setup makes a Town.
func Setup(t *testing.T, showGroup, hideOne bool) *Town {
	t.Helper()
	return SetupBy(t, showGroup, hideOne, time.Now)
}

// SetupBy has the ledger record by a clock.
func SetupBy(t *testing.T, showGroup, hideOne bool, clock func() time.Time) *Town {
	t.Helper()
	return setup(t, showGroup, hideOne, store.Options{Clock: clock})
}

// SetupUnsalted has the ledger record as before events had random bytes of their own: those of a command have the same.
func SetupUnsalted(t *testing.T, showGroup, hideOne bool) *Town {
	t.Helper()
	return setup(t, showGroup, hideOne, store.Options{Clock: time.Now, Random: zeroes{}})
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func setup(t *testing.T, showGroup, hideOne bool, options store.Options) *Town {
	t.Helper()
	clock := options.Clock
	options.Around = incoming.Around
	ctx := context.Background()
	w := &Town{T: t, Pool: migrated.Pool(t)}
	folk, err := people.New(people.Options{Pool: w.Pool, PublicURL: "http://adashi.example", Key: make([]byte, 32), FastHashing: true})
	require.NoError(t, err)
	t.Cleanup(folk.Close)
	book := store.Open(store.Postgres(w.Pool, 0), ledger.Aggregates(), options)
	t.Cleanup(book.Close)
	w.book = book
	w.opensBank()
	w.App = app.New(app.Options{
		Base: usecase.NewBase(usecase.Base{Pool: w.Pool, Ledger: book, People: folk}), InvitationKey: []byte("key"), PublicURL: "http://adashi.example",
		Rails: w.RailsAt(w.BankURL, w.BankURL), PayoutRail: event.Vfd,
	})
	w.Engine = engine.New(engine.Options{
		Pool: w.Pool, Models: projections.All(), Clock: clock,
		Source: history.Source(w.Pool),
		Head:   history.Heads(w.Pool),
	})
	w.App.Tracker, err = engine.NewTracker(ctx, w.Pool, nil)
	require.NoError(t, err)
	for name, who := range map[string]*usecase.Who{"Owner": &w.Owner, "Validator": &w.Validator, "Approver": &w.Approver, "Member": &w.Member, "Outsider": &w.Outsider} {
		who.Email = name + "@example.com"
		who.User, err = folk.CreateVerified(ctx, people.Registration{
			Email: who.Email, Password: "a long enough one", FirstName: name, LastName: "Person", Phone: "+2348031234567", DateOfBirth: "1990-01-01",
		})
		require.NoError(t, err)
	}
	w.Found(showGroup, hideOne)
	return w
}

// opensBank has the sandbox answer over HTTP.
func (w *Town) opensBank() {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	w.Cleanup(server.Close)
	w.BankURL = server.URL
	w.Bank = sandbox.New(sandbox.Options{
		Pool: w.Pool, BaseURL: server.URL, ConsumerKey: "key", ConsumerSecret: "secret", PaystackKey: "sk", VfdWebhookURL: server.URL, PaystackWebhookURL: server.URL,
	})
	mux.Handle("/", w.Bank.Handler())
}

func (w *Town) bankAt(url string) *vfd.Client {
	return vfd.New(vfd.Options{Host: url + "/sandbox/vfd", ConsumerKey: "key", ConsumerSecret: "secret", WalletName: "Adashi", WebhookSecret: "path"})
}

// RailsAt are the bank and the card gateway, each answering at an address.
func (w *Town) RailsAt(bankURL, gatewayURL string) *rails.Registry {
	w.Helper()
	registry, err := rails.NewRegistry(w.bankAt(bankURL), w.gatewayAt(gatewayURL))
	require.NoError(w, err)
	return registry
}

// gatewayAt is the card gateway's client for a sandbox.
func (w *Town) gatewayAt(url string) *paystack.Client {
	return paystack.New(paystack.Options{Host: url + "/sandbox/paystack", SecretKey: "sk"})
}

// The channels of payments.
const (
	Transfer = nairav1.Channel_CHANNEL_BANK_TRANSFER
	Card     = nairav1.Channel_CHANNEL_CARD
)

// Naira is an amount in whole naira.
func Naira(n int64) wire.Naira { return wire.FromKobo(n * 100) }

// Found has the group collect 777 from the member and 4,321 from the owner.
func (w *Town) Found(showGroup, hideOne bool) {
	w.Helper()
	ctx := context.Background()
	var err error
	w.Group, _, err = w.App.Groups.CreateGroup(ctx, w.Owner, groups.NewGroup{Name: "Balogun Traders", Amount: Naira(5000), Capacity: 9, StartMonth: int(time.Now().Month()), ShowTotal: showGroup})
	require.NoError(w, err)
	_, err = w.book.Append(ctx, store.Command{ID: store.NewCommandID(), Actor: w.Owner.User, Command: account.EndCheck(w.Owner.User, "check", 0)})
	require.NoError(w, err)
	for _, who := range []usecase.Who{w.Validator, w.Approver, w.Member} {
		_, _, err = w.App.Groups.JoinGroup(ctx, who, w.Group, w.App.Groups.InvitationCode(w.Group))
		require.NoError(w, err)
		_, _, err = w.App.Groups.ApproveMember(ctx, w.Owner, w.Group, who.User)
		require.NoError(w, err)
	}
	_, err = w.App.Groups.AppointApprover(ctx, w.Owner, w.Group, w.Approver.User)
	require.NoError(w, err)
	_, err = w.App.Groups.AppointValidator(ctx, w.Owner, w.Group, w.Validator.User)
	require.NoError(w, err)
	for _, sub := range []struct {
		id   *string
		show bool
	}{{&w.Open, true}, {&w.closed, !hideOne}} {
		*sub.id, _, err = w.App.Groups.OpenSubAccount(ctx, w.Owner, groups.NewSubAccount{
			GroupID: w.Group, Name: "Welfare", Type: "FLEXIBLE", Frequency: "MONTHLY", Amount: Naira(100), ShowTotal: sub.show,
		})
		require.NoError(w, err)
	}
	for who, amount := range map[usecase.Who]int64{w.Owner: 4321, w.Member: 777} {
		w.Fund(who.User)
		_, err = w.App.Dues.PayFromWallet(ctx, who, w.closed, Naira(amount), dues.Due{})
		require.NoError(w, err)
	}
	require.NoError(w, w.Engine.CatchUp(ctx))
}

// Fund puts ₦9,000 into somebody's wallet.
func (w *Town) Fund(user string) {
	w.Helper()
	id, channel := uuid.NewString(), Transfer
	for _, c := range []event.Command{
		wallet.StartPayment{PaymentID: id, User: user, Channel: channel, Provider: event.Vfd, Amount: 9_000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)},
		wallet.ConfirmPayment{PaymentID: id, User: user, Provider: event.Vfd, Gross: 9_000 * money.Naira, ProviderRef: id, PaidAt: time.Now()},
	} {
		_, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: c})
		require.NoError(w, err)
	}
}

// Gives records commands as of now.
func (w *Town) Gives(commands ...event.Command) {
	w.Helper()
	for _, c := range commands {
		_, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: c})
		require.NoError(w, err)
	}
	require.NoError(w, w.Engine.CatchUp(context.Background()))
}

// keeps opens a vault beside the ledger.
func (w *Town) keeps() *vault.Vault {
	w.Helper()
	ctx := context.Background()
	require.NoError(w, vault.Migrate(ctx, w.Pool))
	require.NoError(w, vault.Grant(ctx, w.Pool))
	keys, err := vault.NewKeys(secret.Text("a master key of the tests, long enough"))
	require.NoError(w, err)
	kept, err := vault.Open(ctx, w.Pool, keys, 2)
	require.NoError(w, err)
	w.Cleanup(kept.Close)
	return kept
}

// BalanceOf is what the ledger has on an account, in kobo.
func (w *Town) BalanceOf(account string) (kobo money.Kobo) {
	w.Helper()
	ctx := context.Background()
	_, err := w.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(w, err)
	require.NoError(w, w.Pool.QueryRow(ctx, "SELECT coalesce((SELECT balance FROM ledger_accounts WHERE account = $1), 0)", account).Scan(&kobo))
	return kobo
}

// Another is the same app as another process would have it: with an appender of its own, over the same database.
func (w *Town) Another() *app.App {
	w.Helper()
	book := store.Open(store.Postgres(w.Pool, 0), ledger.Aggregates(), store.Options{Around: incoming.Around})
	w.Cleanup(book.Close)
	o, base := w.App.Options, *w.App.Base
	base.Ledger = book
	o.Base = usecase.NewBase(base)
	return app.New(o)
}

// On has it be noon in Lagos of a day.
func (w *Town) On(day string) *Town {
	at := savings.ParseDay(day).Add(11 * time.Hour)
	w.App.Now = func() time.Time { return at }
	return w
}

// Wallet is what the member's wallet holds.
func (w *Town) Wallet() string {
	w.Helper()
	b, err := w.App.Activity.Balances(context.Background(), w.Member.User)
	require.NoError(w, err)
	return b.Balance.String()
}

// Withdraws has three withdrawals of the member's: one was paid, one failed, one came back; and finds money of theirs.
func (w *Town) Withdraws() {
	w.Helper()
	user, at := w.Member.User, nairav1.Channel_CHANNEL_BANK_TRANSFER
	for n, id := range []string{"w-paid", "w-failed", "w-back"} {
		amount := int64(n+1) * 100_00
		w.Gives(ledgertest.Happens(id,
			&nairav1.WithdrawalRequestedV2{WithdrawalId: id, UserId: user, AmountKobo: amount, FeeKobo: 10_00, VatKobo: 75, DutyKobo: 50_00, Provider: string(event.Vfd)},
			&nairav1.WithdrawalSent{WithdrawalId: id, UserId: user, Reference: id}))
	}
	w.Gives(
		ledgertest.Happens("w-paid", &nairav1.WithdrawalPaidV2{WithdrawalId: "w-paid", UserId: user, AmountKobo: 100_00, FeeKobo: 10_00, VatKobo: 75, DutyKobo: 50_00, Provider: string(event.Vfd), ProviderRef: "NIP-1"}),
		ledgertest.Happens("w-failed", &nairav1.WithdrawalFailed{WithdrawalId: "w-failed", UserId: user, AmountKobo: 200_00, Reason: NoName}),
		ledgertest.Happens("w-back", &nairav1.WithdrawalPaidV2{WithdrawalId: "w-back", UserId: user, AmountKobo: 300_00, FeeKobo: 10_00, VatKobo: 75, DutyKobo: 50_00, Provider: string(event.Vfd), ProviderRef: "NIP-2"}),
		ledgertest.Happens("w-back", &nairav1.WithdrawalReversedV2{WithdrawalId: "w-back", UserId: user, AmountKobo: 300_00, FeeKobo: 10_00, VatKobo: 75, DutyKobo: 50_00, Provider: string(event.Vfd), Reason: NoName}),
		ledgertest.Happens("found", &nairav1.UnmatchedMoneyReceivedV2{ProviderRef: "arrived-9", AmountKobo: 55_00, Channel: at, Provider: string(event.Vfd)}),
		ledgertest.Happens("found", &nairav1.UnmatchedAssigned{ProviderRef: "arrived-9", UserId: user, AmountKobo: 55_00, Channel: at, ProposedBy: "a", ApprovedBy: "b"}),
	)
}

// Movements are those of the member's that are looked for.
func (w *Town) Movements(wanted activity.Wanted) []contract.Movement {
	w.Helper()
	page, err := w.App.Activity.Movements(context.Background(), w.Member.User, wanted, nil, 100)
	require.NoError(w, err)
	return page.Transactions
}

// Lines are the wallet's own lines in the ledger, by when they count from.
func (w *Town) Lines(user string) (all []event.Record) {
	w.Helper()
	records, err := history.Read(context.Background(), w.Pool, 0, 100_000)
	require.NoError(w, err)
	for _, r := range records {
		for _, line := range r.Lines {
			if line.Account == "wallet:"+user {
				r.Lines = []event.Line{line}
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b event.Record) int { return a.EffectiveAt.Compare(b.EffectiveAt) })
	return all
}

// Sealed seals the town's ledger and answers the key that it is verified with, from outside.
func (w *Town) Sealed() []note.Verifier {
	w.Helper()
	ctx := context.Background()
	if w.LedgerKey == "" {
		var err error
		w.LedgerKey, _, err = proofs.GenerateKey("adashi.example/ledger")
		require.NoError(w, err)
		require.NoError(w, proofs.Migrate(ctx, w.Pool))
	}
	key, err := proofs.ParseKey(w.LedgerKey)
	require.NoError(w, err)
	keys := proofs.Keys{Current: key}
	sealer, err := proofs.NewSealer(w.Pool, keys, proofs.SealerOptions{})
	require.NoError(w, err)
	_, err = sealer.Seal(ctx)
	require.NoError(w, err)
	w.App.Activity.Proofs = proofs.NewReader(w.Pool, keys)
	w.App.Witnesses.Proofs = w.App.Activity.Proofs
	return keys.Verifiers()
}

// Contributed is the member's one payment into the group.
func (w *Town) Contributed() contract.Movement {
	w.Helper()
	for _, m := range w.Movements(activity.Wanted{}) {
		if m.Kind == contract.MovementKindCONTRIBUTION {
			return m
		}
	}
	w.Fatal("the member paid nothing")
	return contract.Movement{}
}

// Steps are the steps of a story in one line.
func Steps(story []contract.StoryStep) (all string) {
	for _, s := range story {
		all += string(s.Step) + " "
	}
	return strings.TrimSpace(all)
}

// Ptr points at a value.
func Ptr[T any](v T) *T { return &v }
