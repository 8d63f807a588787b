package dues

import (
	"context"
	"fmt"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
)

// Due is the due that a payment is for.
type Due struct {
	MonthID *int
	Period  string // The first day of its period; empty for the oldest one.
}

// DueOf reads the due that a form names.
func DueOf(monthID *int, period *string) Due {
	d := Due{MonthID: monthID}
	if period != nil {
		d.Period = *period
	}
	return d
}

// with adds the period to a request's fingerprint, if there is one: requests from before the field existed keep their
// fingerprint.
func (d Due) with(asked ...any) []any {
	if d.Period != "" {
		asked = append(asked, d.Period)
	}
	return asked
}

// Contribution is a member's payment, checked as far as possible without the ledger.
func (s *Service) Contribution(ctx context.Context, who usecase.Who, subAccountID string, amount wire.Naira, due Due) (dues.Contribute, error) {
	subAccountID, err := usecase.ParseID(subAccountID, "sub-account")
	if err != nil {
		return dues.Contribute{}, err
	}
	if s.MayContribute != nil {
		if err := s.MayContribute(ctx, who.User); err != nil {
			return dues.Contribute{}, err
		}
	}
	k, err := usecase.Kobo("amount", amount)
	if err != nil {
		return dues.Contribute{}, err
	}
	month := 0
	if due.MonthID != nil {
		if month = *due.MonthID; month < 1 || month > 12 {
			return dues.Contribute{}, fault.Field("monthId", "Choose a month from 1 to 12.")
		}
	}
	group, err := s.GroupOfSub(ctx, subAccountID)
	if err != nil {
		return dues.Contribute{}, err
	}
	return dues.Contribute{
		GroupID: group, SubAccountID: subAccountID, User: who.User, Amount: k, MonthID: month, Period: due.Period,
		Channel: nairav1.Channel_CHANNEL_WALLET, At: s.Now(),
	}, nil
}

// PayFromWallet contributes to a sub-account from the member's wallet.
func (s *Service) PayFromWallet(ctx context.Context, who usecase.Who, subAccountID string, amount wire.Naira, due Due) (PaymentReceipt, error) {
	c, err := s.Contribution(ctx, who, subAccountID, amount, due)
	if err != nil {
		return PaymentReceipt{}, err
	}
	command, _ := who.ID("contribute")
	result, err := s.Record(ctx, who, command, "", store.Fingerprint(due.with(c.SubAccountID, c.Amount, c.MonthID)...), c)
	if err != nil {
		return PaymentReceipt{}, err
	}
	return s.receiptOf(ctx, result.Records)
}

// bulkMax limits how many payments may be made at once.
const bulkMax = 100

// PayManyFromWallet contributes several times from the member's wallet: all of them, or none.
func (s *Service) PayManyFromWallet(ctx context.Context, who usecase.Who, payments []OnePayment) ([]PaymentReceipt, error) {
	if len(payments) == 0 || len(payments) > bulkMax {
		return nil, fault.Field("payments", "From 1 to %d payments can be made at once.", bulkMax)
	}
	bulk, asked := make(store.Bulk, len(payments)), make([]any, 0, 3*len(payments))
	for i, p := range payments {
		c, err := s.Contribution(ctx, who, p.SubAccountId, p.Amount, Due{MonthID: p.MonthId})
		if f := fault.As(err); f != nil {
			return nil, &fault.Fault{Code: f.Code, Field: f.Field, Message: fmt.Sprintf("Number %d of %d: %s None of them was done.", i+1, len(payments), f.Message)}
		}
		if err != nil {
			return nil, err
		}
		bulk[i], asked = c, append(asked, c.SubAccountID, c.Amount, c.MonthID)
	}
	command, _ := who.ID("contribute many")
	result, err := s.Record(ctx, who, command, "", store.Fingerprint(asked...), bulk)
	if err != nil {
		return nil, err
	}
	return s.receipts(ctx, result.Records)
}

// payment is a contribution, by the member or for them.
type payment interface {
	GetSubAccountId() string
	GetAmountKobo() int64
	GetSettled() []*nairav1.Settlement
}

// receipts returns the receipts of the payments among a command's records.
func (s *Service) receipts(ctx context.Context, records []event.Record) ([]PaymentReceipt, error) {
	var out []PaymentReceipt
	for _, r := range records {
		m, err := r.Message()
		if err != nil {
			return nil, err
		}
		paid, is := m.(payment)
		if !is {
			continue
		}
		receipt, err := s.receipt(ctx, r, paid)
		if err != nil {
			return nil, err
		}
		out = append(out, receipt)
	}
	return out, nil
}

func (s *Service) receipt(ctx context.Context, r event.Record, paid payment) (PaymentReceipt, error) {
	out := PaymentReceipt{
		Id: r.ID().String(), TransactionRef: r.Correlation, Amount: wire.FromKobo(paid.GetAmountKobo()), Position: r.Pos, Settled: []Settlement{},
	}
	if len(paid.GetSettled()) == 0 {
		return out, nil
	}
	state, err := s.Ledger.Load(ctx, savings.SubStream(paid.GetSubAccountId()))
	if err != nil {
		return out, err
	}
	for _, part := range paid.GetSettled() {
		out.Settled = append(out.Settled, usecase.SettlementOf(state.(savings.SubAccount).Schedule, part.GetPeriod(), money.Kobo(part.GetAmountKobo())))
	}
	return out, nil
}
