package redecide_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// diary is a ledger whose events are recorded on days that a test chooses.
type diary struct {
	book
	now    *time.Time
	rounds ledger.Rounds
	known  []draw.Beacon // Whose keys are known beside quicknet.
}

// on is noon of a day of November 2026.
func on(day int) time.Time { return time.Date(2026, 11, day, 11, 0, 0, 0, time.UTC) }

// late is a group whose dues of October cost ₦100 more after 5 November. Vera had ₦9,000 and
// paid on the third; Femi had as much, and paid ₦5,100 on the tenth, after a penalty.
func late(t *testing.T) diary {
	t.Helper()
	now := time.Date(2026, 10, 20, 11, 0, 0, 0, time.UTC)
	d := diary{book: book{T: t, pool: ledgertest.Pool(t)}, now: &now}
	require.NoError(t, store.Migrate(context.Background(), d.pool))
	d.store = store.Open(store.Postgres(d.pool, 0), ledger.Aggregates(), store.Options{Clock: func() time.Time { return *d.now }})
	t.Cleanup(d.store.Close)
	d.do(savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Traders", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 10, Now: now})
	d.do(ledgertest.Activated("g", "ada", "vera", "femi")...)
	d.do(savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "s", By: "ada", Name: "Dues", Type: nairav1.PaymentType_PAYMENT_TYPE_FIXED, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY,
		Amount: 5000 * money.Naira, Now: now, Late: savings.Late{GraceDays: 5, Type: nairav1.FeeType_FEE_TYPE_FLAT, Amount: 100 * money.Naira},
	})
	for _, user := range []string{"vera", "femi"} {
		d.do(wallet.StartPayment{PaymentID: "p" + user, User: user, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: wallet.Free, Amount: 9000 * money.Naira, ExpiresAt: now.Add(time.Hour)},
			wallet.ConfirmPayment{PaymentID: "p" + user, User: user, Provider: event.Vfd, Gross: 9000 * money.Naira, ProviderRef: "ref" + user, PaidAt: now})
	}
	d.pays(3, "vera", 5000*money.Naira)
	*d.now = on(7)
	d.do(dues.Penalise{GroupID: "g", SubAccountID: "s", User: "femi", Now: on(7)})
	d.pays(10, "femi", 5100*money.Naira)
	return d
}

// pays has somebody pay their due on a day.
func (d diary) pays(day int, user string, amount money.Kobo) {
	d.Helper()
	*d.now = on(day)
	c := contribute(user, amount)
	c.At = on(day)
	_, err := d.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", EffectiveAt: c.At, Command: c})
	require.NoError(d, err)
}

// lab goes through the whole ledger with edits.
func (d diary) lab(edits ...redecide.Edit) (redecide.Found, error) {
	d.Helper()
	ctx := context.Background()
	records, err := history.Read(ctx, d.pool, 0, 1000)
	require.NoError(d, err)
	until := on(20)
	if d.now.After(until) {
		until = *d.now
	}
	asked := map[string]bool{}
	balance := func(account string, before int64) (money.Kobo, error) {
		which := fmt.Sprint(account, " before ", before)
		require.NotContains(d, asked, which, "each is asked for once: that takes a read of the ledger")
		asked[which] = true
		return held(records, account, before), nil
	}
	return redecide.Lab{
		Aggregates: ledger.Aggregates(), Wishes: ledger.Wishes(d.known...), Jobs: ledger.Jobs(d.rounds), Part: ledger.Part, Alike: ledger.Alike, Records: records, Edits: edits, Until: until,
		Stream:  func(name string) ([]event.Record, error) { return history.ReadStream(ctx, d.pool, name, 1<<40, 1000) },
		Balance: balance,
	}.Run()
}

// held is what an account held before a position.
func held(records []event.Record, account string, before int64) (kobo money.Kobo) {
	for _, r := range records {
		for _, line := range r.Lines {
			if r.Pos < before && line.Account == account {
				kobo = line.Balance
			}
		}
	}
	return kobo
}

// last is where the last event of a type about a user is.
func (d diary) last(typ, user string) int64 {
	d.Helper()
	records, err := history.Read(context.Background(), d.pool, 0, 1000)
	require.NoError(d, err)
	for i := len(records) - 1; i >= 0; i-- {
		m, err := records[i].Message()
		require.NoError(d, err)
		of, names := m.(interface{ GetUserId() string })
		if event.TypeOf(m) == "naira.v1."+typ && (user == "" || names && of.GetUserId() == user) {
			return records[i].Pos
		}
	}
	d.Fatalf("no %s of %s", typ, user)
	return 0
}

// told are the kinds and the types of differences.
func told(lines []redecide.Line) (out []string) {
	for _, l := range lines {
		text := string(l.Kind)
		for _, m := range l.Was {
			text += " -" + event.TypeOf(m)[len("naira.v1."):]
		}
		for _, w := range l.Would {
			text += " +" + event.TypeOf(w.Message)[len("naira.v1."):]
		}
		out = append(out, text)
	}
	return out
}

func TestALabWithoutEditsComesToWhatIsRecorded(t *testing.T) {
	t.Parallel()
	d := late(t)
	found, err := d.lab()
	require.NoError(t, err)
	require.Empty(t, found.Lines)
	require.Empty(t, found.Balances)
	require.Empty(t, found.States)
	require.GreaterOrEqual(t, found.Decided, 8)
}

func TestALabFindsWhereTheRulesOfTodayComeToSomethingElse(t *testing.T) {
	t.Parallel()
	d := late(t)
	d.do(ledgertest.Raw{event.On(dues.Stream("s", "vera"), &nairav1.ContributionReceived{
		GroupId: "g", SubAccountId: "s", UserId: "vera", AmountKobo: 100_00, Channel: nairav1.Channel_CHANNEL_WALLET, MemberTotalKobo: 1,
	})})
	found, err := d.lab()
	require.NoError(t, err)
	require.Equal(t, []string{"DRIFT -ContributionReceived"}, told(found.Lines))
	require.Equal(t, "the rules decide naira.v1.ContributionReceived", found.Lines[0].Why)
	require.Empty(t, found.Balances, "it is taken as it is recorded")
}

func TestALabShowsWhatWouldHaveFollowed(t *testing.T) {
	t.Parallel()
	credit := ledgertest.Raw{event.On("payment:lab", &nairav1.PaymentConfirmedV2{PaymentId: "lab", UserId: "femi", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: 500_000})}
	intime := contribute("femi", 5000*money.Naira)
	intime.At = on(4)
	for name, c := range map[string]struct {
		edit  func(d diary) redecide.Edit
		lines []string
		pool  int64 // By how much the sub-account would hold more.
		why   string
	}{
		"money that came in time": {
			func(diary) redecide.Edit { return redecide.Edit{At: on(4), Insert: []event.Command{credit, intime}} },
			[]string{"EDITED +PaymentConfirmedV2 +ContributionReceived", "REFUSED -PenaltyApplied", "OTHERWISE -ContributionReceived +ContributionReceived"},
			5000_00, "Nothing is late here.",
		},
		"a due that was paid in time": {
			func(d diary) redecide.Edit {
				return redecide.Edit{Position: d.last("ContributionReceived", "femi"), At: on(4)}
			},
			[]string{"EDITED +ContributionReceived", "REFUSED -PenaltyApplied"},
			0, "Nothing is late here.",
		},
		"a due that was never paid": {
			func(d diary) redecide.Edit {
				return redecide.Edit{Position: d.last("ContributionReceived", "vera"), Absent: true}
			},
			[]string{"EDITED -ContributionReceived", "NEW +PenaltyApplied"},
			-5000_00, "",
		},
		"a due that was paid too late": {
			func(d diary) redecide.Edit {
				return redecide.Edit{Position: d.last("ContributionReceived", "vera"), At: on(12)}
			},
			[]string{"NEW +PenaltyApplied", "EDITED +ContributionReceived"},
			0, "",
		},
		"less than the due": {
			func(d diary) redecide.Edit {
				return redecide.Edit{Position: d.last("ContributionReceived", "vera"), Amount: 4000 * money.Naira}
			},
			[]string{"EDITED -ContributionReceived +ContributionReceived", "NEW +PenaltyApplied"},
			-1000_00, "",
		},
		"money that never came": {
			func(d diary) redecide.Edit {
				return redecide.Edit{Position: d.last("PaymentConfirmedV2", "vera"), Absent: true}
			},
			[]string{"EDITED -PaymentConfirmedV2 -ArrivalCreditedV2", "REFUSED -ContributionReceived", "NEW +PenaltyApplied"},
			-5000_00, "",
		},
		"no penalty": {
			func(d diary) redecide.Edit {
				return redecide.Edit{Position: d.last("PenaltyApplied", "femi"), Absent: true}
			},
			[]string{"EDITED -PenaltyApplied", "NEW +PenaltyApplied"},
			0, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := late(t)
			found, err := d.lab(c.edit(d))
			require.NoError(t, err)
			require.Equal(t, c.lines, told(found.Lines))
			pool := found.Balances["pool:s"]
			require.Equal(t, money.Kobo(c.pool), pool.Would-pool.Was)
			for _, l := range found.Lines {
				if l.Kind == redecide.Refused && c.why != "" {
					require.Equal(t, c.why, l.Why)
				}
			}
		})
	}
}

func TestWhatAnEditMovesHasTheMoneyThatAnotherBringsAtItsTime(t *testing.T) {
	t.Parallel()
	d := late(t)
	never := redecide.Edit{Position: d.last("PaymentConfirmedV2", "vera"), Absent: true}
	money := redecide.Edit{At: on(2), Insert: []event.Command{ledgertest.Raw{event.On("payment:lab", &nairav1.PaymentConfirmedV2{
		PaymentId: "lab", UserId: "vera", Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: string(event.Vfd), AmountKobo: 500_000,
	})}}}
	found, err := d.lab(never, money, redecide.Edit{Position: d.last("ContributionReceived", "vera"), At: on(2)})
	require.NoError(t, err)
	require.Equal(t, []string{"EDITED -PaymentConfirmedV2 -ArrivalCreditedV2", "EDITED +PaymentConfirmedV2", "EDITED +ContributionReceived"}, told(found.Lines))
}

func TestALabSaysUntilWhenItFollowedJobs(t *testing.T) {
	t.Parallel()
	d := late(t)
	paid := d.last("ContributionReceived", "vera")
	never := redecide.Edit{Position: paid, Absent: true}
	*d.now = on(3).AddDate(0, 0, redecide.DaysMost)
	found, err := d.lab(never)
	require.NoError(t, err)
	require.Zero(t, found.FollowedUntil, "all days were followed")
	*d.now = on(4).AddDate(0, 0, redecide.DaysMost)
	found, err = d.lab(never)
	require.NoError(t, err)
	require.Equal(t, "2029-01-11", lagos.Day(found.FollowedUntil), "so many days after 3 November 2026")
	require.False(t, found.Lines[len(found.Lines)-1].At.After(found.FollowedUntil))
	found, err = d.lab()
	require.NoError(t, err)
	require.Zero(t, found.FollowedUntil, "nothing came out otherwise")
}

func TestWhatALabCannotEdit(t *testing.T) {
	t.Parallel()
	d := late(t)
	_, err := d.lab(redecide.Edit{Position: 1 << 30, Absent: true})
	require.ErrorAs(t, err, new(*redecide.PositionError))
	d.do(account.Act{Staff: "sade", Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: "vera", Case: "1"})
	_, err = d.lab(redecide.Edit{Position: d.last("StaffActed", ""), At: on(4)}) // Of which command it came is not known.
	require.NotNil(t, fault.As(err))
	paid := d.last("PaymentConfirmedV2", "vera")
	_, err = d.lab(redecide.Edit{Position: paid, At: on(4)}, redecide.Edit{Position: paid + 1, Amount: 1})
	require.ErrorContains(t, err, "came together")
	_, err = d.lab(redecide.Edit{Position: 1, Absent: true}) // A group that never was has no dues.
	require.NoError(t, err)
}
