package projections_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/engine"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// house is a ledger with a relay and JetStream of its own.
type house struct {
	*testing.T
	pool  *pgxpool.Pool
	store *store.Store
	bus   *nats.Conn
	js    jetstream.JetStream
	luck  *rand.Rand
	wg    sync.WaitGroup
}

var migrated = ledgertest.Migrated(store.Migrate, func(ctx context.Context, pool *pgxpool.Pool) error { return engineOn(pool, pool, nil).Prepare(ctx) })

func setup(t *testing.T) *house {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	h := &house{T: t, pool: migrated.Pool(t), luck: rand.New(rand.NewPCG(seed, 0))}
	h.bus, h.js = ledgertest.NATS(t)
	h.store = store.Open(store.Postgres(h.pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(h.store.Close)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); h.wg.Wait() })
	h.wg.Go(func() { _ = relay.Run(ctx, h.pool, h.js, relay.Options{Wake: h.store.Committed(), Clock: time.Now}) })
	return h
}

// inAnotherSchema answers a pool on an empty schema of the same database.
func (h *house) inAnotherSchema() *pgxpool.Pool {
	h.Helper()
	schema := fmt.Sprintf("another_%d", schemas.Add(1))
	_, err := h.pool.Exec(context.Background(), "CREATE SCHEMA "+schema)
	require.NoError(h, err)
	config := h.pool.Config()
	config.ConnConfig.RuntimeParams["search_path"] = schema
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(h, err)
	h.Cleanup(pool.Close)
	return pool
}

var schemas atomic.Int64

func (h *house) engine() *engine.Engine { return engineOn(h.pool, h.pool, h.bus) }

// engineOn keeps read models in one schema from the ledger in another.
func engineOn(models, source *pgxpool.Pool, bus *nats.Conn) *engine.Engine {
	return engine.New(engine.Options{
		Clock: time.Now,
		Pool:  models, Bus: bus, Models: projections.All(),
		Source: history.Source(source),
		Head:   history.Heads(source),
	})
}

// run keeps the read models until stop or the test's end.
func (h *house) run() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.engine().Run(ctx, h.js, func(ctx context.Context) (string, error) {
			_, err := relay.EnsureStream(ctx, h.js, 1, 1)
			return relay.StreamName(1), err
		})
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	h.Cleanup(stop)
	return stop
}

var (
	users = []string{"ada", "bisi", "chidi", "dayo", "efe"}
	subs  = []string{"s0", "s1", "s2"}
)

func (h *house) pick(of []string) string { return of[h.luck.IntN(len(of))] }

// do gives a command, which may be refused.
func (h *house) do(c event.Command) {
	at := time.Date(2026, 9+time.Month(h.luck.IntN(3)), 1+h.luck.IntN(28), h.luck.IntN(24), 0, 0, 0, time.UTC)
	_, err := h.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", EffectiveAt: at, Command: c})
	if fault.As(err) == nil {
		require.NoError(h, err)
	}
}

// counted is a time by which every office counts for money: everything done takes effect before December.
var counted = time.Date(2026, 12, 5, 8, 0, 0, 0, time.UTC)

// begin founds two groups with sub-accounts and gives everybody money.
func (h *house) begin() {
	now := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	for g := range 2 {
		id, owner := fmt.Sprint("g", g), users[g]
		h.do(savings.CreateGroup{GroupID: id, Owner: owner, Name: "Traders " + id, Amount: 5000_00, Capacity: len(users) + 1, StartMonth: 9, ShowTotalBalance: true, Now: now})
		for _, user := range users {
			h.do(savings.JoinGroup{GroupID: id, User: user})
			h.do(savings.ApproveMember{GroupID: id, User: user, By: owner})
		}
		for _, user := range users {
			h.do(account.EndCheck(user, "bvn "+user, 0))
		}
		for _, c := range ledgertest.Appointed(id, owner, users[g+1], users[g+2]) {
			h.do(c)
		}
	}
	h.do(savings.AddDocument{GroupID: "g0", DocumentID: uuid.NewString(), By: users[0]})
	for i, sub := range subs {
		kind := []nairav1.PaymentType{nairav1.PaymentType_PAYMENT_TYPE_FIXED, nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE, nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE}[i]
		h.do(savings.OpenSubAccount{
			GroupID: fmt.Sprint("g", i%2), SubAccountID: sub, By: users[i%2], Name: "Dues " + sub, Type: kind,
			Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 5000_00, ShowTotal: true, Now: now,
			Late: []savings.Late{{GraceDays: 5, Type: nairav1.FeeType_FEE_TYPE_FLAT, Amount: 100_00}, {}, {}}[i],
		})
	}
	for _, user := range users {
		h.fund(user)
	}
	h.rich(users[0])
	h.rich(users[1])
	h.orders(now)
	h.debts()
	h.late(time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC))
	h.do(wallet.ReceiveUnmatched{ProviderRef: "stray", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Amount: 70_00, Reference: "stray", PaidAt: now})
	h.do(payout.ProposeSendBack{SentMoney: payout.SentMoney{Provider: event.Vfd, ProviderRef: "stray"}, ID: uuid.NewString(), By: "femi", Reason: "Nobody knows them."})
	h.do(wallet.ReceiveUnmatched{ProviderRef: "stray", Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Amount: 70_00, Reference: "stray", PaidAt: now}) // Two gateways may use one name for different money.
	for n, user := range users {
		h.do(account.EndCheck(user, "check", nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED))
		h.withdraw(900 + n)
	}
	h.rich(users[1])
	for n, user := range users {
		h.rich(user)
		h.do(dues.Contribute{GroupID: "g1", SubAccountID: "s1", User: user, Amount: 400_00, Channel: nairav1.Channel_CHANNEL_WALLET, At: now})
		h.asks(900+n, 7+n)
	}
	h.marks(3)
	h.access()
	h.ajos()
	h.rich(users[1])
	h.partings(now)
	h.disputes(now)
	h.answers(now)
	h.months(now)
	h.do(holds.Place{HoldID: "kept", Account: "wallet:" + users[0], Amount: 1, Purpose: "withdrawal", ExpiresAt: now.AddDate(9, 0, 0), Now: now})
}

// access makes members ask for ajo access; one of them still waits.
func (h *house) access() {
	for n, user := range users {
		id := fmt.Sprint("access", n)
		h.do(ajoaccess.Ask{User: user, AskID: id, Adult: true, Salary: 210_000_00, BankStatement: true, OfferLetter: true})
		review := ajoaccess.Review{Staff: "femi", User: user, AskID: id}
		switch n {
		case 1:
			h.do(ajoaccess.Refuse{Review: review, Reason: "The letter is old."})
		case 2:
			h.do(ajoaccess.Withdraw{User: user})
		case 3, 4:
			h.do(ajoaccess.Grant{Review: review})
		}
	}
	h.do(ajoaccess.Lose(users[4], "You owe in an ajo.", "ajo"))
}

// partings makes a member who paid leave their savings to the group, come back, pay and leave again.
func (h *house) partings(now time.Time) {
	const leaver = "leaver"
	h.rich(leaver)
	for range 2 {
		h.do(savings.JoinGroup{GroupID: "g1", User: leaver})
		h.do(savings.ApproveMember{GroupID: "g1", User: leaver, By: users[1]})
		h.do(dues.Contribute{GroupID: "g1", SubAccountID: "s1", User: leaver, Amount: 250_00, Channel: nairav1.Channel_CHANNEL_WALLET, At: now})
		h.do(dues.LeaveGroup{GroupID: "g1", User: leaver, Forfeit: true, SubAccounts: subs, Now: now})
	}
	left, ok := h.some("naira.v1.SavingsClosed")
	require.True(h, ok, "nobody who paid has left")
	message, err := left.Message()
	require.NoError(h, err)
	require.Positive(h, message.(*nairav1.SavingsClosed).GetForfeitedKobo())
}

// late makes dues that were late, waived, covered and reminded of, and a member who was away.
func (h *house) late(now time.Time) {
	const group, sub = "g0", "s0"
	for _, user := range users {
		h.do(dues.Penalise{GroupID: group, SubAccountID: sub, User: user, Now: now})
	}
	h.do(dues.Remind{GroupID: group, SubAccountID: sub, Period: "2026-09-01", Kind: nairav1.ReminderKind_REMINDER_KIND_OVERDUE, Users: users, Now: now})
	for n, approve := range []bool{true, false} {
		id := fmt.Sprint("w", n)
		h.do(dues.RequestWaiver{
			WaiverID: id, GroupID: group, SubAccountID: sub, User: users[3], Period: "2026-11-01", Kind: nairav1.WaiverKind_WAIVER_KIND_WRITTEN_OFF,
			Reason: "Was ill", By: users[0], Officers: savings.Officers{Users: users}, Now: counted,
		})
		h.do(dues.DecideWaiver{WaiverID: id, GroupID: group, SubAccountID: sub, User: users[3], By: users[1], Approve: approve, Now: counted})
	}
	h.do(dues.Cover{GroupID: group, SubAccountID: sub, User: users[2], By: users[0], Amount: 700_00, At: now})
	h.query("g0", "naira.v1.ContributionCovered")
	h.do(savings.DeactivateMember{GroupID: group, User: users[4], By: users[0], Reason: "Travels"})
}

// orders makes an order that ran, and one that was missed.
func (h *house) orders(now time.Time) {
	for i, user := range users[:2] {
		order, day := fmt.Sprint("o", i), now.Format(time.DateOnly)
		h.do(standingorder.Set{
			OrderID: order, User: user, GroupID: "g1", SubAccountID: "s1", Amount: 100_00, Frequency: nairav1.StandingFrequency_STANDING_FREQUENCY_WEEKLY,
			FirstDay: savings.ParseDay(day), Now: now,
		})
		if i == 0 {
			h.do(standingorder.Miss(order, user, day, "Too little.", now.AddDate(0, 0, standingorder.Tries)))
			continue
		}
		h.do(standingorder.Run{OrderID: order, Day: day, Contribute: dues.Contribute{
			GroupID: "g1", SubAccountID: "s1", User: user, Amount: 100_00, Channel: nairav1.Channel_CHANNEL_WALLET, At: now,
		}})
	}
}

func (h *house) fund(user string) {
	provider := []event.Provider{event.Vfd, event.Paystack, "another"}[h.luck.IntN(3)]
	channel, tariff := nairav1.Channel_CHANNEL_BANK_TRANSFER, wallet.Free
	if provider == event.Paystack {
		channel, tariff = nairav1.Channel_CHANNEL_CARD, wallet.CardTariff
	}
	id, amount := uuid.NewString(), money.Kobo(100_00+h.luck.IntN(50_000_00))
	h.do(wallet.StartPayment{PaymentID: id, User: user, Channel: channel, Provider: provider, Tariff: tariff, Amount: amount, ExpiresAt: time.Now()})
	switch h.luck.IntN(5) {
	case 0:
		h.do(wallet.EndPayment{PaymentID: id, To: wallet.Pending})
		h.do(wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: "Declined"})
	case 1:
		h.do(wallet.EndPayment{PaymentID: id, To: wallet.Expired, Now: time.Now().Add(time.Hour)})
		h.do(wallet.ReceiveUnmatched{ProviderRef: id, Channel: channel, Provider: provider, Amount: amount, Reference: id, PaidAt: time.Now()})
		if fate := h.luck.IntN(5); fate == 4 {
			h.sendsBack(payout.SentMoney{Provider: provider, ProviderRef: id}, user)
		} else if fate > 0 {
			h.do(wallet.ProposeUnmatched{ProviderRef: id, Provider: provider, User: user, By: "femi", Reason: "The slip."})
			if fate > 1 {
				h.do(wallet.DecideUnmatched{ProviderRef: id, Provider: provider, User: user, By: "sade", Approve: fate > 2, Reason: "Another name."})
			}
		}
	default:
		h.do(wallet.ConfirmPayment{PaymentID: id, User: user, Provider: provider, Gross: amount + tariff.Charge(amount), Fee: money.Kobo(h.luck.IntN(90_00)), ProviderRef: id, PaidAt: time.Now()})
	}
}

// sendsBack sends money in suspense back to its source account, as far as it gets.
func (h *house) sendsBack(of payout.SentMoney, user string) {
	id, fate := uuid.NewString(), h.luck.IntN(7)
	h.do(payout.ProposeSendBack{SentMoney: of, ID: id, User: user, By: "femi", Reason: "Nobody knows them."})
	h.do(payout.DecideSendBack{SentMoney: of, ID: id, By: "sade", Approve: fate > 0, Reason: "I know them."})
	if fate > 2 {
		h.do(payout.SendMoneyBack(of, id, "Adashi-"+id))
	}
	if fate == 1 || fate == 3 {
		h.do(wallet.TakeBackArrival{ProviderRef: of.ProviderRef, Provider: of.Provider, Gross: 100_00, BackRef: "recall of " + id, Reason: "Recalled"})
	}
	if fate == 4 {
		h.do(payout.FailMoneyBack(of, id, "Adashi-"+id, "Refused"))
	}
	h.do(payout.PayMoneyBack(of, id, payout.Receipt{Fee: 10_00, ProviderRef: "nip " + id, PaidAt: time.Now()}))
	if fate == 6 {
		h.do(payout.ReturnMoneyBack(of, id, "nip "+id, "Dormant"))
	}
}

// rich gives a user money for certain.
func (h *house) rich(user string) {
	id := uuid.NewString()
	h.do(wallet.StartPayment{PaymentID: id, User: user, Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: 1000_00, ExpiresAt: time.Now()})
	h.do(wallet.ConfirmPayment{
		PaymentID: id, User: user, Provider: event.Paystack, Gross: 1000_00 + wallet.CardTariff.Charge(1000_00),
		Fee: 10_00, ProviderRef: id, PaidAt: time.Now(),
	})
}

// live gives n random commands.
func (h *house) live(n int) {
	for range n {
		user, sub := h.pick(users), h.luck.IntN(len(subs))
		switch h.luck.IntN(16) {
		case 13, 14, 15:
			h.people(fmt.Sprint("g", sub%2), user, users[sub%2])
		case 0:
			h.fund(user)
		case 10:
			h.undo()
		case 11:
			h.hold(user)
		case 12:
			h.undoPayment()
		case 1:
			h.do(savings.AppointValidator{GroupID: fmt.Sprint("g", sub%2), User: user, By: users[sub%2], Owner: users[sub%2]})
		default:
			h.do(dues.Contribute{
				GroupID: fmt.Sprint("g", sub%2), SubAccountID: subs[sub], User: user, Amount: money.Kobo(1 + h.luck.IntN(2000_00)),
				Channel: nairav1.Channel_CHANNEL_WALLET, At: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC),
			})
		}
	}
}

// people makes members come, go and hold offices.
func (h *house) people(group, user, by string) {
	now := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	all := []event.Command{
		savings.InviteMember{GroupID: group, User: user, By: by, Now: now},
		savings.AcceptInvitation{GroupID: group, User: user, Now: now},
		savings.DeclineInvitation{GroupID: group, User: user},
		savings.JoinGroup{GroupID: group, User: user},
		savings.RejectMember{GroupID: group, User: user, By: by},
		savings.DeactivateMember{GroupID: group, User: user, By: by},
		savings.ApproveMember{GroupID: group, User: user, By: by},
		savings.AppointApprover{GroupID: group, User: user, By: by},
		savings.RemoveApprover{GroupID: group, User: user, By: by},
		dues.LeaveGroup{GroupID: group, User: user, Forfeit: h.luck.IntN(2) == 0, SubAccounts: subs, Now: now},
		savings.ShowGroupTotal{GroupID: group, By: by, Show: h.luck.IntN(2) == 0},
		savings.AddDocument{GroupID: group, DocumentID: uuid.NewString(), By: by},
		savings.SuspendGroup(group, "admin", "Because"),
		savings.ResumeGroup(group, "admin", "Because"),
	}
	h.do(all[h.luck.IntN(len(all))])
}

// some is one of the records of a type, or false when there is none.
func (h *house) some(typ string) (event.Record, bool) {
	records, err := history.Read(context.Background(), h.pool, 0, 100_000)
	require.NoError(h, err)
	records = slices.DeleteFunc(records, func(r event.Record) bool { return r.Type != typ })
	if len(records) == 0 {
		return event.Record{}, false
	}
	return records[h.luck.IntN(len(records))], true
}

// undo reverses one of the contributions, if possible.
func (h *house) undo() {
	if r, ok := h.some("naira.v1.ContributionReceived"); ok {
		h.do(dues.ReverseContribution{Original: r, By: "support", ApprovedBy: "admin", Reason: "Paid twice."})
	}
}

// undoPayment makes the bank reverse one of the payments, if the wallet still has the money.
func (h *house) undoPayment() {
	if r, ok := h.some("naira.v1.PaymentConfirmedV2"); ok {
		message, err := r.Message()
		require.NoError(h, err)
		m := message.(*nairav1.PaymentConfirmedV2)
		h.do(wallet.ReversePayment{PaymentID: m.GetPaymentId(), User: m.GetUserId(), Provider: event.Provider(m.GetProvider()), ProviderRef: "back", Reason: "Sent by mistake."})
	}
}

// debts gives members debts to Adashi, pays some, writes some off, and locks cards.
func (h *house) debts() {
	on := wallet.DebtStream("ada")
	for _, m := range []proto.Message{
		&nairav1.DebtOpened{UserId: "ada", PaymentId: "p", AmountKobo: 90_00}, &nairav1.DebtSettled{UserId: "ada", AmountKobo: 10_00, LeftKobo: 80_00},
		&nairav1.WriteOffProposed{UserId: "ada", ProposalId: "w", AmountKobo: 80_00, ProposedBy: "finance", Reason: "Gone."},
		&nairav1.WriteOffDeclined{UserId: "ada", ProposalId: "w", DeclinedBy: "admin", Reason: "Not gone."},
		&nairav1.WriteOffProposed{UserId: "ada", ProposalId: "v", AmountKobo: 80_00, ProposedBy: "finance", Reason: "Gone."},
		&nairav1.DebtWrittenOff{UserId: "ada", ProposalId: "v", AmountKobo: 80_00, ProposedBy: "finance", ApprovedBy: "admin", Reason: "Gone."},
	} {
		h.do(ledgertest.Raw{event.On(on, m)})
	}
	for _, user := range []string{"ada", "bisi"} {
		h.do(ledgertest.Raw{event.On(wallet.CardsStream(user), &nairav1.CardMoneyTakenBack{UserId: user, PaymentId: "p", AmountKobo: 90_00, Locks: true})})
	}
	h.do(wallet.UnlockCards{User: "ada", By: "finance", Reason: "Her bank was wrong."})
}

// hold sets money aside, and ends the hold in one of the possible ways, in part or whole.
func (h *house) hold(user string) {
	id, account, now := uuid.NewString(), "wallet:"+user, time.Now()
	h.do(holds.Place{HoldID: id, Account: account, Amount: 50_00, Purpose: "withdrawal", ExpiresAt: now.Add(time.Hour), Now: now})
	h.do(holds.Capture(id, account, "bank:transfer", money.Kobo(1+h.luck.IntN(40_00)), now))
	switch h.luck.IntN(3) {
	case 0:
		h.do(holds.Release(id, account, 1_00))
	case 1:
		h.do(holds.Expire(id, account, now.Add(2*time.Hour)))
	}
}

// agree checks that the models agree: totals are the sums of their parts, and balances those of their histories.
func (h *house) agree() {
	h.Helper()
	require.Empty(h, h.disagree())
}

// disagree lists where they do not agree.
func (h *house) disagree() map[string][]string {
	h.Helper()
	all := map[string][]string{}
	_, err := h.pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(h, err)
	for name, query := range map[string]string{
		"a group's total is not its sub-accounts'": `SELECT g.id FROM rm_groups g WHERE g.total_kobo <> (SELECT coalesce(sum(s.total_kobo), 0) FROM rm_sub_accounts s WHERE s.group_id = g.id)`,
		"a group's total is not its members'": `SELECT g.id FROM rm_groups g WHERE g.total_kobo <> (SELECT coalesce(sum(c.total_kobo), 0) FROM rm_contributors c WHERE c.group_id = g.id)
			+ (SELECT coalesce(sum(s.closed_kobo), 0) FROM rm_sub_accounts s WHERE s.group_id = g.id)`,
		"a sub-account's total is not its members'": `SELECT s.id FROM rm_sub_accounts s WHERE s.total_kobo - s.closed_kobo <> (SELECT coalesce(sum(c.total_kobo), 0) FROM rm_contributors c WHERE c.sub_account_id = s.id)`,
		"a group's members are not counted":         `SELECT g.id FROM rm_groups g WHERE g.members <> (SELECT count(*) FROM rm_members m WHERE m.group_id = g.id AND m.status = 'ACTIVE')`,
		"a group's total is not its months'":        `SELECT g.id FROM rm_groups g WHERE g.total_kobo <> (SELECT coalesce(sum(m.kobo), 0) FROM rm_group_months m WHERE m.group_id = g.id)`,
		"a sub-account's total is not its pool": `SELECT s.id FROM rm_sub_accounts s JOIN ledger_accounts a ON a.account = 'pool:' || s.id LEFT JOIN ledger_accounts b ON b.account = 'held:pool:' || s.id
			WHERE a.balance + coalesce(b.balance, 0) <> s.total_kobo - (SELECT coalesce(sum(r.kobo), 0) FROM rm_requests r WHERE r.sub_account_id = s.id AND r.status = 'PAID')`,
		"a sub-account's money is not the ledger's": `SELECT p.sub_account_id FROM rm_pools p JOIN ledger_accounts a ON a.account = 'pool:' || p.sub_account_id
			LEFT JOIN ledger_accounts b ON b.account = 'held:pool:' || p.sub_account_id WHERE a.balance <> p.kobo OR coalesce(b.balance, 0) <> p.held`,
		"a member's savings are not what they put": `SELECT c.user_id FROM rm_contributors c JOIN rm_savings s USING (user_id, sub_account_id) WHERE c.total_kobo <> s.kobo`,
		"a wallet is not the ledger's":             `SELECT w.user_id FROM rm_wallets w JOIN ledger_accounts a ON a.account = 'wallet:' || w.user_id WHERE a.balance <> w.kobo`,
		"a wallet is not the sum of its history": `SELECT w.user_id FROM rm_wallets w WHERE w.kobo <> (SELECT coalesce(sum(CASE WHEN incoming THEN kobo ELSE -kobo END), 0)
			FROM rm_movements m WHERE m.user_id = w.user_id AND m.kind NOT IN ('SAVINGS_PAID_OUT', 'SAVINGS_RETURNED'))`,
		"what members have in ajo is not the ledger's": `SELECT 'all' FROM (SELECT coalesce(sum(kobo), 0) AS kobo FROM rm_ajo_balances) b,
			(SELECT coalesce(sum(balance), 0) AS kobo FROM ledger_accounts WHERE account ~ '^(pot|deposit|card):') a WHERE a.kobo <> b.kobo`,
		"a pot, a deposit or a card is not the ledger's": `SELECT a.account FROM ledger_accounts a LEFT JOIN (SELECT 'pot:' || ajo_id || ':' || cycle AS account, kobo FROM ` + ajos.Pots + ` p
			UNION ALL SELECT 'deposit:' || ajo_id || ':' || user_id, deposit FROM rm_ajo_members
			UNION ALL SELECT 'card:' || card_id, CASE status WHEN 'OPEN' THEN kobo * filled ELSE 0 END FROM rm_ajo_cards) x USING (account)
			WHERE a.account ~ '^(pot|deposit|card):' AND a.balance <> coalesce(x.kobo, 0)`,
		"an ajo's members are not counted": `SELECT a.ajo_id FROM rm_ajos a WHERE a.members <> (SELECT count(*) FROM rm_ajo_members m WHERE m.ajo_id = a.ajo_id AND NOT m.has_left)`,
		"a debt is not paid by its payments": `SELECT a.ajo_id FROM rm_ajos a WHERE (SELECT coalesce(sum(paid), 0) FROM rm_ajo_debts d WHERE d.ajo_id = a.ajo_id)
			<> (SELECT coalesce(sum(kobo), 0) FROM rm_ajo_payments p WHERE p.ajo_id = a.ajo_id AND p.kind = 'DEBT')`,
		"a wallet's holds are not what is held": `SELECT h.account FROM (SELECT account, sum(kobo) AS kobo FROM (SELECT account, kobo FROM rm_holds
			UNION ALL SELECT 'wallet:' || user_id, kobo FROM rm_payouts WHERE status IN ('REQUESTED', 'SENT')) p GROUP BY 1) h
			JOIN ledger_accounts a ON a.account = 'held:' || h.account WHERE a.balance <> h.kobo`,
	} {
		rows, err := h.pool.Query(context.Background(), query)
		require.NoError(h, err, name)
		wrong, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(h, err, name)
		if len(wrong) > 0 {
			all[name] = wrong
		}
	}
	return all
}

func (h *house) head() int64 {
	_, pos, err := history.Head(context.Background(), h.pool)
	require.NoError(h, err)
	return pos
}

// caughtUp waits until every read model has reached the head.
func (h *house) caughtUp() {
	h.Helper()
	head := h.head()
	require.Eventually(h, func() bool {
		var least int64
		err := h.pool.QueryRow(context.Background(), "SELECT CASE WHEN min(pos) = max(pos) THEN min(pos) ELSE -1 END FROM projections").Scan(&least)
		return err == nil && least == head
	}, time.Minute, 10*time.Millisecond, "a read model does not come to the head")
}

// equalFresh checks that every table equals a fold from zero in another schema, both ways.
func (h *house) equalFresh() {
	h.Helper()
	ctx := context.Background()
	var letters int
	require.NoError(h, h.pool.QueryRow(ctx, "SELECT (SELECT count(*) FROM dead_letters) + (SELECT count(*) FROM projections WHERE paused <> '')").Scan(&letters))
	require.Zero(h, letters, "a projector took an event twice, or could not take it")
	fresh := h.inAnotherSchema()
	e := engineOn(fresh, h.pool, nil)
	require.NoError(h, e.Prepare(ctx))
	require.NoError(h, e.CatchUp(ctx))
	kept, made := schema(h.T, h.pool), schema(h.T, fresh)
	for _, m := range projections.All() {
		for _, table := range m.Tables {
			a, b := pgx.Identifier{kept, table}.Sanitize(), pgx.Identifier{made, table}.Sanitize()
			var rows, missing, extra int
			require.NoError(h, h.pool.QueryRow(ctx, fmt.Sprintf(`SELECT (SELECT count(*) FROM %[2]s),
				(SELECT count(*) FROM (TABLE %[2]s EXCEPT ALL TABLE %[1]s) x), (SELECT count(*) FROM (TABLE %[1]s EXCEPT ALL TABLE %[2]s) x)`, a, b)).Scan(&rows, &missing, &extra))
			require.True(h, rows > 0, "%s is empty: nothing is shown", table)
			require.Zero(h, missing, "%s lacks rows", table)
			require.Zero(h, extra, "%s has rows too many", table)
		}
	}
}

func schema(t *testing.T, pool *pgxpool.Pool) (name string) {
	t.Helper()
	require.NoError(t, pool.QueryRow(context.Background(), "SELECT current_schema()").Scan(&name))
	return name
}

func TestReadModelsKeptLiveEqualAFreshFold(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.run()
	h.begin()
	h.live(200)
	h.caughtUp()
	h.equalFresh()
	h.agree()
}

func TestReadModelsSurviveJetStreamBeingWiped(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.run()
	h.begin()
	for range 3 {
		h.live(60)
		if err := h.js.DeleteStream(context.Background(), relay.StreamName(1)); !errors.Is(err, jetstream.ErrStreamNotFound) {
			require.NoError(t, err)
		}
	}
	h.live(60)
	h.caughtUp()
	h.equalFresh()
}

func TestReadModelsSurviveBeingStoppedAtAnyMoment(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	for range 8 {
		stop := h.run()
		h.live(5 + h.luck.IntN(40))
		stop()
	}
	h.live(20)
	h.run()
	h.caughtUp()
	h.equalFresh()
}

func TestTwoProjectorsAtOnceDoEverythingOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.run()
	h.run()
	h.begin()
	h.live(200)
	h.caughtUp()
	h.equalFresh()
}

func TestAnotherVersionOfAModelIsBuiltAfresh(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(200) // Enough that every table has rows.
	require.NoError(t, h.engine().CatchUp(context.Background()))
	_, err := h.pool.Exec(context.Background(), "UPDATE projections SET version = 0; UPDATE rm_wallets SET kobo = kobo + 1; DELETE FROM rm_movements")
	require.NoError(t, err)
	require.NoError(t, h.engine().Prepare(context.Background()))
	require.NoError(t, h.engine().CatchUp(context.Background()))
	h.equalFresh()
}
