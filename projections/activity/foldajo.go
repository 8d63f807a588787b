package activity

import (
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// The kinds of movement of ajo money.
const (
	AjoContribution   = "AJO_CONTRIBUTION"
	AjoCover          = "AJO_COVER"    // A due that was paid for another member.
	AjoReturned       = "AJO_RETURNED" // A contribution that came back.
	AjoDeposit        = "AJO_DEPOSIT"
	AjoDepositReturn  = "AJO_DEPOSIT_RETURNED"
	AjoDebtPaid       = "AJO_DEBT_PAID"
	AjoDebtReceived   = "AJO_DEBT_RECEIVED"
	AjoPlaceBought    = "AJO_PLACE_BOUGHT"
	AjoPlaceSold      = "AJO_PLACE_SOLD"
	AjoDiscount       = "AJO_DISCOUNT" // A seat's part of a bid for a turn.
	AjoPayout         = "AJO_PAYOUT"
	AjoCardFilled     = "AJO_CARD_FILLED"
	AjoCardPaid       = "AJO_CARD_PAID"       // The content of a card.
	AjoCardCommission = "AJO_CARD_COMMISSION" // To a card's collector.
)

// ajoIncoming are the kinds that bring money into the wallet.
var ajoIncoming = []string{
	AjoReturned, AjoDepositReturn, AjoDebtReceived, AjoPlaceSold, AjoDiscount, AjoPayout, AjoCardPaid, AjoCardCommission,
}

// ofAjo describes a movement of ajo money. ajo is the ajo's id, or the card's.
type ofAjo struct {
	ajo, payment string
	out, in      string // The kind for the wallet that it left, and for the one that it entered.
	channel      nairav1.Channel
	saver        string // Of a card that ended: the saver gets its content.
	charge       int64  // Taken from that.
}

// movedAjo writes an event's effect on each wallet, by the event's own lines.
func (f *folding) movedAjo(e engine.Event, m ofAjo) {
	byUser, users := map[string]int64{}, []string{}
	for _, line := range e.Lines {
		if user, ok := strings.CutPrefix(line.Account, "wallet:"); ok {
			if !slices.Contains(users, user) {
				users = append(users, user)
			}
			byUser[user] += int64(line.Amount)
		}
	}
	reference, channel := m.payment, m.channel
	if reference == "" {
		reference = e.Correlation
	}
	if channel == nairav1.Channel_CHANNEL_UNSPECIFIED {
		channel = nairav1.Channel_CHANNEL_WALLET
	}
	for _, user := range users {
		row := moved{user: user, kind: m.in, kobo: byUser[user], reference: reference, channel: channel, ajo: m.ajo}
		if user == m.saver {
			row.kind, row.charge = AjoCardPaid, m.charge
		}
		if row.kobo < 0 {
			row.kind, row.kobo = m.out, -row.kobo
		}
		if row.kobo != 0 {
			f.moved(e, row)
		}
	}
}

// ajoHandlers write the effects of rotating savings and cards on wallets.
var ajoHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoContributed) {
		kind := AjoContribution
		if m.GetPaidBy() != m.GetUserId() {
			kind = AjoCover
		}
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), payment: m.GetPaymentId(), out: kind, channel: m.GetChannel()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoContributionReturned) {
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), in: AjoReturned})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDepositPaid) {
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), payment: m.GetPaymentId(), out: AjoDeposit, channel: m.GetChannel()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDepositReturned) {
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), in: AjoDepositReturn})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDebtPaid) {
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), payment: m.GetPaymentId(), out: AjoDebtPaid, in: AjoDebtReceived})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoPlaceTaken) {
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), out: AjoPlaceBought, in: AjoPlaceSold})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoDiscountPaid) {
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), in: AjoDiscount})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoPaid) {
		f.movedAjo(e, ofAjo{ajo: m.GetAjoId(), in: AjoPayout})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCardFilled) {
		f.movedAjo(e, ofAjo{ajo: m.GetCardId(), payment: m.GetPaymentId(), out: AjoCardFilled, channel: m.GetChannel()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCardBroken) { f.cardEnded(e, m, m.GetFeeKobo()) }),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCardMatured) { f.cardEnded(e, m, 0) }),
}

// cardEnded writes what a card's saver and collector got.
func (f *folding) cardEnded(e engine.Event, m interface {
	GetCardId() string
	GetUserId() string
}, fee int64,
) {
	f.movedAjo(e, ofAjo{ajo: m.GetCardId(), in: AjoCardCommission, saver: m.GetUserId(), charge: fee})
}
