package payouts_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/rails/sandbox"
)

// A bank's answer that does not end a payout leaves it pending: we ask again, show it to the desk, and never send it
// again. Every call goes over HTTP to the sandbox's bank and card gateway.

// doubted is a town whose member withdraws ₦1,000 at a time, through one provider.
type doubted struct {
	*apptest.Town
	ctx     context.Context
	account string
}

func doubts(t *testing.T, by event.Provider) doubted {
	t.Helper()
	d := doubted{Town: apptest.Setup(t, true, false), ctx: context.Background()}
	d.PaysOut()
	at, err := d.App.Options.Payees.Payee(d.ctx, "")
	require.NoError(t, err)
	d.account, d.App.Payouts.Provider = at.Number, by
	return d
}

func bothRails(t *testing.T, test func(t *testing.T, d doubted)) {
	t.Helper()
	for _, by := range []event.Provider{event.Vfd, event.Paystack} {
		t.Run(string(by), func(t *testing.T) {
			t.Parallel()
			test(t, doubts(t, by))
		})
	}
}

// behaves sets how payouts go from now on.
func (d doubted) behaves(m sandbox.Manner) {
	d.Helper()
	m.Account = d.account
	require.NoError(d, d.Bank.Behave(d.ctx, m))
}

// withdraws requests a withdrawal of ₦1,000 and sends the order to the bank.
func (d doubted) withdraws() (id string) {
	d.Helper()
	made, _, err := d.App.Payouts.Withdraw(d.ctx, d.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
	require.NoError(d, err)
	require.NoError(d, d.Engine.CatchUp(d.ctx))
	require.NoError(d, d.App.Payouts.SendPayouts(d.ctx))
	require.NoError(d, d.Engine.CatchUp(d.ctx))
	return made.Id
}

// asked runs the jobs at moments from now, and returns the withdrawal's status.
func (d doubted) asked(id string, later ...time.Duration) string {
	d.Helper()
	for _, after := range later {
		then := d.App.At(time.Now().Add(after)).Payouts
		require.NoError(d, then.SendPayouts(d.ctx))
		require.NoError(d, then.AskPayouts(d.ctx))
		require.NoError(d, d.Engine.CatchUp(d.ctx))
	}
	state, err := d.App.WithdrawalState(d.ctx, id)
	require.NoError(d, err)
	return string(state.Status)
}

func (d doubted) wallet() money.Kobo { return d.BalanceOf(posting.Wallet(d.Member.User)) }

// orders counts the payment orders that the banks received, whatever they answered.
func (d doubted) orders() (count int) {
	d.Helper()
	require.NoError(d, d.Pool.QueryRow(d.ctx, "SELECT coalesce(sum(orders), 0) FROM sandbox_payouts").Scan(&count))
	return count
}

func (d doubted) events(typ string) (count int) {
	d.Helper()
	require.NoError(d, d.Pool.QueryRow(d.ctx, "SELECT count(*) FROM events WHERE type = $1", "naira.v1."+typ).Scan(&count))
	return count
}

// shown is a payout as the desk of payouts in doubt shows it a quarter of an hour from now.
func (d doubted) shown(id string) payouts.Payout {
	d.Helper()
	page, err := d.App.At(time.Now().Add(15*time.Minute)).Payouts.OpenPayouts(d.ctx, nil, 100)
	require.NoError(d, err)
	for _, p := range page.Payouts {
		if p.Id == id {
			return p
		}
	}
	require.Fail(d, "nobody sees it")
	return payouts.Payout{}
}

// isSeen checks that the desk shows a payout as overdue, with these words of the bank's answer.
func (d doubted) isSeen(id string, words ...string) {
	d.Helper()
	p := d.shown(id)
	require.True(d, p.Doubtful)
	require.NotNil(d, p.NextAskAt, "it is asked about again by itself")
	for _, one := range words {
		require.Contains(d, *p.Answer, one)
	}
}

const (
	notKnown = "It is not known yet how it ended. The bank is asked again by itself."
	settles  = "UPDATE sandbox_payouts SET settles_at = now() - interval '1 second'"
)

func TestAnOrderThatTheBankHasAlreadyOrDoesNotAnswerIsPendingAndPaidOnce(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		before := d.wallet()
		for n, answer := range []string{sandbox.AnswersExists, sandbox.AnswersAway, sandbox.AnswersOften, sandbox.AnswersDown} {
			d.behaves(sandbox.Manner{Answer: answer, Delay: time.Hour})
			id := d.withdraws()
			require.Equal(t, "SENT", d.asked(id, time.Minute, 20*time.Minute), answer)
			require.Equal(t, before-money.Kobo(n+1)*1_000*money.Naira, d.wallet(), "what may be paid is not given back")
			d.isSeen(id, notKnown)
			d.BankSays(settles)
			require.Equal(t, "PAID", d.asked(id, time.Hour, 2*time.Hour), answer)
			require.Equal(t, []int{n + 1, n + 1, n + 1, 0}, []int{d.orders(), d.events("WithdrawalSent"), d.events("WithdrawalPaidV2"), d.events("WithdrawalFailed")}, answer)
		}
		require.Equal(t, before-4_000*money.Naira, d.wallet())
	})
}

func TestABankThatIsAwayIsToldOfNoPayoutUntilItIsBack(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		for n, refuses := range []int{sandbox.BankAway, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			d.behaves(sandbox.Manner{Refuses: refuses, DeadUntil: time.Now().Add(time.Hour)})
			id := d.withdraws()
			require.Equal(t, "REQUESTED", d.asked(id, time.Minute, 20*time.Minute), refuses)
			require.Equal(t, n, d.orders(), "%d: it was not sent", refuses)
			d.isSeen(id, "Nothing was sent yet.")
			d.behaves(sandbox.Manner{})
			require.Equal(t, "PAID", d.asked(id, 2*time.Hour), refuses)
			require.Equal(t, n+1, d.orders())
		}
	})
}

func TestABankThatDoesNotSayHowAPayoutStandsEndsNone(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		for _, refuses := range []int{sandbox.BankAway, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			d.behaves(sandbox.Manner{Delay: time.Hour})
			id := d.withdraws()
			d.behaves(sandbox.Manner{Refuses: refuses, DeadUntil: time.Now().Add(time.Hour)})
			require.Equal(t, "SENT", d.asked(id, time.Minute, 20*time.Minute), refuses)
			d.isSeen(id, notKnown)
			d.behaves(sandbox.Manner{})
			d.BankSays(settles)
			require.Equal(t, "PAID", d.asked(id, 2*time.Hour), refuses)
		}
	})
}

func TestWhatTheBankSaysOfAnotherPayoutEndsNone(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		before := d.wallet()
		d.behaves(sandbox.Manner{Code: "51", Answer: sandbox.AnswersSilent, Tells: sandbox.TellsAnother})
		id := d.withdraws()
		require.Equal(t, "SENT", d.asked(id, time.Minute, 20*time.Minute))
		require.Equal(t, before-1_000*money.Naira, d.wallet())
		view, _, err := d.App.Payouts.QueryPayout(d.ctx, id)
		require.NoError(t, err, "who looks at it sees what the bank said")
		require.Contains(t, *view.Answer, "does not fit this payout")
		d.isSeen(id, "does not fit this payout")
		d.behaves(sandbox.Manner{})
		require.Equal(t, "FAILED", d.asked(id, time.Hour), "it says so of ours")
		require.Equal(t, before, d.wallet())
	})
}

func TestACodeThatTheBankDoesNotPublishLeavesAPayoutToTheDesk(t *testing.T) {
	t.Parallel()
	d := doubts(t, event.Vfd)
	d.behaves(sandbox.Manner{Code: "77"})
	id := d.withdraws()
	require.Equal(t, "SENT", d.asked(id, time.Minute, 20*time.Minute, 24*time.Hour))
	d.isSeen(id, "transactionStatus 77", notKnown)
}

func TestAReturnThatIsNotWholeOrNotDonePutsNothingBack(t *testing.T) {
	t.Parallel()
	bothRails(t, func(t *testing.T, d doubted) {
		before := d.wallet()
		id := d.withdraws()
		require.Equal(t, "PAID", d.asked(id, time.Minute))
		after := time.Minute
		for _, tells := range []string{sandbox.TellsPart, sandbox.TellsUnfinished, sandbox.TellsAnother} {
			d.behaves(sandbox.Manner{Tells: tells})
			after += 24 * time.Hour
			_, err := d.App.At(time.Now().Add(after)).Payouts.AskPayout(d.ctx, id)
			require.NoError(t, err)
			require.Equal(t, "PAID", d.asked(id), tells)
			require.Equal(t, before-1_000*money.Naira, d.wallet(), tells)
		}
		d.behaves(sandbox.Manner{})
		d.BankSays("UPDATE sandbox_payouts SET reversed_at = now()")
		_, err := d.App.Payouts.AskPayout(d.ctx, id)
		require.NoError(t, err)
		require.Equal(t, "REVERSED", d.asked(id))
		require.Equal(t, before, d.wallet(), "charges and all")
	})
}

func TestAPartThatCameBackOfWhatWasNeverHeardToBePaidPutsNothingBack(t *testing.T) {
	t.Parallel()
	d := doubts(t, event.Paystack)
	before := d.wallet()
	without := d.withoutTime()
	defer without()
	d.behaves(sandbox.Manner{Tells: sandbox.TellsPart})
	id := d.withdraws()
	require.Equal(t, "SENT", d.asked(id, time.Minute, 20*time.Minute))
	require.Equal(t, before-1_000*money.Naira, d.wallet())
	d.isSeen(id, "came back. Ask the bank about the rest.")
}

// withoutTime makes the gateway omit the time of a transfer, as in its own documentation. It returns a function that
// undoes this.
func (d doubted) withoutTime() (again func()) {
	d.Helper()
	to, err := url.Parse(d.BankURL)
	require.NoError(d, err)
	at := regexp.MustCompile(`"transferred_at":"[^"]*"`)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		body = at.ReplaceAll(body, []byte(`"transferred_at":null`))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		return err
	}
	server := httptest.NewServer(proxy)
	d.Cleanup(server.Close)
	d.App.Options.Rails = d.RailsAt(d.BankURL, server.URL)
	d.App.Payouts.Rails = d.App.Options.Rails
	return func() { d.App.Payouts.Rails = d.RailsAt(d.BankURL, d.BankURL) }
}

func TestAWithdrawalThatTheGatewaySentBackIsInTheWalletAgainAlsoWithoutItsTime(t *testing.T) {
	t.Parallel()
	d := doubts(t, event.Paystack)
	before := d.wallet()
	d.withoutTime()
	id := d.withdraws()
	require.Equal(t, "PAID", d.asked(id, time.Minute))
	d.BankSays("UPDATE sandbox_payouts SET reversed_at = now()")
	require.Equal(t, "REVERSED", d.asked(id, time.Hour))
	require.Equal(t, before, d.wallet())
}

// The bank dates a payout by its order, which may be days before the bank pays it.
func TestAPayoutThatTookDaysIsAskedAboutAfterItWasPaidLikeAnyOther(t *testing.T) {
	t.Parallel()
	d := doubts(t, event.Vfd)
	d.behaves(sandbox.Manner{Delay: time.Hour})
	id := d.withdraws()
	d.BankSays("UPDATE sandbox_payouts SET sent_at = now() - interval '4 days', settles_at = now() - interval '1 second'")
	require.Equal(t, "PAID", d.asked(id, time.Minute))
	askedAt := func() (times int) {
		require.NoError(t, d.Pool.QueryRow(d.ctx, "SELECT tries FROM asks WHERE kind = 'payout' AND id = $1", id).Scan(&times))
		return times
	}
	tries := askedAt()
	require.Equal(t, "PAID", d.asked(id, 12*time.Minute, 13*time.Minute, 7*time.Hour, 8*time.Hour, 26*time.Hour, 27*time.Hour))
	require.Equal(t, tries+3, askedAt(), "ten minutes after, six hours, and a day")
	d.BankSays("UPDATE sandbox_payouts SET reversed_at = now()")
	require.Equal(t, "REVERSED", d.asked(id, 75*time.Hour))
}
