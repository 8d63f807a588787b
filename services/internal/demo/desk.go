package demo

import (
	"context"
	"time"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

// vendor is paid by groups.
var vendor = sandbox.Person{FirstName: "Ngozi", LastName: "Stores", Account: "2012345678", BVN: "22987654321", BankCode: "058"}

// bill is a payment that a member asks the group for; what nobody decided yet waits.
type bill struct {
	by      int // Of the crowd.
	naira   int64
	reason  string
	ago     time.Duration
	decided bool
}

const day = 24 * time.Hour

var bills = []bill{
	{4, 60_000, "Two sewing machines for the workshop", 9 * day, true},
	{5, 18_500, "Diesel for the generator in December", day, false},
}

// spend has members ask for payments, and the validator and both approvers agree to what is decided. The first payment
// is on its way when the product is ready.
func (s *seeder) spend(p plan, group, sub *string) {
	asSaid := func() error { return nil }
	for _, b := range bills {
		var id string
		asked := s.now.Add(-b.ago)
		s.on(asked, s.users[b.by], func(ctx context.Context, then *app.App, by usecase.Who) error {
			form := liquidations.NewRequest{
				GroupID: *group, SubAccountID: *sub, Kind: contract.GROUPDISBURSEMENT, Amount: amount(b.naira), Reason: b.reason,
				Net: amount(b.naira), BankCode: vendor.BankCode, Account: vendor.Account,
			}
			form.Net.Decimal = form.Net.Sub(payout.ChargesOn(naira(b.naira)).Total().Decimal())
			made, _, err := then.Liquidations.RequestLiquidation(ctx, by, form, asSaid)
			id = made.Id
			return err
		})
		if !b.decided {
			continue
		}
		for n, m := range []int{p.members[1], p.members[0], p.members[2]} {
			s.on(asked.Add(time.Duration(n+1)*5*time.Hour), s.users[m], func(ctx context.Context, then *app.App, by usecase.Who) error {
				_, _, err := then.Liquidations.DecideLiquidation(ctx, by, *group, id, true, "", asSaid)
				return err
			})
		}
	}
}

// stray arrived at our own account and names nobody.
var stray = sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 7_500 * money.Naira, Sender: "Ngozi Eze", Telling: sandbox.Telling{Silent: true}}

// count has somebody pay without saying what for, and holds the ledger against the banks, which finds it.
func (s *seeder) count(ctx context.Context) error {
	came, err := s.i.Bank.Received(ctx, stray.Account)
	if err != nil {
		return err
	}
	if !came {
		if err := s.i.Bank.Transfer(ctx, stray); err != nil {
			return err
		}
	}
	made, err := s.i.App.Finance.Reserves(ctx, new(1))
	if err != nil || len(made) > 0 { // A try that was cut short made it.
		return err
	}
	_, err = s.i.App.Finance.Reconcile(ctx, contract.ReconciliationTriggerONDEMAND)
	return err
}

// claimant says that the stray money is theirs, and sees nothing of it.
const claimant = 3

// dispute has a member look for what they paid, and say that it is what nobody has claimed.
func (s *seeder) dispute(ctx context.Context) error {
	_, head, err := history.Head(ctx, s.i.Pool)
	if err != nil {
		return err
	}
	s.i.App.Tracker.WaitFor(ctx, head, 30*time.Second, unmatched.Name)
	form := contract.OpenDisputeRequest{
		Kind: contract.DisputeKindNOTCREDITED, Words: "I sent this from my Kuda account this morning and it is not in my wallet.", Amount: new(wire.FromKobo(int64(stray.Amount))),
		PaidOn: new(lagos.Day(s.now)),
	}
	loose, err := unmatched.Page(ctx, s.i.Pool, "OPEN", 0, 1)
	if err != nil {
		return err
	}
	if len(loose) > 0 {
		form.ArrivalId = new(loose[0].ID.String())
	}
	by := s.users[claimant]
	by.Key = "demo dispute"
	_, _, err = s.i.App.Disputes.Open(ctx, by, form)
	return usecase.UnlessConflict(err) // It was opened by a try that was cut short.
}
