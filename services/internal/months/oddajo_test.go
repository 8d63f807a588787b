package months_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	marking "adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/phones"
	"adashi.ng/services/internal/usecase"
)

const hand = 1000 * money.Naira

// rotating is an ajo of the group's owner, validator and member, in the order of their seats.
type rotating struct {
	*world
	id    string
	seats []usecase.Who
}

// rotates starts an ajo whose first due is on a day.
func rotates(t *testing.T, frequency nairav1.PaymentFrequency, day int32, first string) *rotating {
	t.Helper()
	w := setup(t, false)
	r := &rotating{w, uuid.NewString(), []usecase.Who{w.Owner, w.Validator, w.Member}}
	w.Fund(w.Member.User)
	terms := rules.Usual()
	terms.AmountKobo, terms.Seats, terms.Frequency, terms.DueDay = int64(hand), 3, frequency, 15
	r.happens(time.Time{}, &nairav1.AjoCreated{AjoId: r.id, OwnerId: w.Owner.User, Name: "Balogun", Terms: terms})
	terms = proto.CloneOf(terms)
	terms.DueDay = day
	r.happens(time.Time{}, &nairav1.AjoTermsChanged{AjoId: r.id, Terms: terms})
	for n, who := range r.seats {
		r.happens(time.Time{}, &nairav1.AjoSeatTakenV2{AjoId: r.id, Seat: int32(n + 1), UserId: who.User, Halves: 2})
	}
	r.happens(time.Time{}, &nairav1.AjoStarted{AjoId: r.id, Order: []int32{1, 2, 3}, FirstDue: first, FirstCycle: 1, ValidatorId: w.Validator.User})
	return r
}

// happens records an event of the ajo at a time, and returns its position.
func (r *rotating) happens(at time.Time, m proto.Message) int64 {
	r.Helper()
	stream := rules.Stream(r.id)
	if c, is := m.(interface{ GetCycle() int32 }); is {
		stream = ajopot.CycleStream(r.id, int(c.GetCycle()))
	}
	done, err := r.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "system", Command: ledgertest.Raw{event.On(stream, m)}, EffectiveAt: at})
	require.NoError(r, err)
	return done.Position()
}

// at is a time of a day in Lagos.
func (r *rotating) at(day string) time.Time {
	r.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", day, lagos.Zone)
	require.NoError(r, err)
	return at
}

// due pays a seat's due of a cycle, by its holder or by another member.
func (r *rotating) due(at string, cycle, seat int, by usecase.Who) int64 {
	r.Helper()
	return r.happens(r.at(at), &nairav1.AjoContributed{
		AjoId: r.id, Cycle: int32(cycle), Seat: int32(seat), UserId: r.seats[seat-1].User, PaidBy: by.User, AmountKobo: int64(hand), Channel: nairav1.Channel_CHANNEL_WALLET,
	})
}

// back gives a due back.
func (r *rotating) back(at string, cycle, seat int, by usecase.Who) int64 {
	r.Helper()
	return r.happens(r.at(at), &nairav1.AjoContributionReturned{
		AjoId: r.id, Cycle: int32(cycle), Seat: int32(seat), UserId: r.seats[seat-1].User, PaidBy: by.User, AmountKobo: int64(hand), ToUserId: by.User,
	})
}

// closed makes the validator seal the list of a month, and returns the payments that must always be examined.
func (r *rotating) closed(month string) *nairav1.MonthSampleNamed {
	r.Helper()
	r.Caught()
	then := r.of(r.App.At(time.Now().Add(-10 * time.Minute)))
	_, _, err := then.Close(context.Background(), r.Validator, r.id, contract.CloseMonthRequest{Month: month, MarginPercent: 5})
	require.NoError(r, err)
	r.Caught()
	is := recorded[*nairav1.MonthSampleNamed](r.world)
	r.recordedAsDecided(is)
	return is
}

// isFound checks that verify finds each omitted unusual payment, and each usual one that was added.
func (r *rotating) isFound(is *nairav1.MonthSampleNamed, usual ...int64) {
	r.Helper()
	spoilt := func(always []int64, says string, pos int64) {
		m := proto.CloneOf(is)
		m.Always = always
		put := r.planted(is, m, r.world.at(is))
		require.Contains(r, r.found(), fmt.Sprintf(says, pos))
		put()
	}
	for n, pos := range is.GetAlways() {
		spoilt(append(append([]int64{}, is.GetAlways()[:n]...), is.GetAlways()[n+1:]...), "the payment at %d was unusual or a payout", pos)
	}
	for _, pos := range usual {
		spoilt(append([]int64{pos}, is.GetAlways()...), "the payment at %d was not unusual", pos)
	}
	require.Empty(r, r.found())
}

// Verify works out from the ledger again which dues of an ajo were late: weekly, every two weeks, and monthly, on the
// last day of a shorter month.
func TestDuesOfAnAjoThatWereLateAreFoundAgain(t *testing.T) {
	t.Parallel()
	type paid struct {
		cycle int
		at    string
		late  bool
	}
	for name, c := range map[string]struct {
		frequency    nairav1.PaymentFrequency
		day          int32
		first, month string
		dues         []paid // From cycle 3 on a pause moves them a period later.
	}{
		"weekly": {nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, 0, "2025-03-03", "2025-03", []paid{
			{2, "2025-03-10 23:59", false}, {2, "2025-03-11 00:00", true}, {3, "2025-03-24 23:59", false}, {3, "2025-03-25 00:00", true},
		}},
		"every two weeks": {nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY, 0, "2024-12-20", "2025-01", []paid{
			{2, "2025-01-03 23:59", false}, {2, "2025-01-04 00:00", true}, {3, "2025-01-18 00:00", false}, {3, "2025-01-31 23:59", false},
		}},
		"monthly": {nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, 20, "2025-01-20", "2025-04", []paid{
			{2, "2025-04-01 09:00", true}, {3, "2025-04-20 23:59", false}, {3, "2025-04-21 00:00", true},
		}},
		"on the last day of a shorter month": {nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, 31, "2025-03-31", "2025-05", []paid{
			{2, "2025-05-01 00:00", true}, {3, "2025-05-31 23:59", false},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rotates(t, c.frequency, c.day, c.first)
			paused := r.happens(time.Time{}, &nairav1.AjoPaused{AjoId: r.id, FromCycle: 3})
			r.recordedAt(paused, time.Now().Add(-time.Hour))
			var late, usual []int64
			for n, p := range c.dues {
				pos := r.due(p.at, p.cycle, n%2+1, r.seats[n%2])
				if p.late {
					late = append(late, pos)
				} else {
					usual = append(usual, pos)
				}
			}
			is := r.closed(c.month)
			require.EqualValues(t, len(c.dues), is.GetPopulation())
			require.Equal(t, late, is.GetAlways())
			require.Empty(t, r.found())
			r.isFound(is, usual...)
		})
	}
}

func TestCoversReturnsAndPayoutsOfAnAjoAreFoundAgain(t *testing.T) {
	t.Parallel()
	r := rotates(t, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, 0, "2025-03-03")
	usual := r.due("2025-03-03 09:00", 1, 1, r.Owner)
	given := r.due("2025-03-03 10:00", 1, 2, r.Validator)
	cover := r.due("2025-03-03 11:00", 1, 3, r.Owner)
	back := r.back("2025-03-03 12:00", 1, 2, r.Validator) // A return alone is usual.
	again := r.due("2025-03-03 13:00", 1, 2, r.Validator)
	payout := r.happens(r.at("2025-03-04 09:00"), &nairav1.AjoPaid{AjoId: r.id, Cycle: 1, Seat: 1, GrossKobo: int64(3 * hand), UserId: r.Owner.User, AmountKobo: int64(3 * hand)})
	later := r.due("2025-03-10 09:00", 2, 2, r.Validator)
	is := r.closed("2025-03")
	require.Equal(t, []int64{given, cover, payout}, is.GetAlways())
	require.EqualValues(t, 7, is.GetPopulation())
	require.Empty(t, r.found())
	r.back("2025-03-10 12:00", 2, 2, r.Validator)
	require.Empty(t, r.found(), "what is given back after the list is sealed was usual on it")
	r.isFound(is, usual, back, again, later)
}

// An earlier build read the calendar before the payments, so verify accepts either answer about a pause between the
// two.
func TestAListThatDidNotKnowOfAPauseOfItsMinuteIsNoViolation(t *testing.T) {
	t.Parallel()
	r := rotates(t, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, 0, "2025-03-03")
	late := r.due("2025-03-11 09:00", 2, 1, r.Owner)
	paused := r.happens(time.Time{}, &nairav1.AjoPaused{AjoId: r.id, FromCycle: 2})
	is := r.closed("2025-03")
	require.Empty(t, is.GetAlways(), "the list knows of it")
	require.Empty(t, r.found())
	was := proto.CloneOf(is)
	was.Always = []int64{late}
	says := fmt.Sprintf("the payment at %d was not unusual", late)
	put := r.planted(is, was, r.world.at(is))
	require.NotContains(t, r.found(), says)
	r.recordedAt(paused, time.Now().Add(-time.Hour))
	require.Contains(t, r.found(), says)
	put()
	require.Empty(t, r.found())
}

// attests closes a month and marks its payments, and returns a function with which the validator's device signs its
// present state.
func (r *rotating) attests(month string) (signs func() contract.AttestMonthRequest, device phones.Phone) {
	r.Helper()
	r.closed(month)
	r.draws()
	ctx := context.Background()
	page, err := r.App.Audit.Ajo(ctx, r.Validator.User, r.id, marking.WhichOfAjo{}, nil, 100)
	require.NoError(r, err)
	marks := []marking.Marking{}
	for _, p := range page.Payments {
		marks = append(marks, marking.Marking{ID: p.Id, Mark: "VALIDATED"})
	}
	_, _, err = r.App.Audit.MarkAjo(ctx, r.Validator, r.id, marks)
	require.NoError(r, err)
	device = phones.New()
	_, _, err = r.of(r.App).Register(ctx, r.Validator, device.Registers(r.Validator.User))
	require.NoError(r, err)
	return func() contract.AttestMonthRequest {
		r.Caught()
		draw, err := r.of(r.App).Draw(ctx, r.Validator.User, r.id, month)
		require.NoError(r, err)
		return device.Attests(draw)
	}, device
}

// When a due is given back between showing and signing, the validator must look again if the due is of this month in
// Lagos time. A due of the month before or after does not matter, even if another due of its cycle is of this month.
func TestADueOfAnotherMonthThatIsGivenBackIsNoHindrance(t *testing.T) {
	t.Parallel()
	type paid struct {
		cycle, seat int
		at          string
		of          bool // The month.
	}
	for name, c := range map[string]struct {
		frequency nairav1.PaymentFrequency
		day       int32
		first     string
		dues      []paid
	}{
		"weekly": {nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, 0, "2025-03-01", []paid{
			{1, 1, "2025-02-28 23:59", false}, {1, 3, "2025-03-01 00:00", true}, {3, 3, "2025-03-31 23:59", true}, {3, 1, "2025-04-01 00:00", false},
		}},
		"monthly": {nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, 28, "2025-02-28", []paid{
			{1, 1, "2025-02-28 23:59", false}, {1, 3, "2025-03-01 00:00", true}, {2, 3, "2025-03-31 23:59", true}, {2, 1, "2025-04-01 00:00", false},
		}},
	} {
		for _, given := range c.dues {
			t.Run(name+" "+given.at, func(t *testing.T) {
				t.Parallel()
				r := rotates(t, c.frequency, c.day, c.first)
				for _, p := range c.dues {
					r.due(p.at, p.cycle, p.seat, r.seats[p.seat-1])
				}
				signs, _ := r.attests("2025-03")
				shown := signs()
				r.back("2025-04-05 09:00", given.cycle, given.seat, r.seats[given.seat-1])
				r.Caught()
				_, _, err := r.of(r.App).Attest(context.Background(), r.Validator, r.id, shown)
				if given.of {
					require.ErrorContains(t, err, "Something has changed since you looked. Look again")
					_, _, err = r.of(r.App).Attest(context.Background(), r.Validator, r.id, signs())
				}
				require.NoError(t, err)
				is := recorded[*nairav1.PeriodAttestedV2](r.world)
				require.Equal(t, []any{int32(2), given.of}, []any{is.GetValidated(), is.GetUndone() == 1})
				require.Empty(t, r.found())
			})
		}
	}
}

// When a payment of an ajo is taken back between showing and signing, its validator must look again, and verify counts
// it.
func TestWhatIsTakenBackOfAnAjoIsCountedAgain(t *testing.T) {
	t.Parallel()
	r := rotates(t, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, 0, "2025-03-03")
	r.due("2025-03-03 09:00", 1, 1, r.Owner)
	r.due("2025-03-03 10:00", 1, 3, r.Member)
	ctx := context.Background()
	signs, device := r.attests("2025-03")
	shown := signs()
	r.back("2025-03-04 09:00", 1, 1, r.Owner)
	r.Caught()
	_, _, err := r.of(r.App).Attest(ctx, r.Validator, r.id, shown)
	require.ErrorContains(t, err, "Something has changed since you looked")
	draw, err := r.of(r.App).Draw(ctx, r.Validator.User, r.id, "2025-03")
	require.NoError(t, err)
	require.Equal(t, 1, draw.Attestation.TakenBack)
	draw.Attestation.Position = shown.Position // Its own device signs a position before the payment was taken back.
	_, _, err = r.of(r.App).Attest(ctx, r.Validator, r.id, device.Attests(draw))
	require.ErrorContains(t, err, "Something has changed since you looked")
	_, _, err = r.of(r.App).Attest(ctx, r.Validator, r.id, signs())
	require.NoError(t, err)
	require.Empty(t, r.found())
	r.back("2025-03-05 09:00", 1, 3, r.Member)
	require.Empty(t, r.found(), "what is taken back later changes nothing")
	is := recorded[*nairav1.PeriodAttestedV2](r.world)
	require.EqualValues(t, 1, is.GetUndone())
	before := proto.CloneOf(is)
	before.Undone, before.Position = 0, shown.Position
	put := r.planted(is, before, r.world.at(is))
	require.NotContains(t, r.found(), "to be taken back", "by then nothing was")
	put()
	for _, said := range []int32{0, 2} {
		m := proto.CloneOf(is)
		m.Undone = said
		put := r.planted(is, m, r.world.at(is))
		require.Contains(t, r.found(), fmt.Sprintf("%d are attested to be taken back and 1 were", said))
		put()
	}
}
