package activity

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/unmatched"
	"adashi.ng/services/internal/usecase"
)

// corrected is how much earlier than its record a wallet's payment of a due must count to be a correction's: all others
// count from the request.
const corrected = time.Minute

// paymentStory tells how a payment came about: asked for, confirmed, posted.
func (s *Service) paymentStory(ctx context.Context, m activity.Movement) ([]StoryStep, error) {
	asked := StoryStep{Step: StoryStepStepINITIATED, Title: "Initiated", At: m.EffectiveAt.UTC(), Detail: "You asked to pay " + m.Amount.String() + " " + usecase.ByChannel(m.Channel) + "."}
	confirmed := StoryStep{Step: StoryStepStepCONFIRMED, Title: "Confirmed", At: m.EffectiveAt.UTC(), Detail: "Your wallet had the money and it was taken at once."}
	if m.Channel != nairav1.Channel_CHANNEL_WALLET {
		p, err := activity.PaymentOf(ctx, s.Pool, m.Reference)
		if err != nil {
			return nil, usecase.NotThere(err, activity.ErrNone, "payment")
		}
		asked.At = p.CreatedAt.UTC()
		asked.Detail = "You asked to pay " + p.Amount.String() + " " + usecase.ByChannel(m.Channel) + "."
		if p.Charge > 0 {
			asked.Detail = "You asked to pay " + p.Amount.String() + " " + usecase.ByChannel(m.Channel) + ", with a charge of " + p.Charge.String() + "."
		}
		if p.PaidAt != nil {
			confirmed.At = p.PaidAt.UTC()
		}
		confirmed.Detail = "The bank confirmed that it has the money."
	}
	steps := []StoryStep{asked, confirmed, posted(m)}
	if m.Channel == nairav1.Channel_CHANNEL_WALLET && m.Kind == activity.Contribution && m.RecordedAt.Sub(m.EffectiveAt) > corrected {
		steps = []StoryStep{{
			Step: StoryStepStepCONFIRMED, Title: "Decided", At: m.RecordedAt.UTC(),
			Detail: "A correction that two of us approved paid this from your wallet. It counts from " + lagos.Date(m.EffectiveAt) + ".",
		}, posted(m)}
	}
	if m.Channel == nairav1.Channel_CHANNEL_WALLET && steps[0].Step == StoryStepStepINITIATED {
		itself, err := s.byItself(ctx, m)
		if err != nil {
			return nil, err
		}
		if itself {
			steps[0].Detail = "We took " + m.Amount.String() + " from your wallet by ourselves, as you let us."
		}
	}
	return steps, nil
}

// contributionStory is paymentStory of a payment into a group, and what its reviewer says.
func (s *Service) contributionStory(ctx context.Context, m activity.Movement) ([]StoryStep, error) {
	return s.reviewed(ctx, m, s.review)
}

// ajoDueStory is contributionStory of a payment into an ajo.
func (s *Service) ajoDueStory(ctx context.Context, m activity.Movement) ([]StoryStep, error) {
	return s.reviewed(ctx, m, s.ajoReview)
}

func (s *Service) reviewed(ctx context.Context, m activity.Movement, look func(context.Context, activity.Movement) (*StoryStep, error)) ([]StoryStep, error) {
	steps, err := s.paymentStory(ctx, m)
	if err != nil {
		return nil, err
	}
	looked, err := look(ctx, m)
	if looked != nil {
		steps = append(steps, *looked)
	}
	return steps, err
}

// byItself reports whether a job paid a movement from its member's wallet, by a consent or a standing order.
func (s *Service) byItself(ctx context.Context, m activity.Movement) (bool, error) {
	records, err := history.ReadAt(ctx, s.Pool, []int64{m.Pos})
	if err != nil || len(records) == 0 {
		return false, err
	}
	message, err := records[0].Message()
	if debt, is := message.(*nairav1.AjoDebtPaid); is {
		return debt.GetTaken() != "", err
	}
	return records[0].Actor == usecase.System.User, err
}

// review returns the review of a payment into a group, or its reviewer. It is nil until the audit knows the payment.
func (s *Service) review(ctx context.Context, m activity.Movement) (*StoryStep, error) {
	p, err := groups.PaymentOf(ctx, s.Pool, m.ID)
	if p == nil || err != nil {
		return nil, err
	}
	who := p.MarkedBy
	if who == "" {
		g, err := s.GroupState(ctx, m.GroupID)
		if err != nil {
			return nil, err
		}
		who = reviews.Marker(g, reviews.Payment{Group: p.Group, SubAccount: p.SubAccount, User: p.User, PaidBy: p.PaidBy})
	}
	return s.reviewStep(ctx, who, "An approver of the group", said{p.Mark, p.MarkedAt, p.Reason}, m)
}

// ajoReview is review for a payment into an ajo.
func (s *Service) ajoReview(ctx context.Context, m activity.Movement) (*StoryStep, error) {
	p, err := ajos.PaymentAt(ctx, s.Pool, m.AjoID, m.Pos)
	if errors.Is(err, ajos.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	who := p.MarkedBy
	if who == "" {
		a, err := ajos.ByID(ctx, s.Pool, m.AjoID)
		if err != nil {
			return nil, err
		}
		who = reviews.AjoMarker(a.State, reviews.AjoPayment{Users: p.Users(), Payer: p.PaidBy})
	}
	return s.reviewStep(ctx, who, "Another member", said{p.Mark, p.MarkedAt, p.Reason}, m)
}

// said is the review of a payment.
type said struct {
	mark   nairav1.Mark
	at     *time.Time
	reason string
}

// reviewStep names a payment's mark, or who must give it: others, when no single person must.
func (s *Service) reviewStep(ctx context.Context, who, others string, p said, m activity.Movement) (*StoryStep, error) {
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs([]string{who}))
	if err != nil {
		return nil, err
	}
	name := others
	if who != "" {
		name = usecase.FullName(cards, who)
	}
	return p.step(name, m.RecordedAt.UTC()), nil
}

func (p said) step(name string, posted time.Time) *StoryStep {
	at := posted
	if p.at != nil {
		at = p.at.UTC()
	}
	switch p.mark {
	case nairav1.Mark_MARK_VALIDATED:
		return &StoryStep{Step: StoryStepStepVALIDATED, Title: "Validated by " + name, At: at, Detail: "It was looked at for all members, and it is right."}
	case nairav1.Mark_MARK_RESOLVED:
		return &StoryStep{Step: StoryStepStepVALIDATED, Title: "Validated by " + name, At: at, Detail: "There was a question about it, and it is answered: " + p.reason}
	case nairav1.Mark_MARK_QUERIED:
		return &StoryStep{Step: StoryStepStepQUERIED, Title: name + " asks about it", At: at, Detail: p.reason}
	default:
		return &StoryStep{Step: StoryStepStepWAITING, Title: name + " validates this payment", At: at, Detail: "It counts already. Its mark shows here once it is given."}
	}
}

// withdrawalStory is the story of a movement's withdrawal.
func (s *Service) withdrawalStory(ctx context.Context, m activity.Movement) ([]StoryStep, error) {
	steps, err := s.Payouts.WithdrawalSteps(ctx, m.Reference)
	return withPosted(steps, m), err
}

// savingsStory is the story of the request that paid out a member's savings.
func (s *Service) savingsStory(ctx context.Context, m activity.Movement) ([]StoryStep, error) {
	view, err := s.Liquidations.Liquidation(ctx, m.User, m.Reference)
	return withPosted(view.Story, m), err
}

// arrivalStory is the story of money that was found to belong to a member.
func (s *Service) arrivalStory(ctx context.Context, m activity.Movement) ([]StoryStep, error) {
	arrival, err := unmatched.AssignedAt(ctx, s.Pool, m.Pos)
	if errors.Is(err, unmatched.ErrNone) {
		return []StoryStep{posted(m)}, nil
	}
	arrived, assigned := arrival.Pos, m.Pos
	return withPosted([]StoryStep{
		{Step: StoryStepStepCONFIRMED, Title: "Arrived", At: arrival.PaidAt.UTC(), Position: &arrived, Detail: m.Amount.String() + " arrived " + usecase.ByChannel(m.Channel) + ", and we could not tell whose it was."},
		{Step: StoryStepStepINITIATED, Title: "Looked into", At: m.RecordedAt.UTC(), Position: &assigned, Detail: "One of us found that it is yours, and another agreed."},
	}, m), err
}

// decided explains an adjustment. Its reference is the dispute's.
func decided(m activity.Movement) StoryStep {
	return StoryStep{
		Step: StoryStepStepCONFIRMED, Title: "Decided", At: m.RecordedAt.UTC(),
		Detail: "One of us proposed this correction of " + dispute.Number(m.Reference) + ", and two others approved it.",
	}
}

// withPosted adds the posting of a movement after the steps that were recorded with it.
func withPosted(steps []StoryStep, m activity.Movement) []StoryStep {
	for at := len(steps) - 1; at >= 0; at-- {
		if pos := steps[at].Position; pos != nil && *pos == m.Pos {
			return slices.Insert(steps, at+1, posted(m))
		}
	}
	return append(steps, posted(m))
}

func posted(m activity.Movement) StoryStep {
	pos := m.Pos
	return StoryStep{
		Step: StoryStepStepPOSTED, Title: "Posted", At: m.RecordedAt.UTC(), Position: &pos,
		Detail: "Written into the ledger as entry " + strconv.FormatInt(pos, 10) + ". It can never be changed or removed.",
	}
}

// entryView is a line of the double entry in plain words.
func (s *Service) entryView(line activity.Line, m activity.Movement, n usecase.Names) Entry {
	amount := line.Kobo
	view := Entry{Side: CREDIT}
	if amount < 0 {
		amount, view.Side = -amount, DEBIT
	}
	view.Amount = usecase.Naira(amount)
	credit := view.Side == CREDIT
	switch kind, id, _ := strings.Cut(line.Account, ":"); {
	case line.Account == posting.Wallet(m.User):
		view.Account, view.Words = "Your wallet", pick(credit, "went into your wallet", "left your wallet")
	case kind == "held":
		view.Account, view.Words = "Set aside", pick(credit, "was set aside", "is no longer set aside")
	case line.Account == posting.FeesAjo:
		view.Account, view.Words = "Ajo fee", "is the fee for it"
	case ajoAccounts[kind].account != "":
		of := ajoAccounts[kind]
		view.Account, view.Words = of.account, pick(credit, of.in, of.out)
	case kind == "pool":
		view.Account, view.Words = n.Sub(m.GroupID, id), pick(credit, "went into the group's money", "left the group's money")
	case s.isGateway(line.Account):
		view.Account, view.Words = "Card gateway", pick(credit, "is no longer due from the card gateway", "is due to us from the card gateway")
	case kind == "bank":
		view.Account, view.Words = "Our bank account", pick(credit, "left our bank account", "arrived in our bank account")
	case line.Account == posting.FeesGateway:
		view.Account, view.Words = "Card gateway's fee", "was kept by the card gateway"
	case line.Account == posting.FeesCharged:
		view.Account, view.Words = "Card charge", "is the charge that you paid for it"
	case line.Account == posting.Unmatched:
		view.Account, view.Words = "Money of nobody known yet", pick(credit, "was kept until we know whose it is", "is no longer kept for an unknown owner")
	case kind == "owed":
		view.Account, view.Words = "What you owe Adashi", pick(credit, "is no longer owed to Adashi", "is owed to Adashi now")
	case line.Account == posting.Losses:
		view.Account, view.Words = "Our loss", pick(credit, "makes good what we had lost", "is what your wallet no longer had, and we bear")
	case line.Account == posting.Corrections:
		view.Account, view.Words = "Our own account", pick(credit, "is money that we had paid wrongly", "is what we pay to put it right")
	case line.Account == posting.TaxVAT:
		view.Account, view.Words = "Value added tax", pick(credit, "is owed to the state as VAT on the charge", "is no longer owed to the state as VAT")
	case line.Account == posting.TaxDuty:
		view.Account, view.Words = "Stamp duty", pick(credit, "is owed to the state as stamp duty", "is no longer owed to the state as stamp duty")
	case m.Kind == activity.WithdrawalReturned:
		view.Account, view.Words = "Transfer fee", "is the fee, which we gave back"
	default:
		view.Account, view.Words = "Rounding of charges", pick(credit, "was charged beyond the gateway's fee", "was the gateway's fee beyond the charge")
	}
	return view
}

// isGateway reports whether an account is the bank account of a provider that takes only cards.
func (s *Service) isGateway(account string) bool {
	provider, bank := event.ProviderOf(account)
	return bank && s.Payouts.Rails.Channel(provider) == nairav1.Channel_CHANNEL_CARD
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
