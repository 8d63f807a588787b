package ajo

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
)

// toPay turns a payment form into a command of the ledger. A debt for a covered due gets an id that follows from
// command.
func (s *Service) toPay(who usecase.Who, r room, form AjoPayRequest, command uuid.UUID) (event.Command, money.Kobo, error) {
	amount, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return nil, 0, err
	}
	switch form.What {
	case "DUE":
		if form.Cycle == nil || form.Seat == nil {
			return nil, 0, fault.Field("cycle", "Say which seat's due of which cycle you pay.")
		}
		pay := ajopot.Pay{
			AjoID: r.id, Cycle: *form.Cycle, Seat: *form.Seat, User: who.User, By: who.User, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET,
			Gift: form.Gift != nil && *form.Gift, Ready: true, At: s.Now(),
		}
		if form.MemberId != nil && *form.MemberId != "" {
			pay.User, pay.DebtID = *form.MemberId, debtID(command)
		}
		return pay, amount, nil
	case "DEPOSIT":
		return ajopot.PayDeposit{AjoID: r.id, User: who.User, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET}, amount, nil
	case "DEBT":
		if form.DebtId == nil {
			return nil, 0, fault.Field("debtId", "Say which debt you pay.")
		}
		d, known := r.debts.ByID(*form.DebtId)
		if !known {
			return nil, 0, fault.New(fault.NotFound, "There is no such debt.")
		}
		return ajopot.PayDebt{AjoID: r.id, DebtID: d.ID, By: who.User, Creditor: d.Creditor, Amount: amount, Gift: form.Gift != nil && *form.Gift, Key: debtID(command)}, amount, nil
	case "ALL":
		if form.Seat == nil {
			return nil, 0, fault.Field("seat", "Say for which seat you pay all that is left.")
		}
		return ajopot.Prepay{AjoID: r.id, Seat: *form.Seat, User: who.User, Amount: amount, Cycles: r.left(), At: s.Now()}, amount, nil
	}
	return nil, 0, fault.Field("what", "Say what you pay: a due, a deposit, a debt, or all that is left.")
}

func debtID(command uuid.UUID) string { return event.DeriveID(command, "debt").String() }

// left returns the cycles from the current one on.
func (r room) left() []int {
	var cycles []int
	for k := r.a.Current(); k <= len(r.a.Order); k++ {
		cycles = append(cycles, k)
	}
	return cycles
}

// unpaid returns the cycles whose pots are ready and not paid out, and the current one.
func (r room) unpaid() []int {
	cycles := []int{r.a.Current()}
	for _, ready := range r.a.Cycles {
		if !r.cycles[ready.Cycle].PaidOut {
			cycles = append(cycles, ready.Cycle)
		}
	}
	return cycles
}

// judged returns an ajo after making the current cycle ready if its time has ended, as the job would: the caller's
// command comes after that.
func (s *Service) judged(ctx context.Context, user string, r room) (room, error) {
	if !r.a.HasStarted() || r.a.Over() || !s.today().After(r.a.Deadline(r.a.Current())) {
		return r, nil
	}
	if err := usecase.UnlessRefused(s.judge(ctx, r)); err != nil {
		return r, err
	}
	return s.room(ctx, user, r.id)
}

// current returns an ajo for a member who acts in it.
func (s *Service) current(ctx context.Context, user, id string) (room, error) {
	r, err := s.room(ctx, user, id)
	if err != nil {
		return r, err
	}
	return s.judged(ctx, user, r)
}

// Pay pays from the caller's wallet.
func (s *Service) Pay(ctx context.Context, who usecase.Who, id string, form AjoPayRequest) (PaymentReceipt, error) {
	id, err := usecase.ParseID(id, "ajo")
	if err != nil {
		return PaymentReceipt{}, err
	}
	r := room{id: id}
	if form.What != "DUE" { // A due, which all members pay, needs nothing but the ledger's own state of the ajo.
		if r, err = s.current(ctx, who.User, id); err != nil {
			return PaymentReceipt{}, err
		}
	}
	command, _ := who.ID("pay ajo")
	then := s.When(s.Now())
	pay, amount, err := then.toPay(who, r, form, command)
	if err != nil {
		return PaymentReceipt{}, err
	}
	asked, err := asks(r.id, form, amount)
	if err != nil {
		return PaymentReceipt{}, err
	}
	result, err := then.Record(ctx, who, command, r.id, asked, pay)
	if errors.Is(err, ajopot.ErrClosing) {
		if err := s.Advance(ctx, id); err != nil {
			return PaymentReceipt{}, err
		}
		result, err = then.Record(ctx, who, command, r.id, asked, pay)
	}
	if err != nil {
		return PaymentReceipt{}, err
	}
	if len(result.Decided) > 0 && !madeReady(result.Records) {
		if paid, is := result.Decided[0].Message.(*nairav1.AjoContributed); is && paid.GetMissingKobo() == 0 {
			s.settleSoon(ctx, r.id, int(paid.GetCycle()))
		}
	}
	ref := result.Records[0].ID().String()
	return PaymentReceipt{Id: ref, Amount: usecase.Naira(amount), Position: result.Position(), TransactionRef: ref, Settled: []usecase.Settlement{}}, nil
}

// asks is the fingerprint of a payment's form. For a due, which all members pay, it covers only the fields that a due
// has.
func asks(ajoID string, form AjoPayRequest, amount money.Kobo) ([16]byte, error) {
	if form.What != "DUE" {
		whole, err := json.Marshal(form)
		return store.Fingerprint(ajoID, string(whole)), err
	}
	member, gift := "", ""
	if form.MemberId != nil {
		member = *form.MemberId
	}
	if form.Gift != nil && *form.Gift {
		gift = "gift"
	}
	return store.Fingerprint(ajoID, "DUE", strconv.Itoa(*form.Cycle), strconv.Itoa(*form.Seat), member, gift, strconv.FormatInt(int64(amount), 10)), nil
}

// madeReady reports whether a payment itself made the pot ready.
func madeReady(records []event.Record) bool {
	return records[len(records)-1].Type == cycleReady
}

var cycleReady = event.TypeOf(&nairav1.AjoCycleReady{})

// settleSoon makes a pot ready that a payment filled without making it ready itself, so that nobody waits for the job.
// Whatever the result, the payment remains valid. It reads the ajo only when somebody paid a due that they no longer
// owe, and gets that back.
func (s *Service) settleSoon(ctx context.Context, id string, k int) {
	if err := s.makeReady(ctx, id, k, nil); !errors.Is(err, rules.ErrUnnamed) {
		return
	}
	r, err := s.pot(ctx, id, k)
	if err != nil || !r.a.HasStarted() || r.a.Over() || k != r.a.Current() || !r.full() {
		return
	}
	_ = s.judge(ctx, r)
}

// full reports whether everybody except the collector has paid to the current cycle.
func (r room) full() bool {
	k := r.a.Current()
	for i, seat := range r.a.Seats {
		for _, p := range seat.Places {
			if i+1 != r.a.Order[k-1] && r.cycles[k].Paid(i+1, p.User) < r.a.DueOf(i+1, p, k) {
				return false
			}
		}
	}
	return true
}

// Purpose returns the purpose of a payment through a bank or gateway for an ajo; it is refused if the ajo would refuse
// the money now. The deposit has no cycle.
func (s *Service) Purpose(ctx context.Context, who usecase.Who, ajoID string, cycle, seat *int, amount money.Kobo) (*nairav1.AjoPurpose, error) {
	r, err := s.current(ctx, who.User, ajoID)
	if err != nil {
		return nil, err
	}
	p := &nairav1.AjoPurpose{AjoId: r.id}
	if cycle != nil {
		p.Cycle = bounded(*cycle)
	}
	if seat != nil {
		p.Seat = bounded(*seat)
	}
	pay := s.paying(r, p, who.User, amount, nairav1.Channel_CHANNEL_BANK_TRANSFER, "prospect")
	_, err = s.Ledger.DryRun(ctx, ajopot.Prospect{Command: pay, User: who.User, Amount: amount})
	return p, err
}

// paying returns the command that uses a payment's money.
func (s *Service) paying(r room, p *nairav1.AjoPurpose, user string, amount money.Kobo, channel nairav1.Channel, paymentID string) event.Command {
	if p.GetCycle() == 0 {
		return ajopot.PayDeposit{AjoID: r.id, User: user, Amount: amount, Channel: channel, PaymentID: paymentID}
	}
	return ajopot.Pay{
		AjoID: r.id, Cycle: int(p.GetCycle()), Seat: int(p.GetSeat()), User: user, By: user, Amount: amount, Channel: channel, PaymentID: paymentID,
		DebtID: "refund." + paymentID, People: r.people(), Creditors: r.creditors(int(p.GetCycle()), int(p.GetSeat()), user), At: s.Now(),
	}
}

// ByPayment confirms a payment and pays the ajo with its money, at this Service's moment.
func (s *Service) ByPayment(ctx context.Context, confirm wallet.ConfirmPayment, p wallet.Payment) (event.Command, error) {
	r, err := s.room(ctx, "", p.ForAjo.GetAjoId())
	if err != nil {
		return nil, err
	}
	return ajopot.ByPayment{
		Confirm: confirm, AjoID: r.id, Amount: p.Amount, Pay: s.paying(r, p.ForAjo, p.User, p.Amount, p.Channel, confirm.PaymentID),
	}, nil
}

// TakenBack reverses a payment that went to an ajo, and the debts that it paid there.
func (s *Service) TakenBack(reversal wallet.ReversePayment, p wallet.Payment) event.Command {
	return ajopot.TakenBack{Reversal: reversal, Pot: ajopot.Reverse{
		AjoID: p.ForAjo.GetAjoId(), Cycle: int(p.ForAjo.GetCycle()), PaymentID: reversal.PaymentID, User: p.User, DebtID: "reversal." + reversal.ProviderRef,
	}}
}

// SettledBy makes a pot ready that a payment filled.
func (s *Service) SettledBy(ctx context.Context, p *nairav1.AjoPurpose) {
	s.settleSoon(ctx, p.GetAjoId(), int(p.GetCycle()))
}

// Words describe the purpose of a payment: Balogun ajo · Cycle 3.
func (s *Service) Words(ctx context.Context, p *nairav1.AjoPurpose) (string, error) {
	r, err := s.room(ctx, "", p.GetAjoId())
	if err != nil {
		return "", err
	}
	if p.GetCycle() == 0 {
		return r.a.Name + " · Deposit", nil
	}
	return r.a.Name + " · " + cycleWords(int(p.GetCycle())), nil
}

// Forgive cancels a debtor's debt.
func (s *Service) Forgive(ctx context.Context, who usecase.Who, id, debt string) (Ajo, int64, error) {
	return s.one(ctx, who, "forgive ajo debt "+debt, id, func(r room) (event.Command, error) {
		return ajopot.Forgive{AjoID: r.id, DebtID: debt, By: who.User}, nil
	})
}

// SetConsent sets what Adashi may take automatically.
func (s *Service) SetConsent(ctx context.Context, who usecase.Who, id string, form AjoConsent) (Ajo, int64, error) {
	return s.one(ctx, who, "set ajo consent", id, func(r room) (event.Command, error) {
		return ajoconsent.Set{AjoID: r.id, User: who.User, Dues: form.Dues, Sweep: form.Sweep}, nil
	}, form.Dues, form.Sweep)
}

// RequestPayout requests a pot's payout. steppedUp refuses a caller who has not proved their identity again.
func (s *Service) RequestPayout(ctx context.Context, who usecase.Who, form AjoPayoutRequest, steppedUp func() error) (AjoPayout, int64, error) {
	r, err := s.room(ctx, who.User, form.AjoId)
	if err != nil {
		return AjoPayout{}, 0, err
	}
	if err := steppedUp(); err != nil {
		return AjoPayout{}, 0, err
	}
	net, err := money.FromNaira(form.Amount.Decimal)
	if err != nil || net < 0 {
		return AjoPayout{}, 0, fault.Field("amount", "Enter what you were told you get.")
	}
	destination := nairav1.AjoDestination(nairav1.AjoDestination_value["AJO_DESTINATION_"+string(form.Destination)])
	return s.payout(ctx, who, "request ajo payout", r, form.Cycle, store.Fingerprint(r.id, form.Cycle, net, string(form.Destination)),
		ajopot.RequestPayout(r.id, form.Cycle, who.User, destination, net, r.people()))
}

// payout gives a command about a pot and returns its payout after it.
func (s *Service) payout(ctx context.Context, who usecase.Who, operation string, r room, cycle int, hash [16]byte, c event.Command) (AjoPayout, int64, error) {
	command, _ := who.ID(operation)
	result, err := s.Record(ctx, who, command, r.id, hash, c)
	if err != nil {
		return AjoPayout{}, 0, err
	}
	if err := s.sweptPot(ctx, result.Decided); err != nil { // Whatever the result, the pot is paid.
		slog.WarnContext(ctx, "ajo: debts were not paid out of a pot", "ajo", r.id, "error", err)
	}
	view, err := s.Payout(ctx, who.User, r.id, cycle)
	return view, result.Position(), err
}

// Sees refuses a person who may not know of an ajo, before they must prove their identity.
func (s *Service) Sees(ctx context.Context, user, id string) error {
	_, err := s.room(ctx, user, id)
	return err
}

// ApprovePayout approves a payout.
func (s *Service) ApprovePayout(ctx context.Context, who usecase.Who, id, cycle string) (AjoPayout, int64, error) {
	r, err := s.room(ctx, who.User, id)
	if err != nil {
		return AjoPayout{}, 0, err
	}
	k, err := number(cycle, "cycle")
	if err != nil {
		return AjoPayout{}, 0, err
	}
	return s.payout(ctx, who, "approve ajo payout "+cycle, r, k, store.Fingerprint(r.id, k), ajopot.ApprovePayout(r.id, k, who.User, r.people(), s.Now()))
}

// RefusePayout holds a payout.
func (s *Service) RefusePayout(ctx context.Context, who usecase.Who, id, cycle string, form AjoRefusalRequest) (AjoPayout, int64, error) {
	r, err := s.room(ctx, who.User, id)
	if err != nil {
		return AjoPayout{}, 0, err
	}
	k, err := number(cycle, "cycle")
	if err != nil {
		return AjoPayout{}, 0, err
	}
	why := nairav1.AjoRefusal(nairav1.AjoRefusal_value["AJO_REFUSAL_"+string(form.Refusal)])
	return s.payout(ctx, who, "refuse ajo payout "+cycle, r, k, store.Fingerprint(r.id, k, string(form.Refusal), form.Reason),
		ajopot.RefusePayout(r.id, k, who.User, why, strings.TrimSpace(form.Reason), s.Now()))
}

// PayoutOf is Payout of a cycle that a path names.
func (s *Service) PayoutOf(ctx context.Context, user, id, cycle string) (AjoPayout, error) {
	k, err := number(cycle, "cycle")
	if err != nil {
		return AjoPayout{}, err
	}
	return s.Payout(ctx, user, id, k)
}
