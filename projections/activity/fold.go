package activity

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

// folding collects the effects of a batch of events.
type folding struct {
	changes  engine.Changes
	payments payments
	returned []engine.Event // Payouts of groups that the bank returned.
	rows     *pgcopy.Rows   // Of rm_movements.
	fields   int
}

var table = engine.Handlers(slices.Concat(movementHandlers, ajoHandlers, paymentHandlers)...)

var moving = engine.Handlers(slices.Concat(movementHandlers, ajoHandlers)...)

// Lists reports whether events of a message's type are movements in the activity of the members whose wallets they
// move.
func Lists(m proto.Message) bool { return moving.Takes(m) }

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{}
	err := write.Copy(ctx, tx, "rm_movements", movementsWritten, func(rows *pgcopy.Rows, fields int) {
		f.rows, f.fields = rows, fields
		for _, e := range events {
			table.Take(f, e)
		}
	})
	if err != nil {
		return f.changes, err
	}
	if err := f.savingsReturned(ctx, tx); err != nil {
		return f.changes, err
	}
	return f.changes, f.payments.write(ctx, tx)
}

// savingsReturned writes the returned payouts that were a member's savings: those that are among the movements.
func (f *folding) savingsReturned(ctx context.Context, tx pgx.Tx) error {
	var came []moved
	var events []engine.Event
	for _, e := range f.returned {
		m := e.Message.(*nairav1.LiquidationReversedV3)
		var user string
		err := tx.QueryRow(ctx, "SELECT user_id FROM rm_movements WHERE reference = $1 AND kind = '"+SavingsPaidOut+"' LIMIT 1", m.GetLiquidationId()).Scan(&user)
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		events = append(events, e)
		came = append(came, moved{
			user: user, kind: SavingsReturned, kobo: m.GetAmountKobo(), reference: m.GetLiquidationId(), channel: nairav1.Channel_CHANNEL_BANK_TRANSFER,
			group: m.GetGroupId(), sub: m.GetSubAccountId(),
		})
	}
	if len(came) == 0 {
		return nil
	}
	return write.Copy(ctx, tx, "rm_movements", movementsWritten, func(rows *pgcopy.Rows, fields int) {
		f.rows, f.fields = rows, fields
		for n, m := range came {
			f.moved(events[n], m)
		}
	})
}

// moved writes an event's effect on a member's wallet.
func (f *folding) moved(e engine.Event, m moved) {
	f.rows.Row(f.fields)
	m.write(f.rows, e)
	f.changes.User(m.user, "activity")
}

// held writes a change of a hold, if it holds money of a wallet. Captured money has left the wallet before.
func (f *folding) held(e engine.Event, kind string, m interface {
	GetHoldId() string
	GetAccount() string
	GetAmountKobo() int64
},
) {
	if user, ok := strings.CutPrefix(m.GetAccount(), "wallet:"); ok {
		f.moved(e, moved{user: user, kind: kind, kobo: m.GetAmountKobo(), reference: m.GetHoldId(), channel: nairav1.Channel_CHANNEL_WALLET})
	}
}

const movementsWritten = "pos, id, user_id, kind, kobo, incoming, charge_kobo, balance_kobo, effective_at, recorded_at, reference, channel, group_id, sub_account_id, settled, lines, leaf, ajo_id"

// Line is one leg of a movement's double entry.
type Line struct {
	Account string     `json:"account"`
	Kobo    money.Kobo `json:"kobo"`
}

// Settled is a due that a contribution paid.
type Settled struct {
	Period string     `json:"period"`
	Kobo   money.Kobo `json:"kobo"`
}

// moved is an event's effect on a member's wallet.
type moved struct {
	user, kind, reference, group, sub string
	ajo                               string // Or a card.
	kobo, charge                      int64
	channel                           nairav1.Channel
	settled                           []*nairav1.Settlement
}

// movementHandlers write the effects of events on wallets.
var movementHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.PaymentConfirmedV2) {
		f.moved(e, moved{user: m.GetUserId(), kind: WalletFunded, kobo: m.GetAmountKobo(), charge: m.GetChargeKobo(), reference: m.GetPaymentId(), channel: m.GetChannel()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.PaymentReversedV3) {
		f.moved(e, moved{user: m.GetUserId(), kind: PaymentReversed, kobo: m.GetAmountKobo() - m.GetShortfallKobo(), charge: m.GetChargeKobo(), reference: m.GetPaymentId(), channel: m.GetChannel()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionReceived) {
		reference := m.GetPaymentId()
		if reference == "" {
			reference = e.Correlation
		}
		f.moved(e, moved{
			user: m.GetUserId(), kind: Contribution, kobo: m.GetAmountKobo(), reference: reference, channel: m.GetChannel(),
			group: m.GetGroupId(), sub: m.GetSubAccountId(), settled: m.GetSettled(),
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionCovered) {
		f.moved(e, moved{
			user: m.GetPaidBy(), kind: Cover, kobo: m.GetAmountKobo(), reference: e.Correlation, channel: nairav1.Channel_CHANNEL_WALLET,
			group: m.GetGroupId(), sub: m.GetSubAccountId(), settled: m.GetSettled(),
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionReversed) {
		f.moved(e, moved{
			user: m.GetUserId(), kind: ContributionReversed, kobo: m.GetAmountKobo(), reference: m.GetEventId(), channel: nairav1.Channel_CHANNEL_WALLET,
			group: m.GetGroupId(), sub: m.GetSubAccountId(),
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.GroupRestPaid) {
		f.moved(e, moved{
			user: m.GetUserId(), kind: GroupRest, kobo: m.GetAmountKobo(), reference: e.Correlation, channel: nairav1.Channel_CHANNEL_WALLET,
			group: m.GetGroupId(), sub: m.GetSubAccountId(),
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalRequestedV2) {
		f.moved(e, moved{
			user: m.GetUserId(), kind: Withdrawal, kobo: m.GetAmountKobo(), charge: m.GetFeeKobo() + m.GetVatKobo() + m.GetDutyKobo(),
			reference: m.GetWithdrawalId(), channel: nairav1.Channel_CHANNEL_BANK_TRANSFER,
		})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalFailed) {
		f.moved(e, returned(m))
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalReversedV2) {
		f.moved(e, returned(m))
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationPaidV2) {
		if m.GetKind() != nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL {
			return
		}
		f.moved(e, moved{
			user: m.GetRequestedBy(), kind: SavingsPaidOut, kobo: m.GetAmountKobo(), charge: m.GetFeeKobo() + m.GetVatKobo() + m.GetDutyKobo(),
			reference: m.GetLiquidationId(), channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, group: m.GetGroupId(), sub: m.GetSubAccountId(),
		})
	}),
	engine.On(func(f *folding, e engine.Event, _ *nairav1.LiquidationReversedV3) {
		f.returned = append(f.returned, e)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.UnmatchedAssigned) {
		f.moved(e, moved{user: m.GetUserId(), kind: UnmatchedAssigned, kobo: m.GetAmountKobo(), reference: m.GetProviderRef(), channel: m.GetChannel()})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AssignedTakenBack) {
		if m.GetAmountKobo() > 0 {
			f.moved(e, moved{user: m.GetUserId(), kind: PaymentReversed, kobo: m.GetAmountKobo(), reference: m.GetProviderRef(), channel: m.GetChannel()})
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AdjustmentPosted) {
		kind := AdjustmentPaid
		if m.GetTakesBack() {
			kind = AdjustmentTaken
		}
		f.moved(e, moved{user: m.GetUserId(), kind: kind, kobo: m.GetAmountKobo(), reference: m.GetDisputeId(), channel: nairav1.Channel_CHANNEL_WALLET})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DebtOpened) {
		f.moved(e, moved{user: m.GetUserId(), kind: DebtOpened, kobo: m.GetAmountKobo(), reference: m.GetPaymentId(), channel: nairav1.Channel_CHANNEL_WALLET})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DebtSettled) {
		f.moved(e, moved{user: m.GetUserId(), kind: DebtSettled, kobo: m.GetAmountKobo(), reference: e.Correlation, channel: nairav1.Channel_CHANNEL_WALLET})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.HoldCaptured) {
		if user, ok := strings.CutPrefix(m.GetToAccount(), "wallet:"); ok {
			f.moved(e, moved{user: user, kind: HoldEnded, kobo: m.GetAmountKobo(), reference: m.GetHoldId(), channel: nairav1.Channel_CHANNEL_WALLET})
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ReturnedMoneyParkedV2) {
		// It came back to an account that is closed, so it is in suspense.
		if user, ok := strings.CutPrefix(m.GetAccount(), "wallet:"); ok {
			f.moved(e, moved{user: user, kind: MoneyHeld, kobo: m.GetAmountKobo(), reference: m.GetReference(), channel: m.GetChannel()})
		}
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.HoldPlaced) {
		f.held(e, MoneyHeld, m)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.HoldReleased) {
		f.held(e, HoldEnded, m)
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.HoldExpired) {
		f.held(e, HoldEnded, m)
	}),
}

// returned is the movement for a withdrawal that the bank returned.
func returned(m interface {
	GetUserId() string
	GetWithdrawalId() string
	GetAmountKobo() int64
},
) moved {
	return moved{
		user: m.GetUserId(), kind: WithdrawalReturned, kobo: m.GetAmountKobo(), reference: m.GetWithdrawalId(), channel: nairav1.Channel_CHANNEL_BANK_TRANSFER,
	}
}

// write writes the fields of movementsWritten.
func (m moved) write(rows *pgcopy.Rows, e engine.Event) {
	lines, balance := make([]Line, 0, len(e.Lines)), money.Kobo(0)
	for _, l := range e.Lines {
		lines = append(lines, Line{l.Account, l.Amount})
		if l.Account == "wallet:"+m.user {
			balance = l.Balance
		}
	}
	dues := make([]Settled, 0, len(m.settled))
	for _, s := range m.settled {
		dues = append(dues, Settled{s.GetPeriod(), money.Kobo(s.GetAmountKobo())})
	}
	id, leaf := e.ID(), e.Leaf()
	rows.Bigint(e.Pos)
	rows.Bytes(id[:])
	rows.Text(m.user)
	rows.Text(m.kind)
	rows.Bigint(m.kobo)
	rows.Boolean(Incoming(m.kind))
	rows.Bigint(m.charge)
	rows.Bigint(int64(balance))
	rows.Timestamptz(e.EffectiveAt)
	rows.Timestamptz(e.RecordedAt)
	rows.Text(m.reference)
	rows.Integer(int32(m.channel))
	rows.Text(m.group)
	rows.Text(m.sub)
	rows.Bytes(write.JSON(dues)) // Texts of JSON: Postgres need not parse them to keep them.
	rows.Bytes(write.JSON(lines))
	rows.Bytes(leaf[:])
	rows.Text(m.ajo)
}
