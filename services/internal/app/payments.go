package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/savings"
	"adashi.ng/ledger/store"
	"adashi.ng/ledger/wallet"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/rails"
)

// paymentLife is how long a payment may wait to be paid.
const paymentLife = 24 * time.Hour

// unknownFor is how long after its time a pending payment that the bank knows nothing of is still waited for.
const unknownFor = time.Hour

// channelOf reads the contract's channel; bank transfer when absent.
func channelOf(channel *contract.RailChannel) nairav1.Channel {
	if channel == nil {
		return nairav1.Channel_CHANNEL_BANK_TRANSFER
	}
	return nairav1.Channel(nairav1.Channel_value["CHANNEL_"+string(*channel)])
}

func channelName(c nairav1.Channel) string { return c.String()[len("CHANNEL_"):] }

// FundWallet starts a payment into the member's own wallet.
func (a *App) FundWallet(ctx context.Context, who Who, amount wire.Naira, channel *contract.RailChannel) (contract.PaymentStart, int64, error) {
	k, err := kobo("amount", amount)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	return a.start(ctx, who, "fund wallet", wallet.StartPayment{User: who.User, Channel: channelOf(channel), Amount: k})
}

// PayIntoSubAccount starts a payment that goes straight to a sub-account. It is refused now if the group would refuse
// the contribution now.
func (a *App) PayIntoSubAccount(ctx context.Context, who Who, subAccountID string, amount wire.Naira, monthID *int, channel *contract.RailChannel) (contract.PaymentStart, int64, error) {
	c, err := a.contribution(ctx, who, subAccountID, amount, monthID)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	const operation = "pay sub-account"
	command, _ := who.id(operation)
	again, err := a.Ledger.Recorded(ctx, command)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	if !again {
		if _, err := a.Ledger.DryRun(ctx, savings.Prospect{Contribute: c}); err != nil {
			return contract.PaymentStart{}, 0, err
		}
	}
	return a.start(ctx, who, operation, wallet.StartPayment{
		User: who.User, Channel: channelOf(channel), Amount: c.Amount,
		For: &nairav1.ContributionPurpose{GroupId: c.GroupID, SubAccountId: c.SubAccountID, MonthId: int32(c.MonthID)},
	})
}

func (a *App) start(ctx context.Context, who Who, operation string, c wallet.StartPayment) (contract.PaymentStart, int64, error) {
	command, _ := who.id(operation)
	owner, err := a.owner(ctx, who.User)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	c.PaymentID, c.Cap = event.DeriveID(command, "payment").String(), a.Tiers[owner.Level()].Cap
	c.ExpiresAt = a.present().Add(paymentLife)
	hash := store.Fingerprint(c.Channel, c.Amount, c.For.GetSubAccountId(), c.For.GetMonthId())
	result, err := a.record(ctx, who, command, c.PaymentID, hash, c)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	p, err := a.payment(ctx, c.PaymentID)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	if err := a.instruct(ctx, who, c.PaymentID, p); err != nil {
		return contract.PaymentStart{}, 0, err
	}
	view, err := a.paymentView(ctx, c.PaymentID, p)
	return view, result.Position(), err
}

func (a *App) payment(ctx context.Context, id string) (wallet.Payment, error) {
	state, err := a.Ledger.Load(ctx, wallet.Stream(id))
	if err != nil {
		return wallet.Payment{}, err
	}
	return state.(wallet.Payment), nil
}

// instruct asks the gateway where the payment is to be paid, and keeps its answer. It asks once: the card gateway
// refuses a reference that it knows, and a retry is to hear what the first try heard.
func (a *App) instruct(ctx context.Context, who Who, id string, p wallet.Payment) error {
	var kept bool
	err := a.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM payment_instructions WHERE payment_id = $1)", id).Scan(&kept)
	if err != nil || kept || !p.Open() {
		return err // Nobody is sent to pay what has ended.
	}
	back := a.PublicURL + "/dashboard/wallet/?reference=" + id
	if p.For != nil {
		back = a.PublicURL + "/dashboard/sub-account/payment?groupId=" + p.For.GetGroupId() + "&subAccountId=" + p.For.GetSubAccountId() + "&reference=" + id
	}
	to, err := a.Rails[p.Channel].Start(ctx, rails.StartRequest{
		Reference: id, Amount: p.Gross(), Email: who.Email, CallbackURL: back, ExpiresAt: p.ExpiresAt,
	})
	if err != nil {
		return err
	}
	_, err = a.Pool.Exec(ctx, `INSERT INTO payment_instructions (payment_id, account_number, account_name, bank_name, checkout_url)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (payment_id) DO NOTHING`, id, to.AccountNumber, to.AccountName, to.BankName, to.CheckoutURL)
	return err
}

// paymentView is a payment as its payer sees it.
func (a *App) paymentView(ctx context.Context, id string, p wallet.Payment) (contract.PaymentStart, error) {
	view := contract.PaymentStart{
		TransactionRef: id, Status: contract.PaymentStartStatus(p.Status), Channel: contract.RailChannel(channelName(p.Channel)),
		Amount: naira(p.Amount), ExtraCharges: naira(p.Charge), Total: naira(p.Gross()),
		DateCreated: p.CreatedAt.UTC(), ExpiresAt: p.ExpiresAt.UTC(), Reason: orNil(p.Reason), Purpose: orNil("Your wallet"),
	}
	if p.For != nil {
		names, err := a.names(ctx, []string{p.For.GetGroupId()}, []string{p.For.GetSubAccountId()})
		if err != nil {
			return view, err
		}
		view.GroupId, view.SubAccountId = orNil(p.For.GetGroupId()), orNil(p.For.GetSubAccountId())
		view.Purpose = orNil(names.sub(p.For.GetGroupId(), p.For.GetSubAccountId()))
	}
	var number, name, bank, checkout string
	err := a.Pool.QueryRow(ctx, "SELECT account_number, account_name, bank_name, checkout_url FROM payment_instructions WHERE payment_id = $1", id).
		Scan(&number, &name, &bank, &checkout)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return view, err
	}
	view.AccountNumber, view.AccountName, view.BankName, view.CheckoutUrl = orNil(number), orNil(name), orNil(bank), orNil(checkout)
	return view, nil
}

// OpenPayments are the member's payments that can still be paid, newest first.
func (a *App) OpenPayments(ctx context.Context, user string) ([]contract.PaymentStart, error) {
	rows, err := activity.OpenPayments(ctx, a.Pool, user, 20)
	if err != nil {
		return nil, err
	}
	out := []contract.PaymentStart{}
	for _, row := range rows {
		p := wallet.Payment{
			Status: wallet.Status(row.Status), User: row.User, Channel: row.Channel, Amount: row.Amount, Charge: row.Charge,
			CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt,
		}
		if row.SubAccountID != "" {
			p.For = &nairav1.ContributionPurpose{GroupId: row.GroupID, SubAccountId: row.SubAccountID, MonthId: row.MonthID}
		}
		view, err := a.paymentView(ctx, row.ID, p)
		if err != nil {
			return nil, err
		}
		out = append(out, view)
	}
	return out, nil
}

// VerifyPayment asks the gateway how the member's payment stands and posts what it says.
func (a *App) VerifyPayment(ctx context.Context, user, id string) (contract.PaymentStart, int64, error) {
	id, err := parseID(id, "payment")
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	p, err := a.payment(ctx, id)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	if p.User != user {
		return contract.PaymentStart{}, 0, fault.New(fault.NotFound, "There is no such payment.")
	}
	pos, err := a.Settle(ctx, id)
	if err != nil {
		return contract.PaymentStart{}, 0, err
	}
	if p, err = a.payment(ctx, id); err != nil {
		return contract.PaymentStart{}, 0, err
	}
	view, err := a.paymentView(ctx, id, p)
	return view, pos, err
}

// Webhook takes a gateway's word that a payment moved. The word alone posts nothing: what it says is held against the
// payment that we started, and the gateway is asked.
func (a *App) Webhook(ctx context.Context, n rails.Notice) error {
	id, err := parseID(n.Reference, "payment")
	if err != nil {
		return err
	}
	p, err := a.payment(ctx, id)
	switch {
	case err != nil:
		return err
	case p.Status == wallet.None:
		// Perhaps we have not recorded it yet: the gateway sends again what we do not accept.
		return fault.New(fault.NotFound, "There is no such payment.")
	case n.Currency != rails.Naira || n.Amount != p.Gross():
		slog.Warn("payments: a webhook names another amount than its payment", "payment", id)
		return fault.New(fault.Conflict, "This payment is for %s.", p.Gross())
	}
	_, err = a.Settle(ctx, id)
	return err
}

// Settle asks the gateway how a payment stands and records it. It answers the position of what it recorded, 0 when
// there was nothing new. One that expired or failed is asked about too: its money may have come late.
func (a *App) Settle(ctx context.Context, id string) (int64, error) {
	p, err := a.payment(ctx, id)
	if err != nil || p.Status == wallet.None || p.Status == wallet.Confirmed {
		return 0, err
	}
	status, err := a.Rails[p.Channel].Status(ctx, id)
	if fault.Is(err, fault.Unavailable) {
		// The rail's own sentence says that nothing was taken, but the payer may have paid by now.
		return 0, fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "We cannot learn just now whether your payment has arrived. Please try again shortly."), err)
	}
	if err != nil {
		return 0, err
	}
	switch {
	case status.State == rails.Paid:
		return a.confirm(ctx, id, p, status)
	case !p.Open():
		return 0, nil
	case status.State == rails.Failed:
		return a.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: plain(status.Reason)})
	case status.State == rails.Unknown && p.Status == wallet.Pending && a.Now().After(p.ExpiresAt.Add(unknownFor)):
		// It became pending on an answer that we could not read, and nothing ever came.
		return a.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: "No money came in time."})
	case status.State == rails.Pending && p.Status == wallet.Initiated && p.Channel == nairav1.Channel_CHANNEL_BANK_TRANSFER:
		return a.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Pending})
	case p.Status == wallet.Initiated && !a.Now().Before(p.ExpiresAt):
		return a.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Expired, Now: a.Now()})
	default:
		return 0, nil
	}
}

// plain holds a gateway's words to what every table can keep.
func plain(words string) string {
	words = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, words)
	if runes := []rune(words); len(runes) > reasonMax {
		return string(runes[:reasonMax])
	}
	return words
}

const reasonMax = 200

// rail is who records what a gateway said.
var rail = Who{User: "system"}

func (a *App) end(ctx context.Context, id string, c wallet.EndPayment) (int64, error) {
	result, err := a.record(ctx, rail, store.CommandID("system", "payment "+string(c.To), id), id, store.Fingerprint(id, c.To), c)
	if fault.Is(err, fault.Conflict) {
		return 0, nil // It came to something else meanwhile.
	}
	return result.Position(), err
}

// confirm credits what the gateway has. A gateway's reference is the command's identity, so it is credited once, ever.
func (a *App) confirm(ctx context.Context, id string, p wallet.Payment, s rails.Status) (int64, error) {
	command := store.CommandID("system", "credit "+channelName(p.Channel), s.ProviderRef)
	confirm := wallet.ConfirmPayment{
		PaymentID: id, User: p.User, Channel: p.Channel, Gross: s.Amount, Fee: s.Fee, ProviderRef: s.ProviderRef, PaidAt: s.PaidAt,
	}
	if s.Currency != rails.Naira {
		slog.Error("payments: the gateway has another currency than naira; left for FinanceOps", "payment", id, "currency", s.Currency)
		return 0, nil
	}
	then := a.At(s.PaidAt) // Money counts from the bank's timestamp.
	result, err := then.record(ctx, rail, command, id, store.Fingerprint(id, s.Amount), then.whole(confirm, p))
	if !fault.Is(err, fault.Conflict) {
		return result.Position(), err
	}
	slog.Warn("payments: the gateway's money does not fit its payment", "payment", id, "error", err)
	if known, err := a.Ledger.Recorded(ctx, command); known || err != nil {
		return 0, err // This very money is in the ledger already.
	}
	reason := err.Error()
	result, err = then.record(ctx, rail, store.CommandID("system", "unmatched "+channelName(p.Channel), s.ProviderRef), id,
		store.Fingerprint(id, s.Amount), wallet.ReceiveUnmatched{
			ProviderRef: s.ProviderRef, Channel: p.Channel, Amount: s.Amount, Reference: id, PaidAt: s.PaidAt,
			Reason: reason,
		})
	if err == nil && p.Open() {
		_, err = a.end(ctx, id, wallet.EndPayment{PaymentID: id, To: wallet.Failed, Reason: reason})
	}
	return result.Position(), err
}

// whole is the confirmation, with the contribution that the payment was for.
func (a *App) whole(confirm wallet.ConfirmPayment, p wallet.Payment) event.Command {
	if p.For == nil {
		return confirm
	}
	return savings.ContributeByPayment{Confirm: confirm, Contribute: savings.Contribute{
		GroupID: p.For.GetGroupId(), SubAccountID: p.For.GetSubAccountId(), User: p.User, Amount: p.Amount,
		MonthID: int(p.For.GetMonthId()), Channel: p.Channel, PaymentID: confirm.PaymentID, At: a.Now(),
	}}
}

// SettleOpen asks about payments that are open, for as long as the context lets it: for what no webhook told, and to
// let old ones expire.
func (a *App) SettleOpen(ctx context.Context) error {
	open, err := activity.AnyOpenPayments(ctx, a.Pool, 500)
	if err != nil {
		return err
	}
	var failures []error
	for _, p := range open {
		if ctx.Err() != nil {
			break // The others' turn comes.
		}
		if _, err := a.Settle(ctx, p.ID); err != nil {
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}
