// Package activity is the read model of every movement of a member's money, and of the payments on their way.
package activity

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/base/pgcopy"
)

// Name is the model's name.
const Name = "activity"

// The kinds of movement.
const (
	WalletFunded         = "WALLET_FUNDED"
	PaymentReversed      = "PAYMENT_REVERSED"
	Contribution         = "CONTRIBUTION"
	ContributionReversed = "CONTRIBUTION_REVERSED"
	Cover                = "COVER" // A contribution for another member.
	MoneyHeld            = "MONEY_HELD"
	HoldEnded            = "HOLD_ENDED" // Held money came back.
	Withdrawal           = "WITHDRAWAL"
	WithdrawalReturned   = "WITHDRAWAL_RETURNED"
	SavingsPaidOut       = "SAVINGS_PAID_OUT"   // From a group to the member's bank account: their wallet is as it was.
	UnmatchedAssigned    = "UNMATCHED_ASSIGNED" // Money that arrived for nobody known turned out to be theirs.
)

// Incoming reports whether movements of a kind bring money into the wallet.
func Incoming(kind string) bool {
	switch kind {
	case WalletFunded, ContributionReversed, HoldEnded, WithdrawalReturned, UnmatchedAssigned:
		return true
	}
	return false
}

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 5, Tables: []string{"rm_movements", "rm_payments"}, Fold: fold,
		Schema: `
			CREATE TABLE rm_movements (
				pos bigint NOT NULL, id uuid NOT NULL, user_id text NOT NULL, kind text NOT NULL,
				kobo bigint NOT NULL, incoming boolean NOT NULL, charge_kobo bigint NOT NULL, balance_kobo bigint NOT NULL,
				effective_at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
				reference text NOT NULL, channel integer NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL,
				settled jsonb NOT NULL, lines jsonb NOT NULL, leaf bytea NOT NULL);
			CREATE TABLE rm_payments (
				payment_id text PRIMARY KEY, user_id text NOT NULL, status text NOT NULL, channel integer NOT NULL,
				kobo bigint NOT NULL, charge_kobo bigint NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
				paid_at timestamptz, group_id text NOT NULL, sub_account_id text NOT NULL, month_id integer NOT NULL, reason text NOT NULL)`,
		// The first holds all that is filtered by: whatever is looked for, a member's movements are found without reading
		// them, and only the page's own are.
		Indexes: `
			ALTER TABLE rm_movements ADD CONSTRAINT rm_movements_found PRIMARY KEY (user_id, pos)
				INCLUDE (kind, incoming, channel, group_id, sub_account_id, kobo, effective_at, reference);
			ALTER TABLE rm_movements ADD UNIQUE (id);
			CREATE INDEX ON rm_payments (user_id, created_at DESC);
			CREATE INDEX ON rm_payments (created_at) WHERE status IN ('INITIATED', 'PENDING')`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	var (
		changes  engine.Changes
		payments payments
	)
	err := engine.Copy(ctx, tx, "rm_movements", movementsWritten, func(rows *pgcopy.Rows, fields int) {
		for _, e := range events {
			if m, moved := movementOf(e); moved {
				rows.Row(fields)
				m.write(rows, e)
				changes.User(m.user, "activity")
			}
			if user := payments.take(e); user != "" {
				changes.User(user, "activity")
			}
		}
	})
	if err != nil {
		return changes, err
	}
	return changes, payments.write(ctx, tx)
}

const movementsWritten = "pos, id, user_id, kind, kobo, incoming, charge_kobo, balance_kobo, effective_at, recorded_at, reference, channel, group_id, sub_account_id, settled, lines, leaf"

// Line is one leg of a movement's double entry.
type Line struct {
	Account string     `json:"account"`
	Kobo    money.Kobo `json:"kobo"`
}

// Settled is a due that a contribution went to.
type Settled struct {
	Period string     `json:"period"`
	Kobo   money.Kobo `json:"kobo"`
}

// moved is what an event did to a member's wallet.
type moved struct {
	user, kind, reference, group, sub string
	kobo, charge                      int64
	channel                           nairav1.Channel
	settled                           []*nairav1.Settlement
}

// movementOf answers what an event did to somebody's wallet, if it did anything.
func movementOf(e engine.Event) (moved, bool) {
	switch m := e.Message.(type) {
	case *nairav1.PaymentConfirmed:
		return moved{user: m.GetUserId(), kind: WalletFunded, kobo: m.GetAmountKobo(), charge: m.GetChargeKobo(), reference: m.GetPaymentId(), channel: m.GetChannel()}, true
	case *nairav1.PaymentReversedV2:
		return moved{user: m.GetUserId(), kind: PaymentReversed, kobo: m.GetAmountKobo() - m.GetShortfallKobo(), charge: m.GetChargeKobo(), reference: m.GetPaymentId(), channel: m.GetChannel()}, true
	case *nairav1.ContributionReceived:
		reference := m.GetPaymentId()
		if reference == "" {
			reference = e.Correlation
		}
		return moved{
			user: m.GetUserId(), kind: Contribution, kobo: m.GetAmountKobo(), reference: reference, channel: m.GetChannel(),
			group: m.GetGroupId(), sub: m.GetSubAccountId(), settled: m.GetSettled(),
		}, true
	case *nairav1.ContributionCovered:
		return moved{
			user: m.GetPaidBy(), kind: Cover, kobo: m.GetAmountKobo(), reference: e.Correlation, channel: nairav1.Channel_CHANNEL_WALLET,
			group: m.GetGroupId(), sub: m.GetSubAccountId(), settled: m.GetSettled(),
		}, true
	case *nairav1.ContributionReversed:
		return moved{
			user: m.GetUserId(), kind: ContributionReversed, kobo: m.GetAmountKobo(), reference: m.GetEventId(), channel: nairav1.Channel_CHANNEL_WALLET,
			group: m.GetGroupId(), sub: m.GetSubAccountId(),
		}, true
	case *nairav1.WithdrawalRequested:
		return moved{
			user: m.GetUserId(), kind: Withdrawal, kobo: m.GetAmountKobo(), charge: m.GetFeeKobo() + m.GetVatKobo() + m.GetDutyKobo(),
			reference: m.GetWithdrawalId(), channel: nairav1.Channel_CHANNEL_BANK_TRANSFER,
		}, true
	case *nairav1.WithdrawalFailed:
		return returned(m)
	case *nairav1.WithdrawalReversed:
		return returned(m)
	case *nairav1.LiquidationPaid:
		return moved{
			user: m.GetRequestedBy(), kind: SavingsPaidOut, kobo: m.GetAmountKobo(), charge: m.GetFeeKobo() + m.GetVatKobo() + m.GetDutyKobo(),
			reference: m.GetLiquidationId(), channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, group: m.GetGroupId(), sub: m.GetSubAccountId(),
		}, m.GetKind() == nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL
	case *nairav1.UnmatchedAssigned:
		return moved{user: m.GetUserId(), kind: UnmatchedAssigned, kobo: m.GetAmountKobo(), reference: m.GetProviderRef(), channel: m.GetChannel()}, true
	case *nairav1.HoldCaptured:
		user, ok := strings.CutPrefix(m.GetToAccount(), "wallet:")
		return moved{user: user, kind: HoldEnded, kobo: m.GetAmountKobo(), reference: m.GetHoldId(), channel: nairav1.Channel_CHANNEL_WALLET}, ok
	case *nairav1.ReturnedMoneyParked: // It came back to an account that is closed, and waits in suspense.
		user, ok := strings.CutPrefix(m.GetAccount(), "wallet:")
		return moved{user: user, kind: MoneyHeld, kobo: m.GetAmountKobo(), reference: m.GetReference(), channel: m.GetChannel()}, ok
	case *nairav1.HoldPlaced:
		return held(MoneyHeld, m)
	case *nairav1.HoldReleased:
		return held(HoldEnded, m)
	case *nairav1.HoldExpired:
		return held(HoldEnded, m)
	}
	return moved{}, false
}

// returned is a withdrawal whose money came back.
func returned(m interface {
	GetUserId() string
	GetWithdrawalId() string
	GetAmountKobo() int64
},
) (moved, bool) {
	return moved{
		user: m.GetUserId(), kind: WithdrawalReturned, kobo: m.GetAmountKobo(), reference: m.GetWithdrawalId(), channel: nairav1.Channel_CHANNEL_BANK_TRANSFER,
	}, true
}

// held is what a hold did, if it is one of a wallet's money. What is captured has left the wallet before.
func held(kind string, m interface {
	GetHoldId() string
	GetAccount() string
	GetAmountKobo() int64
},
) (moved, bool) {
	user, ok := strings.CutPrefix(m.GetAccount(), "wallet:")
	return moved{user: user, kind: kind, kobo: m.GetAmountKobo(), reference: m.GetHoldId(), channel: nairav1.Channel_CHANNEL_WALLET}, ok
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
	rows.JSONB(engine.JSON(dues))
	rows.JSONB(engine.JSON(lines))
	rows.Bytes(leaf[:])
}
