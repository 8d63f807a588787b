package months_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

// transfers pays into the group by a bank transfer on a day of the first month, and returns its position.
func (w *world) transfers(who usecase.Who, day int) (payment string, pos int64) {
	w.Helper()
	payment = uuid.NewString()
	w.Gives(
		wallet.StartPayment{PaymentID: payment, User: who.User, Channel: apptest.Transfer, Provider: event.Vfd, Amount: 5_000 * money.Naira, ExpiresAt: time.Now().Add(time.Hour)},
		wallet.ConfirmPayment{PaymentID: payment, User: who.User, Provider: event.Vfd, Gross: 5_000 * money.Naira, ProviderRef: payment, PaidAt: time.Now()},
	)
	at := w.On(0, day).Now()
	done, err := w.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: who.User, EffectiveAt: at, Command: rules.Contribute{
		GroupID: w.Group, SubAccountID: w.Sub, User: who.User, Amount: 5_000 * money.Naira, Channel: apptest.Transfer, PaymentID: payment, At: at,
	}})
	require.NoError(w, err)
	return payment, done.Position()
}

// A payment that the bank took back is unusual for the desk, and verify finds it again.
func TestAPaymentThatTheBankTookBackIsUnusual(t *testing.T) {
	t.Parallel()
	w := setup(t, false)
	kept, pos := w.transfers(w.Validator, 8)
	refunded, odd := w.transfers(w.Owner, 9)
	back := func(payment, user string) event.Command {
		return wallet.ReversePayment{PaymentID: payment, User: user, Provider: event.Vfd, ProviderRef: "back " + payment, Reason: "disputed"}
	}
	w.Gives(back(refunded, w.Owner.User))
	require.NoError(t, w.closes(w.months(1, 2), w.Validator, w.first))
	is := recorded[*nairav1.MonthSampleNamed](w)
	require.Equal(t, []int64{odd}, is.GetAlways())
	w.Gives(back(kept, w.Validator.User))
	require.Empty(t, w.found(), "what is taken back once the list is sealed was usual on it")
	for says, always := range map[string][]int64{
		fmt.Sprintf("the payment at %d was unusual or a payout", odd): nil,
		fmt.Sprintf("the payment at %d was not unusual", pos):         {pos, odd},
	} {
		m := proto.CloneOf(is)
		m.Always = always
		put := w.planted(is, m, w.at(is))
		require.Contains(t, w.found(), says)
		put()
	}
	require.Empty(t, w.found())
}

// reverses takes a member's first contribution back.
func (w *world) reverses(who usecase.Who) {
	w.Helper()
	ctx := context.Background()
	var pos int64
	require.NoError(w, w.Pool.QueryRow(ctx, "SELECT min(pos) FROM rm_contributions WHERE group_id = $1 AND user_id = $2", w.Group, who.User).Scan(&pos))
	records, err := history.Read(ctx, w.Pool, pos-1, 1)
	require.NoError(w, err)
	w.Gives(rules.ReverseContribution{Original: records[0], By: w.Owner.User, ApprovedBy: w.Approver.User, Reason: "It was another's.", At: time.Now()})
}

// Verify counts the payments that were taken back, and a device cannot sign a position before one of them was.
func TestWhatIsAttestedToBeTakenBackWasSo(t *testing.T) {
	t.Parallel()
	w := waits(t)
	shown := w.signs(w.Validator, w.first)
	w.reverses(w.Owner)
	w.Caught()
	w.isRefused(shown, "Something has changed since you looked")
	early := w.proof(w.first)
	require.Equal(t, 1, early.Attestation.TakenBack)
	early.Attestation.Position = shown.Position
	w.isRefused(w.devices[w.Validator.User].Attests(early), "Something has changed since you looked")
	require.NoError(t, w.attests(w.Validator, w.first))
	is := recorded[*nairav1.PeriodAttestedV2](w)
	require.EqualValues(t, 1, is.GetUndone())
	require.Empty(t, w.found())
	w.reverses(w.Member)
	require.Empty(t, w.found(), "what is taken back later changes nothing")
	before := proto.CloneOf(is)
	before.Undone, before.Position = 0, shown.Position
	put := w.planted(is, before, w.at(is))
	require.NotContains(t, w.found(), "to be taken back", "by then nothing was")
	put()
	for _, said := range []int32{0, 2} {
		m := proto.CloneOf(is)
		m.Undone = said
		put := w.planted(is, m, w.at(is))
		require.Contains(t, w.found(), fmt.Sprintf("%d are attested to be taken back and 1 were", said))
		put()
	}
	require.Empty(t, w.found())
}
