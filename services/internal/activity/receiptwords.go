package activity

import (
	"context"
	"errors"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/ajos"
	payoutsmodel "adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
)

// receiptWords are a receipt's texts about a movement, in addition to its figures.
type receiptWords struct {
	way   string // The member's role in the movement.
	title string // Replaces the movement's own title; empty to keep that.
	state string // The money's present state; empty when it was paid and nobody took it back.
}

// nobodyPaid is the text about money that was set aside. We no longer issue a receipt for it; earlier builds did.
const nobodyPaid = "This money was only set aside. Nobody was paid."

// wordsOf returns a movement's texts, as of now.
func (s *Service) wordsOf(ctx context.Context, m activity.Movement) (receiptWords, error) {
	words := kinds[m.Kind]
	if words.receipt == nil {
		return receiptWords{way: words.way}, nil
	}
	return words.receipt(s, ctx, m)
}

func heldWords(*Service, context.Context, activity.Movement) (receiptWords, error) {
	return receiptWords{way: "Set aside by", state: nobodyPaid}, nil
}

func (s *Service) fundedWords(ctx context.Context, m activity.Movement) (receiptWords, error) {
	return s.takenBack(ctx, m, "Received by", activity.PaymentReversed, m.Reference, "The bank took this money back on ")
}

func (s *Service) contributionWords(ctx context.Context, m activity.Movement) (receiptWords, error) {
	return s.takenBack(ctx, m, "Paid by", activity.ContributionReversed, m.ID.String(), "The group gave this money back on ")
}

// takenBack returns the texts of a movement, if another one of a kind and reference undoes it.
func (s *Service) takenBack(ctx context.Context, m activity.Movement, way, kind, reference, words string) (receiptWords, error) {
	undone, err := activity.Of(ctx, s.Pool, m.User, kind, reference)
	if errors.Is(err, activity.ErrNone) {
		return receiptWords{way: way}, nil
	}
	return receiptWords{way: way, state: words + lagos.Date(undone.EffectiveAt) + "."}, err
}

func (s *Service) withdrawalWords(ctx context.Context, m activity.Movement) (receiptWords, error) {
	p, err := payoutsmodel.One(ctx, s.Pool, m.Reference)
	if errors.Is(err, payoutsmodel.ErrNone) {
		return receiptWords{}, fault.New(fault.Unavailable, "We are still writing down what became of this withdrawal. Please ask again in a few seconds.")
	}
	switch p.Status {
	case "PAID":
		return receiptWords{way: "Paid to"}, err
	case "FAILED":
		return receiptWords{
			way: "Asked for by", title: "Withdrawal that the bank did not pay", state: "The bank did not pay it. The money is in the wallet again since " + lagos.Date(*p.EndedAt) + ".",
		}, err
	case "REVERSED":
		return receiptWords{way: "Paid to", state: "The bank sent this money back on " + lagos.Date(*p.EndedAt) + "."}, err
	}
	return receiptWords{way: "Asked for by", state: "The bank has not said yet that it paid this."}, err
}

func (s *Service) savingsWords(ctx context.Context, m activity.Movement) (receiptWords, error) {
	r, err := requests.One(ctx, s.Pool, m.Reference)
	if errors.Is(err, requests.ErrNone) {
		return receiptWords{}, fault.New(fault.Unavailable, "We are still writing down what became of this payment. Please ask again in a few seconds.")
	}
	says := receiptWords{way: "Paid to"}
	if r.Status == "REVERSED" {
		says.state = "The bank sent this money back to the group."
	}
	return says, err
}

func (s *Service) ajoWords(ctx context.Context, m activity.Movement) (receiptWords, error) {
	p, err := ajos.PaymentAt(ctx, s.Pool, m.AjoID, m.Pos)
	if errors.Is(err, ajos.ErrNone) {
		return receiptWords{way: "Paid by"}, nil
	}
	says := receiptWords{way: "Paid by"}
	if p.Returned {
		says.state = "The ajo gave this money back."
	}
	return says, err
}
