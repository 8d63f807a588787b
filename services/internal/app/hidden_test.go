package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	groupsmodel "adashi.ng/projections/groups"
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
	"adashi.ng/services/internal/usecase"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// town is an app with five people: an owner, a validator, an approver, a plain member and an outsider.
type town struct {
	*testing.T
	pool                       *pgxpool.Pool
	book                       *store.Store
	app                        *app.App
	engine                     *engine.Engine
	bank                       *sandbox.Bank // On real HTTP; nobody delivers its webhooks.
	bankURL                    string
	owner, validator, approver usecase.Who
	member, outsider           usecase.Who
	group, open, closed        string // A group, its shown and its hidden sub-account.
}

func setup(t *testing.T, showGroup, hideOne bool) *town {
	t.Helper()
	return setupBy(t, showGroup, hideOne, time.Now)
}

// setupBy has the ledger record by a clock.
func setupBy(t *testing.T, showGroup, hideOne bool, clock func() time.Time) *town {
	t.Helper()
	ctx := context.Background()
	w := &town{T: t, pool: ledgertest.Pool(t)}
	for _, migrate := range []func(context.Context, *pgxpool.Pool) error{store.Migrate, people.Migrate, mail.Migrate, items.Migrate, app.Migrate, sandbox.Migrate} {
		require.NoError(t, migrate(ctx, w.pool))
	}
	folk, err := people.New(people.Options{Pool: w.pool, PublicURL: "http://adashi.example", Key: make([]byte, 32)})
	require.NoError(t, err)
	t.Cleanup(folk.Close)
	book := store.Open(store.Postgres(w.pool, 0), ledger.Aggregates(), store.Options{Clock: clock})
	t.Cleanup(book.Close)
	w.book = book
	w.opensBank()
	w.app = app.New(app.Options{
		Base: usecase.NewBase(usecase.Base{Pool: w.pool, Ledger: book, People: folk}), InvitationKey: []byte("key"), PublicURL: "http://adashi.example",
		Rails: map[nairav1.Channel]rails.Collector{transfer: w.bankAt(w.bankURL), card: w.gatewayAt(w.bankURL)},
		Cards: w.gatewayAt(w.bankURL), Tellers: map[nairav1.Channel]rails.Teller{transfer: w.bankAt(w.bankURL), card: w.gatewayAt(w.bankURL)},
	})
	w.engine = engine.New(engine.Options{
		Pool: w.pool, Models: projections.All(),
		Source: history.Source(w.pool),
		Head:   history.Heads(w.pool),
	})
	require.NoError(t, w.engine.Prepare(ctx))
	for name, who := range map[string]*usecase.Who{"Owner": &w.owner, "Validator": &w.validator, "Approver": &w.approver, "Member": &w.member, "Outsider": &w.outsider} {
		who.Email = name + "@example.com"
		who.User, err = folk.CreateVerified(ctx, people.Registration{
			Email: who.Email, Password: "a long enough one", FirstName: name, LastName: "Person", Phone: "+2348031234567", DateOfBirth: "1990-01-01",
		})
		require.NoError(t, err)
	}
	w.found(showGroup, hideOne)
	return w
}

// opensBank has the sandbox answer over HTTP.
func (w *town) opensBank() {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	w.Cleanup(server.Close)
	w.bankURL = server.URL
	w.bank = sandbox.New(sandbox.Options{
		Pool: w.pool, BaseURL: server.URL, ConsumerKey: "key", ConsumerSecret: "secret", PaystackKey: "sk", VfdWebhookURL: server.URL, PaystackWebhookURL: server.URL,
	})
	mux.Handle("/", w.bank.Handler())
}

func (w *town) bankAt(url string) *vfd.Client {
	return vfd.New(vfd.Options{Host: url + "/sandbox/vfd", ConsumerKey: "key", ConsumerSecret: "secret", WalletName: "Adashi", WebhookSecret: "path"})
}

func (w *town) gatewayAt(url string) *paystack.Client {
	return paystack.New(paystack.Options{Host: url + "/sandbox/paystack", SecretKey: "sk"})
}

const (
	transfer = nairav1.Channel_CHANNEL_BANK_TRANSFER
	card     = nairav1.Channel_CHANNEL_CARD
)

func naira(n int64) wire.Naira { return wire.FromKobo(n * 100) }

// found has the group collect 777 from the member and 4,321 from the owner.
func (w *town) found(showGroup, hideOne bool) {
	w.Helper()
	ctx := context.Background()
	var err error
	w.group, _, err = w.app.Groups.CreateGroup(ctx, w.owner, groups.NewGroup{Name: "Balogun Traders", Amount: naira(5000), Capacity: 9, StartMonth: int(time.Now().Month()), ShowTotal: showGroup})
	require.NoError(w, err)
	_, err = w.book.Append(ctx, store.Command{ID: store.NewCommandID(), Actor: w.owner.User, Command: account.EndCheck(w.owner.User, "check", 0)})
	require.NoError(w, err)
	for _, who := range []usecase.Who{w.validator, w.approver, w.member} {
		_, _, err = w.app.Groups.JoinGroup(ctx, who, w.group, w.app.Groups.InvitationCode(w.group))
		require.NoError(w, err)
		_, _, err = w.app.Groups.ApproveMember(ctx, w.owner, w.group, who.User)
		require.NoError(w, err)
	}
	_, err = w.app.Groups.AppointApprover(ctx, w.owner, w.group, w.approver.User)
	require.NoError(w, err)
	_, err = w.app.Groups.AppointValidator(ctx, w.owner, w.group, w.validator.User)
	require.NoError(w, err)
	for _, sub := range []struct {
		id   *string
		show bool
	}{{&w.open, true}, {&w.closed, !hideOne}} {
		*sub.id, _, err = w.app.Groups.OpenSubAccount(ctx, w.owner, groups.NewSubAccount{
			GroupID: w.group, Name: "Welfare", Type: "FLEXIBLE", Frequency: "MONTHLY", Amount: naira(100), ShowTotal: sub.show,
		})
		require.NoError(w, err)
	}
	for who, amount := range map[usecase.Who]int64{w.owner: 4321, w.member: 777} {
		w.fund(who.User)
		_, err = w.app.Dues.PayFromWallet(ctx, who, w.closed, naira(amount), dues.Due{})
		require.NoError(w, err)
	}
	require.NoError(w, w.engine.CatchUp(ctx))
}

func (w *town) fund(user string) {
	w.Helper()
	id, channel := uuid.NewString(), nairav1.Channel_CHANNEL_BANK_TRANSFER
	for _, c := range []event.Command{
		wallet.StartPayment{PaymentID: id, User: user, Channel: channel, Amount: 9_000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)},
		wallet.ConfirmPayment{PaymentID: id, User: user, Channel: channel, Gross: 9_000 * money.Naira, ProviderRef: id, PaidAt: time.Now()},
	} {
		_, err := w.app.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: c})
		require.NoError(w, err)
	}
}

// sees is everything that a user is shown of the group.
func (w *town) sees(who usecase.Who) (contract.Group, contract.GroupSubAccounts, contract.GroupRow, string) {
	w.Helper()
	ctx := context.Background()
	group, err := w.app.Groups.Group(ctx, who.User, w.group)
	require.NoError(w, err)
	subs, err := w.app.Dues.SubAccounts(ctx, who.User, w.group)
	require.NoError(w, err)
	rows, err := w.app.Groups.Search(ctx, who.User, "balogun")
	require.NoError(w, err)
	require.Len(w, rows, 1)
	list, err := w.app.Groups.Groups(ctx, who.User)
	require.NoError(w, err)
	dashboard, err := w.app.Activity.Dashboard(ctx, who.User)
	require.NoError(w, err)
	moves, err := w.app.Activity.Movements(ctx, who.User, activity.Wanted{}, nil, 50)
	require.NoError(w, err)
	notices, err := w.app.Notices.Notifications(ctx, who.User, nil, 50)
	require.NoError(w, err)
	all, err := json.Marshal([]any{group, subs, rows, list, dashboard, moves, notices})
	require.NoError(w, err)
	return group, subs, rows[0], string(all)
}

// telling are the figures that give the others' money away: the total, and the owner's part.
var telling = []string{"5098.00", "4321.00"}

func TestOfficialsSeeTheTotalsThatAreHiddenFromPlainMembers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ showGroup, hideOne bool }{
		"the group's total is hidden":  {false, false},
		"one sub-account's is hidden":  {true, true},
		"both the group's and its own": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t, c.showGroup, c.hideOne)
			for _, official := range []usecase.Who{w.owner, w.validator} {
				group, subs, row, _ := w.sees(official)
				require.False(t, group.TotalHidden)
				require.Equal(t, "5098", group.BookBalance.String())
				require.Equal(t, "5098", row.TotalSaved.String())
				require.Equal(t, "5098", subs.SubAccounts[1].TotalAmountContributed.String())
				require.Len(t, subs.SubAccounts[1].MemberPayments, 2)
			}
			w.hidden()
		})
	}
}

// hidden holds that the plain member learns their own money and nobody else's.
func (w *town) hidden() {
	w.Helper()
	group, subs, row, all := w.sees(w.member)
	require.True(w, group.TotalHidden)
	require.Nil(w, group.BookBalance)
	require.Nil(w, group.ActiveBalance)
	require.Nil(w, group.GrowthPercent)
	require.Zero(w, group.PaidThisMonth+group.DueThisMonth, "counts times amounts tell the total")
	require.Nil(w, row.TotalSaved)
	require.Nil(w, row.GrowthPercent)
	closed := subs.SubAccounts[1]
	require.True(w, closed.TotalHidden)
	require.Nil(w, closed.TotalAmountContributed)
	require.Nil(w, closed.NumberOfPayments)
	require.Len(w, closed.MemberPayments, 1)
	require.Equal(w, w.member.User, closed.MemberPayments[0].UserId)
	require.Equal(w, "777", closed.MyTotal.String())
	for _, m := range *group.Members {
		require.Equal(w, m.UserId == w.member.User, m.TotalSavings != nil, "%s", m.FirstName)
	}
	for _, figure := range telling {
		require.NotContains(w, all, figure)
	}
	heard, err := groupsmodel.Heard(context.Background(), w.pool, w.member.User)
	require.NoError(w, err)
	require.Empty(w, heard, "payments counted tell the total")
	for _, who := range []usecase.Who{w.owner, w.validator} {
		heard, err := groupsmodel.Heard(context.Background(), w.pool, who.User)
		require.NoError(w, err)
		require.Equal(w, []string{w.group}, heard)
	}
}

func TestShownTotalsAreShownToMembersAndHiddenOnesNotToOutsiders(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	group, subs, row, _ := w.sees(w.member)
	require.Equal(t, "5098", group.BookBalance.String())
	require.Equal(t, "5098", row.TotalSaved.String())
	require.Equal(t, 2, *subs.SubAccounts[1].NumberOfPayments)
	ctx := context.Background()
	_, err := w.app.Groups.Group(ctx, w.outsider.User, w.group)
	require.True(t, fault.Is(err, fault.NotFound))
	_, err = w.app.Dues.SubAccounts(ctx, w.outsider.User, w.group)
	require.True(t, fault.Is(err, fault.NotFound))
	hidden := setup(t, false, false)
	rows, err := hidden.app.Groups.Search(ctx, hidden.outsider.User, "Balogun")
	require.NoError(t, err)
	require.Nil(t, rows[0].TotalSaved)
	require.False(t, rows[0].IsMember)
	view, err := hidden.app.Groups.Invitation(ctx, "", hidden.group, hidden.app.Groups.InvitationCode(hidden.group))
	require.NoError(t, err)
	told, err := json.Marshal(view)
	require.NoError(t, err)
	for _, figure := range telling {
		require.NotContains(t, string(told), figure)
	}
}

func TestAWaitingPersonSeesNoMoney(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	_, _, err := w.app.Groups.JoinGroup(context.Background(), w.outsider, w.group, w.app.Groups.InvitationCode(w.group))
	require.NoError(t, err)
	require.NoError(t, w.engine.CatchUp(context.Background()))
	group, subs, row, _ := w.sees(w.outsider)
	require.True(t, group.TotalHidden)
	require.Nil(t, group.BookBalance)
	require.Nil(t, group.Members)
	require.Empty(t, subs.SubAccounts)
	require.False(t, row.IsMember)
	for who, hears := range map[usecase.Who][]string{w.outsider: {}, w.member: {w.group}} {
		heard, err := groupsmodel.Heard(context.Background(), w.pool, who.User)
		require.NoError(t, err)
		require.Equal(t, hears, heard)
	}
}

func TestHidingATotalIsToldToEverybodysOpenStream(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	bus, _ := ledgertest.NATS(t)
	told, err := bus.SubscribeSync(engine.ChangedSubject)
	require.NoError(t, err)
	_, _, err = w.app.Groups.OpenSubAccount(context.Background(), w.owner, groups.NewSubAccount{
		GroupID: w.group, Name: "Surprise", Type: "FLEXIBLE", Frequency: "MONTHLY", Amount: naira(100), ShowTotal: false,
	})
	require.NoError(t, err)
	opt := w.engine.Options
	opt.Bus = bus
	require.NoError(t, engine.New(opt).CatchUp(context.Background()))
	for {
		msg, err := told.NextMsg(5 * time.Second)
		require.NoError(t, err)
		var changed engine.Changed
		require.NoError(t, json.Unmarshal(msg.Data, &changed))
		if changed.Model != groupsmodel.Name {
			continue
		}
		for _, who := range []usecase.Who{w.owner, w.validator, w.member} {
			require.Contains(t, changed.Users[who.User], "groups", "so that their stream asks again what it may hear")
		}
		return
	}
}
