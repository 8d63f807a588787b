package app

import (
	"context"
	"strconv"
	"strings"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/posting"
	"adashi.ng/projections/activity"
)

// story tells how a movement came about: asked for, confirmed, posted.
func (a *App) story(ctx context.Context, m activity.Movement) ([]contract.StoryStep, error) {
	asked := contract.StoryStep{Step: contract.StoryStepStepINITIATED, Title: "Initiated", At: m.EffectiveAt.UTC(), Detail: "You asked to pay " + m.Amount.String() + " " + by(m.Channel) + "."}
	confirmed := contract.StoryStep{Step: contract.StoryStepStepCONFIRMED, Title: "Confirmed", At: m.EffectiveAt.UTC(), Detail: "Your wallet had the money and it was taken at once."}
	switch m.Kind {
	case activity.PaymentReversed, activity.ContributionReversed, activity.MoneyHeld, activity.HoldEnded:
		return []contract.StoryStep{posted(m)}, nil
	case activity.Withdrawal, activity.WithdrawalReturned, activity.UnmatchedAssigned:
		steps, err := activity.Story(ctx, a.Pool, m)
		return told(steps, m), err
	}
	if m.Channel != nairav1.Channel_CHANNEL_WALLET {
		p, err := activity.PaymentOf(ctx, a.Pool, m.Reference)
		if err != nil {
			return nil, notThere(err, activity.ErrNone, "payment")
		}
		asked.At = p.CreatedAt.UTC()
		asked.Detail = "You asked to pay " + p.Amount.String() + " " + by(m.Channel) + "."
		if p.Charge > 0 {
			asked.Detail = "You asked to pay " + p.Amount.String() + " " + by(m.Channel) + ", with a charge of " + p.Charge.String() + "."
		}
		if p.PaidAt != nil {
			confirmed.At = p.PaidAt.UTC()
		}
		confirmed.Detail = "The bank confirmed that it has the money."
	}
	return []contract.StoryStep{asked, confirmed, posted(m)}, nil
}

// told puts the steps of a withdrawal or an arrival into words. The movement's own step is the one that was posted.
func told(steps []activity.Step, m activity.Movement) []contract.StoryStep {
	out := []contract.StoryStep{}
	for _, s := range steps {
		pos := s.Pos
		say := func(step contract.StoryStepStep, title, detail string) {
			out = append(out, contract.StoryStep{Step: step, Title: title, Detail: detail, At: s.At.UTC(), Position: &pos})
		}
		switch s.Step {
		case activity.Requested:
			say(contract.StoryStepStepINITIATED, "Asked for", "You asked for "+s.Amount.String()+" to be paid out. With charges of "+s.Charge.String()+" out of it, "+(s.Amount-s.Charge).String()+" goes to your bank account. All of it was set aside.")
		case activity.Sent:
			say(contract.StoryStepStepSENT, "Sent", "We told the bank to pay it out. It is told once; from here on we only ask how it stands.")
		case activity.Paid:
			say(contract.StoryStepStepCONFIRMED, "Confirmed", "The bank paid it. Its reference is "+s.Detail+".")
		case activity.Failed:
			say(contract.StoryStepStepFAILED, "Failed", strings.TrimSpace("The bank did not pay it. "+s.Detail))
			say(contract.StoryStepStepRETURNED, "Returned", s.Amount.String()+" is back in your wallet. You have not been charged.")
		case activity.Reversed:
			say(contract.StoryStepStepRETURNED, "Returned", strings.TrimSpace("The receiving bank sent it back, and "+s.Amount.String()+" is in your wallet again, charges too. "+s.Detail))
		case activity.Arrived:
			say(contract.StoryStepStepCONFIRMED, "Arrived", s.Amount.String()+" arrived "+by(m.Channel)+", and we could not tell whose it was.")
		case activity.Assigned:
			say(contract.StoryStepStepINITIATED, "Looked into", "One of us found that it is yours, and another agreed.")
		}
		if s.Pos == m.Pos {
			out = append(out, posted(m))
		}
	}
	return out
}

func posted(m activity.Movement) contract.StoryStep {
	pos := m.Pos
	return contract.StoryStep{
		Step: contract.StoryStepStepPOSTED, Title: "Posted", At: m.RecordedAt.UTC(), Position: &pos,
		Detail: "Written into the ledger as entry " + strconv.FormatInt(pos, 10) + ". It can never be changed or removed.",
	}
}

// entryView is a line of the double entry in plain words.
func entryView(line activity.Line, m activity.Movement, n names) contract.Entry {
	amount := line.Kobo
	view := contract.Entry{Side: contract.CREDIT}
	if amount < 0 {
		amount, view.Side = -amount, contract.DEBIT
	}
	view.Amount = naira(amount)
	credit := view.Side == contract.CREDIT
	switch kind, id, _ := strings.Cut(line.Account, ":"); {
	case line.Account == posting.Wallet(m.User):
		view.Account, view.Words = "Your wallet", pick(credit, "went into your wallet", "left your wallet")
	case kind == "held":
		view.Account, view.Words = "Set aside", pick(credit, "was set aside", "is no longer set aside")
	case kind == "pool":
		view.Account, view.Words = n.sub(m.GroupID, id), pick(credit, "went into the group's money", "left the group's money")
	case line.Account == posting.BankTransfer:
		view.Account, view.Words = "Our bank account", pick(credit, "left our bank account", "arrived in our bank account")
	case line.Account == posting.BankCard:
		view.Account, view.Words = "Card gateway", pick(credit, "is no longer due from the card gateway", "is due to us from the card gateway")
	case line.Account == posting.FeesGateway:
		view.Account, view.Words = "Card gateway's fee", "was kept by the card gateway"
	case line.Account == posting.FeesCharged:
		view.Account, view.Words = "Card charge", "is the charge that you paid for it"
	case line.Account == posting.Unmatched:
		view.Account, view.Words = "Money of nobody known yet", pick(credit, "was kept until we know whose it is", "is no longer kept for an unknown owner")
	case line.Account == posting.Losses:
		view.Account, view.Words = "Our loss", "is what your wallet no longer had, and we bear"
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

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
