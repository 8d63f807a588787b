package payouts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/bankbook"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/asks"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

const payoutsAtOnce = 100

// asks stores how often, and when, we asked banks about payouts.
func (s *Service) asks() asks.Store {
	return asks.Store{Pool: s.Pool, Kind: "payout", Most: 10 * time.Minute}
}

// askAfterPaid are the pauses after which we ask again about a paid payout, each after the one before, for three days:
// the receiving bank may send it back.
var askAfterPaid = []time.Duration{10 * time.Minute, 6 * time.Hour, 18 * time.Hour, 48 * time.Hour}

// SendPayouts sends the requested payouts. It is a job: however many processes run it, only one sends each payout.
func (s *Service) SendPayouts(ctx context.Context) error {
	return s.payoutsIn(ctx, payout.Requested, liquidation.Approved, unmatched.BackAgreed, func(ids []string) error {
		tried, err := s.asks().Of(ctx, ids...)
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return !tried[id].Due(s.Now()) })
		return items.Each(ctx, s.Job("send payouts"), ids, itself, func(ctx context.Context, id string) error {
			return s.asks().Own(ctx, id, func() error { return s.sendPayout(ctx, id) })
		})
	})
}

// sendPayout sends the order for a payout to the bank, once. It asks the bank its questions before it records the
// payout as sent, so that the payout stays unsent while the bank is down.
func (s *Service) sendPayout(ctx context.Context, id string) error {
	w, err := s.Outgoing(ctx, id)
	if err != nil || w.Stands != ready && w.Stands != waiting || s.Now().Before(w.NotBefore) {
		return err
	}
	asked, err := s.asks().One(ctx, id)
	if err != nil || !asked.Due(s.Now()) {
		return err
	}
	if w.Stands == waiting {
		return s.asks().Note(ctx, id, asked.Waits(s.Now(), "The group is suspended. Nothing was sent yet."))
	}
	if clear, err := s.cleared(ctx, w, asked); err != nil || !clear {
		return err
	}
	if _, err := s.Ledger.DryRun(ctx, w.send(w.key(), s.Now())); fault.Is(err, fault.Conflict) { // For example where members dispute what it would take.
		if stopped, failed := s.stop(ctx, w); stopped || failed != nil {
			return failed
		}
		return s.asks().Note(ctx, id, asked.Waits(s.Now(), fault.As(err).Message))
	} else if err != nil {
		return err
	}
	payer, err := rails.As[rails.Payer](s.Rails, w.Provider)
	if err != nil {
		return s.asks().Note(ctx, id, s.asks().Again(asked, s.Now(), "Nobody is set up to pay it out. Nothing was sent yet."))
	}
	reference := payer.Reference(w.attemptID())
	send, err := s.prepare(ctx, payer, reference, w)
	switch {
	case errors.Is(err, rails.ErrNoAccount), errors.Is(err, vault.ErrGone):
		_, err = s.payoutFailed(ctx, w, w.last(), w.NoAccount)
		return err
	case errors.Is(err, errRenamed):
		_, err = s.payoutFailed(ctx, w, w.last(), w.Renamed)
		return err
	case fault.Is(err, fault.Unavailable):
		return s.asks().Note(ctx, id, s.asks().Again(asked, s.Now(), "The bank cannot be reached, or cannot say just now whose account it is. Nothing was sent yet."))
	case err != nil:
		return err
	}
	if err := s.asks().Note(ctx, id, asks.Sent(s.Now())); err != nil {
		return err
	}
	result, err := s.Record(ctx, usecase.System, store.CommandID("system", "send payout", w.key()), id, store.Fingerprint(id, reference), w.send(reference, s.Now()))
	if err != nil || result.Repeated {
		return usecase.UnlessConflict(err) // Another process sends it, or we do not know whether it was recorded: then we ask about it.
	}
	// Once the payout may count as failed, it must no longer be sent, however long this process was delayed.
	within, cancel := context.WithTimeout(ctx, asks.Within(result.Records[0].RecordedAt, s.Present()))
	defer cancel()
	return s.sent(ctx, w, reference, send(within))
}

// cleared reports whether a payout may be sent. It asks the bank again about every earlier reference. When the bank has
// paid one after all, it records that instead; while the bank may be working on one, it sends no second order.
func (s *Service) cleared(ctx context.Context, w outgoing, asked asks.Asking) (bool, error) {
	if len(w.References) == 0 {
		return true, nil
	}
	said, err := s.WhatBankSays(ctx, w)
	if fault.Is(err, fault.Unavailable) {
		return false, s.asks().Note(ctx, w.ID, s.asks().Again(asked, s.Now(), "The bank cannot be asked about what it was told before. Nothing was sent anew yet."))
	}
	if err != nil {
		return false, err
	}
	if said.Reference != "" {
		_, err := s.heard(ctx, w, asked, said)
		return false, err
	}
	asked = asked.Told(s.Now(), said.State == rails.Unknown)
	if said.State == rails.Failed || asked.Unknown(s.Now()) {
		return true, nil
	}
	return false, s.asks().Note(ctx, w.ID, s.asks().Again(asked, s.Now(), "Not sent again. The bank's answer about the earlier order was: "+said.words()))
}

// errRenamed is an account whose name has changed since the payout was requested.
var errRenamed = errors.New("payouts: the account has another name")

// prepare collects the data of the order. It asks the payee's bank for the account's name again: we do not pay an
// account under another name than the one that was requested or approved.
func (s *Service) prepare(ctx context.Context, payer rails.Payer, reference string, w outgoing) (rails.Send, error) {
	payee, err := s.Vault.Payee(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	bank := rails.Bank{Code: payee.BankCode, NIP: payee.BankNIP, Name: payee.BankName}
	name, err := payer.AccountName(ctx, bank, payee.Number)
	switch {
	case err != nil:
		return nil, err
	case !rails.SameHolder(name, payee.AccountName):
		return nil, errRenamed
	}
	return payer.Prepare(ctx, rails.Payout{
		Reference: reference, Amount: w.Net, Account: payee.Number, Name: payee.AccountName, Note: cmp.Or(payee.Note, w.Note), Bank: bank,
	})
}

// sent handles the answer to the order. It believes at once only that the bank refused; everything else we ask about.
func (s *Service) sent(ctx context.Context, w outgoing, reference string, answered rails.PayoutStatus) error {
	if answered.State == rails.Failed {
		_, err := s.payoutFailed(ctx, w, reference, answered.Reason)
		now := s.Now() // From now on the bank does not know the order that it refused.
		return errors.Join(err, s.asks().Note(ctx, w.ID, asks.Sent(now).Told(now, true).Over(now, answered.Answer)))
	}
	_, err := s.AskPayout(ctx, w.ID)
	if fault.Is(err, fault.Unavailable) {
		return nil // The job keeps asking.
	}
	return err
}

// AskPayouts asks the bank about sent payouts when the next question is due. It never sends anything. It is a job.
func (s *Service) AskPayouts(ctx context.Context) error {
	err := s.payoutsIn(ctx, payout.Sent, liquidation.PayoutPending, unmatched.BackSent, func(ids []string) error { // The process that sent one may have died before it recorded that.
		return s.asks().Begin(ctx, ids, s.Now())
	})
	if err != nil {
		return err
	}
	due, err := s.asks().Due(ctx, s.Now(), payoutsAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("ask about payouts"), due, itself, func(ctx context.Context, id string) error {
		if _, err := s.AskPayout(ctx, id); !fault.Is(err, fault.Unavailable) {
			return err
		}
		return nil // It is recorded when we ask the bank again.
	})
}

func itself(id string) string { return id }

// bankSays is a bank's answer about a payout, and the reference under which it has paid, if it has.
type bankSays struct {
	rails.PayoutStatus
	Reference string
}

// words is the meaning of the bank's answer, followed by the answer itself.
func (b bankSays) words() string {
	means := b.Meaning
	switch {
	case means != "":
	case b.State == rails.Pending:
		means = "It is not known yet how it ended. The bank is asked again by itself."
	case b.State == rails.Unknown:
		means = "The bank has no such payout. If it still says so after 15 minutes, the payout has failed."
	}
	return strings.TrimSpace(means + " " + b.Answer)
}

// WhatBankSays asks the bank about a payout under every reference of our orders. If the bank has paid one, or is
// working on one, that answer counts; else the answer about the last.
func (s *Service) WhatBankSays(ctx context.Context, w outgoing) (says bankSays, err error) {
	payer, err := rails.As[rails.Payer](s.Rails, w.Provider)
	if err != nil {
		return says, err
	}
	charges, err := s.Ledger.Load(ctx, payout.BankChargeStream(w.ID))
	if err != nil {
		return says, err
	}
	for i, reference := range slices.Backward(w.References) {
		if _, left := charges.(payout.BankCharge).Left[reference]; left {
			continue // The ledger has it as a loss.
		}
		status, err := payer.PayoutStatus(ctx, reference)
		if errors.Is(err, rails.ErrAnswer) {
			slog.Error("payouts: the bank answers what does not fit the question", "payout", w.ID, "error", err)
			status, err = rails.PayoutStatus{Meaning: "The bank's answer does not fit this payout, and says nothing about it. The bank is asked again by itself."}, nil
		}
		status = w.believed(status)
		switch {
		case err != nil:
			return says, err
		case w.hasPaid(status):
			return bankSays{status, reference}, nil
		case i == len(w.References)-1, status.State == rails.Pending:
			says.PayoutStatus = status
		}
	}
	return says, nil
}

// believed returns the part of the bank's answer that we believe. When the bank says that a payout came back, we
// believe it only about the whole amount.
func (w outgoing) believed(status rails.PayoutStatus) rails.PayoutStatus {
	if status.State == rails.Failed && status.Reversed && !w.whole(status) {
		status.State = rails.Pending
		status.Meaning = fmt.Sprintf("%s was sent, and the bank says that %s %s came back. Ask the bank about the rest.", w.Net, status.Currency, status.Amount)
	}
	return status
}

// whole reports whether the bank's answer is about the whole payout.
func (w outgoing) whole(status rails.PayoutStatus) bool {
	return status.Amount == w.Net && status.Currency == rails.Naira
}

// hasPaid reports whether a bank says that it has paid a payout. For a payout that we know to be paid, an answer that
// it came back counts too: not every bank says when it had paid it.
func (w outgoing) hasPaid(status rails.PayoutStatus) bool {
	if w.Stands == paid || w.Stands == closed {
		return (status.State == rails.Paid || status.Reversed) && status.ProviderRef == w.ProviderRef
	}
	return status.State == rails.Paid
}

// AskPayout asks the bank for a payout's status and records the answer; it never sends the payout. It returns the
// position of its record, 0 when there was nothing new. It returns fault.Unavailable when the bank cannot be reached.
func (s *Service) AskPayout(ctx context.Context, id string) (int64, error) {
	w, err := s.Outgoing(ctx, id)
	if err != nil || len(w.References) == 0 && w.Stands != over {
		return 0, err // The bank has no order yet: SendPayouts handles it.
	}
	asked, err := s.asks().One(ctx, id)
	if err != nil {
		return 0, err
	}
	if w.Stands == over {
		return 0, s.asks().Note(ctx, id, asked.Over(s.Now(), asked.Answer))
	}
	said, err := s.WhatBankSays(ctx, w)
	if err != nil {
		again := s.asks().Again(asked, s.Now(), "The bank could not be asked.")
		if deeds[saysNothing][w.Stands] == keeps {
			again.NextAt = nil
		}
		noted := s.asks().Note(ctx, id, again)
		if fault.Is(err, fault.Unavailable) {
			err = fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "The bank cannot be reached just now. It is asked again by itself; nothing is sent twice."), err)
		}
		return 0, errors.Join(err, noted)
	}
	return s.heard(ctx, w, asked, said)
}

// heard records a bank's answer about a sent payout, as the table deeds says.
func (s *Service) heard(ctx context.Context, w outgoing, asked asks.Asking, said bankSays) (pos int64, err error) {
	now, before := s.Now(), asked
	asked = s.asks().Again(asked.Told(now, said.State == rails.Unknown), now, said.words())
	saying := w.saying(said, asked.Unknown(now))
	switch deeds[saying][w.Stands] {
	case waits, leaves, parks: // SendPayouts asks and records by itself. Only statements report parts.
		if w.Stands != waiting {
			return 0, nil
		}
	case keeps:
		asked.NextAt = nil
	case asksAgain:
	case doubts:
		asked.Answer = w.doubt(said) + asked.Answer
		slog.Error("payouts: the bank says of a payout what cannot be; left for FinanceOps", "payout", w.ID, "answer", said.State)
	case fails:
		reason := said.Reason
		if saying == saysNever {
			reason = "The bank never received it."
		}
		pos, err = s.payoutFailed(ctx, w, w.last(), reason)
		asked.NextAt = nil
	case pays:
		pos, err = s.paid(ctx, w, said)
		asked.NextAt = w.afterPaid(before, now)
	case asksAfterPaid:
		asked.NextAt = w.afterPaid(before, now)
	case paysAndReturns:
		if pos, err = s.paid(ctx, w, said); err == nil {
			pos, err = s.returned(ctx, w, said)
		}
		asked.NextAt = nil
	case returns, returnsToDesk:
		pos, err = s.returned(ctx, w, said)
		asked.NextAt = nil
	}
	return pos, errors.Join(err, s.asks().Note(ctx, w.ID, asked))
}

// doubt is our text for the desk when the bank names another amount than the payout's.
func (w outgoing) doubt(said bankSays) string {
	if said.Reference == "" || w.whole(said.PayoutStatus) {
		return ""
	}
	return fmt.Sprintf("The bank names %s %s, and %s was sent. ", said.Currency, said.Amount, w.Net)
}

// paid records that the bank has paid a payout.
func (s *Service) paid(ctx context.Context, w outgoing, said bankSays) (int64, error) {
	receipt := payout.Receipt{Fee: w.believedFee(said.Fee), ProviderRef: said.ProviderRef, PaidAt: w.paidAt(said.PaidAt, s.Now())}
	return s.payoutMoved(ctx, "pay payout", w, w.pay(said.Reference, receipt))
}

// returned records that the whole of a payout came back.
func (s *Service) returned(ctx context.Context, w outgoing, said bankSays) (int64, error) {
	pos, err := s.payoutMoved(ctx, "reverse payout", w, w.reverse(said.ProviderRef, usecase.Plain(said.Reason)))
	if err != nil {
		return pos, err
	}
	return pos, s.matchReturn(ctx, w, 1, false)
}

// Left records a payment that the bank's statement shows. It is for payouts whose result the bank does not give when we
// ask. It returns the position of its record, 0 when there was nothing new.
func (s *Service) Left(ctx context.Context, id string, line rails.Line) (int64, error) {
	w, err := s.Outgoing(ctx, id)
	if err != nil || deeds[statementLeft][w.Stands] != paysAndReturns || line.Amount != w.Net {
		return 0, err
	}
	return s.payoutMoved(ctx, "pay payout", w, w.pay(line.Reference, payout.Receipt{Fee: w.believedFee(line.Fee), ProviderRef: line.ProviderRef, PaidAt: w.paidAt(line.At, s.Now())}))
}

// CameBack records a return that the bank's statement shows: an amount of a paid payout came back under our reference.
// The whole goes back to where it came from. Each part goes into suspense by its own line, and so does every return
// after a part: the desk asks the bank about the rest. It returns the position of its record, 0 when there was nothing
// new.
func (s *Service) CameBack(ctx context.Context, id string, line rails.Line) (int64, error) {
	w, err := s.Outgoing(ctx, id)
	if err != nil {
		return 0, err
	}
	before, err := s.Ledger.Load(ctx, wallet.ReturnStream(w.Provider, id))
	if err != nil {
		return 0, err
	}
	says := statementPart
	if line.Amount == w.Net && before.(wallet.Arrival).Status == wallet.ArrivalNone {
		says = statementBack
	}
	switch deeds[says][w.Stands] {
	case returns, returnsToDesk:
		return s.payoutMoved(ctx, "reverse payout", w, w.reverse(line.ProviderRef, sentBack))
	case parks:
		return s.parkPart(ctx, w, line)
	case leaves, waits, keeps, asksAgain, asksAfterPaid, doubts, fails, pays, paysAndReturns, loses:
	}
	return 0, nil
}

// LeftAfterAll records a payment that the bank's statement has shown for a day, under a reference that the bank had
// reported as failed. If the payout still waits for an approver, this payment is its result. Otherwise Adashi bears the
// loss, and gets it back if the money comes back. It returns the position of its record, 0 when there was nothing new.
func (s *Service) LeftAfterAll(ctx context.Context, id string, line rails.Line) (int64, error) {
	w, err := s.Outgoing(ctx, id)
	if err != nil {
		return 0, err
	}
	if deeds[statementOut][w.Stands] == pays && line.Amount == w.Net {
		return s.payoutMoved(ctx, "pay payout", w, w.pay(line.Reference, payout.Receipt{Fee: w.believedFee(line.Fee), ProviderRef: line.ProviderRef, PaidAt: w.paidAt(line.At, s.Now())}))
	}
	if paid := w.Stands == paid || w.Stands == closed; line.Out && paid && (len(w.References) < 2 || slices.Contains(line.Names(), w.ProviderRef)) {
		return 0, nil // It is the payment itself, or a second one of the same order.
	}
	c := payout.PostLeft{PayoutID: id, Provider: w.Provider, Reference: line.Reference, ProviderRef: line.ProviderRef, Amount: line.Amount + line.Fee, Back: !line.Out}
	if c.Back {
		c.Amount = line.Amount - line.Fee
	} else {
		c.ProviderRef = line.Own() // Money that leaves once more may do so under the earlier session.
	}
	command := store.CommandID("system", "left after all", id+" "+line.Own())
	result, err := s.Base.At(w.paidAt(line.At, s.Now())).Record(ctx, usecase.System, command, id, store.Fingerprint(id, line.Reference, c.Amount, c.Back), c)
	if result.Repeated {
		return 0, nil
	}
	return result.Position(), usecase.UnlessConflict(err)
}

// parkPart puts a returned part of a payout into suspense, once for each line of the statement.
func (s *Service) parkPart(ctx context.Context, w outgoing, line rails.Line) (int64, error) {
	own := wallet.PartRef(w.ID, line.Own())
	result, err := s.Record(ctx, usecase.System, store.CommandID("system", "park part of payout", own), w.ID, store.Fingerprint("park part of payout", own), wallet.ReceivePart{Payout: w.stream, PayoutID: w.ID, Paid: w.isPaid, ReceiveUnmatched: wallet.ReceiveUnmatched{
		ProviderRef: own, Also: line.Also, Provider: w.Provider, Channel: s.Rails.Channel(w.Provider), Amount: line.Amount - line.Fee, Reference: line.Reference, PaidAt: w.paidAt(line.At, s.Now()),
		Reason: fmt.Sprintf("%s came back of a payout of %s. Ask the bank about the rest.", line.Amount, w.Net),
	}})
	if result.Repeated {
		return 0, nil
	}
	return result.Position(), usecase.UnlessConflict(err)
}

// CameBackAs returns the command to record that a payout came back in full as a transfer, unannounced. The payout is
// paid, or was paid after it had failed. It returns nil for one that came back already.
func (s *Service) CameBackAs(ctx context.Context, id, providerRef string) (event.Command, error) {
	w, err := s.Outgoing(ctx, id)
	if err != nil {
		return nil, err
	}
	charges, err := s.Ledger.Load(ctx, payout.BankChargeStream(id))
	if err != nil {
		return nil, err
	}
	if reference := charges.(payout.BankCharge).Away(w.Net); reference != "" {
		return payout.PostLeft{PayoutID: id, Provider: w.Provider, Reference: reference, ProviderRef: providerRef, Amount: w.Net, Back: true}, nil
	}
	if w.Stands != paid && w.Stands != closed {
		return nil, nil //nolint:nilnil // It came back already.
	}
	return w.reverse(providerRef, sentBack), nil
}

// MatchReturn handles a returned payout for which no statement has a line under its reference: the money may have come
// as a transfer and be in suspense. returns is the number of such returns of this amount. long means that the statement
// has had no line for long: then the transfer's bank may have taken it back since.
func (s *Service) MatchReturn(ctx context.Context, id string, amount money.Kobo, returns int, long bool) error {
	if amount <= 0 || id == "" {
		return nil
	}
	w, err := s.Outgoing(ctx, id)
	if err != nil || w.Stands != over || w.Net != amount {
		return err
	}
	return s.matchReturn(ctx, w, returns, long)
}

// returnWithin is how long after we learned of a return its transfer may come.
const returnWithin = 72 * time.Hour

// matchReturn takes a transfer out of suspense that is the return of this payout: one of exactly its amount that came
// since the payout was sent. When there are more such transfers than returns, a person decides.
func (s *Service) matchReturn(ctx context.Context, w outgoing, returns int, takenBack bool) error {
	strays, err := bankbook.Strays(ctx, s.Pool, w.Provider, w.Net, w.ID, w.SentAt, returnWithin, returns+1)
	if err != nil || len(strays) > returns {
		return err
	}
	at := slices.IndexFunc(strays, func(one bankbook.Stray) bool { return takenBack || !one.TakenBack })
	if at < 0 {
		return nil
	}
	one := strays[at]
	_, err = s.payoutMoved(ctx, "match return "+one.ProviderRef, w, w.match(one.ProviderRef, one.Also))
	return err
}

// sentBack is the reason of a return that only the bank's statement reports.
const sentBack = "The receiving bank sent it back."

// paidAt limits a bank's time of payment to what is possible: not before the payout was sent, and not after now. It is
// now when the bank gives none.
func (w outgoing) paidAt(told, now time.Time) time.Time {
	switch {
	case told.IsZero() || told.After(now):
		return now
	case told.Before(w.SentAt):
		return w.SentAt
	default:
		return told
	}
}

// believedFee is the bank's fee for a payout by its answer; zero when it is not possible. Its statement gives the real
// fee.
func (w outgoing) believedFee(told money.Kobo) money.Kobo {
	if told < 0 || told > w.Net {
		slog.Error("payouts: the bank names a fee that cannot be; left to the reconciliation", "payout", w.ID)
		return 0
	}
	return told
}

// afterPaid is when to ask next about a paid payout; nil when no more. It counts from when we learned of the payment,
// not from the bank's date: that is the order's, which may be days earlier.
func (w outgoing) afterPaid(before asks.Asking, now time.Time) *time.Time {
	var pause time.Duration // The last pause.
	if w.Stands == paid || w.Stands == closed {
		if before.NextAt == nil || now.Before(*before.NextAt) {
			return before.NextAt
		}
		if before.AskedAt != nil {
			pause = before.NextAt.Sub(*before.AskedAt)
		}
	}
	for _, next := range askAfterPaid {
		if next > pause {
			at := now.Add(next)
			return &at
		}
	}
	return nil
}

// payoutFailed records that the bank did not pay the order under a reference or, when that is empty, that we will send
// no order. A later attempt under another reference does not fail by it.
func (s *Service) payoutFailed(ctx context.Context, w outgoing, reference, reason string) (int64, error) {
	if reason = usecase.Plain(reason); reason == "" {
		reason = "The bank did not pay it out."
	}
	return s.payoutMoved(ctx, "fail payout", w, w.fail(reference, reason))
}

// payoutMoved records a change of a payout, once, however many callers report it.
func (s *Service) payoutMoved(ctx context.Context, operation string, w outgoing, c event.Command) (int64, error) {
	result, err := s.Record(ctx, usecase.System, store.CommandID("system", operation, w.key()), w.ID, store.Fingerprint(operation, w.ID), c)
	return result.Position(), usecase.UnlessConflict(err)
}

// PayoutNotice handles a gateway's webhook about a payout. The webhook alone records nothing: we compare it with the
// payout, and ask the gateway. It returns fault.NotFound for a payout that is not ours, and fault.Conflict for another
// amount.
func (s *Service) PayoutNotice(ctx context.Context, provider event.Provider, n rails.PayoutNotice) error {
	id, err := usecase.ParseID(n.Reference[max(0, len(n.Reference)-36):], "payout")
	if err != nil {
		return err
	}
	w, err := s.Outgoing(ctx, id)
	if err == nil && w.Stands == none { // A payout that was sent again has another id.
		if id, err = bankbook.PayoutOf(ctx, s.Pool, provider, n.Reference); err == nil && id != "" {
			w, err = s.Outgoing(ctx, id)
		}
	}
	switch {
	case err != nil:
		return err
	case w.Provider != provider || !slices.Contains(w.References, n.Reference):
		return fault.New(fault.NotFound, "There is no such payout.")
	case n.Currency != rails.Naira || n.Amount != w.Net:
		slog.Warn("payouts: a webhook names another amount than its payout", "payout", id)
		return fault.New(fault.Conflict, "This payout is of %s.", w.Net)
	}
	_, err = s.AskPayout(ctx, id)
	return err
}

// SweepPayees deletes the destination of payouts that were refused, and of money whose return to its sender was
// declined. It is a job.
func (s *Service) SweepPayees(ctx context.Context) error {
	return s.Vault.SweepPayees(ctx, s.Present().Add(-time.Hour), func(ctx context.Context, id string) (bool, error) {
		w, err := s.Outgoing(ctx, id)
		if err == nil && w.proposed {
			err = vault.ErrUndecided
		}
		return w.Stands != none, err
	})
}
