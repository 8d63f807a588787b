package projections_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/notifications/told"
)

// toldOfAjos states again who is notified of rotating savings, by the ledger's own states from the first event on.
func toldOfAjos(m proto.Message, lives map[string]ajo.Ajo, collectors map[string]string, tell func(about, typ string, users ...string)) {
	of, ok := m.(interface{ GetAjoId() string })
	if !ok {
		toldOfCards(m, collectors, tell)
		return
	}
	id := of.GetAjoId()
	lives[id] = ajo.Ajos.Evolve(lives[id], event.Happened{Message: m, EffectiveAt: time.Time{}}).(ajo.Ajo)
	a := lives[id]
	seat := func(n int32) []string { return a.Seats[n-1].Users() }
	next := func(cycle int32) {
		if int(cycle) <= len(a.Order) {
			tell("", told.AjoTurnNext, seat(int32(a.Order[cycle-1]))...)
		}
	}
	switch m := m.(type) {
	case *nairav1.AjoSeatFreed:
		switch {
		case m.GetReason() == "cancelled" && len(a.SeatsOf(m.GetUserId())) == 0:
			tell("", told.AjoTerminated, m.GetUserId())
		case m.GetReason() == "terms" && len(a.SeatsOf(m.GetUserId())) == 0:
			tell("", told.AjoTermsChanged, m.GetUserId())
		}
	case *nairav1.AjoPaymentMarkedV2:
		if m.GetMark() == nairav1.Mark_MARK_QUERIED {
			tell("", told.AjoPaymentQueried, m.GetUserIds()...)
		}
	case *nairav1.AjoDuesReminded:
		tell("", map[bool]string{true: told.AjoOverdue, false: told.AjoDue}[m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_OVERDUE], m.GetUserIds()...)
	case *nairav1.AjoOrderDrawn:
		tell("", told.AjoOrderDrawn, a.Members()...)
	case *nairav1.AjoStarted:
		tell("", told.AjoStarted, a.Members()...)
		next(m.GetFirstCycle())
	case *nairav1.AjoSwapProposed:
		tell(m.GetProposedBy(), told.AjoSwapRequested, append(append(seat(m.GetSeat()), seat(m.GetWithSeat())...), a.Owner)...)
	case *nairav1.AjoPlaceOpened:
		tell(m.GetUserId(), told.AjoPlaceOpened, a.Members()...)
	case *nairav1.AjoPlaceTaken:
		tell(m.GetToUserId(), told.AjoPlaceTaken, append(a.Members(), m.GetFromUserId())...)
	case *nairav1.AjoDepositUsed:
		tell("", told.AjoDepositUsed, m.GetUserId())
	case *nairav1.AjoMotionMade:
		tell(m.GetMadeBy(), told.AjoMotionMade, a.Members()...)
	case *nairav1.AjoPaused:
		tell("", told.AjoPaused, a.Members()...)
	case *nairav1.AjoContributed:
		if m.GetGift() && m.GetPaidBy() != m.GetUserId() {
			tell(m.GetPaidBy(), told.AjoGift, m.GetUserId())
		}
	case *nairav1.AjoOfficesPassed:
		tell("", told.AjoOfficesPassed, a.Members()...)
	case *nairav1.AjoCycleReady:
		tell("", told.AjoPayoutReady, seat(m.GetSeat())...)
		next(m.GetCycle() + 1)
	case *nairav1.AjoPayoutRequested:
		for _, user := range a.Members() {
			if _, holds := a.Place(a.Order[m.GetCycle()-1], user); !holds {
				tell("", told.AjoPayoutRequested, user)
			}
		}
	case *nairav1.AjoPayoutRefused:
		tell("", told.AjoPayoutRefused, seat(int32(a.Order[m.GetCycle()-1]))...)
	case *nairav1.AjoPaid:
		typ := told.AjoPayoutPaid
		if a.Cycles[m.GetCycle()-1].Missing > 0 {
			typ = told.AjoPayoutShort
		}
		tell("", typ, m.GetUserId(), m.GetOtherUserId())
	case *nairav1.AjoDebtOpened:
		tell("", told.AjoDebtOpened, m.GetDebtorId(), m.GetCreditorId())
		if m.GetPenaltyKobo() > 0 {
			tell("", told.AjoPenaltyApplied, m.GetDebtorId())
		}
	case *nairav1.AjoDebtPaid:
		tell("", told.AjoDebtPaid, m.GetCreditorId())
		if m.GetTaken() != "" {
			tell("", told.AjoDebtPaid, m.GetDebtorId())
		}
	case *nairav1.AjoDebtForgiven:
		tell("", told.AjoDebtPaid, m.GetDebtorId())
	case *nairav1.AjoDiscountPaid:
		tell("", told.AjoPayoutPaid, m.GetUserId())
	case *nairav1.AjoCompleted:
		tell("", told.AjoCompleted, a.Members()...)
	}
}

func toldOfCards(m proto.Message, collectors map[string]string, tell func(about, typ string, users ...string)) {
	switch m := m.(type) {
	case *nairav1.AjoCardCollectorSet:
		tell("", told.AjoCardCollector, m.GetUserId(), m.GetCollectorId(), collectors[m.GetCardId()])
		collectors[m.GetCardId()] = m.GetCollectorId()
	case *nairav1.AjoCardFilled:
		tell(m.GetPaidBy(), told.AjoCardFilled, m.GetUserId())
	case *nairav1.AjoCardMatured:
		tell("", told.AjoCardMatured, m.GetUserId(), m.GetCollectorId())
	case *nairav1.AjoCardBroken:
		tell("", told.AjoCardMatured, m.GetCollectorId())
	}
}

func TestMembersAreToldOfAPauseAndOfAGiftButNotOfACoverOrTheirOwnPayment(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	plant := func(m proto.Message) int64 {
		body, err := proto.Marshal(m)
		require.NoError(t, err)
		return h.plant(string(m.ProtoReflect().Descriptor().FullName()), body)
	}
	plant(&nairav1.AjoCreated{AjoId: "a9", OwnerId: "efe", Name: "Balogun", Terms: &nairav1.AjoTerms{
		AmountKobo: 5_000_00, Seats: 2, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, DueDay: 1, StartMonth: 3, StartYear: 2026,
	}})
	for n, user := range []string{"efe", "uche"} {
		plant(&nairav1.AjoSeatTakenV2{AjoId: "a9", UserId: user, Seat: int32(n + 1), Halves: 2})
	}
	plant(&nairav1.AjoStarted{AjoId: "a9", Order: []int32{1, 2}, FirstDue: "2026-03-02", FirstCycle: 1, ValidatorId: "uche"})
	paid := func(by string, gift bool) int64 {
		return plant(&nairav1.AjoContributed{AjoId: "a9", Cycle: 1, Seat: 2, UserId: "uche", PaidBy: by, AmountKobo: 5_000_00, Gift: gift})
	}
	plant(&nairav1.AjoContributed{AjoId: "a9", Cycle: 1, Seat: 1, UserId: "efe", PaidBy: "efe", AmountKobo: 5_000_00, Gift: true})
	paid("efe", false)
	gift, pause := paid("efe", true), plant(&nairav1.AjoPaused{AjoId: "a9", FromCycle: 2})
	require.NoError(t, h.engine().CatchUp(t.Context()))
	var found []string
	for one := range h.told() {
		if one.pos >= gift-2 {
			found = append(found, fmt.Sprint(one.user, " ", one.typ, " ", one.pos-gift))
		}
	}
	require.Equal(t, gift+1, pause)
	require.ElementsMatch(t, []string{"uche ajo_gift 0", "uche ajo_paused 1", "efe ajo_paused 1"}, found)
}
