package finance

import (
	"context"
	"strconv"

	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/debts"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// lockedShown limits how many members with locked card payments are shown at once.
const lockedShown = 100

// DebtModels are the read models of the desk's list of debts.
var DebtModels = []string{debts.Name}

// Debts returns a page of members' debts, the oldest first, and the members whose card payments are locked.
func (s *Service) Debts(ctx context.Context, staff string, after *string, limit int) (DebtPage, error) {
	page := DebtPage{Debts: []Debt{}, Locked: []LockedCards{}}
	pos, err := usecase.Cursor(after)
	if err != nil {
		return page, err
	}
	count, sum, err := debts.Sum(ctx, s.Pool)
	if err != nil {
		return page, err
	}
	rows, err := debts.Page(ctx, s.Pool, pos, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	locked, err := debts.LockedCards(ctx, s.Pool, lockedShown)
	if err != nil {
		return page, err
	}
	var proposers []string
	for _, d := range rows {
		proposers = append(proposers, d.ProposedBy)
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(proposers))
	for _, d := range rows {
		page.Debts = append(page.Debts, debtView(d, staff, cards))
	}
	for _, l := range locked {
		page.Locked = append(page.Locked, LockedCards{UserId: l.User, Since: l.Since.UTC()})
	}
	page.Count, page.Amount = count, usecase.Naira(sum)
	return page, err
}

func debtView(d debts.Debt, staff string, cards map[string]people.Card) Debt {
	view := Debt{UserId: d.User, Amount: usecase.Naira(d.Amount), Since: d.Since.UTC()}
	if d.ProposalID != "" {
		view.Proposal = &WriteOffProposal{
			Version: d.ProposalID, ProposedBy: d.ProposedBy, ProposerName: usecase.FullName(cards, d.ProposedBy), Mine: d.ProposedBy == staff, Reason: d.Proposal,
		}
	}
	return view
}

// ProposeWriteOff proposes that Adashi bears a member's debt. A colleague must agree.
func (s *Service) ProposeWriteOff(ctx context.Context, who usecase.Who, user, reason string) (Debt, int64, error) {
	reason, err := because(reason, 5)
	if err != nil {
		return Debt{}, 0, err
	}
	command := store.NewCommandID()
	return s.decideDebt(ctx, who, user, wallet.ProposeWriteOff{User: user, ProposalID: event.DeriveID(command, "write-off").String(), By: who.User, Reason: reason})
}

// DecideWriteOff agrees to a colleague's proposal, in the version that the caller saw, or declines it.
func (s *Service) DecideWriteOff(ctx context.Context, who usecase.Who, user string, form DecideWriteOffRequest) (Debt, int64, error) {
	saw, err := usecase.Saw(&form.Seen, true)
	if err != nil {
		return Debt{}, 0, err
	}
	c := wallet.DecideWriteOff{User: user, Seen: saw, By: who.User, Approve: form.Approve}
	if !form.Approve {
		given := ""
		if form.Reason != nil {
			given = *form.Reason
		}
		if c.Reason, err = because(given, 1); err != nil {
			return Debt{}, 0, err
		}
	}
	return s.decideDebt(ctx, who, user, c)
}

// decideDebt records the desk's decision about a debt, and returns the debt as the ledger has it.
func (s *Service) decideDebt(ctx context.Context, who usecase.Who, user string, c event.Command) (Debt, int64, error) {
	id, err := usecase.ParseID(user, "debt")
	if err != nil {
		return Debt{}, 0, err
	}
	result, err := s.Record(ctx, who, store.NewCommandID(), id, store.Fingerprint(id), c)
	if err != nil {
		return Debt{}, 0, err
	}
	state, err := s.Ledger.Load(ctx, wallet.DebtStream(id))
	if err != nil {
		return Debt{}, 0, err
	}
	d := state.(wallet.Debt)
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs([]string{d.ProposedBy}))
	row := debts.Debt{User: id, Since: result.Records[0].RecordedAt, ProposalID: d.Proposal, ProposedBy: d.ProposedBy, Proposal: d.Reason, Amount: d.Amount}
	return debtView(row, who.User, cards), result.Position(), err
}

// UnlockCards lets a member pay by card again.
func (s *Service) UnlockCards(ctx context.Context, who usecase.Who, user, reason string) (LockedCards, int64, error) {
	user, err := usecase.ParseID(user, "member")
	if err == nil {
		reason, err = because(reason, 5)
	}
	if err != nil {
		return LockedCards{}, 0, err
	}
	result, err := s.Record(ctx, who, store.NewCommandID(), user, store.Fingerprint(user), wallet.UnlockCards{User: user, By: who.User, Reason: reason})
	if err != nil {
		return LockedCards{}, 0, err
	}
	return LockedCards{UserId: user, Since: result.Records[0].RecordedAt}, result.Position(), nil
}
