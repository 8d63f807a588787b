package app

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/posting"
	"adashi.ng/ledger/savings"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/groups"
)

// cursor reads a page's cursor: a position.
func cursor(before *string) (int64, error) {
	if before == nil || *before == "" {
		return 0, nil
	}
	pos, err := strconv.ParseInt(*before, 10, 64)
	if err != nil || pos <= 0 {
		return 0, fault.Field("before", "This page cannot be found. Go back to the first one.")
	}
	return pos, nil
}

// Movements is a page of a member's movements, newest first.
func (a *App) Movements(ctx context.Context, user string, before *string, limit int) (contract.MovementPage, error) {
	pos, err := cursor(before)
	if err != nil {
		return contract.MovementPage{}, err
	}
	rows, err := activity.Page(ctx, a.Pool, user, pos, limit+1)
	if err != nil {
		return contract.MovementPage{}, err
	}
	page := contract.MovementPage{Transactions: []contract.Movement{}}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = orNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	var groupIDs, subIDs []string
	for _, m := range rows {
		groupIDs, subIDs = append(groupIDs, m.GroupID), append(subIDs, m.SubAccountID)
	}
	n, err := a.names(ctx, groupIDs, subIDs)
	for _, m := range rows {
		page.Transactions = append(page.Transactions, movementView(m, n))
	}
	return page, err
}

func movementView(m activity.Movement, n names) contract.Movement {
	channel := contract.MovementChannel(channelName(m.Channel))
	view := contract.Movement{
		Id: m.ID.String(), Kind: contract.MovementKind(m.Kind), Direction: contract.MovementDirectionOUT, Amount: naira(m.Amount), BalanceAfter: nairaPtr(m.Balance),
		Date: m.EffectiveAt.UTC(), RecordedAt: m.RecordedAt.UTC(), Position: m.Pos, Reference: m.Reference, Channel: &channel,
	}
	switch m.Kind {
	case activity.WalletFunded:
		view.Direction, view.Title = contract.MovementDirectionIN, "Wallet funded "+by(m.Channel)
		if m.Charge > 0 {
			view.Charge = nairaPtr(m.Charge)
		}
		return view
	case activity.PaymentReversed:
		view.Title = "Payment taken back by the bank"
		return view
	case activity.MoneyHeld:
		view.Title = "Set aside"
		return view
	case activity.HoldEnded:
		view.Direction, view.Title = contract.MovementDirectionIN, "No longer set aside"
		return view
	case activity.ContributionReversed:
		view.Direction, view.Title = contract.MovementDirectionIN, n.subs[m.SubAccountID].Name+" contribution reversed"
	default:
		view.Title = n.subs[m.SubAccountID].Name + " contribution"
	}
	view.GroupId, view.GroupName = orNil(m.GroupID), orNil(n.groups[m.GroupID].Name)
	view.SubAccountId, view.SubAccountName = orNil(m.SubAccountID), orNil(n.subs[m.SubAccountID].Name)
	return view
}

func by(c nairav1.Channel) string {
	switch c {
	case nairav1.Channel_CHANNEL_CARD:
		return "by card"
	case nairav1.Channel_CHANNEL_BANK_TRANSFER:
		return "by bank transfer"
	default:
		return "from your wallet"
	}
}

// Movement is one movement with its story and its double entry in words.
func (a *App) Movement(ctx context.Context, user, id string) (contract.MovementDetail, error) {
	id, err := parseID(id, "movement")
	if err != nil {
		return contract.MovementDetail{}, err
	}
	m, err := activity.One(ctx, a.Pool, user, uuid.MustParse(id))
	if err != nil {
		return contract.MovementDetail{}, notThere(err, activity.ErrNone, "movement")
	}
	n, err := a.names(ctx, []string{m.GroupID}, []string{m.SubAccountID})
	if err != nil {
		return contract.MovementDetail{}, err
	}
	story, err := a.story(ctx, m)
	if err != nil {
		return contract.MovementDetail{}, err
	}
	detail := contract.MovementDetail{Movement: movementView(m, n), Story: story, LeafHash: hex.EncodeToString(m.Leaf), Entries: []contract.Entry{}}
	for _, line := range m.Lines {
		detail.Entries = append(detail.Entries, entryView(line, m, n))
	}
	if len(m.Settled) > 0 {
		sub := n.subs[m.SubAccountID]
		settled := []contract.Settlement{}
		for _, s := range m.Settled {
			settled = append(settled, settlement(scheduleOf(sub), s.Period, s.Kobo))
		}
		detail.Settled = &settled
	}
	return detail, nil
}

func scheduleOf(s groups.SubAccount) savings.Schedule {
	return savings.Schedule{First: savings.ParseDay(s.FirstDue), Frequency: s.Frequency}
}

// story tells how a movement came about: asked for, confirmed, posted.
func (a *App) story(ctx context.Context, m activity.Movement) ([]contract.StoryStep, error) {
	asked := contract.StoryStep{Step: contract.StoryStepStepINITIATED, Title: "Initiated", At: m.EffectiveAt.UTC(), Detail: "You asked to pay " + m.Amount.String() + " " + by(m.Channel) + "."}
	confirmed := contract.StoryStep{Step: contract.StoryStepStepCONFIRMED, Title: "Confirmed", At: m.EffectiveAt.UTC(), Detail: "Your wallet had the money and it was taken at once."}
	switch m.Kind {
	case activity.PaymentReversed, activity.ContributionReversed, activity.MoneyHeld, activity.HoldEnded:
		return []contract.StoryStep{posted(m)}, nil
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

// The dashboard's reach.
const (
	duesAhead   = 31 // Days.
	duesShown   = 10
	monthsShown = 6
)

// Dashboard is what is due next and what was contributed of late.
func (a *App) Dashboard(ctx context.Context, user string) (contract.Dashboard, error) {
	out := contract.Dashboard{Dues: []contract.Due{}, Months: []contract.MonthTotal{}}
	gs, err := groups.OfUser(ctx, a.Pool, user)
	if err != nil {
		return out, err
	}
	c, err := a.circle(ctx, user, gs...)
	if err != nil {
		return out, err
	}
	for _, g := range gs {
		s, in := c.seat(g, user)
		if !in || !s.active() {
			continue
		}
		for _, sub := range c.subs[g.ID] {
			d := duesOf(sub, s.member.Since, c.paid[g.ID][user][sub.ID])
			if due, ok := nextDue(g, sub, d, c.today, c.today.AddDate(0, 0, duesAhead)); ok {
				out.Dues = append(out.Dues, due)
			}
		}
	}
	soonest(out.Dues)
	out.Dues = out.Dues[:min(len(out.Dues), duesShown)]
	first := time.Date(c.today.Year(), c.today.Month()-monthsShown+1, 1, 0, 0, 0, 0, savings.Lagos)
	months, err := activity.Months(ctx, a.Pool, user, first)
	if err != nil {
		return out, err
	}
	for i := range monthsShown {
		m := first.AddDate(0, i, 0)
		out.Months = append(out.Months, contract.MonthTotal{Month: m.Format("2006-01"), Label: m.Format("Jan"), Contributed: naira(months[m.Format("2006-01")])})
	}
	return out, nil
}
